// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/whichhandler.h"

#include "nodecore/host/executablesearch.h"
#include "nodecore/host/replies.h"
#include "nodecore/protocol/systemcommands.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

WhichHandler::WhichHandler(QString searchPath) : m_searchPath(std::move(searchPath))
{
}

QString WhichHandler::command() const
{
    return u"system.which"_s;
}

void WhichHandler::handle(const CommandCall &call, std::function<void(CommandEvent)> /*emitEvent*/,
                          std::function<void(CommandReply)> done)
{
    const Result<QStringList> bins = decodeWhich(call.paramsJson);
    if (!bins.has_value()) {
        done(invalidRequest(bins.error().message));
        return;
    }
    QMap<QString, QString> found;
    for (const QString &bin : *bins) {
        const QString name = bin.trimmed();
        if (const std::optional<QString> path = findExecutable(name, m_searchPath)) {
            found.insert(name, *path);
        }
    }
    done(CommandPayload{encodeWhich(found)});
}

void WhichHandler::cancel(const QString & /*callId*/)
{
    // Answered before `handle` returns.
}

} // namespace telson::core
