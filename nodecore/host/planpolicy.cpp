// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/planpolicy.h"

namespace telson::core {

PlanPolicy toPlanPolicy(const EffectivePolicy &policy)
{
    PlanPolicy plan;
    plan.security = toString(policy.security);
    plan.ask = toString(policy.ask);
    plan.askFallback = toString(policy.askFallback);
    plan.autoAllowSkills = policy.autoAllowSkills;
    for (const PolicyRule &rule : policy.rules) {
        plan.rules.append({rule.pattern, rule.argPattern, rule.source});
    }
    return plan;
}

EffectivePolicy toEffectivePolicy(const PlanPolicy &policy)
{
    EffectivePolicy effective;
    effective.security = parseSecurity(policy.security).value_or(Security::Deny);
    effective.ask = parseAsk(policy.ask).value_or(Ask::Always);
    effective.askFallback = parseSecurity(policy.askFallback).value_or(Security::Deny);
    effective.autoAllowSkills = policy.autoAllowSkills;
    for (const PlanRule &rule : policy.rules) {
        effective.rules.append({rule.pattern, rule.argPattern, rule.source});
    }
    return effective;
}

} // namespace telson::core
