// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/exec/starterror.h"
#include "nodecore/policy/approvedcommand.h"
#include "platform/posix/spawn.h"

#include <expected>

namespace telson::platform {

/// The command in the system's own shape. Text that would arrive changed (NUL, lone surrogates, a
/// variable name with '=') is refused with InvalidText.
[[nodiscard]] std::expected<SpawnRequest, core::StartError>
toSpawnRequest(const core::CommandSpec &spec);

[[nodiscard]] core::StartError toStartError(const SpawnFailure &failure);

} // namespace telson::platform
