// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/approvalsnormalizer.h"

#include "nodecore/policy/policyvalues.h"
#include "nodecore/storage/approvalsschema.h"
#include "nodecore/storage/jsontext.h"

#include <nlohmann/json.hpp>

#include <QtCore/QSet>
#include <QtCore/QUuid>

#include <algorithm>
#include <initializer_list>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using Json = nlohmann::ordered_json;
using Names = std::initializer_list<const char *>;

// In the order in which the reference stores them.
constexpr Names s_policyNames{"security", "ask", "askFallback", "autoAllowSkills"};
constexpr Names s_agentNames{"security",        "ask",       "askFallback",
                             "autoAllowSkills", "allowlist", "mcpTools"};
constexpr Names s_entryNames{"pattern",    "id",         "source",          "commandText",
                             "argPattern", "lastUsedAt", "lastUsedCommand", "lastResolvedPath"};
constexpr Names s_mcpToolNames{"server", "tool", "source", "addedAt", "lastUsedAt"};

QString textOf(const Json &value)
{
    const auto *text = value.get_ptr<const Json::string_t *>();
    return text == nullptr ? QString() : QString::fromStdString(*text);
}

const Json *member(const Json &object, const char *name)
{
    if (!object.is_object()) {
        return nullptr;
    }
    const auto found = object.find(name);
    return found == object.cend() || found->is_null() ? nullptr : &*found;
}

std::unexpected<Error> expected(const QString &place, const QString &what)
{
    return fail(ErrorCode::InvalidArgument, u"%1: expected %2"_s.arg(place, what));
}

/// Known members first, as the reference's schema hands them on.
void reorder(Json &object, Names first)
{
    Json ordered = Json::object();
    for (const char *name : first) {
        if (const auto found = object.find(name); found != object.end()) {
            ordered[name] = std::move(*found);
            object.erase(found);
        }
    }
    for (auto &[name, value] : object.items()) {
        ordered[name] = std::move(value);
    }
    object = std::move(ordered);
}

void reorderStoredEntry(Json &entry)
{
    if (!entry.is_object()) {
        return;
    }
    reorder(entry, s_entryNames);
    // The only source with a meaning; any other makes the entry an ordinary one.
    if (const Json *source = member(entry, "source");
        source != nullptr && textOf(*source) != "allow-always"_L1) {
        entry.erase("source");
    }
}

void reorderStoredAgent(Json &agent)
{
    reorder(agent, s_agentNames);
    if (const auto allowlist = agent.find("allowlist"); allowlist != agent.end()) {
        std::ranges::for_each(*allowlist, reorderStoredEntry);
    }
    if (const auto tools = agent.find("mcpTools"); tools != agent.end()) {
        std::ranges::for_each(*tools, [](Json &tool) { reorder(tool, s_mcpToolNames); });
    }
}

QByteArray entryKey(const Json &entry)
{
    const Json *pattern = member(entry, "pattern");
    const Json *arguments = member(entry, "argPattern");
    return textOf(*pattern).trimmed().toLower().toUtf8() + '\0'
        + (arguments == nullptr ? QByteArray() : textOf(*arguments).trimmed().toUtf8());
}

Json mergedAllowlists(const Json *current, const Json *legacy)
{
    Json merged = Json::array();
    QSet<QByteArray> seen;
    for (const Json *list : {current, legacy}) {
        for (const Json &entry : list == nullptr ? Json::array() : *list) {
            const QByteArray key = entryKey(entry);
            if (!seen.contains(key)) {
                seen.insert(key);
                merged.push_back(entry);
            }
        }
    }
    return merged.empty() ? Json() : merged;
}

bool isSameTool(const Json &one, const Json &other)
{
    return one.is_object() && other.is_object()
        && one.value("server", Json()) == other.value("server", Json())
        && one.value("tool", Json()) == other.value("tool", Json());
}

Json mergedTools(const Json *current, const Json *legacy)
{
    if (current == nullptr) {
        return legacy == nullptr ? Json() : *legacy;
    }
    Json merged = *current;
    for (const Json &tool : legacy == nullptr ? Json::array() : *legacy) {
        const bool isKnown = std::ranges::any_of(
            *current, [&tool](const Json &known) { return isSameTool(known, tool); });
        if (!isKnown) {
            merged.push_back(tool);
        }
    }
    return merged;
}

void setOrErase(Json &object, const char *name, Json value)
{
    if (value.is_null()) {
        object.erase(name);
    } else {
        object[name] = std::move(value);
    }
}

/// An older form of the document called the main agent "default". What "main" says wins.
Json mergedAgents(const Json &current, const Json &legacy)
{
    Json merged = legacy;
    for (const auto &[name, value] : current.items()) {
        merged[name] = value;
    }
    for (const char *name : s_policyNames) {
        const Json *value = member(current, name);
        const Json *fallback = member(legacy, name);
        setOrErase(merged, name,
                   value != nullptr          ? *value
                       : fallback != nullptr ? *fallback
                                             : Json());
    }
    setOrErase(merged, "allowlist",
               mergedAllowlists(member(current, "allowlist"), member(legacy, "allowlist")));
    setOrErase(merged, "mcpTools",
               mergedTools(member(current, "mcpTools"), member(legacy, "mcpTools")));
    return merged;
}

class Normalizer final
{
public:
    [[nodiscard]] Result<NormalApprovals> normalize(const Json &document)
    {
        if (!document.is_object()) {
            return expected(u"document"_s, u"an object"_s);
        }
        const Json *version = member(document, "version");
        if (version != nullptr && *version != 1) {
            m_ignored.append(u"version"_s);
        }
        const Result<Json> socket = normalSocket(document);
        if (!socket) {
            return std::unexpected(socket.error());
        }
        const Result<Json> agents = normalAgents(document);
        if (!agents) {
            return std::unexpected(agents.error());
        }
        Json normal = Json::object();
        normal["version"] = 1;
        normal["socket"] = *socket;
        normal["defaults"] = normalDefaults(document);
        normal["agents"] = *agents;
        const std::string text = normal.dump(2, ' ', false, Json::error_handler_t::replace);
        return NormalApprovals{QByteArray::fromStdString(text + "\n"), m_ignored};
    }

private:
    static Result<Json> normalSocket(const Json &document)
    {
        Json normal = Json::object();
        const Json *socket = member(document, "socket");
        if (socket == nullptr) {
            return normal;
        }
        if (!socket->is_object()) {
            return expected(u"socket"_s, u"an object"_s);
        }
        for (const char *name : {"path", "token"}) {
            const Json *value = member(*socket, name);
            if (value != nullptr && !value->is_string()) {
                return expected(u"socket.%1"_s.arg(QLatin1StringView(name)), u"a string"_s);
            }
            const QString text = value == nullptr ? QString() : textOf(*value).trimmed();
            if (!text.isEmpty()) {
                normal[name] = text.toStdString();
            }
        }
        return normal;
    }

    Json normalDefaults(const Json &document)
    {
        Json normal = Json::object();
        const Json *defaults = member(document, "defaults");
        if (defaults == nullptr) {
            return normal;
        }
        if (!defaults->is_object()) {
            m_ignored.append(u"defaults"_s);
            return normal;
        }
        for (const char *name : s_policyNames) {
            if (const auto found = defaults->find(name); found != defaults->cend()) {
                normal[name] = *found;
            }
        }
        normalizeWords(normal, u"defaults"_s);
        return normal;
    }

    /// Trims the policy words and takes out those that there are not.
    void normalizeWords(Json &policy, const QString &place)
    {
        for (const char *name : {"security", "ask", "askFallback"}) {
            const auto found = policy.find(name);
            if (found == policy.end()) {
                continue;
            }
            const QString word = textOf(*found).trimmed();
            const bool isKnown = QLatin1StringView(name) == "ask"_L1
                ? parseAsk(word).has_value()
                : parseSecurity(word).has_value();
            if (isKnown) {
                *found = word.toStdString();
            } else {
                m_ignored.append(u"%1.%2"_s.arg(place, QLatin1StringView(name)));
                policy.erase(found);
            }
        }
    }

    Result<Json> normalAgents(const Json &document)
    {
        const Json *given = member(document, "agents");
        if (given == nullptr || (given->is_array() && given->empty())) {
            return Json::object();
        }
        if (!given->is_object()) {
            return expected(u"agents"_s, u"an object"_s);
        }
        Json agents = *given;
        int number = 0;
        for (Json &agent : agents) {
            const QString place = u"agents entry #%1"_s.arg(++number);
            if (!agent.is_object()) {
                return expected(place, u"an object"_s);
            }
            if (const Json *tools = member(agent, "mcpTools");
                tools != nullptr && !tools->is_array()) {
                return expected(place + u".mcpTools"_s, u"an array"_s);
            }
            normalizeAllowlist(agent, place + u".allowlist"_s);
            normalizeWords(agent, place);
        }
        mergeLegacy(agents);
        return agents;
    }

    void normalizeAllowlist(Json &agent, const QString &place)
    {
        const auto list = agent.find("allowlist");
        if (list == agent.end()) {
            return;
        }
        Json kept = Json::array();
        for (std::size_t i = 0; list->is_array() && i < list->size(); ++i) {
            Json entry = normalEntry((*list)[i]);
            if (entry.is_null()) {
                m_ignored.append(u"%1[%2]"_s.arg(place).arg(i));
            } else {
                kept.push_back(std::move(entry));
            }
        }
        if (kept.empty() && !(list->is_array() && list->empty())) {
            m_ignored.append(place);
            agent.erase(list);
        } else {
            *list = std::move(kept);
        }
    }

    /// Null if it is no entry.
    static Json normalEntry(const Json &given)
    {
        Json entry = given;
        if (given.is_string()) {
            entry = Json::object();
            entry["pattern"] = textOf(given).trimmed().toStdString();
        }
        const Json *pattern = member(entry, "pattern");
        if (pattern == nullptr || textOf(*pattern).trimmed().isEmpty()) {
            return {};
        }
        if (const Json *id = member(entry, "id"); id == nullptr || *id == "") {
            entry["id"] = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
        }
        if (const Json *text = member(entry, "commandText"); text != nullptr && text->is_string()) {
            entry.erase("commandText");
        }
        return entry;
    }

    static void mergeLegacy(Json &agents)
    {
        const auto legacy = agents.find("default");
        if (legacy == agents.end()) {
            return;
        }
        const Json former = *legacy;
        const auto current = agents.find("main");
        agents["main"] = current == agents.end() ? former : mergedAgents(*current, former);
        agents.erase("default");
    }

    QStringList m_ignored;
};

} // namespace

Result<NormalApprovals> normalizeStoredApprovals(const QByteArray &json)
{
    if (const Result<void> checked = checkApprovals(json); !checked) {
        return std::unexpected(checked.error());
    }
    Json document = Json::parse(json.cbegin(), json.cend(), nullptr, false);
    if (const auto agents = document.find("agents"); agents != document.end()) {
        std::ranges::for_each(*agents, reorderStoredAgent);
    }
    return Normalizer().normalize(document);
}

Result<NormalApprovals> normalizeIncomingApprovals(const QByteArray &json)
{
    if (const Result<void> checked = checkJsonText(json); !checked) {
        return std::unexpected(checked.error());
    }
    return Normalizer().normalize(Json::parse(json.cbegin(), json.cend(), nullptr, false));
}

} // namespace telson::core
