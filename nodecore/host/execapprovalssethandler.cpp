// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/execapprovalssethandler.h"

#include "nodecore/approval/approvalbroker.h"
#include "nodecore/base/log.h"
#include "nodecore/host/execapprovalsanswer.h"
#include "nodecore/host/replies.h"
#include "nodecore/policy/tightening.h"
#include "nodecore/protocol/systemcommands.h"

using namespace Qt::StringLiterals;

namespace telson::core {

ExecApprovalsSetHandler::ExecApprovalsSetHandler(PolicyStore &store,
                                                 const ApprovalBroker &approvals)
    : m_store(store), m_approvals(approvals)
{
}

QString ExecApprovalsSetHandler::command() const
{
    return u"system.execApprovals.set"_s;
}

void ExecApprovalsSetHandler::handle(const CommandCall &call,
                                     std::function<void(CommandEvent)> /*emitEvent*/,
                                     std::function<void(CommandReply)> done)
{
    const Result<ExecApprovalsSetParams> params = decodeExecApprovalsSet(call.paramsJson);
    if (!params.has_value()) {
        done(invalidRequest(u"INVALID_REQUEST: "_s + params.error().message));
        return;
    }
    const ExecMode mode = m_approvals.rules().mode;
    const Result<StoredPolicy> stored =
        m_store.replace(params->documentJson, params->baseHash,
                        [mode](const ApprovalsDocument &before, const ApprovalsDocument &after) {
                            return onlyTightens(before, after, mode);
                        });
    if (stored.has_value()) {
        logInfo(LogRoom::Host, u"exec approvals tightened from outside",
                {{u"door", call.door}, {u"hash", stored->hash}});
        done(execApprovalsAnswer(*stored, m_approvals));
        return;
    }
    const Error &error = stored.error();
    logWarn(LogRoom::Host, u"exec approvals not replaced",
            {{u"door", call.door}, {u"reason", error.message}});
    if (error.code == ErrorCode::InvalidArgument || error.code == ErrorCode::Denied) {
        done(invalidRequest(u"INVALID_REQUEST: "_s + error.message));
    } else {
        done(CommandFailure{u"UNAVAILABLE"_s, error.message});
    }
}

void ExecApprovalsSetHandler::cancel(const QString & /*callId*/)
{
    // Answered before `handle` returns.
}

} // namespace telson::core
