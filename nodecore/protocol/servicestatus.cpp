// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/servicestatus.h"

#include <nlohmann/json.hpp>

using namespace Qt::StringLiterals;
using nlohmann::json;

namespace telson::core {

namespace {

/// Reads fields of one object and remembers the first that has the wrong type.
class FieldReader final
{
public:
    FieldReader(const json &object, QString where) : m_object(object), m_where(std::move(where)) {}

    void read(const char *key, QString &value)
    {
        if (const json *found = find(key)) {
            if (found->is_string()) {
                value = QString::fromStdString(found->get_ref<const std::string &>());
            } else {
                note(key, u"a string"_s);
            }
        }
    }

    void read(const char *key, qint64 &value)
    {
        if (const json *found = find(key)) {
            if (found->is_number_integer()) {
                value = found->get<qint64>();
            } else {
                note(key, u"an integer"_s);
            }
        }
    }

    void read(const char *key, QStringList &value)
    {
        const json *found = find(key);
        if (found == nullptr) {
            return;
        }
        if (!found->is_array()) {
            note(key, u"an array"_s);
            return;
        }
        for (const json &entry : *found) {
            if (!entry.is_string()) {
                note(key, u"an array of strings"_s);
                return;
            }
            value += QString::fromStdString(entry.get_ref<const std::string &>());
        }
    }

    [[nodiscard]] const std::optional<Error> &problem() const { return m_problem; }

private:
    const json *find(const char *key) const
    {
        const auto found = m_object.find(key);
        return found == m_object.end() ? nullptr : &*found;
    }

    void note(const char *key, const QString &expected)
    {
        if (!m_problem) {
            m_problem = Error{ErrorCode::Protocol, u"status: %1%2 must be %3"_s.arg(
                                                       m_where, QString::fromLatin1(key), expected)};
        }
    }

    const json &m_object;
    QString m_where;
    std::optional<Error> m_problem;
};

json toJson(const GatewayStatus &gateway)
{
    return {{"id", gateway.id.toStdString()},
            {"url", gateway.url.toStdString()},
            {"state", gateway.state.toStdString()},
            {"detail", gateway.detail.toStdString()},
            {"requestId", gateway.requestId.toStdString()},
            {"serverVersion", gateway.serverVersion.toStdString()},
            {"lastError", gateway.lastError.toStdString()},
            {"attempt", gateway.attempt},
            {"nextTryInMs", gateway.nextTryInMs}};
}

Result<GatewayStatus> toGateway(const json &object)
{
    if (!object.is_object()) {
        return fail(ErrorCode::Protocol, u"status: gateways must hold objects"_s);
    }
    GatewayStatus gateway;
    qint64 attempt = 0;
    FieldReader reader(object, u"gateways[]."_s);
    reader.read("id", gateway.id);
    reader.read("url", gateway.url);
    reader.read("state", gateway.state);
    reader.read("detail", gateway.detail);
    reader.read("requestId", gateway.requestId);
    reader.read("serverVersion", gateway.serverVersion);
    reader.read("lastError", gateway.lastError);
    reader.read("attempt", attempt);
    reader.read("nextTryInMs", gateway.nextTryInMs);
    gateway.attempt = static_cast<int>(attempt);
    if (reader.problem()) {
        return std::unexpected(*reader.problem());
    }
    return gateway;
}

} // namespace

QByteArray encodeServiceStatus(const ServiceStatus &status)
{
    json commands = json::array();
    for (const QString &command : status.commands) {
        commands.push_back(command.toStdString());
    }
    json gateways = json::array();
    for (const GatewayStatus &gateway : status.gateways) {
        gateways.push_back(toJson(gateway));
    }
    const json object{{"running", true},
                      {"version", status.version.toStdString()},
                      {"profile", status.profile.toStdString()},
                      {"deviceId", status.deviceId.toStdString()},
                      {"displayName", status.displayName.toStdString()},
                      {"execMode", status.execMode.toStdString()},
                      {"commands", std::move(commands)},
                      {"processId", status.processId},
                      {"uptimeMs", status.uptimeMs},
                      {"runningCommands", status.runningCommands},
                      {"policyProblem", status.policyProblem.toStdString()},
                      {"gateways", std::move(gateways)}};
    return QByteArray::fromStdString(object.dump(-1, ' ', false, json::error_handler_t::replace));
}

Result<ServiceStatus> decodeServiceStatus(const QByteArray &text)
{
    const json object = json::parse(text.cbegin(), text.cend(), nullptr, false);
    if (!object.is_object()) {
        return fail(ErrorCode::Protocol, u"status: not a JSON object"_s);
    }
    ServiceStatus status;
    FieldReader reader(object, QString());
    reader.read("version", status.version);
    reader.read("profile", status.profile);
    reader.read("deviceId", status.deviceId);
    reader.read("displayName", status.displayName);
    reader.read("execMode", status.execMode);
    reader.read("commands", status.commands);
    reader.read("processId", status.processId);
    reader.read("uptimeMs", status.uptimeMs);
    reader.read("runningCommands", status.runningCommands);
    reader.read("policyProblem", status.policyProblem);
    if (reader.problem()) {
        return std::unexpected(*reader.problem());
    }
    const auto gateways = object.find("gateways");
    if (gateways == object.end()) {
        return status;
    }
    if (!gateways->is_array()) {
        return fail(ErrorCode::Protocol, u"status: gateways must be an array"_s);
    }
    for (const json &entry : *gateways) {
        auto gateway = toGateway(entry);
        if (!gateway) {
            return std::unexpected(gateway.error());
        }
        status.gateways += *gateway;
    }
    return status;
}

} // namespace telson::core
