// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QUrl>
#include <QtWebSockets/QWebSocketServer>

class QSslConfiguration;
class QWebSocket;

/// A gateway on this machine's loopback that does what a test tells it, faults included. It speaks
/// to any number of nodes and remembers what they say. It does not check signatures: the real
/// gateway does.
class FakeGateway final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FakeGateway)

public:
    /// How one `connect` is refused.
    struct Refusal
    {
        QString code;
        QString message;
        QJsonObject details;
        int retryAfterMs = -1; ///< -1 = not said
        int closeCode = 1008;
        QString closeReason;
    };

    FakeGateway();
    explicit FakeGateway(const QSslConfiguration &tls); ///< wss
    ~FakeGateway() override;

    /// On a free port, or on the one it had before.
    bool listen();
    [[nodiscard]] QUrl url() const;

    // The script; may be changed at any time.
    bool sendsChallenge = true;
    QJsonObject challenge; ///< payload of the challenge; empty = a good one
    bool answersConnect = true;
    QList<Refusal> refusals; ///< taken one a connect; then comes hello
    QJsonObject hello; ///< merged over the usual hello-ok
    QString deviceToken; ///< issued with hello
    bool isSurfaceApproved = true;
    bool isFrozen = false; ///< hears all and says nothing, as a peer that is asleep

    // What the gateway does now, to every node that is connected.
    QString invoke(const QString &command, const QByteArray &paramsJson, int timeoutMs = 30000,
                   const QString &id = {});
    void cancel(const QString &invokeId);
    void approveSurface();
    void sendEvent(const QString &name, const QJsonObject &payload);
    void sendText(const QString &text);
    void closeNodes(int code, const QString &reason);
    void dropNodes(); ///< without goodbye
    void stop(); ///< no more listening, nodes dropped

    // What it heard.
    QList<QJsonObject> connects; ///< params of each connect
    QList<QJsonObject> requests; ///< every other request, whole
    QList<int> closeCodes; ///< with which nodes said goodbye
    [[nodiscard]] QJsonObject
    resultOf(const QString &invokeId) const; ///< params of its result, or empty
    [[nodiscard]] qsizetype nodeCount() const
    {
        return m_nodes.size();
    }

Q_SIGNALS:
    void connectReceived();
    void requestReceived(const QString &method);

private:
    void onConnection();
    void onText(QWebSocket *node, const QString &text);
    void onConnect(QWebSocket *node, const QJsonObject &frame);
    void onRequest(QWebSocket *node, const QJsonObject &frame);
    void refuse(QWebSocket *node, const QString &id, const Refusal &refusal);
    void send(QWebSocket *node, const QJsonObject &frame);
    [[nodiscard]] QJsonObject helloPayload() const;

    QWebSocketServer m_server;
    QList<QWebSocket *> m_nodes; // children of the server
    quint16 m_port = 0;
    int m_lastInvoke = 0;
};
