// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/approval/approvalbroker.h"
#include "nodecore/gateway/gatewayendpoint.h"
#include "nodecore/identity/deviceidentity.h"
#include "nodecore/policy/approvedcommand.h"
#include "nodecore/protocol/servicestatus.h"

#include <QtCore/QList>
#include <QtCore/QObject>
#include <QtCore/QString>

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace telson::core {

class Clock;
class CommandRunner;
class FolderProbe;
class NodeHost;
class PolicyStore;
class ProcessFactory;
class SecretStore;
class ServedGateway;
class TransportFactory;

/// Where the OS, the network, time and the disk come in; all of it has to outlive the service.
struct ServiceSeams
{
    Clock &clock;
    SecretStore &secrets;
    PolicyStore &policies;
    ProcessFactory &processes;
    FolderProbe &folders;
    TransportFactory &transports;
};

struct GatewayToServe
{
    GatewayEndpoint endpoint;
    GatewayCredentials credentials;
};

struct ServiceOptions
{
    QString profile;         ///< for people
    NodeDescription node;    ///< `commands`, `caps` and `pathEnv` are filled in by the service
    Environment environment; ///< this process's own; commands get what may be inherited of it
    QString defaultFolder;   ///< where a command runs that names no folder
    std::function<LocalRules()> rules; ///< asked for each decision
    qsizetype maxConcurrent = 64;
    QList<GatewayToServe> gateways;
};

/// The node as one object: the host with its commands, and one session for each gateway.
class NodeService final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(NodeService)

public:
    NodeService(const ServiceSeams &seams, ServiceOptions options, DeviceIdentity identity);
    ~NodeService() override;

    void start();

    /// Says goodbye to the gateways and ends what runs for them.
    void stop();

    [[nodiscard]] ServiceStatus status() const;

    /// Whether at least one gateway is up.
    [[nodiscard]] bool isConnected() const;

Q_SIGNALS:
    /// A gateway has been reached or lost, or waits for something else than before.
    void statusChanged();

private:
    ServiceSeams m_seams;
    ServiceOptions m_options;
    DeviceIdentity m_identity;
    std::chrono::milliseconds m_startedAt;
    ApprovalBroker m_approvals;
    std::unique_ptr<CommandRunner> m_runner;
    std::unique_ptr<NodeHost> m_host;
    std::vector<std::unique_ptr<ServedGateway>> m_gateways;
};

} // namespace telson::core
