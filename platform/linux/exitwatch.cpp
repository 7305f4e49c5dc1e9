// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/childexit.h"

#include <cstring>
#include <sys/syscall.h>

namespace telson::platform {

UniqueFd openExitWatch(pid_t child)
{
    // pidfd_open(2): readable when the process ends; close-on-exec is always set. By number,
    // because the declaration of glibc up to 2.41 has no C linkage.
    return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
}

std::string signalName(int signal)
{
    const char *name = ::sigabbrev_np(signal);
    return name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(signal);
}

} // namespace telson::platform
