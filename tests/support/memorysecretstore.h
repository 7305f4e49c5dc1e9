// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/identity/secretstore.h"

#include <QtCore/QMap>
#include <QtCore/QStringList>

#include <optional>

/// Secrets in memory; can be told to fail.
class MemorySecretStore final : public telson::core::SecretStore
{
public:
    void read(const QString &key, QObject *context,
              std::function<void(telson::core::Result<std::optional<QByteArray>>)> done) override;
    void write(const QString &key, const QByteArray &secret, QObject *context,
               std::function<void(telson::core::Result<void>)> done) override;

    QMap<QString, QByteArray> secrets;
    std::optional<telson::core::Error> readError; ///< answered by every read while set
    std::optional<telson::core::Error> writeError; ///< answered by every write while set
    bool losesWrites = false; ///< writes report success and keep nothing
    QStringList reads; ///< keys, in order
    QStringList writes; ///< keys, in order
};
