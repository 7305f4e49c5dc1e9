// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/execapprovalsgethandler.h"

#include "nodecore/host/execapprovalsanswer.h"

using namespace Qt::StringLiterals;

namespace telson::core {

ExecApprovalsGetHandler::ExecApprovalsGetHandler(PolicyStore &store,
                                                 const ApprovalBroker &approvals)
    : m_store(store), m_approvals(approvals)
{
}

QString ExecApprovalsGetHandler::command() const
{
    return u"system.execApprovals.get"_s;
}

void ExecApprovalsGetHandler::handle(const CommandCall & /*call*/,
                                     std::function<void(CommandEvent)> /*emitEvent*/,
                                     std::function<void(CommandReply)> done)
{
    done(execApprovalsAnswer(m_store.current(), m_approvals));
}

void ExecApprovalsGetHandler::cancel(const QString & /*callId*/)
{
    // Answered before `handle` returns.
}

} // namespace telson::core
