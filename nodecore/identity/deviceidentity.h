// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <memory>

namespace telson::core {

/// The Ed25519 key of this installation (handshake.md §3). One per profile, kept for good: a new
/// key is a new machine to every gateway. The private bytes are wiped when the last copy goes.
class DeviceIdentity final
{
public:
    [[nodiscard]] static DeviceIdentity generate();

    /// From the 32 secret bytes. Errors: InvalidArgument for another length.
    [[nodiscard]] static Result<DeviceIdentity> fromSeed(QByteArrayView seed);

    /// From what `toSecret` wrote. Errors: InvalidArgument; the message shows nothing of it.
    [[nodiscard]] static Result<DeviceIdentity> fromSecret(QByteArrayView secret);

    DeviceIdentity(DeviceIdentity &&) noexcept;
    DeviceIdentity &operator=(DeviceIdentity &&) noexcept;
    DeviceIdentity(const DeviceIdentity &) = delete;
    DeviceIdentity &operator=(const DeviceIdentity &) = delete;
    ~DeviceIdentity();

    /// SHA-256 of the public key, 64 lower-case hex digits. This is also the node id.
    [[nodiscard]] const QString &deviceId() const
    {
        return m_deviceId;
    }

    /// base64url without padding, 43 characters.
    [[nodiscard]] const QString &publicKey() const
    {
        return m_publicKey;
    }

    /// Signature of the UTF-8 of `payload`: base64url without padding, 86 characters.
    [[nodiscard]] QString sign(const QString &payload) const;

    /// The private key as text for a secret store, "ed25519-seed:<43 characters>". Wipe it after
    /// use.
    [[nodiscard]] QByteArray toSecret() const;

private:
    struct SecretKey;
    explicit DeviceIdentity(std::unique_ptr<SecretKey> key);

    std::unique_ptr<SecretKey> m_key;
    QString m_deviceId;
    QString m_publicKey;
};

/// Overwrites a secret's bytes. Other copies of the array keep theirs.
void wipe(QByteArray &secret);

} // namespace telson::core
