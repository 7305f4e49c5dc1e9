// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/protocol/invoke.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <chrono>
#include <expected>
#include <optional>
#include <variant>

namespace telson::core {

/// `error.details` of a gateway as far as this node reads it; a text that is absent is empty.
struct GatewayErrorDetails
{
    QString code; ///< "PAIRING_REQUIRED"; decides before `GatewayError::code` does
    QString reason;
    QString recommendedNextStep;
    QString requestId;
    QString remediationHint;
    bool canRetryWithDeviceToken = false;
    std::optional<int> expectedProtocol;

    bool operator==(const GatewayErrorDetails &) const = default;
};

/// A refusal (handshake.md §1 and §6). The codes are an open set.
struct GatewayError
{
    QString code; ///< "INVALID_REQUEST"
    QString message;
    GatewayErrorDetails details;
    std::optional<std::chrono::milliseconds> retryAfter;

    bool operator==(const GatewayError &) const = default;
};

/// The answer to one of our requests.
struct ResponseFrame
{
    QString id;
    std::expected<QByteArray, GatewayError>
        outcome; ///< the payload as JSON, "null" if there is none
};

/// `connect.challenge`. `time` is the gateway's clock since 1970; an error names what is wrong with
/// it.
struct ChallengeEvent
{
    QString nonce;
    Result<std::chrono::milliseconds> time;
};

/// A `node.invoke.request` whose id can be read but something else can't.
struct InvalidInvoke
{
    QString id;
    QString problem; ///< names the field
};

/// `node.invoke.cancel`: the caller does not wait any more.
struct InvokeCancel
{
    QString invokeId;
};

/// `node.pair.resolved`: a person decided on the commands of this node.
struct PairResolved
{
    bool isApproved = false;
};

/// `shutdown`: the gateway is about to stop.
struct ShutdownEvent
{
    QString reason;
};

/// Any other event; known ones are `tick`, `presence`, `health`.
struct OtherEvent
{
    QString name;
};

using IncomingFrame = std::variant<ResponseFrame, ChallengeEvent, InvokeRequest, InvalidInvoke,
                                   InvokeCancel, PairResolved, ShutdownEvent, OtherEvent>;

/// One of our requests.
struct RequestFrame
{
    QString id; ///< unique in this connection
    QString method;
    QByteArray paramsJson; ///< one JSON object; empty = no params
};

} // namespace telson::core
