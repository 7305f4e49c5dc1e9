// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QString>

#include <chrono>
#include <optional>

namespace telson::core {

enum class ConnectionState {
    Stopped, ///< not wanted
    Connecting, ///< opening the socket
    Handshaking, ///< challenge, connect, hello
    Connected, ///< up
    PairingPending, ///< the gateway's owner has to approve this device; asked again slowly
    SurfacePending, ///< up, but the gateway's owner has to approve this node's commands
    Waiting, ///< tries again at `nextTryAt`
    Paused, ///< only `retryNow` goes on: a person has to do something first
};

/// The state as one lower-case word for logs and `--json`: "pairing-pending".
[[nodiscard]] QString toString(ConnectionState state);

/// How a connection is doing.
struct ConnectionStatus
{
    ConnectionState state = ConnectionState::Stopped;
    QString detail; ///< for people: what is going on and the way out; empty if all is well
    QString requestId; ///< of a pending device pairing, else empty
    QString lastError; ///< code of the last failure, "AUTH_TOKEN_MISMATCH"; empty once connected
    int attempt = 0; ///< tries since the last hello, the current one included
    std::optional<std::chrono::milliseconds> nextTryAt; ///< on the monotonic clock
    QString serverVersion; ///< of the last hello
    QString connId; ///< of the last hello
    int protocol = 0; ///< of the last hello, 0 = none yet

    bool operator==(const ConnectionStatus &) const = default;
};

} // namespace telson::core
