// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/makenodehost.h"

#include "nodecore/host/execapprovalsgethandler.h"
#include "nodecore/host/execapprovalssethandler.h"
#include "nodecore/host/nodehost.h"
#include "nodecore/host/runhandler.h"
#include "nodecore/host/runpreparehandler.h"
#include "nodecore/host/whichhandler.h"
#include "nodecore/policy/environment.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

std::unique_ptr<NodeHost> makeNodeHost(const HostSeams &seams, const HostOptions &options)
{
    const Environment inherited = inheritedEnvironment(options.ownEnvironment);
    std::vector<std::unique_ptr<CommandHandler>> handlers;
    handlers.push_back(std::make_unique<WhichHandler>(inherited.value(u"PATH"_s)));
    handlers.push_back(std::make_unique<RunPrepareHandler>(seams.approvals, seams.folders,
                                                           inherited, options.defaultFolder));
    handlers.push_back(std::make_unique<RunHandler>(
        seams.approvals, seams.runner,
        RunHandler::Options{inherited, options.defaultFolder, options.maxConcurrent}));
    handlers.push_back(std::make_unique<ExecApprovalsGetHandler>(seams.policy, seams.approvals));
    handlers.push_back(std::make_unique<ExecApprovalsSetHandler>(seams.policy, seams.approvals));
    return std::make_unique<NodeHost>(seams.approvals, std::move(handlers));
}

} // namespace telson::core
