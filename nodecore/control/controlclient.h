// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtNetwork/QLocalSocket>

#include <filesystem>
#include <functional>
#include <memory>

namespace telson::core {

class Alarm;
class Clock;

/// Asks a running service one question over the control socket.
class ControlClient final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ControlClient)

public:
    using Done = std::function<void(Result<QByteArray>)>;

    explicit ControlClient(Clock &clock);
    ~ControlClient() override;

    /// One call an object. `done` is called once, after `call` has returned, with the result's JSON.
    /// Errors: Unavailable (no service runs here), Denied (the socket belongs to somebody else),
    /// Timeout (5 s), Protocol.
    void call(const std::filesystem::path &socket, const QString &method, Done done);

private:
    void onConnected();
    void onReadyRead();
    void finish(Result<QByteArray> result);

    Clock &m_clock;
    QLocalSocket m_socket;
    std::unique_ptr<Alarm> m_deadline;
    QString m_method;
    Done m_done;
};

} // namespace telson::core
