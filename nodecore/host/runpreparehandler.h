// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/host/commandhandler.h"
#include "nodecore/policy/approvedcommand.h"

#include <expected>

namespace telson::core {

class ApprovalBroker;
class FolderProbe;
struct ProbedFolder;
struct SystemRunPrepareParams;

/// `system.run.prepare`: says what a command would be and what policy holds for it, and keeps the
/// plan where an approval may follow. Refuses nothing that a person can be shown.
class RunPrepareHandler final : public CommandHandler
{
public:
    /// `inherited` comes from `inheritedEnvironment`; `defaultFolder` is absolute.
    RunPrepareHandler(ApprovalBroker &approvals, const FolderProbe &folders, Environment inherited,
                      QString defaultFolder);

    [[nodiscard]] QString command() const override;
    void handle(const CommandCall &call, std::function<void(CommandEvent)> emitEvent,
                std::function<void(CommandReply)> done) override;
    void cancel(const QString &callId) override;

private:
    [[nodiscard]] CommandReply prepare(const CommandCall &call) const;
    [[nodiscard]] CommandReply plan(const CommandCall &call,
                                    const SystemRunPrepareParams &params) const;
    [[nodiscard]] std::expected<ProbedFolder, CommandFailure>
    folderOf(const SystemRunPrepareParams &params, bool needsApproval) const;

    ApprovalBroker &m_approvals;
    const FolderProbe &m_folders;
    Environment m_inherited;
    QString m_defaultFolder;
};

} // namespace telson::core
