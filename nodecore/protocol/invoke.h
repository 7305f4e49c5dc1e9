// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <chrono>
#include <optional>
#include <variant>

namespace telson::core {

/// The gateway asks this node to do something (event `node.invoke.request`, node-commands.md §1.1).
struct InvokeRequest
{
    QString id;
    QString nodeId; ///< the device id that is meant
    QString command; ///< "system.which"
    QByteArray paramsJson; ///< what the caller sent, not looked into; "{}" if nothing was sent
    std::optional<std::chrono::milliseconds>
        timeout; ///< how long the gateway waits; none = no limit
};

/// What the caller gets (method `node.invoke.result`, node-commands.md §1.2).
struct InvokePayload
{
    QByteArray json; ///< one JSON value
};
struct InvokeFailure
{
    QString code; ///< "INVALID_REQUEST", "UNAVAILABLE", "SYSTEM_RUN_DENIED", "TIMEOUT"
    QString message; ///< for people

    bool operator==(const InvokeFailure &) const = default;
};
struct InvokeResult
{
    QString id;
    std::variant<InvokePayload, InvokeFailure> outcome;
};

/// Something happened here (method `node.event`, node-publications.md §1).
struct NodeEvent
{
    QString name; ///< "exec.finished"
    QByteArray payloadJson; ///< one JSON object; empty = no payload
};

} // namespace telson::core
