// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/runcheck.h"

#include "nodecore/host/replies.h"
#include "nodecore/policy/commandtext.h"
#include "nodecore/policy/environment.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

bool isPlanOf(const SystemRunPlan &plan, const SystemRunCommand &command)
{
    return plan.argv == command.argv && plan.commandText == formatCommand(command.argv)
        && normalizedId(plan.cwd) == normalizedId(command.cwd)
        && normalizedId(plan.agentId) == normalizedId(command.agentId)
        && normalizedId(plan.sessionKey) == normalizedId(command.sessionKey);
}

} // namespace

std::expected<void, CommandFailure> checkRawCommand(const SystemRunCommand &command)
{
    const QString raw = command.rawCommand.value_or(QString());
    if (!raw.trimmed().isEmpty() && !rawCommandMatches(command.argv, raw)) {
        return std::unexpected(
            invalidRequest(u"INVALID_REQUEST: rawCommand does not match command"_s));
    }
    return {};
}

std::expected<Environment, CommandFailure> commandVariables(const SystemRunCommand &command,
                                                            const Environment &inherited)
{
    if (const Result<void> assignments = checkEnvAssignments(command.argv);
        !assignments.has_value()) {
        return std::unexpected(invalidRequest(assignments.error().message));
    }
    Result<Environment> variables =
        commandEnvironment(inherited, command.env, usesShell(command.argv));
    if (!variables.has_value()) {
        return std::unexpected(invalidRequest(variables.error().message));
    }
    return *std::move(variables);
}

std::expected<void, CommandFailure> checkApprovalFields(const SystemRunParams &params)
{
    if (!params.plan.has_value()) {
        return std::unexpected(invalidRequest(params.plan.error().message));
    }
    if (!params.approvalSource.has_value()) {
        return std::unexpected(invalidRequest(params.approvalSource.error().message));
    }
    const std::optional<SystemRunPlan> &plan = *params.plan;
    const std::optional<ApprovalSource> source = *params.approvalSource;
    const bool planMatches = plan.has_value() && isPlanOf(*plan, params.command);
    if (source.has_value() && params.isExplicitlyApproved) {
        return std::unexpected(
            invalidRequest(u"approvalSource cannot be combined with explicit approval"_s));
    }
    if (source.has_value() && !planMatches) {
        return std::unexpected(invalidRequest(u"approvalSource requires matching systemRunPlan"_s));
    }
    if (params.isExplicitlyApproved && !planMatches) {
        return std::unexpected(
            invalidRequest(u"explicit approval requires matching systemRunPlan"_s));
    }
    const bool needsSnapshot = params.isExplicitlyApproved || source == ApprovalSource::AutoReview;
    if (needsSnapshot && !plan->policySnapshot.has_value()) {
        return std::unexpected(
            invalidRequest(u"delayed approval requires a prepared policy snapshot"_s));
    }
    return {};
}

} // namespace telson::core
