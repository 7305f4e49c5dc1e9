// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/clock.h"
#include "nodecore/gateway/transport.h"
#include "platform/qt/websocketcodec.h"

#include <QtCore/QByteArray>

#include <memory>

class QTcpSocket;

namespace telson::platform {

/// The WebSocket to a gateway, over TCP or TLS.
///
/// Not over QWebSocket: its constructor alone loads the TLS library, which costs 10 MB and 65 ms
/// also for ws://, and it sends the upgrade before anybody could look at the certificate.
class WebSocketTransport final : public telson::core::Transport
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WebSocketTransport)

public:
    /// `clock` has to outlive the transport.
    WebSocketTransport(const telson::core::TransportTarget &target, telson::core::Clock &clock);
    ~WebSocketTransport() override;

    void open() override;
    void send(const QByteArray &text) override;
    [[nodiscard]] qint64 bytesWaiting() const override;
    void close(int code, const QString &reason) override;

private:
    enum class State { Idle, Opening, Upgrading, Refused, Open, Closing, Closed };

    void connectSocket();
    void makeSecureSocket();
    void checkPin();
    void sendUpgrade();
    void onReadyRead();
    void onDisconnected();
    void onSocketError();
    void readUpgradeAnswer();
    void readRefusal();
    void readMessages();
    void onMessage(const WebSocketMessage &message);
    void onPeerClose(const QByteArray &payload);
    void breakOff(int code, const QString &problem);
    void sendFrame(WebSocketOpcode opcode, QByteArrayView payload);
    void finish(telson::core::TransportClose::Cause cause, const QString &reason);
    void finish(const telson::core::TransportClose &close);

    telson::core::TransportTarget m_target;
    telson::core::Clock &m_clock;
    State m_state = State::Idle;
    std::unique_ptr<QTcpSocket> m_socket;
    std::unique_ptr<telson::core::Alarm> m_closeAlarm;
    QByteArray m_key; // of the upgrade
    QByteArray m_answer; // to the upgrade
    WebSocketUpgradeAnswer m_refusal;
    QString m_tlsProblem; // what the TLS library says about the certificate
    WebSocketReader m_reader;
};

} // namespace telson::platform
