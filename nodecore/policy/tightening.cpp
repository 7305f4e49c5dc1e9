// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/tightening.h"

#include <QtCore/QHash>
#include <QtCore/QSet>
#include <QtCore/QStringList>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

/// What runs without anybody being asked. Order: the later, the looser.
enum class SilentSet { Nothing, Listed, Everything };

SilentSet silentSet(const EffectivePolicy &policy)
{
    if (policy.security == Security::Deny || policy.ask == Ask::Always) {
        return SilentSet::Nothing;
    }
    return policy.security == Security::Full ? SilentSet::Everything : SilentSet::Listed;
}

QString toString(SilentSet set)
{
    switch (set) {
    case SilentSet::Nothing:
        return u"nothing"_s;
    case SilentSet::Listed:
        return u"what the allowlist names"_s;
    case SilentSet::Everything:
        break;
    }
    return u"everything"_s;
}

/// Why `after` is looser than `before` for one agent, as "field: reason", or nothing.
std::optional<QString> loosening(const EffectivePolicy &before, const EffectivePolicy &after)
{
    if (after.security > before.security) {
        return u"security: would go from %1 to %2"_s.arg(toString(before.security),
                                                         toString(after.security));
    }
    const SilentSet setBefore = silentSet(before);
    const SilentSet setAfter = silentSet(after);
    if (setAfter > setBefore) {
        return u"ask: %1 would run without a question, where %2 does now"_s.arg(
            toString(setAfter), toString(setBefore));
    }
    if (after.askFallback > before.askFallback) {
        return u"askFallback: would go from %1 to %2"_s.arg(toString(before.askFallback),
                                                            toString(after.askFallback));
    }
    if (setBefore == SilentSet::Everything) {
        return std::nullopt;
    }
    if (after.autoAllowSkills && !before.autoAllowSkills) {
        return u"autoAllowSkills: would be switched on"_s;
    }
    // By pattern, so that a document with thousands of entries can't keep the node busy.
    QMultiHash<QString, PolicyRule> known;
    for (const PolicyRule &rule : before.rules) {
        known.insert(rule.pattern, rule);
    }
    for (const PolicyRule &rule : after.rules) {
        if (!known.contains(rule.pattern, rule)) {
            return u"allowlist: the entry '%1' is new or changed"_s.arg(rule.pattern.left(200));
        }
    }
    return std::nullopt;
}

/// Every agent id whose policy may differ from that of the others.
QStringList agentsOf(const ApprovalsDocument &before, const ApprovalsDocument &after)
{
    QSet<QString> named{u"*"_s, u"main"_s, QString()};
    for (const ApprovalsDocument *document : {&before, &after}) {
        for (auto it = document->agents.keyBegin(); it != document->agents.keyEnd(); ++it) {
            named.insert(it->trimmed());
            named.insert(*it);
        }
    }
    QString inNeither = u"any other agent"_s;
    while (named.contains(inNeither)) {
        inNeither += u'+';
    }
    named.insert(inNeither);
    QStringList all = named.values();
    all.sort();
    return all;
}

} // namespace

Result<void> onlyTightens(const ApprovalsDocument &before, const ApprovalsDocument &after,
                          ExecMode mode)
{
    const QStringList agents = agentsOf(before, after);
    for (const QString &agent : agents) {
        for (const ExecMode layer : {ExecMode::Full, mode}) {
            const auto reason = loosening(effectivePolicy(before, layer, agent),
                                          effectivePolicy(after, layer, agent));
            if (reason.has_value()) {
                const QString who = agent.isEmpty() ? u"calls without an agent"_s
                                                    : u"agent '%1'"_s.arg(agent.left(200));
                return fail(
                    ErrorCode::Denied,
                    u"exec approvals can only be tightened from a gateway; %1, %2; loosening "
                    u"needs a person at this machine, who edits exec-approvals.json in "
                    u"Telson's folder (and exec.mode with telson config set)"_s.arg(who, *reason));
            }
        }
    }
    return {};
}

} // namespace telson::core
