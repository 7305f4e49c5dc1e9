// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/connectionbench.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QJsonDocument>
#include <QtCore/QUrl>

using namespace Qt::StringLiterals;
using namespace telson::core;

ConnectionBench::ConnectionBench()
    : identity(*DeviceIdentity::fromSeed(QByteArray(QByteArray(31, '\0') + '\1'))),
      url(u"ws://127.0.0.1:18789"_s)
{
    credentials.sharedToken = u"example-token"_s;
}

void ConnectionBench::make()
{
    NodeDescription description;
    description.displayName = u"desk"_s;
    description.version = u"1.0.0"_s;
    description.platform = u"linux"_s;
    description.deviceFamily = u"Linux"_s;
    description.instanceId = u"instance"_s;
    description.caps = {u"system"_s};
    description.commands = {u"system.run"_s, u"system.which"_s};
    description.pathEnv = u"/usr/bin:/bin"_s;
    connection = std::make_unique<GatewayConnection>(
        GatewayEndpoint{u"home"_s, QUrl(url), {}, false, false}, description, credentials,
        ConnectionServices{identity, secrets, clock, transports, [this] { return random; }});
}

void ConnectionBench::start()
{
    if (!connection) {
        make();
    }
    connection->start();
    settle();
}

void ConnectionBench::settle()
{
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

void ConnectionBench::acceptAndChallenge()
{
    transport().accept();
    transport().receive(
        R"({"type":"event","event":"connect.challenge","payload":{"nonce":"11111111-2222-4333-8444-555555555555","ts":1700000000000}})");
}

void ConnectionBench::sayHello(const QByteArray &extra)
{
    answer(
        lastRequest(u"connect"_s),
        R"("ok":true,"payload":{"type":"hello-ok","protocol":4,"server":{"version":"2026.9.6","connId":"c1"})"
            + extra + '}');
}

void ConnectionBench::refuse(const QByteArray &error)
{
    answer(lastRequest(u"connect"_s), R"("ok":false,"error":)" + error);
    settle();
}

void ConnectionBench::connectFully()
{
    start();
    acceptAndChallenge();
    sayHello();
}

void ConnectionBench::refuseSocket()
{
    transport().fail({TransportClose::Cause::Network, 1006, u"connection refused"_s, 0, {}});
    settle();
}

QList<QByteArray> ConnectionBench::sentTexts() const
{
    return transports.last.isNull() ? QList<QByteArray>() : transports.last->sent;
}

QJsonObject ConnectionBench::connectParams()
{
    const QList<QByteArray> texts = sentTexts();
    for (const QByteArray &text : texts) {
        const QJsonObject frame = QJsonDocument::fromJson(text).object();
        if (frame.value("method"_L1).toString() == "connect"_L1) {
            return frame.value("params"_L1).toObject();
        }
    }
    return {};
}

void ConnectionBench::answer(const QString &requestId, const QByteArray &rest)
{
    transport().receive(R"({"type":"res","id":")" + requestId.toUtf8() + R"(",)" + rest + '}');
}

QString ConnectionBench::lastRequest(const QString &method)
{
    QString id;
    const QList<QByteArray> texts = sentTexts();
    for (const QByteArray &text : texts) {
        const QJsonObject frame = QJsonDocument::fromJson(text).object();
        if (frame.value("method"_L1).toString() == method) {
            id = frame.value("id"_L1).toString();
        }
    }
    return id;
}

QString ConnectionBench::tokenKey()
{
    return u"device-token/node/4a67330b803d5c88757afb9328615344a89c49839a07f1f76887ad62d06a1f57/ws://127.0.0.1:18789"_s;
}
