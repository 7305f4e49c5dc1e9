// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/gateway/connectionservices.h"
#include "nodecore/gateway/connectionstatus.h"
#include "nodecore/gateway/gatewayendpoint.h"
#include "nodecore/gateway/transport.h"
#include "nodecore/protocol/invoke.h"

#include <QtCore/QByteArray>
#include <QtCore/QObject>
#include <QtCore/QString>

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace telson::core {

class Alarm;
class DeviceTokenKeeper;
class GatewaySession;
class ReconnectPlan;
class SurfaceProbe;
struct ConnectAuth;
struct HelloOk;
struct SessionEnd;

/// Keeps this node connected to one gateway: opens, proves the device, stays alive, comes back. It
/// never gives up, except where a person has to do something first (`Paused`). handshake.md is its
/// contract.
///
/// Stopped -> Connecting -> Handshaking -> Connected <-> SurfacePending, and from each of them (and
/// from PairingPending, Waiting, Paused) back to Connecting or to Stopped. Do not destroy it from
/// inside one of its signals or callbacks; `deleteLater` does.
class GatewayConnection final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(GatewayConnection)

public:
    GatewayConnection(GatewayEndpoint endpoint, NodeDescription description,
                      GatewayCredentials credentials, ConnectionServices services);
    ~GatewayConnection() override;

    /// Connects and stays so. Does nothing unless Stopped.
    void start();

    /// Says goodbye and is Stopped at once; `disconnected` comes if it was up.
    void stop();

    /// Ends a wait or a pause; does nothing while it is stopped, up, or on its way.
    void retryNow();

    [[nodiscard]] const ConnectionStatus &status() const;
    [[nodiscard]] const GatewayEndpoint &endpoint() const;

    /// Answers an invoke. Dropped with a log line if it was cancelled, is answered, or the
    /// connection that brought it is gone. One that is too large for the gateway becomes an error.
    /// `sendEvent` and `sendResult` leave in the order in which they are called.
    void sendResult(const InvokeResult &result);

    /// Tells the gateway what happened. Dropped with a log line when not up or too large.
    void sendEvent(const NodeEvent &event);

    /// Calls a method. `paramsJson` is one JSON object, the answer the payload as JSON. `done` is
    /// called once, after this call has returned, and not at all once `context` is gone. Errors:
    /// Unavailable (not connected, lost, or said so by the gateway), Timeout, InvalidArgument
    /// (refused as such, or too large), Denied, Protocol. The message starts with the gateway's
    /// code.
    void request(const QString &method, const QByteArray &paramsJson,
                 std::chrono::milliseconds timeout, QObject *context,
                 std::function<void(Result<QByteArray>)> done);

Q_SIGNALS:
    void statusChanged();

    /// Up. The number grows with each connection of this object and is never 0.
    void connected(quint64 connectionNumber);

    /// Was up and is not any more. What runs for this gateway has to be cancelled: nothing that it
    /// would answer is sent.
    void disconnected();

    /// Answer with `sendResult` once, unless it is cancelled or the connection goes down. An id
    /// that still runs is cancelled first.
    void invokeReceived(const telson::core::InvokeRequest &request);

    /// End it and everything it started; no event and no result after this.
    void invokeCancelled(const QString &id);

private:
    void tryNow();
    void openSession();
    void waitFor(std::chrono::milliseconds wait);
    void retireSession();
    [[nodiscard]] ConnectAuth chooseAuth() const;

    void onEstablished(const HelloOk &hello);
    [[nodiscard]] QString withoutCredentials(QString text) const;
    void onEnded(const SessionEnd &end);
    void onTokenUnreadable(const Error &error);
    void onSurfacePending(const QString &requestId);
    void onSurfaceSettled();
    void pauseFor(const QString &code, const QString &text);
    void logFailure(const QString &code, const QString &text);
    void changeStatus(ConnectionStatus status);
    void startProbe();

    GatewayEndpoint m_endpoint;
    NodeDescription m_description;
    GatewayCredentials m_credentials;
    ConnectionServices m_services;
    TransportTarget m_target;
    ConnectionStatus m_status;
    std::unique_ptr<DeviceTokenKeeper> m_tokens;
    std::unique_ptr<ReconnectPlan> m_plan;
    std::unique_ptr<GatewaySession> m_session; // of the current try, none while waiting
    std::unique_ptr<SurfaceProbe> m_probe; // while up
    std::vector<std::unique_ptr<GatewaySession>> m_retired; // saying goodbye
    std::unique_ptr<Alarm> m_alarm; // the next try
    bool m_sentDeviceToken = false; // by the current try
    bool m_isUp = false;
    quint64 m_tries = 0; // never reset: tells a late answer of the secret store from a current one
    quint64 m_connections = 0;
};

} // namespace telson::core
