// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/runpreparehandler.h"

#include "nodecore/approval/approvalbroker.h"
#include "nodecore/host/planpolicy.h"
#include "nodecore/host/replies.h"
#include "nodecore/host/runcheck.h"
#include "nodecore/host/workingfolder.h"
#include "nodecore/policy/commandtext.h"
#include "nodecore/policy/folderprobe.h"
#include "nodecore/policy/policysnapshot.h"
#include "nodecore/protocol/systemrunanswers.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

RequestedPolicy requestedPolicy(const SystemRunPrepareParams &params)
{
    return {params.security.has_value() ? parseSecurity(*params.security) : std::nullopt,
            params.ask.has_value() ? parseAsk(*params.ask) : std::nullopt};
}

} // namespace

RunPrepareHandler::RunPrepareHandler(ApprovalBroker &approvals, const FolderProbe &folders,
                                     Environment inherited, QString defaultFolder)
    : m_approvals(approvals), m_folders(folders), m_inherited(std::move(inherited)),
      m_defaultFolder(std::move(defaultFolder))
{
}

QString RunPrepareHandler::command() const
{
    return u"system.run.prepare"_s;
}

void RunPrepareHandler::handle(const CommandCall &call,
                               std::function<void(CommandEvent)> /*emitEvent*/,
                               std::function<void(CommandReply)> done)
{
    done(prepare(call));
}

void RunPrepareHandler::cancel(const QString & /*callId*/)
{
    // Answered before `handle` returns.
}

CommandReply RunPrepareHandler::prepare(const CommandCall &call) const
{
    const Result<SystemRunPrepareParams> params = decodeSystemRunPrepare(call.paramsJson);
    if (!params.has_value()) {
        return invalidRequest(params.error().message);
    }
    if (const auto raw = checkRawCommand(params->command); !raw.has_value()) {
        return raw.error();
    }
    if (const auto variables = commandVariables(params->command, m_inherited);
        !variables.has_value()) {
        return variables.error();
    }
    if (const std::optional<QString> reason = refusedOnEveryDoor(params->command.argv)) {
        return runDenied(u"SYSTEM_RUN_DENIED: "_s + *reason);
    }
    return plan(call, *params);
}

CommandReply RunPrepareHandler::plan(const CommandCall &call,
                                     const SystemRunPrepareParams &params) const
{
    const SystemRunCommand &command = params.command;
    const QString agentId = normalizedId(command.agentId);
    const EffectivePolicy local = policySnapshot(m_approvals.policy(agentId));
    EffectivePolicy effective = m_approvals.policy(agentId, requestedPolicy(params));
    const Verdict verdict = m_approvals.verdict(effective);
    const bool needsApproval = verdict != Verdict::Allow || params.strictInlineEval;
    const auto folder = folderOf(params, needsApproval);
    if (!folder.has_value()) {
        return folder.error();
    }
    if (needsApproval && effective.security != Security::Deny) {
        m_approvals.remember(
            {call.door, call.connection},
            {command.argv, folder->path, agentId, normalizedId(command.sessionKey), command.env},
            {local, folder->identity});
    }
    if (verdict == Verdict::Ask && effective.security == Security::Full) {
        effective.ask = Ask::Always; // else the gateway would not ask, and the run be refused here
    }
    SystemRunPlan plan;
    plan.argv = command.argv;
    plan.cwd = folder->path;
    plan.commandText = formatCommand(command.argv);
    plan.commandPreview = commandPreview(command.argv, command.rawCommand);
    plan.agentId = command.agentId;
    plan.sessionKey = command.sessionKey;
    plan.policySnapshot = toPlanPolicy(local);
    return CommandPayload{
        encodePreparedRun({plan, toString(effective.security), toString(effective.ask)})};
}

std::expected<ProbedFolder, CommandFailure>
RunPrepareHandler::folderOf(const SystemRunPrepareParams &params, bool needsApproval) const
{
    const Result<QString> requested = requestedFolder(params.command.cwd, m_defaultFolder);
    if (!requested.has_value()) {
        return std::unexpected(invalidRequest(requested.error().message));
    }
    const auto refused = [](const QString &text) {
        return std::unexpected(invalidRequest(u"SYSTEM_RUN_DENIED: "_s + text));
    };
    if (needsApproval && isUntouchable(*requested)) {
        return refused(u"approval requires a cwd on this machine's own disks"_s);
    }
    Result<ProbedFolder> folder = m_folders.probe(*requested);
    if (folder.has_value()) {
        return *std::move(folder);
    }
    if (!needsApproval) {
        return refused(u"working directory does not exist or is inaccessible"_s);
    }
    return folder.error().code == ErrorCode::InvalidArgument
        ? refused(u"approval requires cwd to be a directory"_s)
        : refused(u"approval requires an existing canonical cwd"_s);
}

} // namespace telson::core
