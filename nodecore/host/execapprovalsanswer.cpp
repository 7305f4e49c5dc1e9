// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/execapprovalsanswer.h"

#include "nodecore/approval/approvalbroker.h"
#include "nodecore/base/log.h"
#include "nodecore/protocol/systemcommands.h"

using namespace Qt::StringLiterals;

namespace telson::core {

CommandReply execApprovalsAnswer(const StoredPolicy &stored, const ApprovalBroker &approvals)
{
    if (stored.broken.has_value()) {
        logWarn(LogRoom::Host, u"the exec approvals document can't be read, nothing runs",
                {{u"reason", stored.broken->message}});
    }
    // Without the agents: the gateway puts their entries on top of the defaults itself.
    const ApprovalsDocument defaults{stored.document.defaults, {}};
    const EffectivePolicy policy =
        effectivePolicy(defaults, approvals.rules().mode, u"any other agent"_s);
    Result<QByteArray> json = encodeExecApprovals(
        {stored.path, stored.exists, stored.hash, stored.redactedJson, toString(policy.security),
         toString(policy.ask), toString(policy.askFallback), policy.autoAllowSkills});
    if (!json.has_value()) {
        return CommandFailure{u"UNAVAILABLE"_s, json.error().message};
    }
    return CommandPayload{*std::move(json)};
}

} // namespace telson::core
