// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/host/commandhandler.h"
#include "nodecore/policy/policystore.h"

namespace telson::core {

class ApprovalBroker;

/// The answer of `system.execApprovals.get` and `.set`: the document and what it comes to for an
/// agent that no entry names. A document that can't be read counts as, and is shown as, deny for
/// all.
[[nodiscard]] CommandReply execApprovalsAnswer(const StoredPolicy &stored,
                                               const ApprovalBroker &approvals);

} // namespace telson::core
