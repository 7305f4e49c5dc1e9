// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/gateway/gatewayconnection.h"
#include "nodecore/protocol/servicestatus.h"

#include <QtCore/QObject>
#include <QtCore/QString>

namespace telson::core {

class NodeHost;

/// One gateway and this node: what the gateway asks goes to the host, what the host says goes back.
/// A lost connection ends everything that ran for it.
class ServedGateway final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ServedGateway)

public:
    ServedGateway(GatewayEndpoint endpoint, NodeDescription description,
                   GatewayCredentials credentials, ConnectionServices services, NodeHost &host);
    ~ServedGateway() override;

    void start();
    void stop();

    [[nodiscard]] bool isConnected() const;
    [[nodiscard]] GatewayStatus status() const;

Q_SIGNALS:
    void statusChanged();

private:
    void onInvoke(const InvokeRequest &request);
    void onDisconnected();
    void logWaitForPerson();

    Clock &m_clock;
    NodeHost &m_host;
    QString m_door; ///< "gateway:home", the caller as the host knows it
    quint64 m_connectionNumber = 0;
    ConnectionState m_lastState = ConnectionState::Stopped;
    GatewayConnection m_connection;
};

} // namespace telson::core
