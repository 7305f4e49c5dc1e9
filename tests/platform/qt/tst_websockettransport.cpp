// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/systemclock.h"
#include "nodecore/gateway/gatewayconnection.h"
#include "nodecore/identity/deviceidentity.h"
#include "platform/qt/websockettransport.h"
#include "platform/qt/websockettransportfactory.h"
#include "tests/support/fakeclock.h"
#include "tests/support/fakegateway.h"
#include "tests/support/memorysecretstore.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtNetwork/QSslCertificate>
#include <QtNetwork/QSslConfiguration>
#include <QtNetwork/QSslKey>
#include <QtNetwork/QSslServer>
#include <QtNetwork/QSslSocket>
#include <QtNetwork/QTcpServer>
#include <QtNetwork/QTcpSocket>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;
using telson::platform::WebSocketTransport;
using telson::platform::WebSocketTransportFactory;

/// The transport against an independent WebSocket implementation, and the connection on top of it.
class WebSocketTransportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void connectsServesAndSaysGoodbye();
    void carriesLargeMessages();
    void replacesAnOversizedResult();
    void comesBackAfterARestart();
    void noticesAFrozenGateway();
    void limitsTheHandshake();
    void reportsACloseWithItsReason();
    void reportsAClosedPort();
    void reportsWhatIsNoGateway_data();
    void reportsWhatIsNoGateway();
    void goodbyeNeedsNoAnswer();
    void acceptsThePinnedCertificate();
    void sendsNothingToAnotherCertificate();
    void refusesAnUnknownCertificateWithoutPin();
};

namespace {

struct Node
{
    explicit Node(const QUrl &url, const QString &pin = {}) : transports(clock)
    {
        NodeDescription description;
        description.displayName = u"desk"_s;
        description.version = u"1.0.0"_s;
        description.platform = u"linux"_s;
        description.deviceFamily = u"Linux"_s;
        description.commands = {u"system.which"_s};
        connection = std::make_unique<GatewayConnection>(
            GatewayEndpoint{u"home"_s, url, pin, false, false}, description,
            GatewayCredentials{u"t"_s, {}},
            ConnectionServices{identity, secrets, clock, transports, [] { return 0.5; }});
    }

    [[nodiscard]] ConnectionState state() const
    {
        return connection->status().state;
    }

    FakeClock clock; // the network is real, the time is not
    MemorySecretStore secrets;
    WebSocketTransportFactory transports;
    DeviceIdentity identity = DeviceIdentity::generate();
    std::unique_ptr<GatewayConnection> connection;
};

/// The states and messages of one transport.
struct Watch
{
    explicit Watch(Transport &transport)
    {
        QObject::connect(&transport, &Transport::opened, &context, [this] { ++opened; });
        QObject::connect(&transport, &Transport::textReceived, &context,
                         [this](const QByteArray &text) { texts.append(text); });
        QObject::connect(&transport, &Transport::closed, &context,
                         [this](const TransportClose &close) { closes.append(close); });
    }

    QObject context;
    int opened = 0;
    QList<QByteArray> texts;
    QList<TransportClose> closes;
};

QSslConfiguration loopbackTls()
{
    QFile key(QStringLiteral(TELSON_TEST_DATA "/tls/loopback.key"));
    [[maybe_unused]] const bool isOpen = key.open(QIODevice::ReadOnly);
    QSslConfiguration configuration;
    configuration.setLocalCertificate(
        QSslCertificate::fromPath(QStringLiteral(TELSON_TEST_DATA "/tls/loopback.pem")).value(0));
    configuration.setPrivateKey(QSslKey(&key, QSsl::Ec));
    return configuration;
}

QByteArray loopbackPin()
{
    return loopbackTls().localCertificate().digest(QCryptographicHash::Sha256);
}

} // namespace

void WebSocketTransportTest::connectsServesAndSaysGoodbye()
{
    FakeGateway gateway;
    QVERIFY(gateway.listen());
    gateway.deviceToken = u"issued"_s;
    Node node(gateway.url());
    connect(node.connection.get(), &GatewayConnection::invokeReceived, this,
            [&node](const InvokeRequest &request) {
                node.connection->sendEvent({u"exec.finished"_s, "{}"_ba});
                node.connection->sendResult({request.id, InvokePayload{request.paramsJson}});
            });
    node.connection->start();
    QTRY_VERIFY(node.state() == ConnectionState::Connected);
    const QJsonObject params = gateway.connects.value(0);
    QCOMPARE(params.value("commands"_L1).toArray().first().toString(), u"system.which"_s);
    const QString invoke = gateway.invoke(u"system.which"_s, R"({"bins":["git","ü"]})");
    QTRY_VERIFY(!gateway.resultOf(invoke).isEmpty());
    QCOMPARE(gateway.resultOf(invoke).value("payloadJSON"_L1).toString(),
             uR"({"bins":["git","ü"]})"_s);
    QCOMPARE(gateway.requests.at(gateway.requests.size() - 2).value("method"_L1).toString(),
             u"node.event"_s);
    QCOMPARE(node.secrets.secrets.size(), 1);
    node.connection->stop();
    QTRY_COMPARE(gateway.closeCodes, QList<int>({1000}));
}

void WebSocketTransportTest::carriesLargeMessages()
{
    FakeGateway gateway;
    QVERIFY(gateway.listen());
    Node node(gateway.url());
    connect(node.connection.get(), &GatewayConnection::invokeReceived, this,
            [&node](const InvokeRequest &request) {
                node.connection->sendResult({request.id, InvokePayload{request.paramsJson}});
            });
    node.connection->start();
    QTRY_VERIFY(node.state() == ConnectionState::Connected);
    const QByteArray params = '"' + QByteArray(5'000'000, 'x') + '"';
    const QString invoke = gateway.invoke(u"system.which"_s, params);
    QTRY_VERIFY_WITH_TIMEOUT(!gateway.resultOf(invoke).isEmpty(), 30'000);
    QCOMPARE(gateway.resultOf(invoke).value("payloadJSON"_L1).toString().size(), params.size());
}

void WebSocketTransportTest::replacesAnOversizedResult()
{
    FakeGateway gateway;
    QVERIFY(gateway.listen());
    gateway.hello = {{u"policy"_s, QJsonObject{{u"maxPayload"_s, 65536}}}};
    Node node(gateway.url());
    connect(node.connection.get(), &GatewayConnection::invokeReceived, this,
            [&node](const InvokeRequest &request) {
                node.connection->sendResult(
                    {request.id, InvokePayload{'"' + QByteArray(100'000, 'x') + '"'}});
            });
    node.connection->start();
    QTRY_VERIFY(node.state() == ConnectionState::Connected);
    const QString invoke = gateway.invoke(u"system.which"_s, "{}");
    QTRY_VERIFY(!gateway.resultOf(invoke).isEmpty());
    QCOMPARE(gateway.resultOf(invoke).value("ok"_L1).toBool(true), false);
    QVERIFY(node.state() == ConnectionState::Connected);
}

void WebSocketTransportTest::comesBackAfterARestart()
{
    FakeGateway gateway;
    QVERIFY(gateway.listen());
    Node node(gateway.url());
    QSignalSpy gone(node.connection.get(), &GatewayConnection::disconnected);
    node.connection->start();
    QTRY_VERIFY(node.state() == ConnectionState::Connected);
    const QString device =
        gateway.connects.first().value("device"_L1).toObject().value("id"_L1).toString();
    gateway.closeNodes(1012, u"service restart"_s);
    QTRY_VERIFY(node.state() == ConnectionState::Waiting);
    QCOMPARE(node.connection->status().lastError, u"CLOSED_1012"_s);
    gateway.stop();
    node.clock.advance(1s);
    QTRY_COMPARE(node.connection->status().lastError, u"NETWORK"_s);
    QVERIFY(gateway.listen());
    node.clock.advance(2s);
    QTRY_VERIFY(node.state() == ConnectionState::Connected);
    QCOMPARE(gone.size(), 1);
    QCOMPARE(gateway.connects.last().value("device"_L1).toObject().value("id"_L1).toString(),
             device);
}

void WebSocketTransportTest::noticesAFrozenGateway()
{
    FakeGateway gateway;
    QVERIFY(gateway.listen());
    Node node(gateway.url());
    node.connection->start();
    QTRY_VERIFY(node.state() == ConnectionState::Connected);
    QTRY_COMPARE(gateway.requests.size(), 1); // the probe is answered before it freezes
    QTest::qWait(0);
    gateway.isFrozen = true;
    node.clock.advance(60s);
    QTRY_COMPARE(node.connection->status().lastError, u"TICK_TIMEOUT"_s);
    QTRY_COMPARE(gateway.closeCodes, QList<int>({4000}));
}

void WebSocketTransportTest::limitsTheHandshake()
{
    FakeGateway gateway;
    QVERIFY(gateway.listen());
    gateway.sendsChallenge = false;
    Node node(gateway.url());
    node.connection->start();
    QTRY_VERIFY(node.state() == ConnectionState::Handshaking);
    node.clock.advance(15s);
    QCOMPARE(node.connection->status().lastError, u"CHALLENGE_TIMEOUT"_s);
    QTRY_COMPARE(gateway.closeCodes, QList<int>({1008}));
    gateway.sendsChallenge = true;
    gateway.answersConnect = false;
    node.clock.advance(1s);
    QTRY_COMPARE(gateway.connects.size(), 1);
    node.clock.advance(15s);
    QCOMPARE(node.connection->status().lastError, u"HELLO_TIMEOUT"_s);
}

void WebSocketTransportTest::reportsACloseWithItsReason()
{
    FakeGateway gateway;
    QVERIFY(gateway.listen());
    SystemClock clock;
    WebSocketTransport transport({gateway.url(), {}}, clock);
    Watch watch(transport);
    transport.open();
    QTRY_COMPARE(watch.texts.size(), 1); // the challenge
    gateway.closeNodes(4001, u"gateway auth changed"_s);
    QTRY_COMPARE(watch.closes.size(), 1);
    QCOMPARE(watch.closes.first().cause, TransportClose::Cause::Peer);
    QCOMPARE(watch.closes.first().code, 4001);
    QCOMPARE(watch.closes.first().reason, u"gateway auth changed"_s);
    QCOMPARE(watch.opened, 1);
}

void WebSocketTransportTest::reportsAClosedPort()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const quint16 port = server.serverPort();
    server.close();
    SystemClock clock;
    WebSocketTransport transport({QUrl(u"ws://127.0.0.1:%1"_s.arg(port)), {}}, clock);
    Watch watch(transport);
    transport.open();
    QVERIFY(watch.closes.isEmpty()); // never from inside open
    QTRY_COMPARE(watch.closes.size(), 1);
    QCOMPARE(watch.closes.first().cause, TransportClose::Cause::Network);
    QCOMPARE(watch.opened, 0);
}

void WebSocketTransportTest::reportsWhatIsNoGateway_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<int>("cause");
    QTest::addColumn<int>("status");
    using Cause = TransportClose::Cause;
    QTest::newRow("not found") << "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"_ba
                               << int(Cause::UpgradeRefused) << 404;
    QTest::newRow("body") << "HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nbody"_ba
                          << int(Cause::UpgradeRefused) << 403;
    QTest::newRow("redirect") << "HTTP/1.1 301 Moved\r\nLocation: ws://x\r\n\r\n"_ba
                              << int(Cause::UpgradeRefused) << 301;
    QTest::newRow("no HTTP") << "220 mail\r\n\r\n"_ba << int(Cause::Broken) << 0;
    QTest::newRow("hangs up") << ""_ba << int(Cause::Network) << 0;
}

void WebSocketTransportTest::reportsWhatIsNoGateway()
{
    QFETCH(QByteArray, answer);
    QFETCH(int, cause);
    QFETCH(int, status);
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    connect(&server, &QTcpServer::newConnection, this, [&server, answer] {
        QTcpSocket *socket = server.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, socket, [socket, answer] {
            socket->readAll();
            socket->write(answer);
            socket->disconnectFromHost();
        });
    });
    SystemClock clock;
    WebSocketTransport transport({QUrl(u"ws://127.0.0.1:%1"_s.arg(server.serverPort())), {}},
                                 clock);
    Watch watch(transport);
    transport.open();
    QTRY_COMPARE(watch.closes.size(), 1);
    QCOMPARE(int(watch.closes.first().cause), cause);
    QCOMPARE(watch.closes.first().httpStatus, status);
    QCOMPARE(watch.closes.first().httpBody, answer.endsWith("body") ? "body"_ba : ""_ba);
}

void WebSocketTransportTest::goodbyeNeedsNoAnswer()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    connect(&server, &QTcpServer::newConnection, this, [&server] {
        QTcpSocket *socket = server.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, socket, [socket] {
            const QByteArray request = socket->readAll();
            const qsizetype start = request.indexOf("Sec-WebSocket-Key: ");
            if (start < 0) {
                return; // the close frame, which is not answered
            }
            const QByteArray key = request.sliced(start + 19, 24);
            const QByteArray accept =
                QCryptographicHash::hash(QByteArray(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"),
                                         QCryptographicHash::Sha1)
                    .toBase64();
            socket->write(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Accept: "
                + accept + "\r\n\r\n");
        });
    });
    FakeClock clock;
    WebSocketTransport transport({QUrl(u"ws://127.0.0.1:%1"_s.arg(server.serverPort())), {}},
                                 clock);
    Watch watch(transport);
    transport.open();
    QTRY_COMPARE(watch.opened, 1);
    transport.close(1000, {});
    QVERIFY(watch.closes.isEmpty());
    clock.advance(2s);
    QCOMPARE(watch.closes.size(), 1);
    QCOMPARE(watch.closes.first().cause, TransportClose::Cause::Local);
    transport.close(1000, {});
    transport.send("late");
    QCOMPARE(watch.closes.size(), 1);
}

void WebSocketTransportTest::acceptsThePinnedCertificate()
{
    FakeGateway gateway(loopbackTls());
    QVERIFY(gateway.listen());
    Node node(gateway.url(), QString::fromLatin1(loopbackPin().toHex()));
    node.connection->start();
    QTRY_VERIFY(node.state() == ConnectionState::Connected);
}

void WebSocketTransportTest::sendsNothingToAnotherCertificate()
{
    QSslServer server;
    server.setSslConfiguration(loopbackTls());
    QVERIFY(server.listen(QHostAddress::LocalHost));
    QByteArray received;
    int sockets = 0;
    connect(&server, &QSslServer::pendingConnectionAvailable, this, [&] {
        QTcpSocket *socket = server.nextPendingConnection();
        ++sockets;
        connect(socket, &QTcpSocket::readyRead, socket,
                [socket, &received] { received += socket->readAll(); });
        received += socket->readAll();
    });
    SystemClock clock;
    const QUrl url(u"wss://127.0.0.1:%1"_s.arg(server.serverPort()));
    WebSocketTransport transport({url, QByteArray(32, '\xaa')}, clock);
    Watch watch(transport);
    transport.open();
    QTRY_COMPARE(watch.closes.size(), 1);
    QCOMPARE(watch.closes.first().cause, TransportClose::Cause::PinMismatch);
    QVERIFY(watch.closes.first().reason.contains(QString::fromLatin1(loopbackPin().toHex())));
    // With the right pin the same server gets the upgrade, so the silence before was the pin's
    // doing.
    WebSocketTransport second({url, loopbackPin()}, clock);
    second.open();
    QTRY_VERIFY(received.startsWith("GET / HTTP/1.1"));
    QCOMPARE(received.count("GET "), 1);
}

void WebSocketTransportTest::refusesAnUnknownCertificateWithoutPin()
{
    FakeGateway gateway(loopbackTls());
    QVERIFY(gateway.listen());
    Node node(gateway.url());
    node.connection->start();
    QTRY_VERIFY(node.state() == ConnectionState::Waiting);
    QCOMPARE(node.connection->status().lastError, u"TLS"_s);
    QVERIFY(gateway.connects.isEmpty());
}

QTEST_GUILESS_MAIN(WebSocketTransportTest)
#include "tst_websockettransport.moc"
