// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/policyvalues.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>

namespace telson::core {

/// What this node's connection to a gateway may do beside running commands there.
enum class OperatorAccess { None, Approve, Manage };
enum class ApprovalPlace { Auto, Here, Gateway };
enum class RemoteAlways { ConfirmHere, Accept };
enum class SecretBackend { Keychain, File };
enum class UiTheme { System, Light, Dark };

struct NodeSettings
{
    QString displayName; ///< empty = the host name
    bool isEnabled = true;

    bool operator==(const NodeSettings &) const = default;
};

struct GatewaySettings
{
    QString id; ///< 1 to 32 of a-z, 0-9 and "-"
    QString url; ///< ws:// or wss://, host, optional port and path
    QString tlsFingerprint; ///< empty = normal CA validation
    bool trustCa = false;
    QString sshTarget; ///< "user@host"; empty = no tunnel
    bool isEnabled = true;
    OperatorAccess operatorAccess = OperatorAccess::None;

    bool operator==(const GatewaySettings &) const = default;
};

struct ApprovalSettings
{
    ApprovalPlace where = ApprovalPlace::Auto;
    std::chrono::milliseconds timeout = std::chrono::minutes(30);
    RemoteAlways remoteAlways = RemoteAlways::ConfirmHere;
    bool lockEndsGrants = true;
    std::chrono::milliseconds remind = std::chrono::minutes(1); ///< 0 = never
    int quietAfter = 2; ///< reminders

    bool operator==(const ApprovalSettings &) const = default;
};

struct ExecSettings
{
    ExecMode mode = ExecMode::Ask;
    std::chrono::milliseconds timeout = std::chrono::minutes(30); ///< whole seconds
    std::chrono::milliseconds background = std::chrono::seconds(10);
    std::chrono::milliseconds cleanup = std::chrono::minutes(30);
    int maxOutputChars = 200'000;
    int pendingMaxOutputChars = 30'000;
    std::chrono::milliseconds inputWaitIdle = std::chrono::seconds(15);
    bool notifyOnExit = true;
    bool notifyOnExitEmptySuccess = false;
    std::chrono::milliseconds approvalRunningNotice = std::chrono::seconds(10); ///< 0 = never
    bool strictInlineEval = false;
    QStringList pathPrepend;
    QString shell; ///< empty = chosen by the rules of the tools
    int maxConcurrent = 64;
    QStringList safeBins{QStringLiteral("cut"),  QStringLiteral("uniq"), QStringLiteral("head"),
                         QStringLiteral("tail"), QStringLiteral("tr"),   QStringLiteral("wc")};
    QStringList safeBinTrustedDirs{QStringLiteral("/bin"), QStringLiteral("/usr/bin")};
    QByteArray safeBinProfiles =
        QByteArrayLiteral("{}"); ///< a JSON object: program -> profile object

    bool operator==(const ExecSettings &) const = default;
};

struct ToolSettings
{
    bool isPublished = true;
    bool hasProcess = true;
    QString workspace; ///< empty = none
    bool hasApplyPatch = true;
    bool isApplyPatchWorkspaceOnly = true;

    bool operator==(const ToolSettings &) const = default;
};

/// All empty = no reviewer. Its key is in the secret store.
struct ReviewerSettings
{
    QString command;
    QString url;
    QString model;
    std::chrono::milliseconds timeout = std::chrono::seconds(30);

    bool operator==(const ReviewerSettings &) const = default;
};

struct McpSettings
{
    bool isHttpEnabled = false;
    int httpPort = 0; ///< 0 = any free one

    bool operator==(const McpSettings &) const = default;
};

struct UiSettings
{
    QString language = QStringLiteral("system");
    UiTheme theme = UiTheme::System;
    bool autostart = false;
    QString globalShortcut; ///< empty = none

    bool operator==(const UiSettings &) const = default;
};

/// The values of telson.json; what the file does not name has the value given here. Never a secret.
struct Settings
{
    NodeSettings node;
    QList<GatewaySettings> gateways;
    ApprovalSettings approval;
    ExecSettings exec;
    ToolSettings tools;
    ReviewerSettings reviewer;
    McpSettings mcp;
    SecretBackend secretBackend = SecretBackend::Keychain;
    UiSettings ui;

    bool operator==(const Settings &) const = default;
};

} // namespace telson::core
