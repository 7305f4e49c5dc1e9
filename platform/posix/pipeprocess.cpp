// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/pipeprocess.h"

#include "platform/posix/childexit.h"
#include "platform/posix/spawnrequest.h"

#include <QtCore/QMetaObject>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <utility>

namespace telson::platform {

using core::ExitStatus;
using core::OutputChannel;
using core::StartError;

namespace {

constexpr std::size_t s_readSize = std::size_t{64} * 1024;
constexpr int s_maxReads = 16; // then the others have a turn: 1 MiB
constexpr int s_bigPipe = 1024 * 1024;
constexpr int s_longestReapWait = 100; // milliseconds, at the end of the service

} // namespace

PipeProcess::PipeProcess() = default;

PipeProcess::~PipeProcess()
{
    if (m_pid == 0 || m_isReaped) {
        return;
    }
    if (!m_isReleased) {
        kill();
    }
    if (!m_isReaped) {
        waitForExit(m_exitWatch, s_longestReapWait);
        reap(m_pid);
    }
}

void PipeProcess::start(const core::CommandSpec &spec)
{
    Q_ASSERT(m_state == State::Fresh);
    if (m_state != State::Fresh) {
        return;
    }
    m_state = State::Starting;
    auto request = toSpawnRequest(spec);
    if (!request) {
        announceFailure(request.error());
        return;
    }
    auto process = spawnPiped(*request);
    if (!process) {
        announceFailure(toStartError(process.error()));
        return;
    }
    UniqueFd exitWatch = openExitWatch(process->pid);
    if (!exitWatch.isValid()) {
        const int error = errno;
        signalGroup(process->pid, SIGKILL);
        for (int i = 0; i < s_longestReapWait && !reap(process->pid); ++i) {
            waitForExit(UniqueFd(), 1); // without a descriptor it only waits
        }
        announceFailure(toStartError(SpawnFailure{SpawnProblem::OutOfResources, error}));
        return;
    }
    adopt(std::move(*process), std::move(exitWatch));
}

void PipeProcess::adopt(SpawnedProcess process, UniqueFd exitWatch)
{
    m_pid = process.pid;
    m_exitWatch = std::move(exitWatch);
    m_standardOutput.pipe = std::move(process.standardOutput);
    m_standardError.pipe = std::move(process.standardError);
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_state = State::Running;
            watch();
            Q_EMIT started();
        },
        Qt::QueuedConnection);
}

void PipeProcess::announceFailure(const StartError &error)
{
    QMetaObject::invokeMethod(
        this,
        [this, error] {
            m_state = State::Failed;
            Q_EMIT failedToStart(error);
        },
        Qt::QueuedConnection);
}

void PipeProcess::watch()
{
    const auto notify = [this](const UniqueFd &descriptor, auto handler) {
        auto notifier =
            std::make_unique<QSocketNotifier>(descriptor.value(), QSocketNotifier::Read);
        connect(notifier.get(), &QSocketNotifier::activated, this, handler);
        return notifier;
    };
    m_standardOutput.notifier =
        notify(m_standardOutput.pipe, [this] { readFrom(OutputChannel::StandardOutput); });
    m_standardError.notifier =
        notify(m_standardError.pipe, [this] { readFrom(OutputChannel::StandardError); });
    m_exitNotifier = notify(m_exitWatch, [this] { onExit(); });
}

void PipeProcess::readFrom(OutputChannel channel)
{
    Stream &stream = channel == OutputChannel::StandardOutput ? m_standardOutput : m_standardError;
    std::array<char, s_readSize> buffer;
    for (int i = 0; i < s_maxReads && stream.pipe.isValid(); ++i) {
        const ssize_t size = ::read(stream.pipe.value(), buffer.data(), buffer.size());
        if (size < 0 && errno == EINTR) {
            continue;
        }
        if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        }
        if (size <= 0) {
            closeStream(stream);
            return;
        }
        if (!m_isReleased) {
            Q_EMIT outputReceived(channel, QByteArrayView(buffer.data(), size));
        }
        if (static_cast<std::size_t>(size) < buffer.size()) {
            return; // most likely empty; if not, the notifier calls again
        }
#ifdef F_SETPIPE_SZ
        if (!std::exchange(stream.hasBigPipe, true)) {
            // For those who write much: fewer switches between writer and reader.
            (void)::fcntl(stream.pipe.value(), F_SETPIPE_SZ, s_bigPipe);
        }
#endif
    }
}

void PipeProcess::closeStream(Stream &stream)
{
    stream.notifier->setEnabled(false);
    stream.pipe.reset();
    if (isOutputOpen()) {
        return;
    }
    if (m_state == State::Exited) {
        m_state = State::Finished;
    }
    Q_EMIT outputClosed();
}

void PipeProcess::onExit()
{
    const auto exit = peekExit(m_pid);
    if (!exit) {
        return;
    }
    m_exitNotifier->setEnabled(false);
    if (m_isKilled) {
        // Once more for what was forked while the first kill went round.
        signalGroup(m_pid, SIGKILL);
        killSession(m_pid);
    }
    if (m_isKilled || m_isReleased) {
        reapNow();
    }
    m_state = isOutputOpen() ? State::Exited : State::Finished;
    const QString name =
        exit->signal == 0 ? QString() : QString::fromStdString(signalName(exit->signal));
    Q_EMIT exited(ExitStatus{exit->exitCode, exit->signal, name});
}

void PipeProcess::terminate()
{
    if (canSignal()) {
        signalGroup(m_pid, SIGTERM);
    }
}

void PipeProcess::kill()
{
    if (!canSignal()) {
        return;
    }
    m_isKilled = true;
    signalGroup(m_pid, SIGKILL);
    killSession(m_pid);
    if (m_state == State::Exited || m_state == State::Finished) {
        reapNow();
    }
}

void PipeProcess::release()
{
    m_isReleased = true;
    if (!m_isReaped && (m_state == State::Exited || m_state == State::Finished)) {
        reapNow();
    }
}

void PipeProcess::reapNow()
{
    m_isReaped = reap(m_pid);
    m_exitWatch.reset();
}

bool PipeProcess::isOutputOpen() const
{
    return m_standardOutput.pipe.isValid() || m_standardError.pipe.isValid();
}

qint64 PipeProcess::processId() const
{
    return m_state == State::Starting ? 0 : m_pid;
}

bool PipeProcess::canSignal() const
{
    return m_pid != 0 && !m_isReaped && !m_isReleased;
}

} // namespace telson::platform
