// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/gateway/connectionservices.h"
#include "nodecore/gateway/connectreaction.h"
#include "nodecore/gateway/gatewayendpoint.h"
#include "nodecore/gateway/pendingrequests.h"
#include "nodecore/gateway/transport.h"
#include "nodecore/protocol/connectparams.h"
#include "nodecore/protocol/frame.h"
#include "nodecore/protocol/invoke.h"

#include <QtCore/QHash>
#include <QtCore/QObject>
#include <QtCore/QSet>
#include <QtCore/QString>

#include <chrono>
#include <memory>
#include <optional>

namespace telson::core {

/// How a session ended.
struct SessionEnd
{
    std::optional<GatewayError> refusal; ///< of `connect`
    TransportClose close;
    QString localCode; ///< if we ended it
};

/// One socket to a gateway, from opening it to its end: challenge, connect, hello, frames,
/// watchdog.
///
/// Opening -> Challenge -> Hello -> Up -> Ended, forward only. `established` comes once at most,
/// `ended` once at most and last. After `close` no signal comes.
class GatewaySession final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(GatewaySession)

public:
    GatewaySession(const TransportTarget &target, const NodeDescription &description,
                   ConnectAuth auth, const ConnectionServices &services);
    ~GatewaySession() override;

    void open();

    /// Says goodbye; the session may be destroyed once `isClosed`, or earlier to hang up.
    void close(int code, const QString &reason);

    /// True once the socket is gone too.
    [[nodiscard]] bool isClosed() const
    {
        return m_isClosed;
    }

    [[nodiscard]] bool isUp() const
    {
        return m_stage == Stage::Up;
    }

    /// The local clock less the gateway's when the challenge came, if one came.
    [[nodiscard]] std::optional<std::chrono::milliseconds> clockDifference() const;

    // As in GatewayConnection.
    void sendResult(const InvokeResult &result);
    void sendEvent(const NodeEvent &event);
    void request(const QString &method, const QByteArray &paramsJson,
                 std::chrono::milliseconds timeout, QObject *context, PendingRequests::Done done);

Q_SIGNALS:
    void handshaking(); ///< the socket is open
    void established(const telson::core::HelloOk &hello);
    void ended(const telson::core::SessionEnd &end);
    void socketClosed(); ///< after `close` or `ended`: nothing is left to wait for
    void invokeReceived(const telson::core::InvokeRequest &request);
    void invokeCancelled(const QString &id);
    void pairResolved(bool isApproved);
    void eventRefused(const telson::core::GatewayError &error); ///< a `node.event` of ours
    void shutdownAnnounced(const QString &reason);

private:
    enum class Stage { Idle, Opening, Challenge, Hello, Up, Ended };

    void onOpened();
    void onText(const QByteArray &text);
    void onSocketClosed(const TransportClose &close);
    void onHandshakeFrame(const IncomingFrame &frame);
    void onChallenge(const ChallengeEvent &challenge);
    void onConnectAnswer(const ResponseFrame &response);
    void onFrame(const IncomingFrame &frame);
    void onInvoke(const InvokeRequest &request);
    void onCancel(const QString &id);
    void onResponse(const ResponseFrame &response);
    void onSilence();

    bool trySend(const QString &id, const QString &method, const QByteArray &paramsJson);
    void limitStage(std::chrono::milliseconds limit, int closeCode, const QString &localCode,
                    const QString &reason);
    void watchSilence(std::chrono::milliseconds limit);
    void endLocally(int closeCode, const QString &localCode, const QString &reason);
    void end(const SessionEnd &end);
    QString nextId();

    /// A result or an event whose acknowledgement has not come.
    struct Unacknowledged
    {
        bool isEvent = false;
        QString what; ///< invoke id or event name
    };

    TransportTarget m_target;
    NodeDescription m_description;
    ConnectAuth m_auth;
    const DeviceIdentity &m_identity;
    Clock &m_clock;
    std::unique_ptr<Transport> m_transport;
    Stage m_stage = Stage::Idle;
    bool m_isClosed = false;
    std::unique_ptr<Alarm> m_alarm; // the stage's limit, then the watchdog
    std::chrono::milliseconds m_lastActivity{0};
    std::chrono::milliseconds m_silenceLimit{0};
    std::optional<std::chrono::milliseconds> m_clockDifference;
    qint64 m_lastId = 0;
    QString m_connectId;
    qint64 m_maxPayload = 0;
    qint64 m_maxBufferedBytes = 0;
    PendingRequests m_requests;
    QHash<QString, Unacknowledged> m_unacknowledged; // by request id
    QSet<QString> m_invokes; // those that run
};

} // namespace telson::core
