// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/gateway/gatewayconnection.h"
#include "nodecore/identity/deviceidentity.h"
#include "tests/support/fakeclock.h"
#include "tests/support/faketransport.h"
#include "tests/support/memorysecretstore.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QString>

#include <memory>

/// A gateway connection whose clock, network and secrets belong to the test.
class ConnectionBench final
{
public:
    ConnectionBench();

    /// Makes `connection`, with the URL and credentials set by now.
    void make();
    void start();

    /// Runs what is queued, and destroys what is due.
    static void settle();

    // The gateway's side of a handshake, on the last transport.
    void acceptAndChallenge();
    void sayHello(const QByteArray &extra = {});
    void refuse(const QByteArray &error); ///< the JSON of `error`
    void connectFully();

    /// Fails the try that is on its way, as a closed port does.
    void refuseSocket();

    [[nodiscard]] FakeTransport &transport()
    {
        return *transports.last;
    }
    [[nodiscard]] QJsonObject connectParams(); ///< of the connect that was sent
    void answer(const QString &requestId, const QByteArray &rest);

    [[nodiscard]] QList<QByteArray> sentTexts() const; ///< on the last transport

    /// The id of the last request for `method` on the last transport, or empty.
    [[nodiscard]] QString lastRequest(const QString &method);

    static QString tokenKey();

    FakeClock clock;
    MemorySecretStore secrets;
    FakeTransportFactory transports;
    telson::core::DeviceIdentity identity;
    double random = 0.5; ///< a half spreads nothing
    QString url;
    telson::core::GatewayCredentials credentials;
    std::unique_ptr<telson::core::GatewayConnection> connection;
};
