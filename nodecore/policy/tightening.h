// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/policy/approvalsdocument.h"

namespace telson::core {

/// Whether a remote writer may replace `before` by `after`: for no agent may more run silently than
/// before (design §5). Looked at are "main", "*", each agent of either document, one that is in
/// none and calls without an agent, each by the document alone and under `mode`.
///
/// What runs silently is nothing (deny, or ask always), the listed (allowlist), or everything
/// (full); each is looser than the one before it, also while the list is empty. Security and the
/// effective askFallback may not rise; rules may go, but a new or changed one and autoAllowSkills
/// are refused unless everything ran before, even where they would have no effect today: they would
/// wait for a person to loosen something else.
///
/// Errors: Denied, naming the agent, the field, the reason and the way out.
[[nodiscard]] Result<void> onlyTightens(const ApprovalsDocument &before,
                                        const ApprovalsDocument &after, ExecMode mode);

} // namespace telson::core
