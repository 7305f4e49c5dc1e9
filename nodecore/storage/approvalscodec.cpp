// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/approvalscodec.h"

#include "nodecore/storage/approvalsnormalizer.h"
#include "nodecore/storage/approvalsschema.h"

#include <nlohmann/json.hpp>

#include <QtCore/QCryptographicHash>

#include <algorithm>
#include <initializer_list>
#include <string_view>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using Json = nlohmann::ordered_json;
using Names = std::initializer_list<std::string_view>;

// The fields of the gateway's schema.
constexpr Names s_policyNames{"security", "ask", "askFallback", "autoAllowSkills"};
constexpr Names s_agentNames{"security",        "ask",       "askFallback",
                             "autoAllowSkills", "allowlist", "mcpTools"};
constexpr Names s_entryNames{"pattern",    "id",         "source",          "commandText",
                             "argPattern", "lastUsedAt", "lastUsedCommand", "lastResolvedPath"};
constexpr Names s_mcpToolNames{"server", "tool", "source", "addedAt", "lastUsedAt"};

Json parsed(const QByteArray &json)
{
    return Json::parse(json.cbegin(), json.cend(), nullptr, false);
}

const Json &member(const Json &object, const char *name)
{
    static const Json none;
    const auto found = object.find(name);
    return found == object.cend() ? none : *found;
}

std::optional<QString> text(const Json &object, const char *name)
{
    const auto *value = member(object, name).get_ptr<const Json::string_t *>();
    return value == nullptr ? std::nullopt : std::optional(QString::fromStdString(*value));
}

bool isKnown(Names names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

void keepOnly(Json &object, Names names)
{
    Json kept = Json::object();
    for (const auto &[name, value] : object.items()) {
        if (isKnown(names, name)) {
            kept[name] = value;
        }
    }
    object = std::move(kept);
}

template <typename Change>
void forEachIn(Json &object, const char *name, Change change)
{
    if (const auto list = object.find(name); list != object.end()) {
        std::ranges::for_each(*list, change);
    }
}

AgentPolicy policyValues(const Json &policy)
{
    AgentPolicy values;
    values.security = text(policy, "security").and_then(parseSecurity);
    values.ask = text(policy, "ask").and_then(parseAsk);
    values.askFallback = text(policy, "askFallback").and_then(parseSecurity);
    if (const auto *flag = member(policy, "autoAllowSkills").get_ptr<const Json::boolean_t *>();
        flag != nullptr) {
        values.autoAllowSkills = *flag;
    }
    for (const Json &entry : member(policy, "allowlist")) {
        values.rules.append({.pattern = text(entry, "pattern").value_or(QString()),
                             .argPattern = text(entry, "argPattern"),
                             .source = text(entry, "source")});
    }
    return values;
}

void carryUnknown(Json &object, const Json &former, Names known)
{
    for (const auto &[name, value] : former.items()) {
        if (!isKnown(known, name) && !object.contains(name)) {
            object[name] = value;
        }
    }
}

void carryUnknownOfAgent(Json &agent, const Json &former)
{
    carryUnknown(agent, former, s_agentNames);
    forEachIn(agent, "allowlist", [&former](Json &entry) {
        const Json &entries = member(former, "allowlist");
        const auto same = std::ranges::find_if(entries, [&entry](const Json &other) {
            return member(other, "id") == member(entry, "id");
        });
        if (same != entries.cend()) {
            carryUnknown(entry, *same, s_entryNames);
        }
    });
}

} // namespace

QByteArray denyAllApprovals()
{
    const QByteArray document =
        R"({"version":1,"defaults":{"security":"deny","ask":"off","askFallback":"deny","autoAllowSkills":false}})"_ba;
    return normalizeStoredApprovals(document).value_or(NormalApprovals()).json;
}

ApprovalsDocument approvalsValues(const QByteArray &canonical)
{
    const Json document = parsed(canonical);
    if (!document.is_object()) {
        return ApprovalsDocument::denyAll();
    }
    ApprovalsDocument values;
    values.defaults = policyValues(member(document, "defaults"));
    for (const auto &[name, agent] : member(document, "agents").items()) {
        values.agents.insert(QString::fromStdString(name), policyValues(agent));
    }
    return values;
}

QByteArray redactedApprovals(const QByteArray &canonical)
{
    Json document = parsed(canonical);
    if (!document.is_object()) {
        return redactedApprovals(denyAllApprovals());
    }
    keepOnly(document, {"version", "socket", "defaults", "agents"});
    keepOnly(document["socket"], {"path"});
    if (document["socket"].empty()) {
        document.erase("socket");
    }
    keepOnly(document["defaults"], s_policyNames);
    for (Json &agent : document["agents"]) {
        keepOnly(agent, s_agentNames);
        forEachIn(agent, "allowlist", [](Json &entry) {
            keepOnly(entry, s_entryNames);
            if (member(entry, "lastUsedAt") < 0) {
                entry.erase("lastUsedAt");
            }
        });
        forEachIn(agent, "mcpTools", [](Json &tool) { keepOnly(tool, s_mcpToolNames); });
    }
    return QByteArray::fromStdString(document.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Result<QByteArray> replacementApprovals(const QByteArray &incoming, const QByteArray &current)
{
    const Result<NormalApprovals> normal = normalizeIncomingApprovals(incoming);
    if (!normal) {
        return std::unexpected(normal.error());
    }
    if (!normal->ignored.isEmpty()) {
        return fail(ErrorCode::InvalidArgument,
                    u"%1: expected a supported value"_s.arg(normal->ignored.constFirst()));
    }
    Json next = parsed(normal->json);
    const Json former = parsed(current);
    next["socket"] = member(former, "socket");
    const Json &formerAgents = member(former, "agents");
    for (auto &[name, agent] : next["agents"].items()) {
        if (const Json &same = member(formerAgents, name.c_str());
            agent.is_object() && same.is_object()) {
            carryUnknownOfAgent(agent, same);
        }
    }
    const QByteArray result =
        QByteArray::fromStdString(next.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    return checkApprovals(result).transform([&result] { return result; });
}

QString approvalsHash(const std::optional<QByteArray> &stored)
{
    const QByteArray digest =
        QCryptographicHash::hash(stored.value_or(QByteArray()), QCryptographicHash::Sha256).toHex();
    return stored ? QString::fromLatin1(digest) : u"missing:"_s + QString::fromLatin1(digest);
}

Result<void> checkBaseHash(bool exists, const QString &hash, const std::optional<QString> &baseHash)
{
    const QString base = baseHash.value_or(QString()).trimmed();
    if (base.isEmpty()) {
        return exists ? Result<void>(fail(ErrorCode::InvalidArgument,
                                          u"exec approvals base hash required; reload and retry"_s))
                      : Result<void>();
    }
    if (hash.isEmpty()) {
        return fail(ErrorCode::InvalidArgument,
                    u"exec approvals base hash unavailable; reload and retry"_s);
    }
    return base == hash ? Result<void>()
                        : Result<void>(fail(ErrorCode::InvalidArgument,
                                            u"exec approvals changed; reload and retry"_s));
}

} // namespace telson::core
