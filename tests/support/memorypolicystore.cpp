// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/memorypolicystore.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

AgentPolicy agentFromJson(const QJsonObject &json)
{
    AgentPolicy agent;
    agent.security = parseSecurity(json.value("security"_L1).toString().trimmed());
    agent.ask = parseAsk(json.value("ask"_L1).toString().trimmed());
    agent.askFallback = parseSecurity(json.value("askFallback"_L1).toString().trimmed());
    if (const QJsonValue skills = json.value("autoAllowSkills"_L1); skills.isBool()) {
        agent.autoAllowSkills = skills.toBool();
    }
    for (const QJsonValue &value : json.value("allowlist"_L1).toArray()) {
        const QJsonObject entry = value.toObject();
        PolicyRule rule;
        rule.pattern = value.isString() ? value.toString() : entry.value("pattern"_L1).toString();
        if (entry.contains("argPattern"_L1)) {
            rule.argPattern = entry.value("argPattern"_L1).toString();
        }
        if (entry.contains("source"_L1)) {
            rule.source = entry.value("source"_L1).toString();
        }
        agent.rules.append(rule);
    }
    return agent;
}

QString hashOf(const QByteArray &text)
{
    const QByteArray hex = QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex();
    return text.isEmpty() ? QString(u"missing:"_s + QString::fromLatin1(hex))
                          : QString::fromLatin1(hex);
}

} // namespace

ApprovalsDocument approvalsFromJson(const QJsonObject &json)
{
    ApprovalsDocument document;
    document.defaults = agentFromJson(json.value("defaults"_L1).toObject());
    const QJsonObject agents = json.value("agents"_L1).toObject();
    for (auto it = agents.begin(); it != agents.end(); ++it) {
        document.agents.insert(it.key(), agentFromJson(it.value().toObject()));
    }
    return document;
}

StoredPolicy MemoryPolicyStore::current()
{
    StoredPolicy stored;
    stored.path = u"/memory/exec-approvals.json"_s;
    stored.exists = !m_text.isEmpty();
    stored.hash = hashOf(m_text);
    stored.broken = m_broken;
    if (m_broken.has_value()) {
        stored.document = ApprovalsDocument::denyAll();
        stored.redactedJson =
            R"({"version":1,"defaults":{"security":"deny","ask":"off","askFallback":"deny"}})"_ba;
        return stored;
    }
    const QJsonObject json = QJsonDocument::fromJson(m_text).object();
    stored.document = approvalsFromJson(json);
    stored.redactedJson = m_text.isEmpty() ? R"({"version":1})"_ba : m_text;
    return stored;
}

Result<StoredPolicy> MemoryPolicyStore::replace(const QByteArray &documentJson,
                                                const std::optional<QString> &baseHash,
                                                const Guard &guard)
{
    if (m_broken.has_value()) {
        return fail(ErrorCode::Denied, u"the exec approvals document is broken"_s);
    }
    const StoredPolicy before = current();
    if (before.exists && !baseHash.has_value()) {
        return fail(ErrorCode::InvalidArgument,
                    u"exec approvals base hash required; reload and retry"_s);
    }
    if (baseHash.value_or(before.hash).trimmed() != before.hash) {
        return fail(ErrorCode::InvalidArgument, u"exec approvals changed; reload and retry"_s);
    }
    const ApprovalsDocument after =
        approvalsFromJson(QJsonDocument::fromJson(documentJson).object());
    if (const Result<void> allowed = guard(before.document, after); !allowed.has_value()) {
        return std::unexpected(allowed.error());
    }
    if (m_failsNextWrite) {
        m_failsNextWrite = false;
        return fail(ErrorCode::Io, u"no space left on device"_s);
    }
    m_text = documentJson;
    return current();
}

void MemoryPolicyStore::setText(const QByteArray &text)
{
    m_text = text;
    m_broken.reset();
}

void MemoryPolicyStore::setBroken(const QString &reason)
{
    m_broken = Error{ErrorCode::InvalidArgument, reason};
}

void MemoryPolicyStore::failNextWrite()
{
    m_failsNextWrite = true;
}
