// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/runhandler.h"

#include "nodecore/approval/approvalbroker.h"
#include "nodecore/base/log.h"
#include "nodecore/exec/commandrunner.h"
#include "nodecore/host/planpolicy.h"
#include "nodecore/host/replies.h"
#include "nodecore/host/runcheck.h"
#include "nodecore/host/workingfolder.h"
#include "nodecore/policy/commandtext.h"
#include "nodecore/protocol/systemrunanswers.h"

#include <QtCore/QUuid>

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

ApprovalClaim claimOf(const SystemRunParams &params)
{
    if (params.isExplicitlyApproved) {
        return ApprovalClaim::Explicit;
    }
    const std::optional<ApprovalSource> source = params.approvalSource.value_or(std::nullopt);
    if (!source.has_value()) {
        return ApprovalClaim::None;
    }
    return *source == ApprovalSource::AutoReview ? ApprovalClaim::AutoReview
                                                 : ApprovalClaim::AskFallback;
}

std::optional<EffectivePolicy> claimedSnapshot(const SystemRunParams &params)
{
    const std::optional<SystemRunPlan> plan = params.plan.value_or(std::nullopt);
    if (!plan.has_value() || !plan->policySnapshot.has_value()) {
        return std::nullopt;
    }
    return toEffectivePolicy(*plan->policySnapshot);
}

RunEventHead eventHead(const SystemRunParams &params)
{
    const QString sessionKey = params.command.sessionKey.value_or(QString());
    const QString runId = params.runId.value_or(QString());
    return {sessionKey.trimmed().isEmpty() ? u"node"_s : sessionKey,
            runId.trimmed().isEmpty() ? QUuid::createUuid().toString(QUuid::WithoutBraces) : runId,
            formatCommand(params.command.argv), params.suppressNotifyOnExit};
}

SystemRunResult resultOf(const RunOutcome &outcome)
{
    SystemRunResult result;
    result.exitCode = outcome.exitCode;
    result.timedOut = outcome.end == RunEnd::TimedOut;
    result.standardOutput = outcome.standardOutput;
    result.standardError = outcome.standardError;
    // A deadline is told by exit code and flag; the gateway puts a sentence of its own beneath.
    result.error = result.timedOut ? QString() : outcome.error;
    return result;
}

RunRefusal folderChanged()
{
    return {u"approval-required"_s, u"SYSTEM_RUN_DENIED: approval cwd changed before execution"_s};
}

} // namespace

RunHandler::RunHandler(ApprovalBroker &approvals, CommandRunner &runner, Options options)
    : m_approvals(approvals), m_runner(runner), m_options(std::move(options))
{
}

RunHandler::~RunHandler()
{
    for (const RunId run : std::as_const(m_runs)) {
        m_runner.cancel(run);
    }
}

QString RunHandler::command() const
{
    return u"system.run"_s;
}

void RunHandler::handle(const CommandCall &call, std::function<void(CommandEvent)> emitEvent,
                        std::function<void(CommandReply)> done)
{
    const Result<SystemRunParams> params = decodeSystemRun(call.paramsJson);
    if (!params.has_value()) {
        done(invalidRequest(params.error().message));
        return;
    }
    if (const auto raw = checkRawCommand(params->command); !raw.has_value()) {
        done(raw.error());
        return;
    }
    if (const auto fields = checkApprovalFields(*params); !fields.has_value()) {
        done(fields.error());
        return;
    }
    auto variables = commandVariables(params->command, m_options.inherited);
    if (!variables.has_value()) {
        done(variables.error());
        return;
    }
    run(call, *params, *std::move(variables), {std::move(emitEvent), std::move(done)});
}

void RunHandler::cancel(const QString &callId)
{
    const auto run = m_runs.constFind(callId);
    if (run != m_runs.constEnd()) {
        const RunId id = *run;
        m_runs.erase(run);
        m_runner.cancel(id);
    }
}

void RunHandler::run(const CommandCall &call, const SystemRunParams &params, Environment variables,
                     Outlets outlets)
{
    const RunEventHead head = eventHead(params);
    if (const std::optional<QString> reason = refusedOnEveryDoor(params.command.argv)) {
        refuse(head, {u"approval-required"_s, u"SYSTEM_RUN_DENIED: "_s + *reason}, outlets);
        return;
    }
    const Result<QString> folder = requestedFolder(params.command.cwd, m_options.defaultFolder);
    if (!folder.has_value()) {
        outlets.done(invalidRequest(folder.error().message));
        return;
    }
    // Before the decision, which would use up an approval.
    if (m_runs.size() >= m_options.maxConcurrent) {
        outlets.done(CommandFailure{u"UNAVAILABLE"_s, u"node busy, retry"_s});
        return;
    }
    RunRequest request;
    request.requester = {call.door, call.connection};
    request.command = {params.command.argv, *folder, std::nullopt, std::move(variables)};
    request.overrides = params.command.env;
    request.agentId = normalizedId(params.command.agentId);
    request.sessionKey = normalizedId(params.command.sessionKey);
    request.claim = claimOf(params);
    request.claimedSnapshot = claimedSnapshot(params);
    // Before the decision, which would use an approval up.
    if (params.needsScreenRecording) {
        refuse(head, {u"permission:screenRecording"_s, u"PERMISSION_MISSING: screenRecording"_s},
               outlets);
        return;
    }
    RunDecision decision = m_approvals.decide(request);
    if (const auto *refusal = std::get_if<RunRefusal>(&decision)) {
        refuse(head, *refusal, outlets);
        return;
    }
    start(call.id, std::get<ApprovedCommand>(std::move(decision)), params, std::move(outlets));
}

void RunHandler::refuse(const RunEventHead &head, const RunRefusal &refusal, const Outlets &outlets)
{
    outlets.emitEvent({u"exec.denied"_s, encodeExecDenied(head, refusal.reason)});
    outlets.done(runDenied(refusal.message));
}

void RunHandler::answer(RunEventHead head, const SystemRunResult &result, const Outlets &outlets)
{
    logDebug(LogRoom::Host, u"run ended",
             {{u"run", head.runId}, {u"exitCode", result.exitCode.value_or(-1)}});
    // The result goes back in its own invoke: without this the gateway would wake the agent for
    // something that it has just been told.
    head.suppressNotifyOnExit = true;
    outlets.emitEvent({u"exec.finished"_s, encodeExecFinished(head, result)});
    outlets.done(CommandPayload{encodeSystemRunResult(result)});
}

void RunHandler::start(const QString &callId, ApprovedCommand command,
                       const SystemRunParams &params, Outlets outlets)
{
    const RunId run = m_runner.start(std::move(command), {params.timeout},
                                     [this, callId, head = eventHead(params),
                                      outlets = std::move(outlets)](const RunOutcome &outcome) {
                                         m_runs.remove(callId);
                                         if (outcome.startFailure == StartFailure::FolderChanged) {
                                             // Another folder took the name after the approval: the
                                             // command has not run.
                                             refuse(head, folderChanged(), outlets);
                                         } else {
                                             answer(head, resultOf(outcome), outlets);
                                         }
                                     });
    m_runs.insert(callId, run);
}

} // namespace telson::core
