// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/connectcodec.h"

#include "nodecore/protocol/framecodec.h"
#include "nodecore/protocol/jsonshape.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <string>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using nlohmann::json;

namespace telson::core {

namespace {

// What a live gateway sends (handshake.md §4).
constexpr qint64 s_defaultMaxPayload = 26'214'400;
constexpr qint64 s_defaultMaxBufferedBytes = 52'428'800;
constexpr std::chrono::milliseconds s_defaultTickInterval = 30s;
constexpr qint64 s_smallestLimit = 4096; // below it not even an error result would fit

json textList(const QStringList &texts)
{
    json list = json::array();
    for (const QString &text : texts) {
        list.push_back(text.toStdString());
    }
    return list;
}

void putText(json &object, const char *key, const QString &text)
{
    if (!text.isEmpty()) {
        object[key] = text.toStdString();
    }
}

json clientObject(const ConnectClient &client)
{
    json object = {{"id", client.id.toStdString()},
                   {"mode", client.mode.toStdString()},
                   {"version", client.version.toStdString()},
                   {"platform", client.platform.toStdString()}};
    putText(object, "deviceFamily", client.deviceFamily);
    putText(object, "displayName", client.displayName);
    putText(object, "modelIdentifier", client.modelIdentifier);
    putText(object, "instanceId", client.instanceId);
    return object;
}

json authObject(const ConnectAuth &auth)
{
    json object = json::object();
    putText(object, "token", auth.token);
    putText(object, "deviceToken", auth.deviceToken);
    putText(object, "bootstrapToken", auth.bootstrapToken);
    putText(object, "password", auth.password);
    return object;
}

json deviceObject(const ConnectDevice &device)
{
    return {{"id", device.id.toStdString()},
            {"publicKey", device.publicKey.toStdString()},
            {"signature", device.signature.toStdString()},
            {"signedAt", device.signedAt.count()},
            {"nonce", device.nonce.toStdString()}};
}

const json *member(const json &object, const char *key)
{
    if (!object.is_object()) {
        return nullptr;
    }
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

QString textMember(const json &object, const char *key)
{
    const json *value = member(object, key);
    return value != nullptr && value->is_string()
        ? QString::fromStdString(value->get_ref<const std::string &>())
        : QString();
}

qint64 numberMember(const json &object, const char *key, qint64 otherwise)
{
    const json *value = member(object, key);
    if (value == nullptr || !value->is_number_unsigned()) {
        return otherwise;
    }
    return static_cast<qint64>(std::min<quint64>(value->get<quint64>(), quint64(1) << 53));
}

void readPolicy(const json &hello, HelloOk &read)
{
    static const json s_nothing;
    const json *found = member(hello, "policy");
    const json &policy = found == nullptr ? s_nothing : *found;
    read.maxPayload =
        std::max(numberMember(policy, "maxPayload", s_defaultMaxPayload), s_smallestLimit);
    read.maxBufferedBytes = std::max(
        numberMember(policy, "maxBufferedBytes", s_defaultMaxBufferedBytes), s_smallestLimit);
    const qint64 tick = numberMember(policy, "tickIntervalMs", s_defaultTickInterval.count());
    read.tickInterval =
        std::clamp<std::chrono::milliseconds>(std::chrono::milliseconds(tick), 1s, 10min);
}

void readAuth(const json &hello, HelloOk &read)
{
    const json *auth = member(hello, "auth");
    if (auth == nullptr) {
        return;
    }
    read.authMethod = textMember(*auth, "method");
    read.deviceToken = textMember(*auth, "deviceToken");
    const json *scopes = member(*auth, "scopes");
    if (scopes == nullptr || !scopes->is_array()) {
        return;
    }
    for (const json &scope : *scopes) {
        if (scope.is_string()) {
            read.scopes.append(QString::fromStdString(scope.get_ref<const std::string &>()));
        }
    }
}

} // namespace

QString ConnectAuth::signedToken() const
{
    if (!token.isEmpty()) {
        return token;
    }
    return deviceToken.isEmpty() ? bootstrapToken : deviceToken;
}

QByteArray encodeConnectParams(const ConnectParams &params)
{
    json object = {
        {"minProtocol", params.minProtocol},     {"maxProtocol", params.maxProtocol},
        {"client", clientObject(params.client)}, {"role", params.role.toStdString()},
        {"scopes", textList(params.scopes)},     {"caps", textList(params.caps)},
        {"commands", textList(params.commands)}, {"device", deviceObject(params.device)}};
    putText(object, "pathEnv", params.pathEnv);
    putText(object, "locale", params.locale);
    putText(object, "userAgent", params.userAgent);
    if (json auth = authObject(params.auth); !auth.empty()) {
        object["auth"] = std::move(auth);
    }
    const std::string text = object.dump(-1, ' ', false, json::error_handler_t::replace);
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

Result<HelloOk> parseHelloOk(const QByteArray &payloadJson)
{
    if (const Result<void> shape = checkJsonShape(payloadJson, s_maxFrameBytes, s_maxFrameDepth);
        !shape) {
        return std::unexpected(shape.error());
    }
    const json hello = json::parse(payloadJson.cbegin(), payloadJson.cend(), nullptr, false);
    if (!hello.is_object()) {
        return fail(ErrorCode::Protocol, u"hello-ok: no object"_s);
    }
    HelloOk read;
    const qint64 protocol = numberMember(hello, "protocol", -1);
    if (protocol < 1 || protocol > 1'000'000) {
        return fail(ErrorCode::Protocol, u"hello-ok: protocol is no version number"_s);
    }
    read.protocol = static_cast<int>(protocol);
    if (const json *server = member(hello, "server")) {
        read.serverVersion = textMember(*server, "version");
        read.connId = textMember(*server, "connId");
    }
    readAuth(hello, read);
    readPolicy(hello, read);
    return read;
}

} // namespace telson::core
