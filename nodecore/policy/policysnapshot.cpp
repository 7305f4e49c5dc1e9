// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/policysnapshot.h"

#include <QtCore/QByteArray>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using OptionalBytes = std::optional<QByteArray>;

OptionalBytes bytesOf(const std::optional<QString> &text)
{
    return text.has_value() ? OptionalBytes(text->toUtf8()) : std::nullopt;
}

using RuleOrder = std::tuple<QByteArray, OptionalBytes, OptionalBytes>;

RuleOrder orderOf(const PolicyRule &rule)
{
    return RuleOrder(rule.pattern.toUtf8(), bytesOf(rule.argPattern), bytesOf(rule.source));
}

} // namespace

EffectivePolicy policySnapshot(EffectivePolicy policy)
{
    std::map<RuleOrder, PolicyRule> sorted;
    for (const PolicyRule &rule : std::as_const(policy.rules)) {
        sorted.emplace(orderOf(rule), rule);
    }
    policy.rules.clear();
    for (const auto &[order, rule] : sorted) {
        policy.rules.append(rule);
    }
    return policy;
}

bool isSnapshotCurrent(const EffectivePolicy &snapshot, const EffectivePolicy &now)
{
    if (snapshot.security != now.security || snapshot.ask != now.ask
        || snapshot.askFallback != now.askFallback
        || snapshot.autoAllowSkills != now.autoAllowSkills) {
        return false;
    }
    return std::ranges::all_of(snapshot.rules, [&now](const PolicyRule &rule) {
        PolicyRule generated = rule;
        generated.source = u"allow-always"_s;
        return now.rules.contains(rule) || now.rules.contains(generated);
    });
}

} // namespace telson::core
