// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/verdict.h"

namespace telson::core {

Verdict plainVerdict(const EffectivePolicy &policy, InlineEval inlineEval)
{
    if (policy.security == Security::Deny) {
        return Verdict::Deny;
    }
    // Under full, "on-miss" has nothing to miss.
    const bool runsAll = policy.security == Security::Full && policy.ask != Ask::Always;
    return runsAll && inlineEval == InlineEval::Allowed ? Verdict::Allow : Verdict::Ask;
}

} // namespace telson::core
