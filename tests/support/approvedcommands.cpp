// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/approvedcommands.h"

#include "nodecore/approval/approvalbroker.h"
#include "nodecore/policy/folderprobe.h"
#include "nodecore/policy/policystore.h"
#include "tests/support/fakeclock.h"

#include <utility>
#include <variant>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

class PermissiveStore final : public PolicyStore
{
public:
    [[nodiscard]] StoredPolicy current() override
    {
        StoredPolicy stored;
        stored.document.defaults.security = Security::Full;
        stored.document.defaults.ask = Ask::Off;
        return stored;
    }

    [[nodiscard]] Result<StoredPolicy> replace(const QByteArray & /*documentJson*/,
                                               const std::optional<QString> & /*baseHash*/,
                                               const Guard & /*guard*/) override
    {
        return fail(ErrorCode::Denied, u"not in this test"_s);
    }
};

class BlindProbe final : public FolderProbe
{
public:
    [[nodiscard]] Result<ProbedFolder> probe(const QString & /*path*/) const override
    {
        return fail(ErrorCode::Unavailable, u"not in this test"_s);
    }
};

} // namespace

ApprovedCommand approved(const CommandSpec &command)
{
    PermissiveStore store;
    const BlindProbe folders;
    const FakeClock clock;
    ApprovalBroker broker(store, folders, clock,
                          [] { return LocalRules{ExecMode::Full, InlineEval::Allowed}; });
    RunRequest request;
    request.requester = {u"test"_s, 1};
    request.command = command;
    RunDecision decision = broker.decide(request);
    if (auto *allowed = std::get_if<ApprovedCommand>(&decision)) {
        return std::move(*allowed);
    }
    qFatal("the permissive policy refused a command");
}
