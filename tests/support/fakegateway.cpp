// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/fakegateway.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QUuid>
#include <QtNetwork/QSslConfiguration>
#include <QtWebSockets/QWebSocket>

#include <utility>

using namespace Qt::StringLiterals;

FakeGateway::FakeGateway() : m_server(u"fake gateway"_s, QWebSocketServer::NonSecureMode)
{
    connect(&m_server, &QWebSocketServer::newConnection, this, &FakeGateway::onConnection);
}

FakeGateway::FakeGateway(const QSslConfiguration &tls)
    : m_server(u"fake gateway"_s, QWebSocketServer::SecureMode)
{
    m_server.setSslConfiguration(tls);
    connect(&m_server, &QWebSocketServer::newConnection, this, &FakeGateway::onConnection);
}

FakeGateway::~FakeGateway()
{
    for (QWebSocket *node : std::as_const(m_nodes)) {
        node->disconnect(this);
    }
}

bool FakeGateway::listen()
{
    const bool isListening = m_server.listen(QHostAddress::LocalHost, m_port);
    m_port = m_server.serverPort();
    return isListening;
}

QUrl FakeGateway::url() const
{
    const bool isSecure = m_server.secureMode() == QWebSocketServer::SecureMode;
    return QUrl(u"%1://127.0.0.1:%2"_s.arg(isSecure ? u"wss"_s : u"ws"_s).arg(m_port));
}

void FakeGateway::onConnection()
{
    while (QWebSocket *node = m_server.nextPendingConnection()) {
        m_nodes.append(node);
        connect(node, &QWebSocket::textMessageReceived, this,
                [this, node](const QString &text) { onText(node, text); });
        connect(node, &QWebSocket::disconnected, this, [this, node] {
            closeCodes.append(node->closeCode());
            m_nodes.removeOne(node);
            node->deleteLater();
        });
        if (sendsChallenge) {
            QJsonObject payload = challenge;
            if (payload.isEmpty()) {
                payload = {{u"nonce"_s, QUuid::createUuid().toString(QUuid::WithoutBraces)},
                           {u"ts"_s, QDateTime::currentMSecsSinceEpoch()},
                           {u"capabilities"_s, QJsonArray{u"model-catalog-snapshot"_s}}};
            }
            send(node,
                 {{u"type"_s, u"event"_s},
                  {u"event"_s, u"connect.challenge"_s},
                  {u"payload"_s, payload}});
        }
    }
}

void FakeGateway::onText(QWebSocket *node, const QString &text)
{
    const QJsonObject frame = QJsonDocument::fromJson(text.toUtf8()).object();
    if (frame.value("method"_L1).toString() == "connect"_L1) {
        onConnect(node, frame);
    } else {
        onRequest(node, frame);
    }
}

void FakeGateway::onConnect(QWebSocket *node, const QJsonObject &frame)
{
    connects.append(frame.value("params"_L1).toObject());
    const QString id = frame.value("id"_L1).toString();
    if (!refusals.isEmpty()) {
        refuse(node, id, refusals.takeFirst());
    } else if (answersConnect) {
        send(node,
             {{u"type"_s, u"res"_s},
              {u"id"_s, id},
              {u"ok"_s, true},
              {u"payload"_s, helloPayload()}});
    }
    Q_EMIT connectReceived();
}

void FakeGateway::refuse(QWebSocket *node, const QString &id, const Refusal &refusal)
{
    QJsonObject error{{u"code"_s, refusal.code},
                      {u"message"_s, refusal.message},
                      {u"details"_s, refusal.details}};
    if (refusal.retryAfterMs >= 0) {
        error.insert(u"retryAfterMs"_s, refusal.retryAfterMs);
    }
    send(node, {{u"type"_s, u"res"_s}, {u"id"_s, id}, {u"ok"_s, false}, {u"error"_s, error}});
    node->close(static_cast<QWebSocketProtocol::CloseCode>(refusal.closeCode), refusal.closeReason);
}

QJsonObject FakeGateway::helloPayload() const
{
    QJsonObject auth{
        {u"method"_s, u"token"_s}, {u"role"_s, u"node"_s}, {u"scopes"_s, QJsonArray()}};
    if (!deviceToken.isEmpty()) {
        auth.insert(u"deviceToken"_s, deviceToken);
    }
    QJsonObject payload{
        {u"type"_s, u"hello-ok"_s},
        {u"protocol"_s, 4},
        {u"server"_s, QJsonObject{{u"version"_s, u"2026.9.6"_s}, {u"connId"_s, u"conn-1"_s}}},
        {u"features"_s, QJsonObject()},
        {u"snapshot"_s, QJsonObject()},
        {u"auth"_s, auth},
        {u"policy"_s,
         QJsonObject{{u"maxPayload"_s, 26214400},
                     {u"maxBufferedBytes"_s, 52428800},
                     {u"tickIntervalMs"_s, 30000}}}};
    for (auto entry = hello.constBegin(); entry != hello.constEnd(); ++entry) {
        payload.insert(entry.key(), entry.value());
    }
    return payload;
}

void FakeGateway::onRequest(QWebSocket *node, const QJsonObject &frame)
{
    requests.append(frame);
    const QString method = frame.value("method"_L1).toString();
    QJsonObject answer{{u"type"_s, u"res"_s}, {u"id"_s, frame.value("id"_L1)}, {u"ok"_s, true}};
    answer.insert(u"payload"_s, QJsonObject{{u"ok"_s, true}});
    const bool needsSurface =
        method == "node.event"_L1 || method == "node.runnerInventory.update"_L1;
    if (needsSurface && !isSurfaceApproved) {
        answer.remove("payload"_L1);
        answer.insert(u"ok"_s, false);
        answer.insert(u"error"_s,
                      QJsonObject{{u"code"_s, u"UNAVAILABLE"_s},
                                  {u"message"_s,
                                   u"node capability surface is awaiting operator approval; "
                                   "run `openclaw nodes approve surface-7` (see `openclaw nodes "
                                   "pending`), then this node retries automatically"_s}});
    }
    send(node, answer);
    Q_EMIT requestReceived(method);
}

QString FakeGateway::invoke(const QString &command, const QByteArray &paramsJson, int timeoutMs,
                            const QString &id)
{
    const QString invokeId = id.isEmpty() ? u"invoke-%1"_s.arg(++m_lastInvoke) : id;
    for (QWebSocket *node : std::as_const(m_nodes)) {
        const QJsonObject device =
            connects.isEmpty() ? QJsonObject() : connects.last().value("device"_L1).toObject();
        send(node,
             {{u"type"_s, u"event"_s},
              {u"event"_s, u"node.invoke.request"_s},
              {u"payload"_s,
               QJsonObject{{u"id"_s, invokeId},
                           {u"nodeId"_s, device.value("id"_L1)},
                           {u"command"_s, command},
                           {u"paramsJSON"_s, QString::fromUtf8(paramsJson)},
                           {u"timeoutMs"_s, timeoutMs},
                           {u"idempotencyKey"_s, u"key"_s}}}});
    }
    return invokeId;
}

void FakeGateway::cancel(const QString &invokeId)
{
    sendEvent(u"node.invoke.cancel"_s, {{u"invokeId"_s, invokeId}});
}

void FakeGateway::approveSurface()
{
    isSurfaceApproved = true;
    sendEvent(u"node.pair.resolved"_s,
              {{u"requestId"_s, u"surface-7"_s}, {u"decision"_s, u"approved"_s}});
}

void FakeGateway::sendEvent(const QString &name, const QJsonObject &payload)
{
    const QJsonObject frame{{u"type"_s, u"event"_s}, {u"event"_s, name}, {u"payload"_s, payload}};
    for (QWebSocket *node : std::as_const(m_nodes)) {
        send(node, frame);
    }
}

void FakeGateway::sendText(const QString &text)
{
    for (QWebSocket *node : std::as_const(m_nodes)) {
        node->sendTextMessage(text);
    }
}

void FakeGateway::send(QWebSocket *node, const QJsonObject &frame)
{
    if (!isFrozen) {
        node->sendTextMessage(
            QString::fromUtf8(QJsonDocument(frame).toJson(QJsonDocument::Compact)));
    }
}

void FakeGateway::closeNodes(int code, const QString &reason)
{
    const QList<QWebSocket *> nodes = m_nodes;
    for (QWebSocket *node : nodes) {
        node->close(static_cast<QWebSocketProtocol::CloseCode>(code), reason);
    }
}

void FakeGateway::dropNodes()
{
    const QList<QWebSocket *> nodes = m_nodes;
    for (QWebSocket *node : nodes) {
        node->abort();
    }
}

void FakeGateway::stop()
{
    m_server.close();
    dropNodes();
}

QJsonObject FakeGateway::resultOf(const QString &invokeId) const
{
    for (const QJsonObject &request : requests) {
        const QJsonObject params = request.value("params"_L1).toObject();
        if (request.value("method"_L1).toString() == "node.invoke.result"_L1
            && params.value("id"_L1).toString() == invokeId) {
            return params;
        }
    }
    return {};
}
