// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <optional>

namespace telson::core {

/// Who connects (handshake.md §2.1). Texts that are empty are left out, except the required ones.
struct ConnectClient
{
    QString id; ///< required; an enum of the gateway, "node-host"
    QString mode; ///< required; "node"
    QString version; ///< required
    QString platform; ///< required; "linux" exactly (§2.2)
    QString deviceFamily; ///< "Linux" exactly
    QString displayName;
    QString modelIdentifier;
    QString instanceId;
};

/// The credentials that are sent; what is empty is left out.
struct ConnectAuth
{
    QString token;
    QString deviceToken;
    QString bootstrapToken;
    QString password;

    /// What the signature covers: the first of token, device token, bootstrap token (§3).
    [[nodiscard]] QString signedToken() const;
};

/// Proof of the device key.
struct ConnectDevice
{
    QString id; ///< 64 hex digits
    QString publicKey; ///< base64url, 43 characters
    QString signature; ///< base64url, 86 characters
    std::chrono::milliseconds signedAt{0};
    QString nonce;
};

/// Params of `connect`.
struct ConnectParams
{
    int minProtocol = 3;
    int maxProtocol = 4;
    ConnectClient client;
    QString role; ///< "node"
    QStringList scopes;
    QStringList caps;
    QStringList commands;
    QString pathEnv;
    ConnectAuth auth;
    ConnectDevice device;
    QString locale;
    QString userAgent;
};

/// What a gateway answers to `connect`, as far as it is used (§4).
struct HelloOk
{
    int protocol = 0;
    QString serverVersion;
    QString connId;
    QString authMethod;
    QStringList scopes; ///< the effective ones
    QString deviceToken; ///< empty if none was issued
    qint64 maxPayload = 0; ///< bytes of one frame
    qint64 maxBufferedBytes = 0; ///< bytes
    std::chrono::milliseconds tickInterval{0};
};

} // namespace telson::core
