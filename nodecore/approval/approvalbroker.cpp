// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/approval/approvalbroker.h"

#include "nodecore/base/clock.h"
#include "nodecore/base/log.h"
#include "nodecore/policy/folderprobe.h"
#include "nodecore/policy/policysnapshot.h"
#include "nodecore/policy/policystore.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

RunRefusal approvalRefusal(const QString &text)
{
    return {u"approval-required"_s, u"SYSTEM_RUN_DENIED: "_s + text};
}

RunRefusal policyChanged()
{
    return approvalRefusal(u"exec approval policy changed; request approval again"_s);
}

PlanBinding bindingOf(const RunRequest &request)
{
    return {request.command.argv, request.command.folder, request.agentId, request.sessionKey,
            request.overrides};
}

} // namespace

ApprovalBroker::ApprovalBroker(PolicyStore &store, const FolderProbe &folders, const Clock &clock,
                               std::function<LocalRules()> rules)
    : m_store(store), m_folders(folders), m_rules(std::move(rules)), m_plans(clock)
{
}

LocalRules ApprovalBroker::rules() const
{
    return m_rules();
}

EffectivePolicy ApprovalBroker::policy(const QString &agentId,
                                       const RequestedPolicy &requested) const
{
    return effectivePolicy(m_store.current().document, m_rules().mode, agentId, requested);
}

Verdict ApprovalBroker::verdict(const EffectivePolicy &policy) const
{
    return plainVerdict(policy, m_rules().inlineEval);
}

void ApprovalBroker::remember(const Requester &requester, const PlanBinding &binding,
                              const PreparedPlan &plan)
{
    m_plans.add(requester, binding, plan);
}

void ApprovalBroker::forget(const Requester &requester)
{
    m_plans.forget(requester);
}

RunDecision ApprovalBroker::decide(const RunRequest &request)
{
    const EffectivePolicy now = policy(request.agentId);
    const std::optional<PreparedPlan> plan = request.claim == ApprovalClaim::None
        ? std::nullopt
        : m_plans.take(request.requester, bindingOf(request));
    std::optional<RunRefusal> problem = refusal(request, now, plan);
    if (!problem.has_value() && plan.has_value()) {
        problem = folderRefusal(request.command, *plan);
    }
    if (problem.has_value()) {
        logInfo(LogRoom::Approval, u"run refused",
                {{u"door", request.requester.door}, {u"reason", problem->reason}});
        return *std::move(problem);
    }
    CommandSpec command = request.command;
    if (plan.has_value()) {
        command.folderIdentity = plan->folderIdentity;
    }
    return ApprovedCommand(std::move(command));
}

std::optional<RunRefusal> ApprovalBroker::refusal(const RunRequest &request,
                                                  const EffectivePolicy &policy,
                                                  const std::optional<PreparedPlan> &plan) const
{
    // The caller's own snapshot is believed only where it makes the answer stricter.
    const bool isClaim = request.claim != ApprovalClaim::None;
    if (isClaim && request.claimedSnapshot.has_value()
        && !isSnapshotCurrent(*request.claimedSnapshot, policy)) {
        return policyChanged();
    }
    if (plan.has_value() && !isSnapshotCurrent(plan->snapshot, policy)) {
        return policyChanged();
    }
    EffectivePolicy judged = policy;
    if (request.claim == ApprovalClaim::AskFallback) {
        judged.security = std::min(judged.security, judged.askFallback);
        // Only a plan of ours takes the question away; the stricter half holds without one.
        judged.ask = plan.has_value() ? Ask::Off : judged.ask;
    }
    switch (verdict(judged)) {
    case Verdict::Allow:
        return std::nullopt;
    case Verdict::Deny:
        return RunRefusal{u"security=deny"_s, u"SYSTEM_RUN_DISABLED: security=deny"_s};
    case Verdict::Ask:
        break;
    }
    if (request.claim == ApprovalClaim::Explicit && plan.has_value()) {
        return std::nullopt;
    }
    // What a model elsewhere thought of a command is no decision about this machine.
    return request.claim == ApprovalClaim::AutoReview
        ? approvalRefusal(u"explicit approval required"_s)
        : approvalRefusal(u"approval required"_s);
}

std::optional<RunRefusal> ApprovalBroker::folderRefusal(const CommandSpec &command,
                                                        const PreparedPlan &plan) const
{
    const Result<ProbedFolder> folder = m_folders.probe(command.folder);
    if (!folder.has_value()) {
        return folder.error().code == ErrorCode::InvalidArgument
            ? approvalRefusal(u"approval requires cwd to be a directory"_s)
            : approvalRefusal(u"approval requires an existing canonical cwd"_s);
    }
    if (folder->path != command.folder) {
        return approvalRefusal(u"approval cwd changed before execution"_s);
    }
    if (folder->identity != plan.folderIdentity) {
        return approvalRefusal(u"approval cwd identity mismatch"_s);
    }
    return std::nullopt;
}

} // namespace telson::core
