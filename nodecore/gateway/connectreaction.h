// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/gateway/transport.h"
#include "nodecore/protocol/frame.h"

#include <QtCore/QString>

#include <chrono>
#include <optional>

namespace telson::core {

/// Why a try to connect failed or a connection ended, with what is needed to decide what to do.
struct ConnectFailure
{
    std::optional<GatewayError> refusal; ///< the answer to `connect`, if one came
    TransportClose close; ///< how the socket ended; ignored where `refusal` is set
    QString localCode; ///< why we closed it ourselves (cause Local), "TICK_TIMEOUT"
    bool sentDeviceToken = false; ///< this try carried the stored device token
    bool hasDeviceToken = false; ///< one is stored and not suspect
    bool hasOtherCredential = false; ///< a shared token or a password is configured
    bool isTrustedForTokenRetry = false; ///< loopback, or wss with a pin
    bool hasRetriedWithDeviceToken = false; ///< since the last hello
    int signatureRefusals = 0; ///< in a row, this one included
    int proxyRefusals = 0; ///< HTTP 403 `proxy_attribution_required` in a row, this one included
};

/// What to do about it.
struct ConnectReaction
{
    enum class Action {
        Retry, ///< after the back-off, kept within `atLeast` and `atMost`
        RetryWithDeviceToken, ///< once, soon, with the shared and the device token
        PollPairing, ///< a person at the gateway has to approve; ask again slowly
        Pause, ///< a person here has to do something first
    };
    Action action = Action::Retry;
    bool marksTokenSuspect = false;
    std::chrono::milliseconds atLeast{0};
    std::chrono::milliseconds atMost{
        std::chrono::milliseconds::max()}; ///< wins over the back-off only
    QString requestId; ///< of the pairing that a person has to approve: letters, digits, "-"; else
                       ///< empty
    QString code; ///< "AUTH_TOKEN_MISMATCH", "CLOSED_1012", "NETWORK"
    QString text; ///< for people: what happened and the way out
};

/// The table of handshake.md §5 (close codes) and §6 (connect errors).
[[nodiscard]] ConnectReaction reactionTo(const ConnectFailure &failure);

} // namespace telson::core
