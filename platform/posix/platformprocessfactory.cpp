// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/platformprocessfactory.h"

#include "platform/posix/pipeprocess.h"

#include <csignal>

namespace telson::platform {

PlatformProcessFactory::PlatformProcessFactory()
{
    struct sigaction current = {};
    if (::sigaction(SIGCHLD, nullptr, &current) == 0
        && (current.sa_handler == SIG_IGN || (current.sa_flags & SA_NOCLDWAIT) != 0)) {
        struct sigaction standard = {};
        standard.sa_handler = SIG_DFL;
        (void)::sigaction(SIGCHLD, &standard, nullptr);
    }
}

std::unique_ptr<core::ChildProcess> PlatformProcessFactory::createPipeProcess()
{
    return std::make_unique<PipeProcess>();
}

} // namespace telson::platform
