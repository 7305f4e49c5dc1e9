// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/fakeprocess.h"

#include <QtCore/QMetaObject>

#include <utility>

using namespace Qt::StringLiterals;
using telson::core::ExitStatus;
using telson::core::OutputChannel;
using telson::core::StartError;

FakeProcess::FakeProcess(Calls calls, std::function<void(FakeProcess &)> script)
    : m_calls(std::move(calls)), m_script(std::move(script))
{
}

FakeProcess::~FakeProcess()
{
    m_calls->append(u"destroyed"_s);
}

void FakeProcess::start(const telson::core::CommandSpec &spec)
{
    Q_ASSERT(m_state == State::Fresh);
    m_calls->append(u"start"_s);
    m_spec = spec;
    m_state = State::Starting;
    m_isOutputOpen = true;
    if (m_script) {
        QMetaObject::invokeMethod(this, [this] { m_script(*this); }, Qt::QueuedConnection);
    }
}

void FakeProcess::terminate()
{
    m_calls->append(u"terminate"_s);
    if (canSignal() && !m_ignoresTerminate) {
        endLater({0, 15, u"SIGTERM"_s});
    }
}

void FakeProcess::kill()
{
    m_calls->append(u"kill"_s);
    if (canSignal() && !m_ignoresKill) {
        endLater({0, 9, u"SIGKILL"_s});
    }
}

void FakeProcess::release()
{
    m_calls->append(u"release"_s);
    m_isReleased = true;
}

qint64 FakeProcess::processId() const
{
    return m_state == State::Fresh || m_state == State::Starting ? 0 : 4242;
}

const telson::core::CommandSpec &FakeProcess::spec() const
{
    return m_spec;
}

void FakeProcess::setIgnoresTerminate(bool ignores)
{
    m_ignoresTerminate = ignores;
}

void FakeProcess::setIgnoresKill(bool ignores)
{
    m_ignoresKill = ignores;
}

void FakeProcess::setKeepsOutputOpen(bool keeps)
{
    m_keepsOutputOpen = keeps;
}

void FakeProcess::beStarted()
{
    m_state = State::Running;
    Q_EMIT started();
}

void FakeProcess::failToStart(const StartError &error)
{
    m_state = State::Failed;
    m_isOutputOpen = false;
    Q_EMIT failedToStart(error);
}

void FakeProcess::write(OutputChannel channel, const QByteArray &bytes)
{
    if (m_isOutputOpen && !m_isReleased) {
        Q_EMIT outputReceived(channel, bytes);
    }
}

void FakeProcess::exit(int exitCode)
{
    end({exitCode, 0, QString()});
}

void FakeProcess::dieOf(int signal, const QString &signalName)
{
    end({0, signal, signalName});
}

void FakeProcess::closeOutput()
{
    if (!m_isOutputOpen) {
        return;
    }
    m_isOutputOpen = false;
    if (m_state == State::Exited) {
        m_state = State::Finished;
    }
    Q_EMIT outputClosed();
}

void FakeProcess::end(const ExitStatus &status)
{
    if (m_state == State::Exited || m_state == State::Finished) {
        return;
    }
    m_state = m_isOutputOpen ? State::Exited : State::Finished;
    Q_EMIT exited(status);
}

void FakeProcess::endLater(const ExitStatus &status)
{
    QMetaObject::invokeMethod(
        this,
        [this, status] {
            if (m_state == State::Starting) {
                beStarted();
            }
            if (!m_keepsOutputOpen) {
                closeOutput();
            }
            end(status);
        },
        Qt::QueuedConnection);
}

bool FakeProcess::canSignal() const
{
    return !m_isReleased && m_state != State::Fresh && m_state != State::Failed;
}
