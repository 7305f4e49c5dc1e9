// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/approvalsdocument.h"

namespace telson::core {

/// What policy alone says to one command.
enum class Verdict {
    Allow, ///< runs without anybody being asked
    Ask, ///< runs only with an approval
    Deny, ///< does not run, approval or not
};

/// Whether code given on a command line (`python3 -c …`) needs an approval even where all runs.
enum class InlineEval { Allowed, NeedsApproval };

/// The plain part of the policy: security deny, and full unless ask is "always". Everything else
/// would need the rules and is answered `Ask`; so is everything under `NeedsApproval`, because what
/// a command line holds is not looked at yet.
[[nodiscard]] Verdict plainVerdict(const EffectivePolicy &policy, InlineEval inlineEval);

} // namespace telson::core
