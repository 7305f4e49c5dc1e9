// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/childexit.h"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/wait.h>

namespace telson::platform {

namespace {

constexpr int s_unknownExitCode = 255;

} // namespace

std::optional<ChildExit> peekExit(pid_t child)
{
    siginfo_t info = {};
    if (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
        // Somebody else has reaped it; how it ended is lost, and it counts as failed.
        return errno == ECHILD ? std::optional(ChildExit{s_unknownExitCode, 0}) : std::nullopt;
    }
    if (info.si_pid == 0) {
        return std::nullopt;
    }
    return info.si_code == CLD_EXITED ? ChildExit{info.si_status, 0} : ChildExit{0, info.si_status};
}

bool reap(pid_t child)
{
    siginfo_t info = {};
    return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG) != 0
        || info.si_pid == child;
}

void waitForExit(const UniqueFd &exitWatch, int milliseconds)
{
    pollfd watched{exitWatch.value(), POLLIN, 0};
    (void)::poll(&watched, 1, milliseconds);
}

void signalGroup(pid_t leader, int signal)
{
    if (leader > 1) { // 0 and -1 would be everybody
        (void)::kill(-leader, signal);
    }
}

} // namespace telson::platform
