// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/settingsedit.h"

#include <nlohmann/json.hpp>

#include <QtCore/QStringList>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using Json = nlohmann::ordered_json;

Json parsed(const QByteArray &json)
{
    return Json::parse(json.cbegin(), json.cend(), nullptr, false);
}

QByteArray written(const Json &document)
{
    return QByteArray::fromStdString(document.dump(2, ' ', false, Json::error_handler_t::replace)
                                     + "\n");
}

Json &gatewaysOf(Json &document)
{
    Json &gateways = document["gateways"];
    if (!gateways.is_array()) {
        gateways = Json::array();
    }
    return gateways;
}

QString idOf(const Json &gateway)
{
    const auto found = gateway.find("id");
    const auto *id = found == gateway.cend() ? nullptr : found->get_ptr<const Json::string_t *>();
    return id == nullptr ? QString() : QString::fromStdString(*id);
}

std::unexpected<Error> unknownGateway(const Json &gateways, const QString &id)
{
    QStringList known;
    for (const Json &gateway : gateways) {
        known.append(idOf(gateway));
    }
    const QString hint =
        known.isEmpty() ? u"there is none yet"_s : u"there is "_s + known.join(u", "_s);
    return fail(ErrorCode::InvalidArgument, u"no gateway '%1'; %2"_s.arg(id, hint));
}

} // namespace

Result<QByteArray> editedMember(const QByteArray &json, const QString &key,
                                const std::optional<QByteArray> &value)
{
    Json document = parsed(json);
    Json *at = &document;
    QStringList names = key.split(u'.');
    const std::string last = names.takeLast().toStdString();
    for (const QString &name : std::as_const(names)) {
        const std::string member = name.toStdString();
        if (!at->contains(member)) {
            if (!value) {
                return json;
            }
            (*at)[member] = Json::object();
        }
        at = &(*at)[member];
        if (!at->is_object()) {
            return fail(ErrorCode::InvalidArgument, u"%1: expected an object"_s.arg(name));
        }
    }
    if (value) {
        (*at)[last] = parsed(*value);
    } else {
        at->erase(last);
    }
    return written(document);
}

QByteArray withGateway(const QByteArray &json, const QByteArray &gateway)
{
    Json document = parsed(json);
    gatewaysOf(document).push_back(parsed(gateway));
    return written(document);
}

Result<QByteArray> withoutGateway(const QByteArray &json, const QString &id)
{
    Json document = parsed(json);
    Json &gateways = gatewaysOf(document);
    const auto found = std::ranges::find(gateways, id, idOf);
    if (found == gateways.end()) {
        return unknownGateway(gateways, id);
    }
    gateways.erase(found);
    return written(document);
}

Result<QByteArray> withOnlyGateway(const QByteArray &json, const QString &id)
{
    Json document = parsed(json);
    Json &gateways = gatewaysOf(document);
    if (std::ranges::find(gateways, id, idOf) == gateways.end()) {
        return unknownGateway(gateways, id);
    }
    for (Json &gateway : gateways) {
        gateway["enabled"] = idOf(gateway) == id;
    }
    return written(document);
}

} // namespace telson::core
