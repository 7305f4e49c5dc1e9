// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/memorysecretstore.h"

#include <QtCore/QObject>

#include <utility>

using telson::core::Result;

void MemorySecretStore::read(const QString &key, QObject *context,
                             std::function<void(Result<std::optional<QByteArray>>)> done)
{
    reads.append(key);
    Result<std::optional<QByteArray>> answer = std::optional<QByteArray>();
    if (readError.has_value()) {
        answer = std::unexpected(*readError);
    } else if (const auto found = secrets.constFind(key); found != secrets.cend()) {
        answer = std::optional<QByteArray>(*found);
    }
    QMetaObject::invokeMethod(
        context, [done = std::move(done), answer] { done(answer); }, Qt::QueuedConnection);
}

void MemorySecretStore::write(const QString &key, const QByteArray &secret, QObject *context,
                              std::function<void(Result<void>)> done)
{
    writes.append(key);
    Result<void> answer;
    if (writeError.has_value()) {
        answer = std::unexpected(*writeError);
    } else if (!losesWrites) {
        // A deep copy: callers wipe theirs.
        secrets.insert(key, QByteArray(secret.constData(), secret.size()));
    }
    QMetaObject::invokeMethod(
        context, [done = std::move(done), answer] { done(answer); }, Qt::QueuedConnection);
}
