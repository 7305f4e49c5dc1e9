// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/host/commandhandler.h"

namespace telson::core {

class ApprovalBroker;
class PolicyStore;

/// `system.execApprovals.get`: the approvals document, without the token of its socket.
class ExecApprovalsGetHandler final : public CommandHandler
{
public:
    ExecApprovalsGetHandler(PolicyStore &store, const ApprovalBroker &approvals);

    [[nodiscard]] QString command() const override;
    void handle(const CommandCall &call, std::function<void(CommandEvent)> emitEvent,
                std::function<void(CommandReply)> done) override;
    void cancel(const QString &callId) override;

private:
    PolicyStore &m_store;
    const ApprovalBroker &m_approvals;
};

} // namespace telson::core
