// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/host/commandhandler.h"

#include <QtCore/QHash>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <functional>
#include <memory>
#include <vector>

namespace telson::core {

class ApprovalBroker;

/// Leads requests of every door to the handler of their command and keeps track of those that run.
class NodeHost final
{
public:
    /// One handler a command. The broker is told when a connection is lost.
    NodeHost(ApprovalBroker &approvals, std::vector<std::unique_ptr<CommandHandler>> handlers);
    ~NodeHost(); ///< ends what still runs; no answer after it
    NodeHost(const NodeHost &) = delete;
    NodeHost &operator=(const NodeHost &) = delete;

    /// What is served, sorted: exactly the commands that a node declares.
    [[nodiscard]] QStringList commands() const;

    /// Starts one call; `emitEvent` and `done` as in `CommandHandler::handle`. An unknown command
    /// is answered {"UNAVAILABLE", "command not supported"}. A call whose id still runs at the same
    /// door ends the earlier one, which gets no answer.
    void handle(const CommandCall &call, std::function<void(CommandEvent)> emitEvent,
                std::function<void(CommandReply)> done);

    /// Ends a call of that door; a call of another door with the same id goes on.
    void cancel(const QString &door, const QString &callId);

    /// Ends the calls of that connection and forgets the plans that were prepared on it.
    void connectionLost(const QString &door, quint64 connection);

    [[nodiscard]] qsizetype runningCount() const;

private:
    struct RunningCall
    {
        QString door;
        quint64 connection = 0;
        QString id;
        CommandHandler *handler = nullptr;
    };
    void cancelIf(const std::function<bool(const RunningCall &)> &matches);

    ApprovalBroker &m_approvals;
    std::vector<std::unique_ptr<CommandHandler>> m_handlers;
    QHash<QString, RunningCall> m_running; // by the id that the handlers know
    quint64 m_lastCall = 0;
};

} // namespace telson::core
