// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/host/commandhandler.h"

namespace telson::core {

class ApprovalBroker;
class PolicyStore;

/// `system.execApprovals.set`: replaces the approvals document, compare-and-swap, and only by one
/// under which no agent may run more silently than before (design §5).
class ExecApprovalsSetHandler final : public CommandHandler
{
public:
    ExecApprovalsSetHandler(PolicyStore &store, const ApprovalBroker &approvals);

    [[nodiscard]] QString command() const override;
    void handle(const CommandCall &call, std::function<void(CommandEvent)> emitEvent,
                std::function<void(CommandReply)> done) override;
    void cancel(const QString &callId) override;

private:
    PolicyStore &m_store;
    const ApprovalBroker &m_approvals;
};

} // namespace telson::core
