// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/devicetokenrecord.h"

#include "nodecore/protocol/jsonshape.h"

#include <nlohmann/json.hpp>

#include <string>

using namespace Qt::StringLiterals;
using nlohmann::json;

namespace telson::core {

namespace {

constexpr qsizetype s_maxBytes = 64 * 1024;
constexpr int s_maxDepth = 4;

Result<QStringList> readScopes(const json &record)
{
    QStringList scopes;
    const auto found = record.find("scopes");
    if (found == record.end()) {
        return scopes;
    }
    if (!found->is_array()) {
        return fail(ErrorCode::Protocol, u"stored device token: scopes is no list"_s);
    }
    for (const json &scope : *found) {
        if (!scope.is_string()) {
            return fail(ErrorCode::Protocol,
                        u"stored device token: scopes holds something that is no text"_s);
        }
        scopes.append(QString::fromStdString(scope.get_ref<const std::string &>()));
    }
    return scopes;
}

} // namespace

QByteArray encodeDeviceTokenRecord(const DeviceTokenRecord &record)
{
    json scopes = json::array();
    for (const QString &scope : record.scopes) {
        scopes.push_back(scope.toStdString());
    }
    const json object = {{"version", 1},
                         {"token", record.token.toStdString()},
                         {"scopes", std::move(scopes)},
                         {"suspect", record.isSuspect}};
    return QByteArray::fromStdString(object.dump(-1, ' ', false, json::error_handler_t::replace));
}

Result<DeviceTokenRecord> parseDeviceTokenRecord(const QByteArray &text)
{
    if (const Result<void> shape = checkJsonShape(text, s_maxBytes, s_maxDepth); !shape) {
        return std::unexpected(shape.error());
    }
    const json object = json::parse(text.cbegin(), text.cend(), nullptr, false);
    if (!object.is_object()) {
        return fail(ErrorCode::Protocol, u"stored device token: no JSON object"_s);
    }
    const auto version = object.find("version");
    if (version == object.end() || !version->is_number_integer() || *version != 1) {
        return fail(ErrorCode::Protocol, u"stored device token: version is not 1"_s);
    }
    DeviceTokenRecord record;
    const auto token = object.find("token");
    if (token == object.end() || !token->is_string()
        || token->get_ref<const std::string &>().empty()) {
        return fail(ErrorCode::Protocol, u"stored device token: token is no text"_s);
    }
    record.token = QString::fromStdString(token->get_ref<const std::string &>());
    const auto suspect = object.find("suspect");
    if (suspect != object.end() && !suspect->is_boolean()) {
        return fail(ErrorCode::Protocol, u"stored device token: suspect is no boolean"_s);
    }
    record.isSuspect = suspect != object.end() && suspect->get<bool>();
    Result<QStringList> scopes = readScopes(object);
    if (!scopes) {
        return std::unexpected(scopes.error());
    }
    record.scopes = *std::move(scopes);
    return record;
}

} // namespace telson::core
