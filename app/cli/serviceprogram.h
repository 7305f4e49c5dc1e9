// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "app/cli/cli.h"

#include "nodecore/service/nodeservice.h"
#include "nodecore/storage/profilepaths.h"
#include "nodecore/storage/settingsfile.h"

#include <QtCore/QLockFile>
#include <QtCore/QObject>

#include <memory>
#include <optional>

namespace telson::core {
class Alarm;
class ControlServer;
class FilePolicyStore;
class FileSecretStore;
class LiveRules;
} // namespace telson::core

namespace telson::app {

/// What the line of `telson run` adds to the settings.
struct RunOptions
{
    QString gateway;     ///< id or URL; empty = every enabled one
    QString displayName; ///< empty = from the settings
    QString tokenFile;   ///< empty = none
};

/// Composition root of the headless service: makes every object, hands it in, and runs the event loop
/// until the system asks for the end.
class ServiceProgram final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ServiceProgram)

public:
    ServiceProgram(CliContext &context, RunOptions options);
    ~ServiceProgram() override;

    /// Returns when the service has ended. What went wrong has been said by then.
    [[nodiscard]] ExitCode run();

private:
    [[nodiscard]] std::optional<ExitCode> openProfile();
    [[nodiscard]] std::optional<ExitCode> chooseGateways();
    void openKey();
    void readTokens(qsizetype index); ///< one gateway after the other, then starts the service
    void startService();
    void onStatusChanged();
    void end(ExitCode code);
    void complain(const QString &what);
    [[nodiscard]] core::ServiceOptions serviceOptions() const;

    CliContext &m_context;
    RunOptions m_options;
    core::ProfilePaths m_paths;
    core::Settings m_settings;
    QString m_instanceId;
    QList<core::GatewayToServe> m_gateways;
    std::optional<core::DeviceIdentity> m_identity;
    std::optional<ExitCode> m_ended;

    // In the order in which one needs the other.
    std::unique_ptr<QLockFile> m_lock;
    std::unique_ptr<core::SettingsFile> m_settingsFile;
    std::unique_ptr<core::FileSecretStore> m_secrets;
    std::unique_ptr<core::FilePolicyStore> m_policies;
    std::unique_ptr<core::LiveRules> m_rules;
    std::unique_ptr<core::ProcessFactory> m_processes;
    std::unique_ptr<core::FolderProbe> m_folders;
    std::unique_ptr<core::TransportFactory> m_transports;
    std::unique_ptr<core::NodeService> m_service;
    std::unique_ptr<core::ControlServer> m_control;
    std::unique_ptr<core::Alarm> m_trim;
    std::unique_ptr<QObject> m_termination;
};

} // namespace telson::app
