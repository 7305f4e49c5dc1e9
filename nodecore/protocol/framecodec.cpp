// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/framecodec.h"

#include "nodecore/protocol/jsonshape.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

using namespace Qt::StringLiterals;
using nlohmann::json;

namespace telson::core {

namespace {

// 2^53: the largest integer that the gateway's language holds exactly.
constexpr qint64 s_largestInteger = 9'007'199'254'740'992;

std::string toUtf8(const QString &text)
{
    return text.toStdString();
}

QByteArray dump(const json &value)
{
    // Replacing is for text that is not UTF-8; the default would throw.
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

const json *member(const json &object, const char *key)
{
    if (!object.is_object()) {
        return nullptr;
    }
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

QString textOf(const json &value)
{
    return QString::fromStdString(value.get_ref<const std::string &>());
}

/// The text of a member; empty if it is absent or no text.
QString lenientText(const json &object, const char *key)
{
    const json *value = member(object, key);
    return value != nullptr && value->is_string() ? textOf(*value) : QString();
}

/// What a stranger wrote and people will read: in the log and in the status, so never at length.
QString shortText(const json &object, const char *key)
{
    constexpr qsizetype longest = 300;
    const QString text = lenientText(object, key);
    return text.size() <= longest ? text : text.first(longest) + u'…';
}

bool lenientFlag(const json &object, const char *key)
{
    const json *value = member(object, key);
    return value != nullptr && value->is_boolean() && value->get<bool>();
}

/// A number as whole milliseconds, rounded up and kept in range. Only for numbers that are not
/// negative.
qint64 wholeNumber(const json &value)
{
    if (value.is_number_float()) {
        const double number = std::ceil(value.get<double>());
        return number >= static_cast<double>(s_largestInteger) ? s_largestInteger
                                                               : static_cast<qint64>(number);
    }
    return static_cast<qint64>(std::min<quint64>(value.get<quint64>(), s_largestInteger));
}

bool isCount(const json &value)
{
    return value.is_number_unsigned() || (value.is_number_float() && value.get<double>() >= 0.0);
}

Result<QString> requiredText(const json &object, const char *where, const char *key)
{
    const json *value = member(object, key);
    if (value == nullptr || !value->is_string() || value->get_ref<const std::string &>().empty()) {
        return fail(ErrorCode::Protocol,
                    u"%1: %2 is no text"_s.arg(QLatin1StringView(where), QLatin1StringView(key)));
    }
    return textOf(*value);
}

GatewayErrorDetails readDetails(const json &details)
{
    GatewayErrorDetails read;
    read.code = shortText(details, "code");
    read.reason = shortText(details, "reason");
    read.recommendedNextStep = shortText(details, "recommendedNextStep");
    read.requestId = shortText(details, "requestId");
    read.remediationHint = shortText(details, "remediationHint");
    read.canRetryWithDeviceToken = lenientFlag(details, "canRetryWithDeviceToken");
    const json *expected = member(details, "expectedProtocol");
    if (expected != nullptr && expected->is_number_unsigned()
        && expected->get<quint64>() < 1'000'000) {
        read.expectedProtocol = expected->get<int>();
    }
    return read;
}

GatewayError readError(const json &frame)
{
    GatewayError read;
    const json *error = member(frame, "error");
    if (error == nullptr) {
        return read;
    }
    read.code = shortText(*error, "code");
    read.message = shortText(*error, "message");
    const json *retryAfter = member(*error, "retryAfterMs");
    if (const json *details = member(*error, "details")) {
        read.details = readDetails(*details);
        if (retryAfter == nullptr) {
            retryAfter = member(*details, "retryAfterMs");
        }
    }
    if (retryAfter != nullptr && isCount(*retryAfter)) {
        read.retryAfter = std::chrono::milliseconds(wholeNumber(*retryAfter));
    }
    return read;
}

Result<IncomingFrame> readResponse(const json &frame)
{
    Result<QString> id = requiredText(frame, "res", "id");
    if (!id) {
        return std::unexpected(id.error());
    }
    const json *ok = member(frame, "ok");
    if (ok == nullptr || !ok->is_boolean()) {
        return fail(ErrorCode::Protocol, u"res: ok is no boolean"_s);
    }
    if (!ok->get<bool>()) {
        return ResponseFrame{*std::move(id), std::unexpected(readError(frame))};
    }
    const json *payload = member(frame, "payload");
    return ResponseFrame{*std::move(id), payload == nullptr ? QByteArray("null") : dump(*payload)};
}

Result<std::chrono::milliseconds> readChallengeTime(const json &payload)
{
    const json *time = member(payload, "ts");
    if (time == nullptr) {
        return fail(ErrorCode::Protocol, u"connect.challenge: ts is missing"_s);
    }
    // An unsigned integer is one that is written without sign, fraction and exponent.
    if (!time->is_number_unsigned() || time->get<quint64>() > quint64(s_largestInteger)) {
        return fail(ErrorCode::Protocol,
                    u"connect.challenge: ts is no time in whole milliseconds"_s);
    }
    return std::chrono::milliseconds(time->get<qint64>());
}

Result<IncomingFrame> readChallenge(const json &payload)
{
    Result<QString> nonce = requiredText(payload, "connect.challenge", "nonce");
    if (!nonce) {
        return std::unexpected(nonce.error());
    }
    return ChallengeEvent{*std::move(nonce), readChallengeTime(payload)};
}

Result<InvokeRequest> readInvokeFields(const json &payload, const QString &id)
{
    static constexpr const char *where = "node.invoke.request";
    InvokeRequest request;
    request.id = id;
    Result<QString> nodeId = requiredText(payload, where, "nodeId");
    if (!nodeId) {
        return std::unexpected(nodeId.error());
    }
    request.nodeId = *std::move(nodeId);
    Result<QString> command = requiredText(payload, where, "command");
    if (!command) {
        return std::unexpected(command.error());
    }
    request.command = *std::move(command);
    request.paramsJson = "{}"_ba;
    if (const json *params = member(payload, "paramsJSON")) {
        if (!params->is_string()) {
            return fail(ErrorCode::Protocol, u"node.invoke.request: paramsJSON is no text"_s);
        }
        const std::string &text = params->get_ref<const std::string &>();
        request.paramsJson = QByteArray(text.data(), static_cast<qsizetype>(text.size()));
    }
    if (const json *timeout = member(payload, "timeoutMs")) {
        if (!isCount(*timeout)) {
            return fail(ErrorCode::Protocol,
                        u"node.invoke.request: timeoutMs is no number of milliseconds"_s);
        }
        if (const qint64 number = wholeNumber(*timeout); number > 0) {
            request.timeout = std::chrono::milliseconds(number);
        }
    }
    return request;
}

Result<IncomingFrame> readInvoke(const json &payload)
{
    const Result<QString> id = requiredText(payload, "node.invoke.request", "id");
    if (!id) {
        return std::unexpected(id.error());
    }
    Result<InvokeRequest> request = readInvokeFields(payload, *id);
    if (!request) {
        // The caller waits, so it gets an answer that says what is wrong.
        return InvalidInvoke{*id, request.error().message};
    }
    return *std::move(request);
}

Result<IncomingFrame> readEvent(const json &frame)
{
    Result<QString> name = requiredText(frame, "event", "event");
    if (!name) {
        return std::unexpected(name.error());
    }
    static const json s_nothing;
    const json *found = member(frame, "payload");
    const json &payload = found == nullptr ? s_nothing : *found;
    if (*name == "connect.challenge"_L1) {
        return readChallenge(payload);
    }
    if (*name == "node.invoke.request"_L1) {
        return readInvoke(payload);
    }
    if (*name == "node.invoke.cancel"_L1) {
        return requiredText(payload, "node.invoke.cancel", "invokeId")
            .transform([](const QString &id) { return IncomingFrame(InvokeCancel{id}); });
    }
    if (*name == "node.pair.resolved"_L1) {
        return PairResolved{lenientText(payload, "decision") == "approved"_L1};
    }
    if (*name == "shutdown"_L1) {
        return ShutdownEvent{lenientText(payload, "reason")};
    }
    return OtherEvent{*std::move(name)};
}

} // namespace

Result<IncomingFrame> parseFrame(const QByteArray &text)
{
    if (const Result<void> shape = checkJsonShape(text, s_maxFrameBytes, s_maxFrameDepth); !shape) {
        return std::unexpected(shape.error());
    }
    const json frame = json::parse(text.cbegin(), text.cend(), nullptr, false);
    if (frame.is_discarded()) {
        return fail(ErrorCode::Protocol, u"frame: not JSON"_s);
    }
    if (!frame.is_object()) {
        return fail(ErrorCode::Protocol, u"frame: no object"_s);
    }
    const QString type = lenientText(frame, "type");
    if (type == "res"_L1) {
        return readResponse(frame);
    }
    if (type == "event"_L1) {
        return readEvent(frame);
    }
    return fail(ErrorCode::Protocol, u"frame: type is neither res nor event"_s);
}

QByteArray encodeRequest(const RequestFrame &request)
{
    // The params are JSON already and may be large: they are put in as they are.
    QByteArray text = R"({"type":"req","id":)" + dump(toUtf8(request.id)) + R"(,"method":)"
        + dump(toUtf8(request.method));
    if (!request.paramsJson.isEmpty()) {
        text += R"(,"params":)" + request.paramsJson;
    }
    text += '}';
    return text;
}

QByteArray encodeInvokeResultParams(const InvokeResult &result, const QString &nodeId)
{
    json params = {{"id", toUtf8(result.id)}, {"nodeId", toUtf8(nodeId)}};
    if (const auto *payload = std::get_if<InvokePayload>(&result.outcome)) {
        params["ok"] = true;
        params["payloadJSON"] = payload->json.toStdString();
    } else if (const auto *failure = std::get_if<InvokeFailure>(&result.outcome)) {
        params["ok"] = false;
        params["error"] = {{"code", toUtf8(failure->code)}, {"message", toUtf8(failure->message)}};
    }
    return dump(params);
}

QByteArray encodeNodeEventParams(const NodeEvent &event)
{
    json params = {{"event", toUtf8(event.name)}};
    if (!event.payloadJson.isEmpty()) {
        params["payloadJSON"] = event.payloadJson.toStdString();
    }
    return dump(params);
}

QByteArray runnerInventoryParams()
{
    return R"({"protocolFeatures":["node-worker-supervisor-v6"],"workerHost":{"enabled":false}})"_ba;
}

QString upgradeErrorType(const QByteArray &body)
{
    if (!checkJsonShape(body, s_maxFrameBytes, s_maxFrameDepth)) {
        return {};
    }
    const json answer = json::parse(body.cbegin(), body.cend(), nullptr, false);
    const json *error = member(answer, "error");
    return error == nullptr ? QString() : lenientText(*error, "type");
}

} // namespace telson::core
