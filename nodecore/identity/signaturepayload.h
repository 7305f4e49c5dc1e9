// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>

namespace telson::core {

enum class SignatureVersion { V2, V3 };

/// What a device signs to connect (handshake.md §3).
struct SignatureClaims
{
    QString deviceId;
    QString clientId;
    QString clientMode;
    QString role;
    QStringList scopes; ///< in the order they are sent
    std::chrono::milliseconds signedAt{0};
    QString token; ///< never the password
    QString nonce;
    QString platform; ///< V3 only
    QString deviceFamily; ///< V3 only
};

/// The text that is signed: `v3|<device id>|<client id>|…|<platform>|<family>`, nothing escaped;
/// platform and family trimmed and in ASCII lower case.
[[nodiscard]] QString signaturePayload(const SignatureClaims &claims, SignatureVersion version);

} // namespace telson::core
