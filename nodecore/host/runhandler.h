// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/host/commandhandler.h"
#include "nodecore/policy/approvedcommand.h"

#include <QtCore/QHash>
#include <QtCore/QString>

namespace telson::core {

class ApprovalBroker;
class CommandRunner;
struct RunEventHead;
struct RunRefusal;
struct SystemRunParams;
struct SystemRunResult;

/// `system.run`: runs a command if policy or an approval lets it, and answers with what it printed.
class RunHandler final : public CommandHandler
{
public:
    struct Options
    {
        Environment inherited; ///< from `inheritedEnvironment`
        QString defaultFolder; ///< absolute; for requests without cwd
        qsizetype maxConcurrent = 64; ///< more are answered "node busy, retry"
    };

    RunHandler(ApprovalBroker &approvals, CommandRunner &runner, Options options);
    ~RunHandler() override; ///< ends its runs

    [[nodiscard]] QString command() const override;
    void handle(const CommandCall &call, std::function<void(CommandEvent)> emitEvent,
                std::function<void(CommandReply)> done) override;
    void cancel(const QString &callId) override;

private:
    struct Outlets
    {
        std::function<void(CommandEvent)> emitEvent;
        std::function<void(CommandReply)> done;
    };
    void run(const CommandCall &call, const SystemRunParams &params, Environment variables,
             Outlets outlets);
    static void refuse(const RunEventHead &head, const RunRefusal &refusal, const Outlets &outlets);
    static void answer(RunEventHead head, const SystemRunResult &result, const Outlets &outlets);
    void start(const QString &callId, ApprovedCommand command, const SystemRunParams &params,
               Outlets outlets);

    ApprovalBroker &m_approvals;
    CommandRunner &m_runner;
    Options m_options;
    QHash<QString, quint64> m_runs; // call id to the runner's id
};

} // namespace telson::core
