// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/host/commandhandler.h"
#include "nodecore/policy/approvedcommand.h"
#include "nodecore/protocol/systemrun.h"

#include <expected>

namespace telson::core {

/// What `system.run.prepare` and `system.run` check in the same way, in the order of
/// node-commands.md §4.2: whether text and argv say the same, and, in `commandVariables`, whether
/// the variables may be set. Both leave the policy alone.

/// `rawCommand` against the argv.
[[nodiscard]] std::expected<void, CommandFailure> checkRawCommand(const SystemRunCommand &command);

/// The whole environment of the command. `inherited` comes from `inheritedEnvironment`.
[[nodiscard]] std::expected<Environment, CommandFailure>
commandVariables(const SystemRunCommand &command, const Environment &inherited);

/// The approval fields of `system.run` against each other and against the plan that comes with
/// them.
[[nodiscard]] std::expected<void, CommandFailure>
checkApprovalFields(const SystemRunParams &params);

} // namespace telson::core
