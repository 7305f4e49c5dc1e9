// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "platform/posix/uniquefd.h"

#include <optional>
#include <string>
#include <sys/types.h>

namespace telson::platform {

// How the end of a child is noticed and its group is ended: the system and the standard library
// only. A child keeps its id until it is reaped, so nothing here can hit a stranger before that.

struct ChildExit
{
    int exitCode = 0;
    int signal = 0; ///< 0 if it ended by itself
};

/// A descriptor that becomes readable once the child has ended; invalid, with errno, on failure.
/// By system: `platform/linux/exitwatch.cpp`.
[[nodiscard]] UniqueFd openExitWatch(pid_t child);

/// Looks whether the child has ended, and leaves it to be reaped.
[[nodiscard]] std::optional<ChildExit> peekExit(pid_t child);

/// Whether the child has ended and is reaped now; its id may be taken anew from here on.
bool reap(pid_t child);

/// Waits at most `milliseconds` for `exitWatch`, for the end of this process only.
void waitForExit(const UniqueFd &exitWatch, int milliseconds);

void signalGroup(pid_t leader, int signal);

/// SIGKILL to what is left in the leader's session outside its group, such as the jobs of a shell
/// with job control. By system: `platform/linux/sessionsweep.cpp`.
void killSession(pid_t leader);

/// "SIGKILL"; "signal 35" for one without a name. By system: `platform/linux/exitwatch.cpp`.
[[nodiscard]] std::string signalName(int signal);

} // namespace telson::platform
