// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/gateway/gatewayendpoint.h"
#include "nodecore/gateway/transport.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QUrl>

namespace telson::core {

/// Where a host is, decided on the parsed address (handshake.md §9). A name is never looked up, and
/// only "localhost" counts as loopback: "127.evil.com" is just a name.
enum class HostClass {
    Loopback, ///< 127.0.0.0/8, ::1, "localhost"
    Private, ///< RFC 1918, 169.254/16, 100.64/10, fe80::/10, fc00::/7, fec0::/10
    PrivateName, ///< *.local, *.ts.net
    OtherName, ///< any other name
    Public, ///< any other address
};
[[nodiscard]] HostClass hostClass(const QString &host);

/// A gateway's URL as a person types it: ws or wss, host, optional port and path.
/// Errors: InvalidArgument for another scheme, no host, user name, password, query or fragment.
[[nodiscard]] Result<QUrl> parseGatewayUrl(const QString &text);

/// "wss://host:443": scheme, ASCII host in lower case, port. Tokens belong to an origin.
[[nodiscard]] QString gatewayOrigin(const QUrl &url);

/// The 32 bytes of a fingerprint: 64 hex digits in either case, colons and a "sha256:" prefix are
/// let through. Errors: InvalidArgument.
[[nodiscard]] Result<QByteArray> parseFingerprint(const QString &text);

/// The one place where a connection's security is settled.
/// Errors: InvalidArgument for a bad URL or fingerprint, and for a fingerprint with ws://;
/// Denied for ws:// to a host that is not private.
[[nodiscard]] Result<TransportTarget> transportTarget(const GatewayEndpoint &endpoint);

/// Whether a device token may be sent beside a refused shared token: loopback, or wss with a pin.
[[nodiscard]] bool isTrustedForTokenRetry(const TransportTarget &target);

} // namespace telson::core
