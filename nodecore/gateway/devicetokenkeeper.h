// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/protocol/devicetokenrecord.h"

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <functional>
#include <optional>

namespace telson::core {

class SecretStore;

/// Keeps the token that one gateway issued to this device for one role. A token is never deleted:
/// one that the gateway refuses is marked suspect and not used until a hello-ok brings a token
/// again.
class DeviceTokenKeeper final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DeviceTokenKeeper)

public:
    /// The secret's key is "device-token/<role>/<device id>/<origin>".
    DeviceTokenKeeper(SecretStore &secrets, const QString &origin, const QString &deviceId,
                      const QString &role);

    /// Reads what is stored; what is no token record is reported in the log and counts as nothing.
    /// `done` comes once, later, and not at all once `context` is gone. Errors: those of the store.
    void load(QObject *context, std::function<void(Result<void>)> done);

    [[nodiscard]] bool isLoaded() const
    {
        return m_isLoaded;
    }

    /// The token to connect with; empty if there is none or it is suspect.
    [[nodiscard]] QString usableToken() const;

    /// A hello-ok brought `token`. The same token keeps its stored scopes and is not suspect any
    /// more.
    void accept(const QString &token, const QStringList &scopes);

    /// The gateway refused the token that was sent.
    void markSuspect();

private:
    void store();

    SecretStore &m_secrets;
    QString m_key;
    bool m_isLoaded = false;
    std::optional<DeviceTokenRecord> m_record;
};

} // namespace telson::core
