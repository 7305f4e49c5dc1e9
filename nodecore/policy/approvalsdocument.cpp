// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/approvalsdocument.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

/// Agent, then "*", then "defaults"; what none of them says falls back to the built-in value.
template <typename T>
T resolved(const ApprovalsDocument &document, const AgentPolicy &agent,
           const AgentPolicy &everyAgent, std::optional<T> AgentPolicy::*field, T builtIn)
{
    for (const AgentPolicy *layer : {&agent, &everyAgent, &document.defaults}) {
        if ((layer->*field).has_value()) {
            return *(layer->*field);
        }
    }
    return builtIn;
}

std::pair<Security, Ask> policyOf(ExecMode mode)
{
    switch (mode) {
    case ExecMode::Deny:
        return {Security::Deny, Ask::Off};
    case ExecMode::Allowlist:
        return {Security::Allowlist, Ask::Off};
    case ExecMode::Ask:
    case ExecMode::Auto:
        return {Security::Allowlist, Ask::OnMiss};
    case ExecMode::Full:
        return {Security::Full, Ask::Off};
    }
    Q_ASSERT(false);
    return {Security::Deny, Ask::Off};
}

EffectivePolicy policyOfOneAgent(const ApprovalsDocument &document, const QString &agentId)
{
    const AgentPolicy everyAgent = document.agents.value(u"*"_s);
    const AgentPolicy agent = agentId == "*"_L1 ? AgentPolicy() : document.agents.value(agentId);
    EffectivePolicy policy;
    policy.security = resolved(document, agent, everyAgent, &AgentPolicy::security, Security::Full);
    policy.ask = resolved(document, agent, everyAgent, &AgentPolicy::ask, Ask::Off);
    policy.askFallback =
        resolved(document, agent, everyAgent, &AgentPolicy::askFallback, Security::Deny);
    policy.autoAllowSkills =
        resolved(document, agent, everyAgent, &AgentPolicy::autoAllowSkills, false);
    policy.rules = everyAgent.rules + agent.rules;
    return policy;
}

/// Without an agent id the reference looks at nobody's entry, the protocol notes at that of "main".
/// The stricter of both can't be looser than either.
EffectivePolicy policyOfUnnamedAgent(const ApprovalsDocument &document)
{
    EffectivePolicy policy = policyOfOneAgent(document, QString());
    const EffectivePolicy mainPolicy = policyOfOneAgent(document, u"main"_s);
    policy.security = std::min(policy.security, mainPolicy.security);
    policy.ask = std::max(policy.ask, mainPolicy.ask);
    policy.askFallback = std::min(policy.askFallback, mainPolicy.askFallback);
    policy.autoAllowSkills = policy.autoAllowSkills && mainPolicy.autoAllowSkills;
    return policy;
}

} // namespace

ApprovalsDocument ApprovalsDocument::denyAll()
{
    ApprovalsDocument document;
    document.defaults.security = Security::Deny;
    document.defaults.ask = Ask::Off;
    document.defaults.askFallback = Security::Deny;
    document.defaults.autoAllowSkills = false;
    return document;
}

EffectivePolicy effectivePolicy(const ApprovalsDocument &document, ExecMode mode,
                                const QString &agentId, const RequestedPolicy &requested)
{
    const QString agent = agentId.trimmed();
    EffectivePolicy policy =
        agent.isEmpty() ? policyOfUnnamedAgent(document) : policyOfOneAgent(document, agent);
    const auto [modeSecurity, modeAsk] = policyOf(mode);
    policy.security =
        std::min({policy.security, modeSecurity, requested.security.value_or(Security::Full)});
    policy.ask = std::max({policy.ask, modeAsk, requested.ask.value_or(Ask::Off)});
    policy.askFallback = std::min(policy.askFallback, policy.security);
    return policy;
}

} // namespace telson::core
