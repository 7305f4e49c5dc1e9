// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/protocol/requestfields.h"
#include "nodecore/protocol/systemrun.h"

namespace telson::core {

// The part of `system.run` that claims an approval; for `decodeSystemRun`.

/// Errors: InvalidArgument, "systemRunPlan invalid".
[[nodiscard]] Result<std::optional<SystemRunPlan>> decodeSystemRunPlan(const RequestFields &params);

/// Errors: InvalidArgument, "approvalSource invalid".
[[nodiscard]] Result<std::optional<ApprovalSource>>
decodeApprovalSource(const RequestFields &params);

/// Whether the request says that a person agreed: `approved`, or an `approvalDecision`.
/// Errors: InvalidArgument naming the field.
[[nodiscard]] Result<std::optional<bool>> decodeExplicitApproval(const RequestFields &params);

/// The words of a policy on the wire.
[[nodiscard]] bool isSecurityWord(const QString &word);
[[nodiscard]] bool isAskWord(const QString &word);

} // namespace telson::core
