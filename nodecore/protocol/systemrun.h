// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <optional>

namespace telson::core {

// The requests `system.run.prepare` and `system.run` on the wire (node-commands.md §§3, 4); the
// answers are in systemrunanswers.h. Optional texts: absent and null are the same, as the gateway
// treats them.

/// One rule of a policy snapshot.
struct PlanRule
{
    QString pattern;
    std::optional<QString> argPattern;
    std::optional<QString> source; ///< "allow-always" only

    bool operator==(const PlanRule &) const = default;
};

/// The policy of the node when it made the plan, in the words of the wire.
struct PlanPolicy
{
    QString security; ///< "deny", "allowlist", "full"
    QString ask; ///< "off", "on-miss", "always"
    QString askFallback; ///< as security
    bool autoAllowSkills = false;
    QList<PlanRule> rules;

    bool operator==(const PlanPolicy &) const = default;
};

/// What the node would run; made by prepare, shown by the gateway, sent back with the run.
struct SystemRunPlan
{
    QStringList argv; ///< never empty
    std::optional<QString> cwd;
    QString commandText; ///< never empty
    std::optional<QString> commandPreview;
    std::optional<QString> agentId;
    std::optional<QString> sessionKey;
    std::optional<PlanPolicy> policySnapshot;

    bool operator==(const SystemRunPlan &) const = default;
};

/// Who allowed a run, where it was not an explicit approval.
enum class ApprovalSource { AskFallback, AutoReview };

/// What both requests have in common.
struct SystemRunCommand
{
    QStringList argv; ///< never empty, nor is the first
    std::optional<QString> rawCommand;
    std::optional<QString> cwd;
    QMap<QString, QString> env;
    std::optional<QString> agentId;
    std::optional<QString> sessionKey;
};

struct SystemRunPrepareParams
{
    SystemRunCommand command;
    std::optional<QString> security; ///< of `PlanPolicy`
    std::optional<QString> ask;
    bool strictInlineEval = false;
};

struct SystemRunParams
{
    SystemRunCommand command;
    std::optional<std::chrono::milliseconds> timeout; ///< none = no limit
    bool needsScreenRecording = false;
    std::optional<QString> runId;
    std::optional<bool> suppressNotifyOnExit;
    /// The errors of these two wait here, because the contract has them reported after others:
    /// InvalidArgument, "systemRunPlan invalid" and "approvalSource invalid".
    Result<std::optional<SystemRunPlan>> plan;
    Result<std::optional<ApprovalSource>> approvalSource;
    bool isExplicitlyApproved = false; ///< `approved` true, or an `approvalDecision`
};

/// Errors: InvalidArgument with the contract's text ("command required", "rawCommand requires
/// params.command") or the name of the field. At most 4,096 arguments and 1 MiB of text in argv.
[[nodiscard]] Result<SystemRunPrepareParams> decodeSystemRunPrepare(const QByteArray &paramsJson);
[[nodiscard]] Result<SystemRunParams> decodeSystemRun(const QByteArray &paramsJson);

} // namespace telson::core
