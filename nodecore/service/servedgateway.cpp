// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/service/servedgateway.h"

#include "nodecore/base/clock.h"
#include "nodecore/base/log.h"
#include "nodecore/host/commandhandler.h"
#include "nodecore/host/nodehost.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

InvokeResult toInvokeResult(const QString &id, const CommandReply &reply)
{
    if (const auto *payload = std::get_if<CommandPayload>(&reply)) {
        return {id, InvokePayload{payload->json}};
    }
    const auto &failure = std::get<CommandFailure>(reply);
    return {id, InvokeFailure{failure.code, failure.message}};
}

} // namespace

ServedGateway::ServedGateway(GatewayEndpoint endpoint, NodeDescription description,
                               GatewayCredentials credentials, ConnectionServices services,
                               NodeHost &host)
    : m_clock(services.clock),
      m_host(host),
      m_door(u"gateway:"_s + endpoint.id),
      m_connection(std::move(endpoint), std::move(description), std::move(credentials),
                   std::move(services))
{
    connect(&m_connection, &GatewayConnection::connected, this,
            [this](quint64 number) { m_connectionNumber = number; });
    connect(&m_connection, &GatewayConnection::disconnected, this, &ServedGateway::onDisconnected);
    connect(&m_connection, &GatewayConnection::invokeReceived, this, &ServedGateway::onInvoke);
    connect(&m_connection, &GatewayConnection::invokeCancelled, this,
            [this](const QString &id) { m_host.cancel(m_door, id); });
    connect(&m_connection, &GatewayConnection::statusChanged, this, [this] {
        logWaitForPerson();
        Q_EMIT statusChanged();
    });
}

ServedGateway::~ServedGateway()
{
    // Whatever still runs would answer to an object that is gone.
    m_host.connectionLost(m_door, m_connectionNumber);
}

void ServedGateway::start()
{
    m_connection.start();
}

void ServedGateway::stop()
{
    m_connection.stop();
}

bool ServedGateway::isConnected() const
{
    const ConnectionState state = m_connection.status().state;
    return state == ConnectionState::Connected || state == ConnectionState::SurfacePending;
}

GatewayStatus ServedGateway::status() const
{
    const ConnectionStatus &now = m_connection.status();
    GatewayStatus status{.id = m_connection.endpoint().id,
                         .url = m_connection.endpoint().url.toString(),
                         .state = toString(now.state),
                         .detail = now.detail,
                         .requestId = now.requestId,
                         .serverVersion = now.serverVersion,
                         .lastError = now.lastError,
                         .attempt = now.attempt};
    if (now.nextTryAt) {
        status.nextTryInMs = std::max<qint64>(0, (*now.nextTryAt - m_clock.monotonicTime()).count());
    }
    return status;
}

void ServedGateway::onInvoke(const InvokeRequest &request)
{
    const CommandCall call{.id = request.id,
                           .command = request.command,
                           .paramsJson = request.paramsJson,
                           .timeLeft = request.timeout,
                           .door = m_door,
                           .connection = m_connectionNumber};
    m_host.handle(
        call,
        [this](const CommandEvent &event) { m_connection.sendEvent({event.name, event.payloadJson}); },
        [this, id = request.id](const CommandReply &reply) {
            m_connection.sendResult(toInvokeResult(id, reply));
        });
}

void ServedGateway::onDisconnected()
{
    m_host.connectionLost(m_door, m_connectionNumber);
}

void ServedGateway::logWaitForPerson()
{
    const ConnectionStatus &now = m_connection.status();
    if (now.state == m_lastState) {
        return;
    }
    m_lastState = now.state;
    if (now.state == ConnectionState::Paused || now.state == ConnectionState::PairingPending
        || now.state == ConnectionState::SurfacePending) {
        logWarn(LogRoom::Service, u"a person has to do something",
                {{u"gateway", m_connection.endpoint().id},
                 {u"state", toString(now.state)},
                 {u"detail", now.detail}});
    }
}

} // namespace telson::core
