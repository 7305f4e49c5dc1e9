// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <functional>
#include <optional>

class QObject;

namespace telson::core {

/// Seam: where the private key and the tokens are kept. Real: `FileSecretStore` (owner-only file),
/// later the system's keychain; tests: `MemorySecretStore`.
///
/// `done` is called once, after the call has returned, on the caller's thread, and not at all once
/// `context` is gone. Keys are plain ASCII such as "identity/private-key".
class SecretStore
{
public:
    SecretStore() = default;
    SecretStore(const SecretStore &) = delete;
    SecretStore &operator=(const SecretStore &) = delete;
    virtual ~SecretStore() = default;

    /// The secret, or nothing if none is stored.
    /// Errors: Denied (locked, or the store belongs to somebody else), Unavailable, Io.
    virtual void read(const QString &key, QObject *context,
                      std::function<void(Result<std::optional<QByteArray>>)> done) = 0;

    /// Durable when `done` reports success. Errors: Denied, Unavailable, Io.
    virtual void write(const QString &key, const QByteArray &secret, QObject *context,
                       std::function<void(Result<void>)> done) = 0;
};

} // namespace telson::core
