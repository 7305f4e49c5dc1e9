// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/service/nodeservice.h"

#include "nodecore/base/clock.h"
#include "nodecore/exec/commandrunner.h"
#include "nodecore/gateway/connectionservices.h"
#include "nodecore/host/makenodehost.h"
#include "nodecore/host/nodehost.h"
#include "nodecore/policy/environment.h"
#include "nodecore/policy/policystore.h"
#include "nodecore/service/servedgateway.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QRandomGenerator>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

NodeDescription describeNode(NodeDescription node, const NodeHost &host, const Environment &own)
{
    node.caps = {u"system"_s};
    node.commands = host.commands();
    node.pathEnv = inheritedEnvironment(own).value(u"PATH"_s);
    return node;
}

} // namespace

NodeService::NodeService(const ServiceSeams &seams, ServiceOptions options, DeviceIdentity identity)
    : m_seams(seams),
      m_options(std::move(options)),
      m_identity(std::move(identity)),
      m_startedAt(seams.clock.monotonicTime()),
      m_approvals(seams.policies, seams.folders, seams.clock, m_options.rules),
      m_runner(std::make_unique<CommandRunner>(seams.processes, seams.clock)),
      m_host(makeNodeHost({.policy = seams.policies,
                           .approvals = m_approvals,
                           .runner = *m_runner,
                           .folders = seams.folders},
                          {.ownEnvironment = m_options.environment,
                           .defaultFolder = m_options.defaultFolder,
                           .maxConcurrent = m_options.maxConcurrent}))
{
    m_options.node = describeNode(m_options.node, *m_host, m_options.environment);
    for (const GatewayToServe &gateway : std::as_const(m_options.gateways)) {
        ConnectionServices services{.identity = m_identity,
                                    .secrets = seams.secrets,
                                    .clock = seams.clock,
                                    .transports = seams.transports,
                                    .random = [] {
                                        return QRandomGenerator::global()->generateDouble();
                                    }};
        m_gateways.push_back(std::make_unique<ServedGateway>(
            gateway.endpoint, m_options.node, gateway.credentials, std::move(services), *m_host));
        connect(m_gateways.back().get(), &ServedGateway::statusChanged, this,
                &NodeService::statusChanged);
    }
}

NodeService::~NodeService() = default;

void NodeService::start()
{
    for (const auto &gateway : m_gateways) {
        gateway->start();
    }
}

void NodeService::stop()
{
    for (const auto &gateway : m_gateways) {
        gateway->stop();
    }
    m_runner->cancelAll();
}

bool NodeService::isConnected() const
{
    return std::ranges::any_of(m_gateways, [](const auto &gateway) { return gateway->isConnected(); });
}

ServiceStatus NodeService::status() const
{
    ServiceStatus status{.version = m_options.node.version,
                         .profile = m_options.profile,
                         .deviceId = m_identity.deviceId(),
                         .displayName = m_options.node.displayName,
                         .execMode = toString(m_options.rules().mode),
                         .commands = m_host->commands(),
                         .processId = QCoreApplication::applicationPid(),
                         .uptimeMs = (m_seams.clock.monotonicTime() - m_startedAt).count(),
                         .runningCommands = m_runner->runningCount(),
                         .policyProblem = {},
                         .gateways = {}};
    if (const auto broken = m_seams.policies.current().broken) {
        status.policyProblem = broken->message;
    }
    for (const auto &gateway : m_gateways) {
        status.gateways += gateway->status();
    }
    return status;
}

} // namespace telson::core
