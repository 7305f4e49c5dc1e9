// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/policyvalues.h"

#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QString>

#include <optional>

namespace telson::core {

/// One allowlist entry, reduced to what decides (node-commands.md §5).
struct PolicyRule
{
    QString pattern;
    std::optional<QString> argPattern;
    std::optional<QString> source; ///< "allow-always" for generated ones

    bool operator==(const PolicyRule &) const = default;
};

/// What the approvals document says for one agent, for "*" or for all ("defaults").
struct AgentPolicy
{
    std::optional<Security> security;
    std::optional<Ask> ask;
    std::optional<Security> askFallback;
    std::optional<bool> autoAllowSkills;
    QList<PolicyRule> rules; ///< empty in `defaults`

    bool operator==(const AgentPolicy &) const = default;
};

/// The approvals document as values; the JSON around them stays in `storage`.
struct ApprovalsDocument
{
    AgentPolicy defaults;
    QMap<QString, AgentPolicy> agents; ///< by agent id; "*" applies to every agent

    bool operator==(const ApprovalsDocument &) const = default;

    /// What a broken document counts as: security deny, ask off, askFallback deny.
    [[nodiscard]] static ApprovalsDocument denyAll();
};

/// What holds for one agent once every layer has been combined.
struct EffectivePolicy
{
    Security security = Security::Deny;
    Ask ask = Ask::Off;
    Security askFallback = Security::Deny;
    bool autoAllowSkills = false;
    QList<PolicyRule> rules; ///< "*" entries, then the agent's

    bool operator==(const EffectivePolicy &) const = default;
};

/// What the caller asked for on top, as in `system.run.prepare`; absent = no wish.
struct RequestedPolicy
{
    std::optional<Security> security;
    std::optional<Ask> ask;
};

/// The strictest of `exec.mode`, the document and the caller's wish (design §5): security = the
/// stricter, ask = the more asking, askFallback never above security.
/// `agentId` empty = "main".
[[nodiscard]] EffectivePolicy effectivePolicy(const ApprovalsDocument &document, ExecMode mode,
                                              const QString &agentId,
                                              const RequestedPolicy &requested = {});

} // namespace telson::core
