// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/nodehost.h"

#include "nodecore/approval/approvalbroker.h"
#include "nodecore/base/log.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

NodeHost::NodeHost(ApprovalBroker &approvals, std::vector<std::unique_ptr<CommandHandler>> handlers)
    : m_approvals(approvals), m_handlers(std::move(handlers))
{
}

NodeHost::~NodeHost()
{
    cancelIf([](const RunningCall &) { return true; });
}

QStringList NodeHost::commands() const
{
    QStringList names;
    for (const auto &handler : m_handlers) {
        names.append(handler->command());
    }
    names.sort();
    return names;
}

void NodeHost::handle(const CommandCall &call, std::function<void(CommandEvent)> emitEvent,
                      std::function<void(CommandReply)> done)
{
    cancel(call.door, call.id);
    const auto found = std::ranges::find_if(
        m_handlers, [&call](const auto &handler) { return handler->command() == call.command; });
    if (found == m_handlers.end()) {
        logInfo(LogRoom::Host, u"command not supported",
                {{u"door", call.door}, {u"command", call.command.left(100)}});
        done(CommandFailure{u"UNAVAILABLE"_s, u"command not supported"_s});
        return;
    }
    // Handlers get an id of ours: two doors may use the same one, and an answer that is late must
    // not be taken for that of the next call with its id.
    CommandCall inner = call;
    inner.id = QString::number(++m_lastCall);
    m_running.insert(inner.id, {call.door, call.connection, call.id, found->get()});
    (*found)->handle(
        inner,
        [this, key = inner.id, emitEvent = std::move(emitEvent)](CommandEvent event) {
            if (m_running.contains(key)) {
                emitEvent(std::move(event));
            }
        },
        [this, key = inner.id, done = std::move(done)](CommandReply reply) {
            if (m_running.remove(key)) {
                done(std::move(reply));
            }
        });
}

void NodeHost::cancel(const QString &door, const QString &callId)
{
    cancelIf([&](const RunningCall &call) { return call.door == door && call.id == callId; });
}

void NodeHost::connectionLost(const QString &door, quint64 connection)
{
    cancelIf([&](const RunningCall &call) {
        return call.door == door && call.connection == connection;
    });
    m_approvals.forget({door, connection});
}

qsizetype NodeHost::runningCount() const
{
    return m_running.size();
}

void NodeHost::cancelIf(const std::function<bool(const RunningCall &)> &matches)
{
    QHash<QString, RunningCall> ended;
    for (auto it = m_running.begin(); it != m_running.end();) {
        if (matches(*it)) {
            ended.insert(it.key(), *it);
            it = m_running.erase(it);
        } else {
            ++it;
        }
    }
    for (auto it = ended.cbegin(); it != ended.cend(); ++it) {
        it->handler->cancel(it.key());
    }
}

} // namespace telson::core
