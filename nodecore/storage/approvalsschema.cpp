// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/approvalsschema.h"

#include "nodecore/policy/policyvalues.h"
#include "nodecore/storage/jsontext.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using Json = nlohmann::ordered_json;
using Check = Result<void> (*)(const QString &place, const Json &value);

std::unexpected<Error> expected(const QString &place, const QString &what)
{
    return fail(ErrorCode::InvalidArgument, u"%1: expected %2"_s.arg(place, what));
}

QString textOf(const Json &value)
{
    const auto *text = value.get_ptr<const Json::string_t *>();
    return text == nullptr ? QString() : QString::fromStdString(*text);
}

Result<void> checkText(const QString &place, const Json &value)
{
    return value.is_string() ? Result<void>() : Result<void>(expected(place, u"a string"_s));
}

Result<void> checkFlag(const QString &place, const Json &value)
{
    return value.is_boolean() ? Result<void>() : Result<void>(expected(place, u"a boolean"_s));
}

Result<void> checkNumber(const QString &place, const Json &value)
{
    return value.is_number() ? Result<void>() : Result<void>(expected(place, u"a finite number"_s));
}

Result<void> checkStamp(const QString &place, const Json &value)
{
    return value.is_number() && value >= 0
        ? Result<void>()
        : Result<void>(expected(place, u"a finite number that is not negative"_s));
}

Result<void> checkSecurity(const QString &place, const Json &value)
{
    return parseSecurity(textOf(value)) ? Result<void>()
                                        : Result<void>(expected(place, u"a supported value"_s));
}

Result<void> checkAsk(const QString &place, const Json &value)
{
    return parseAsk(textOf(value)) ? Result<void>()
                                   : Result<void>(expected(place, u"a supported value"_s));
}

Result<void> checkGenerated(const QString &place, const Json &value)
{
    return textOf(value) == "allow-always"_L1
        ? Result<void>()
        : Result<void>(expected(place, u"a supported value"_s));
}

Result<void> checkName(const QString &place, const Json &value)
{
    if (!value.is_string()) {
        return expected(place, u"a string"_s);
    }
    return textOf(value).trimmed().isEmpty()
        ? Result<void>(fail(ErrorCode::InvalidArgument, u"%1: invalid value"_s.arg(place)))
        : Result<void>();
}

Result<void> checkPattern(const QString &place, const Json &value)
{
    if (!value.is_string()) {
        return expected(place, u"a string"_s);
    }
    return textOf(value).trimmed().isEmpty()
        ? Result<void>(expected(place, u"a non-empty string"_s))
        : Result<void>();
}

enum class Presence { Required, Optional };
struct Field
{
    const char *name;
    Presence presence;
    Check check;
};

template <std::size_t count>
Result<void> checkFields(const QString &place, const Json &object,
                         const std::array<Field, count> &fields)
{
    for (const Field &field : fields) {
        const auto found = object.find(field.name);
        if (found == object.cend() && field.presence == Presence::Optional) {
            continue;
        }
        const QString name = u"%1.%2"_s.arg(place, QLatin1StringView(field.name));
        if (const Result<void> checked =
                field.check(name, found == object.cend() ? Json() : *found);
            !checked) {
            return checked;
        }
    }
    return {};
}

Result<void> checkMembers(const QString &place, const Json &list, Check check)
{
    if (!list.is_array()) {
        return expected(place, u"an array"_s);
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (const Result<void> checked = check(u"%1[%2]"_s.arg(place).arg(i), list[i]); !checked) {
            return checked;
        }
    }
    return {};
}

Result<void> checkEntry(const QString &place, const Json &value)
{
    if (value.is_string()) {
        return checkPattern(place, value);
    }
    if (!value.is_object()) {
        return expected(place, u"a non-empty string or an object with a non-empty pattern"_s);
    }
    return checkFields<8>(place, value,
                          {{{"pattern", Presence::Required, checkPattern},
                            {"id", Presence::Optional, checkText},
                            {"source", Presence::Optional, checkText},
                            {"commandText", Presence::Optional, checkText},
                            {"argPattern", Presence::Optional, checkText},
                            {"lastUsedAt", Presence::Optional, checkNumber},
                            {"lastUsedCommand", Presence::Optional, checkText},
                            {"lastResolvedPath", Presence::Optional, checkText}}});
}

Result<void> checkMcpTool(const QString &place, const Json &value)
{
    if (!value.is_object()) {
        return expected(place, u"an object"_s);
    }
    return checkFields<5>(place, value,
                          {{{"server", Presence::Required, checkName},
                            {"tool", Presence::Required, checkName},
                            {"source", Presence::Required, checkGenerated},
                            {"addedAt", Presence::Required, checkStamp},
                            {"lastUsedAt", Presence::Optional, checkStamp}}});
}

Result<void> checkAllowlist(const QString &place, const Json &value)
{
    return checkMembers(place, value, checkEntry);
}

Result<void> checkMcpTools(const QString &place, const Json &value)
{
    return checkMembers(place, value, checkMcpTool);
}

Result<void> checkPolicy(const QString &place, const Json &value)
{
    if (!value.is_object()) {
        return expected(place, u"an object"_s);
    }
    return checkFields<4>(place, value,
                          {{{"security", Presence::Optional, checkSecurity},
                            {"ask", Presence::Optional, checkAsk},
                            {"askFallback", Presence::Optional, checkSecurity},
                            {"autoAllowSkills", Presence::Optional, checkFlag}}});
}

Result<void> checkAgent(const QString &place, const Json &value)
{
    if (const Result<void> policy = checkPolicy(place, value); !policy) {
        return policy;
    }
    return checkFields<2>(place, value,
                          {{{"allowlist", Presence::Optional, checkAllowlist},
                            {"mcpTools", Presence::Optional, checkMcpTools}}});
}

Result<void> checkAgents(const Json &agents)
{
    // The reference refuses this name, which means something else to its language.
    if (!agents.is_object() || agents.contains("__proto__")) {
        return fail(ErrorCode::InvalidArgument, u"agents: invalid value"_s);
    }
    int number = 0;
    for (const Json &agent : agents) {
        ++number;
        if (const Result<void> checked = checkAgent(u"agents entry #%1"_s.arg(number), agent);
            !checked) {
            return checked;
        }
    }
    return {};
}

Result<void> checkSocket(const Json &socket)
{
    if (!socket.is_object()) {
        return expected(u"socket"_s, u"an object"_s);
    }
    return checkFields<2>(
        u"socket"_s, socket,
        {{{"path", Presence::Optional, checkText}, {"token", Presence::Optional, checkText}}});
}

Result<void> checkDocument(const Json &document)
{
    if (!document.is_object()) {
        return expected(u"document"_s, u"an object"_s);
    }
    if (document.value("version", Json()) != 1) {
        return expected(u"version"_s, u"a supported value"_s);
    }
    if (const auto socket = document.find("socket"); socket != document.cend()) {
        if (const Result<void> checked = checkSocket(*socket); !checked) {
            return checked;
        }
    }
    if (const auto defaults = document.find("defaults"); defaults != document.cend()) {
        if (const Result<void> checked = checkPolicy(u"defaults"_s, *defaults); !checked) {
            return checked;
        }
    }
    const auto agents = document.find("agents");
    return agents == document.cend() ? Result<void>() : checkAgents(*agents);
}

} // namespace

Result<void> checkApprovals(const QByteArray &json)
{
    if (const Result<void> checked = checkJsonText(json); !checked) {
        return checked;
    }
    return checkDocument(Json::parse(json.cbegin(), json.cend(), nullptr, false));
}

} // namespace telson::core
