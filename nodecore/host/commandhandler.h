// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <chrono>
#include <functional>
#include <optional>
#include <variant>

namespace telson::core {

/// One request to this node, whichever door it came through.
struct CommandCall
{
    QString id;                                         ///< unique while it runs
    QString command;                                    ///< "system.which"
    QByteArray paramsJson;                              ///< a JSON object, "{}" if the caller sent none
    std::optional<std::chrono::milliseconds> timeLeft;  ///< how long the caller waits; none = no limit
    QString door;                                       ///< who it came from, "gateway:home"
    quint64 connection = 0; ///< number of the connection; plans prepared on another one do not count
};

/// The answer that a caller gets: the payload, or a code and a text of the node contract
/// (node-commands.md §1.2), such as "INVALID_REQUEST" and "command required".
struct CommandPayload
{
    QByteArray json;
};
struct CommandFailure
{
    QString code;
    QString message;

    bool operator==(const CommandFailure &) const = default;
};
using CommandReply = std::variant<CommandPayload, CommandFailure>;

/// One event for the caller's side, such as "exec.finished" (node-commands.md §4.6).
struct CommandEvent
{
    QString name;
    QByteArray payloadJson;
};

/// Seam: serves one command of the node. Real: one class per command.
class CommandHandler
{
public:
    CommandHandler() = default;
    CommandHandler(const CommandHandler &) = delete;
    CommandHandler &operator=(const CommandHandler &) = delete;
    virtual ~CommandHandler() = default;

    /// The name it serves, "system.which".
    [[nodiscard]] virtual QString command() const = 0;

    /// Starts one call. `emitEvent` may be called any number of times before `done`, which is called
    /// exactly once, perhaps before `handle` has returned, and never after `cancel(call.id)`.
    virtual void handle(const CommandCall &call, std::function<void(CommandEvent)> emitEvent,
                        std::function<void(CommandReply)> done) = 0;

    /// Ends a call that still runs and everything it started. No event, no answer after it.
    /// A call that is unknown or over is ignored.
    virtual void cancel(const QString &callId) = 0;
};

} // namespace telson::core
