// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/terminationsignals.h"

#include <utility>

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace telson::platform {

namespace {

// A handler can reach nothing but a global; the write end of the pipe is the least of them.
volatile std::sig_atomic_t s_writeEnd = -1;
int s_readEnd = -1;

void onSignal(int /*signal*/)
{
    const int savedErrno = errno;
    const char byte = 0;
    // A full pipe already carries the message.
    [[maybe_unused]] const ssize_t written = ::write(s_writeEnd, &byte, 1);
    errno = savedErrno;
}

} // namespace

core::Result<std::unique_ptr<TerminationSignals>>
TerminationSignals::create(std::function<void()> requested)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        const int error = errno;
        return core::fail(core::ErrorCode::Io,
                          u"signal pipe: "_s + QString::fromLocal8Bit(std::strerror(error)), error);
    }
    s_readEnd = ends[0];
    s_writeEnd = ends[1];
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        ::sigaction(signal, &action, nullptr);
    }
    return std::unique_ptr<TerminationSignals>(new TerminationSignals(ends[0], std::move(requested)));
}

TerminationSignals::TerminationSignals(int readEnd, std::function<void()> requested)
    : m_notifier(readEnd, QSocketNotifier::Read), m_requested(std::move(requested))
{
    connect(&m_notifier, &QSocketNotifier::activated, this, [this, readEnd] {
        char bytes[16];
        while (::read(readEnd, bytes, sizeof bytes) > 0) { }
        m_requested();
    });
}

TerminationSignals::~TerminationSignals()
{
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        ::sigaction(signal, &action, nullptr);
    }
    m_notifier.setEnabled(false);
    ::close(std::exchange(s_readEnd, -1));
    const int writeEnd = s_writeEnd;
    s_writeEnd = -1;
    ::close(writeEnd);
}

} // namespace telson::platform
