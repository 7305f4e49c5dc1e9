// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/approvedcommand.h"

#include <QtCore/QString>

#include <memory>

namespace telson::core {

class ApprovalBroker;
class CommandRunner;
class FolderProbe;
class NodeHost;
class PolicyStore;

/// What the handlers borrow; all of it outlives the `NodeHost`.
struct HostSeams
{
    PolicyStore &policy;
    ApprovalBroker &approvals; ///< over the same `policy` and `folders`
    CommandRunner &runner;
    const FolderProbe &folders;
};

struct HostOptions
{
    Environment ownEnvironment; ///< of this process, unfiltered
    QString defaultFolder; ///< absolute; where commands run that name no folder: the user's home
    qsizetype maxConcurrent = 64; ///< `exec.maxConcurrent`
};

/// The host with a handler for each command that this node serves: system.which,
/// system.run.prepare, system.run, system.execApprovals.get and .set.
[[nodiscard]] std::unique_ptr<NodeHost> makeNodeHost(const HostSeams &seams,
                                                     const HostOptions &options);

} // namespace telson::core
