// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/controlcodec.h"

#include <nlohmann/json.hpp>

using namespace Qt::StringLiterals;
using nlohmann::json;

namespace telson::core {

namespace {

Result<json> parseLine(const QByteArray &line)
{
    if (line.size() > s_maxControlLine) {
        return fail(ErrorCode::Protocol, u"control: a line of more than %1 bytes"_s.arg(s_maxControlLine));
    }
    json object = json::parse(line.cbegin(), line.cend(), nullptr, false);
    if (!object.is_object()) {
        return fail(ErrorCode::Protocol, u"control: the line is not a JSON object"_s);
    }
    const auto version = object.find("jsonrpc");
    if (version == object.end() || *version != "2.0") {
        return fail(ErrorCode::Protocol, u"control: jsonrpc must be \"2.0\""_s);
    }
    return object;
}

QByteArray toLine(const json &object)
{
    std::string text = object.dump(-1, ' ', false, json::error_handler_t::replace);
    text += '\n';
    return QByteArray::fromStdString(text);
}

std::optional<qint64> integerAt(const json &object, const char *key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer()) {
        return std::nullopt;
    }
    return found->get<qint64>();
}

} // namespace

QByteArray encodeControlRequest(const ControlRequest &request)
{
    return toLine({{"jsonrpc", "2.0"}, {"id", request.id}, {"method", request.method.toStdString()}});
}

QByteArray encodeControlResponse(const ControlResponse &response)
{
    json object{{"jsonrpc", "2.0"}, {"id", nullptr}};
    if (response.id) {
        object["id"] = *response.id;
    }
    if (response.error) {
        object["error"] = {{"code", response.error->code},
                           {"message", response.error->message.toStdString()}};
    } else {
        object["result"] =
            json::parse(response.resultJson.cbegin(), response.resultJson.cend(), nullptr, false);
    }
    return toLine(object);
}

Result<ControlRequest> decodeControlRequest(const QByteArray &line)
{
    const auto object = parseLine(line);
    if (!object) {
        return std::unexpected(object.error());
    }
    const auto id = integerAt(*object, "id");
    if (!id) {
        return fail(ErrorCode::Protocol, u"control: id must be an integer"_s);
    }
    const auto method = object->find("method");
    if (method == object->end() || !method->is_string()) {
        return fail(ErrorCode::Protocol, u"control: method must be a string"_s);
    }
    return ControlRequest{*id, QString::fromStdString(method->get<std::string>())};
}

Result<ControlResponse> decodeControlResponse(const QByteArray &line)
{
    const auto object = parseLine(line);
    if (!object) {
        return std::unexpected(object.error());
    }
    ControlResponse response;
    response.id = integerAt(*object, "id");
    if (const auto error = object->find("error"); error != object->end()) {
        const auto message = error->is_object() ? error->find("message") : error->end();
        if (!error->is_object() || message == error->end() || !message->is_string()) {
            return fail(ErrorCode::Protocol, u"control: error.message must be a string"_s);
        }
        response.error = ControlError{static_cast<int>(integerAt(*error, "code").value_or(0)),
                                      QString::fromStdString(message->get<std::string>())};
        return response;
    }
    const auto result = object->find("result");
    if (result == object->end()) {
        return fail(ErrorCode::Protocol, u"control: neither result nor error"_s);
    }
    response.resultJson = QByteArray::fromStdString(result->dump());
    return response;
}

} // namespace telson::core
