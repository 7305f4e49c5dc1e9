// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/exec/processfactory.h"

namespace telson::platform {

/// Makes the processes of this system.
class PlatformProcessFactory final : public core::ProcessFactory
{
public:
    /// Makes sure that the ends of children can be seen at all: a SIGCHLD that the starter of this
    /// process had ignored is set back to its default.
    PlatformProcessFactory();

    [[nodiscard]] std::unique_ptr<core::ChildProcess> createPipeProcess() override;
};

} // namespace telson::platform
