// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QHash>
#include <QtCore/QObject>
#include <QtNetwork/QLocalServer>

#include <filesystem>
#include <functional>

class QLocalSocket;

namespace telson::core {

class PrivateFiles;

/// The control socket: JSON-RPC 2.0 lines for the terminal and the window side.
/// So far every method only looks; methods that decide come with the approvals and will check the
/// caller. Owner-only folder and socket; at most 16 clients, each with a bounded line and queue.
class ControlServer final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ControlServer)

public:
    /// Answers one method with a JSON value.
    using Method = std::function<QByteArray()>;

    explicit ControlServer(QHash<QString, Method> methods);
    ~ControlServer() override;

    /// A socket file left by a service that died is replaced; the caller holds the profile's lock, so
    /// no living service can own it. Errors: Denied, Io, Unavailable.
    [[nodiscard]] Result<void> listen(const std::filesystem::path &socket, PrivateFiles &files);

private:
    void onNewConnection();
    void onReadyRead(QLocalSocket *client);
    void answer(QLocalSocket *client, const QByteArray &line);

    QHash<QString, Method> m_methods;
    QLocalServer m_server;
    int m_clients = 0;
};

} // namespace telson::core
