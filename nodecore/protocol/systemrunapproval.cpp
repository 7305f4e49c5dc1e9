// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/systemrunapproval.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

std::unexpected<Error> invalid(const QString &message)
{
    return fail(ErrorCode::InvalidArgument, message);
}

Result<PlanPolicy> decodePolicy(const RequestFields &fields)
{
    PlanPolicy policy;
    std::optional<bool> autoAllowSkills;
    std::optional<QList<RequestFields>> rules;
    Result<void> status;
    storeField(status, fields.text("security"_L1), policy.security);
    storeField(status, fields.text("ask"_L1), policy.ask);
    storeField(status, fields.text("askFallback"_L1), policy.askFallback);
    storeField(status, fields.flag("autoAllowSkills"_L1), autoAllowSkills);
    storeField(status, fields.objects("allowlistRules"_L1), rules);
    if (!status.has_value() || !isSecurityWord(policy.security) || !isAskWord(policy.ask)
        || !isSecurityWord(policy.askFallback) || !autoAllowSkills.has_value()
        || !rules.has_value()) {
        return invalid(u"policySnapshot invalid"_s);
    }
    policy.autoAllowSkills = *autoAllowSkills;
    for (const RequestFields &entry : std::as_const(*rules)) {
        PlanRule rule;
        storeField(status, entry.text("pattern"_L1), rule.pattern);
        storeField(status, entry.text("argPattern"_L1), rule.argPattern);
        storeField(status, entry.text("source"_L1), rule.source);
        if (!status.has_value() || !entry.has("pattern"_L1)
            || rule.source.value_or(u"allow-always"_s) != "allow-always"_L1) {
            return invalid(u"policySnapshot invalid"_s);
        }
        policy.rules.append(rule);
    }
    return policy;
}

} // namespace

Result<std::optional<SystemRunPlan>> decodeSystemRunPlan(const RequestFields &params)
{
    const auto planInvalid = invalid(u"systemRunPlan invalid"_s);
    const Result<std::optional<RequestFields>> fields = params.object("systemRunPlan"_L1);
    if (!fields.has_value()) {
        return planInvalid;
    }
    if (!fields->has_value()) {
        return std::nullopt;
    }
    SystemRunPlan plan;
    std::optional<RequestFields> snapshot;
    std::optional<RequestFields> operand;
    Result<void> status;
    storeField(status, (*fields)->texts("argv"_L1), plan.argv);
    storeField(status, (*fields)->text("cwd"_L1), plan.cwd);
    storeField(status, (*fields)->text("commandText"_L1), plan.commandText);
    storeField(status, (*fields)->text("commandPreview"_L1), plan.commandPreview);
    storeField(status, (*fields)->text("agentId"_L1), plan.agentId);
    storeField(status, (*fields)->text("sessionKey"_L1), plan.sessionKey);
    storeField(status, (*fields)->object("policySnapshot"_L1), snapshot);
    storeField(status, (*fields)->object("mutableFileOperand"_L1), operand);
    // No plan of this node binds a file yet, so one that does was not made here.
    if (!status.has_value() || plan.argv.isEmpty() || plan.commandText.isEmpty()
        || operand.has_value()) {
        return planInvalid;
    }
    if (snapshot.has_value()) {
        Result<PlanPolicy> policy = decodePolicy(*snapshot);
        if (!policy.has_value()) {
            return planInvalid;
        }
        plan.policySnapshot = *std::move(policy);
    }
    return plan;
}

Result<std::optional<ApprovalSource>> decodeApprovalSource(const RequestFields &params)
{
    const Result<std::optional<QString>> source = params.text("approvalSource"_L1);
    if (source.has_value() && !source->has_value()) {
        return std::nullopt;
    }
    const QString word = source.has_value() ? **source : QString();
    if (word == "ask-fallback"_L1) {
        return ApprovalSource::AskFallback;
    }
    if (word == "auto-review"_L1) {
        return ApprovalSource::AutoReview;
    }
    return invalid(u"approvalSource invalid"_s);
}

Result<std::optional<bool>> decodeExplicitApproval(const RequestFields &params)
{
    bool approved = false;
    std::optional<QString> decision;
    Result<void> status;
    storeField(status, params.flag("approved"_L1), approved);
    storeField(status, params.text("approvalDecision"_L1), decision);
    if (!status.has_value()) {
        return std::unexpected(status.error());
    }
    if (decision.has_value() && decision != "allow-once"_L1 && decision != "allow-always"_L1) {
        return invalid(u"approvalDecision must be allow-once or allow-always"_s);
    }
    return approved || decision.has_value();
}

bool isSecurityWord(const QString &word)
{
    return word == "deny"_L1 || word == "allowlist"_L1 || word == "full"_L1;
}

bool isAskWord(const QString &word)
{
    return word == "off"_L1 || word == "on-miss"_L1 || word == "always"_L1;
}

} // namespace telson::core
