// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QUrl>

namespace telson::core {

/// Which gateway, and how its connection is secured.
struct GatewayEndpoint
{
    QString id; ///< the name in the settings, "home"
    QUrl url; ///< ws or wss, host, optional port and path
    QString tlsFingerprint; ///< SHA-256 of the leaf certificate; empty = normal CA validation
    bool trustCa = false; ///< validate the CA chain and host name instead of the fingerprint
    bool allowInsecurePrivate =
        false; ///< OPENCLAW_ALLOW_INSECURE_PRIVATE_WS=1: ws:// to any host name
};

/// How this node describes itself (handshake.md §2.1, §2.2). Sent the same way on each connect.
struct NodeDescription
{
    QString displayName;
    QString version;
    QString platform; ///< "linux", "windows" or "macos", nothing else
    QString deviceFamily; ///< "Linux", "Windows" or "Mac", the one of `platform`
    QString instanceId; ///< a UUID that stays
    QString modelIdentifier;
    QStringList caps;
    QStringList commands; ///< only those that are served
    QString pathEnv; ///< the PATH that commands get
    QString locale;
    QString userAgent;
};

/// What a person configured. The device's own token is not here: the connection keeps it.
struct GatewayCredentials
{
    QString sharedToken;
    QString password;
};

} // namespace telson::core
