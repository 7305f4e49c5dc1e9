// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/gatewaysettings.h"

#include <nlohmann/json.hpp>

#include <QtCore/QRegularExpression>
#include <QtCore/QUrl>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t s_maxGateways = 64;
constexpr qsizetype s_maxUrl = 2048;
constexpr qsizetype s_maxSshTarget = 512;

bool fits(const QString &text, const QString &pattern)
{
    return QRegularExpression(QRegularExpression::anchoredPattern(pattern)).match(text).hasMatch();
}

std::unexpected<Error> expected(const QString &field, const QString &what)
{
    return fail(ErrorCode::InvalidArgument, u"%1: expected %2"_s.arg(field, what));
}

bool hasSpaceOrControl(const QString &text)
{
    return std::ranges::any_of(
        text, [](QChar character) { return character.isSpace() || !character.isPrint(); });
}

Result<void> checkUrl(const QString &text)
{
    const QUrl url(text, QUrl::StrictMode);
    const bool isWhole = text.size() <= s_maxUrl && !hasSpaceOrControl(text) && url.isValid();
    if (!isWhole || (url.scheme() != "ws"_L1 && url.scheme() != "wss"_L1)) {
        return expected(u"url"_s, u"an address that starts with ws:// or wss://"_s);
    }
    if (url.host().isEmpty()) {
        return expected(u"url"_s, u"a host behind %1://"_s.arg(url.scheme()));
    }
    // The text, too: an empty user name is no user name to QUrl.
    if (url.authority().contains(u'@') || url.hasQuery() || url.hasFragment()) {
        return expected(u"url"_s,
                        u"only host, port and path; credentials go to the secret store"_s);
    }
    return {};
}

Result<void> checkFingerprint(const GatewaySettings &gateway)
{
    QString digits = gateway.tlsFingerprint.toLower();
    if (digits.startsWith("sha256:"_L1)) {
        digits.remove(0, 7);
    }
    if (!fits(digits.remove(u':'), u"[0-9a-f]{64}"_s)) {
        return expected(u"tlsFingerprint"_s, u"the 64 hex digits of a SHA-256 fingerprint"_s);
    }
    if (!gateway.url.startsWith("wss:"_L1, Qt::CaseInsensitive)) {
        return expected(u"tlsFingerprint"_s, u"none for an address without TLS"_s);
    }
    return {};
}

QString textOf(const Json &json)
{
    const auto *text = json.get_ptr<const Json::string_t *>();
    return text == nullptr ? QString() : QString::fromStdString(*text);
}

/// Walks the list of gateways; stops at the first value that is not as it has to be.
class Decoder final
{
public:
    [[nodiscard]] Result<DecodedGateways> decode(const Json &value)
    {
        if (!value.is_array() || value.size() > s_maxGateways) {
            return expected(u"gateways"_s, u"a list of at most %1 objects"_s.arg(s_maxGateways));
        }
        for (const Json &item : value) {
            const QString key = u"gateways[%1]"_s.arg(m_result.gateways.size());
            const Result<GatewaySettings> gateway = readGateway(key, item);
            if (!gateway) {
                return std::unexpected(gateway.error());
            }
            if (std::ranges::contains(m_result.gateways, gateway->id, &GatewaySettings::id)) {
                return expected(key + u".id"_s, u"an id that no other gateway has"_s);
            }
            m_result.gateways.append(*gateway);
        }
        return std::move(m_result);
    }

private:
    Result<GatewaySettings> readGateway(const QString &key, const Json &item)
    {
        if (!item.is_object()) {
            return expected(key, u"an object"_s);
        }
        GatewaySettings gateway;
        for (const auto &[name, value] : item.items()) {
            const QString field = key + u'.' + QString::fromStdString(name);
            if (const Result<void> read = readGatewayField(gateway, field, name, value); !read) {
                return std::unexpected(read.error());
            }
        }
        return checkGateway(gateway)
            .transform([&gateway] { return gateway; })
            .transform_error([&key](Error error) {
                error.message = key + u'.' + error.message;
                return error;
            });
    }

    Result<void> readGatewayField(GatewaySettings &gateway, const QString &key,
                                  const std::string &name, const Json &value)
    {
        if (name == "id") {
            return readText(gateway.id, key, value);
        }
        if (name == "url") {
            return readText(gateway.url, key, value);
        }
        if (name == "tlsFingerprint") {
            return readOptionalText(gateway.tlsFingerprint, key, value);
        }
        if (name == "trustCa") {
            return readFlag(gateway.trustCa, key, value);
        }
        if (name == "sshTarget") {
            return readOptionalText(gateway.sshTarget, key, value);
        }
        if (name == "enabled") {
            return readFlag(gateway.isEnabled, key, value);
        }
        if (name == "operator") {
            return readOperator(gateway.operatorAccess, key, value);
        }
        m_result.warnings.append(u"unknown key %1"_s.arg(key));
        return {};
    }

    static Result<void> readText(QString &field, const QString &key, const Json &value)
    {
        if (!value.is_string()) {
            return expected(key, u"a text"_s);
        }
        field = textOf(value);
        return {};
    }

    static Result<void> readOptionalText(QString &field, const QString &key, const Json &value)
    {
        if (value.is_null()) {
            return {};
        }
        return value.is_string() ? readText(field, key, value)
                                 : Result<void>(expected(key, u"a text or null"_s));
    }

    static Result<void> readFlag(bool &field, const QString &key, const Json &value)
    {
        const auto *flag = value.get_ptr<const Json::boolean_t *>();
        if (flag == nullptr) {
            return expected(key, u"true or false"_s);
        }
        field = *flag;
        return {};
    }

    static Result<void> readOperator(OperatorAccess &field, const QString &key, const Json &value)
    {
        const QStringList words = operatorAccessWords();
        const qsizetype index = value.is_string() ? words.indexOf(textOf(value)) : -1;
        if (index < 0) {
            return expected(key, u"one of "_s + words.join(u", "_s));
        }
        field = static_cast<OperatorAccess>(index);
        return {};
    }

    DecodedGateways m_result;
};

Json optionalText(const QString &text)
{
    return text.isEmpty() ? Json() : Json(text.toStdString());
}

Json toJson(const GatewaySettings &gateway)
{
    Json json = Json::object();
    json["id"] = gateway.id.toStdString();
    json["url"] = gateway.url.toStdString();
    json["tlsFingerprint"] = optionalText(gateway.tlsFingerprint);
    json["trustCa"] = gateway.trustCa;
    json["sshTarget"] = optionalText(gateway.sshTarget);
    json["enabled"] = gateway.isEnabled;
    json["operator"] =
        operatorAccessWords().value(std::to_underlying(gateway.operatorAccess)).toStdString();
    return json;
}

QByteArray dumped(const Json &json)
{
    return QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace

QStringList operatorAccessWords()
{
    return {u"none"_s, u"approve"_s, u"manage"_s};
}

Result<void> checkGateway(const GatewaySettings &gateway)
{
    if (!fits(gateway.id, u"[a-z0-9-]{1,32}"_s)) {
        return expected(u"id"_s, u"1 to 32 of the characters a-z, 0-9 and -"_s);
    }
    if (const Result<void> url = checkUrl(gateway.url); !url) {
        return url;
    }
    if (!gateway.tlsFingerprint.isEmpty()) {
        if (const Result<void> fingerprint = checkFingerprint(gateway); !fingerprint) {
            return fingerprint;
        }
    }
    // It becomes an argument of ssh: a leading dash would be an option.
    if (gateway.sshTarget.size() > s_maxSshTarget || gateway.sshTarget.startsWith(u'-')
        || gateway.sshTarget.contains("@-"_L1) || hasSpaceOrControl(gateway.sshTarget)) {
        return expected(u"sshTarget"_s, u"user@host without spaces"_s);
    }
    return {};
}

Result<DecodedGateways> decodeGateways(const QByteArray &json)
{
    return Decoder().decode(Json::parse(json.cbegin(), json.cend(), nullptr, false));
}

QByteArray encodeGateway(const GatewaySettings &gateway)
{
    return dumped(toJson(gateway));
}

QByteArray encodeGateways(const QList<GatewaySettings> &gateways)
{
    Json list = Json::array();
    for (const GatewaySettings &gateway : gateways) {
        list.push_back(toJson(gateway));
    }
    return dumped(list);
}

} // namespace telson::core
