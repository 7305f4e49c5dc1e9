// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/approval/preparedplans.h"
#include "nodecore/policy/approvalsdocument.h"
#include "nodecore/policy/approvedcommand.h"
#include "nodecore/policy/verdict.h"

#include <QtCore/QString>

#include <functional>
#include <optional>
#include <variant>

namespace telson::core {

class Clock;
class FolderProbe;
class PolicyStore;

/// The settings that take part in the policy. Asked for at each decision, so that a change counts
/// at once.
struct LocalRules
{
    ExecMode mode = ExecMode::Deny;
    InlineEval inlineEval = InlineEval::Allowed; ///< `exec.strictInlineEval`
};

/// What a caller says about a decision that was made elsewhere. Never more than a claim.
enum class ApprovalClaim {
    None,
    Explicit, ///< a person said yes
    AutoReview, ///< a reviewer model of the gateway said yes
    AskFallback, ///< nobody could be asked
};

/// A command that wants to run.
struct RunRequest
{
    Requester requester;
    CommandSpec command; ///< final argv, folder and environment
    Environment overrides; ///< the caller's part of the environment, as sent
    QString agentId; ///< empty = none
    QString sessionKey; ///< empty = none
    ApprovalClaim claim = ApprovalClaim::None;
    std::optional<EffectivePolicy> claimedSnapshot; ///< the one in the caller's plan
};

/// Why a command does not run. `reason` is a word of node-commands.md §4.4, "approval-required";
/// `message` the text of its error, "SYSTEM_RUN_DENIED: approval required".
struct RunRefusal
{
    QString reason;
    QString message;

    bool operator==(const RunRefusal &) const = default;
};

using RunDecision = std::variant<ApprovedCommand, RunRefusal>;

/// Decides whether a command runs, and alone can make an `ApprovedCommand`. Nobody is asked here
/// yet: what needs an answer is refused, unless the caller brings a plan that was prepared here.
class ApprovalBroker final
{
public:
    ApprovalBroker(PolicyStore &store, const FolderProbe &folders, const Clock &clock,
                   std::function<LocalRules()> rules);
    ApprovalBroker(const ApprovalBroker &) = delete;
    ApprovalBroker &operator=(const ApprovalBroker &) = delete;

    [[nodiscard]] LocalRules rules() const;

    /// What holds for the agent now.
    [[nodiscard]] EffectivePolicy policy(const QString &agentId,
                                         const RequestedPolicy &requested = {}) const;

    /// What `policy` alone says, with the settings of now.
    [[nodiscard]] Verdict verdict(const EffectivePolicy &policy) const;

    /// Keeps a plan, so that an approval of it can be told from a made-up one.
    void remember(const Requester &requester, const PlanBinding &binding, const PreparedPlan &plan);

    /// Policy and folder are looked at now; start the command at once or not at all. Uses up the
    /// plan.
    [[nodiscard]] RunDecision decide(const RunRequest &request);

    /// The connection is gone: its plans do not count any more.
    void forget(const Requester &requester);

private:
    [[nodiscard]] std::optional<RunRefusal> refusal(const RunRequest &request,
                                                    const EffectivePolicy &policy,
                                                    const std::optional<PreparedPlan> &plan) const;
    [[nodiscard]] std::optional<RunRefusal> folderRefusal(const CommandSpec &command,
                                                          const PreparedPlan &plan) const;

    PolicyStore &m_store;
    const FolderProbe &m_folders;
    std::function<LocalRules()> m_rules;
    PreparedPlans m_plans;
};

} // namespace telson::core
