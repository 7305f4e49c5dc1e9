// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/connectionbench.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;
using std::chrono::milliseconds;

class GatewayConnectionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Connecting
    void connectsAsTheVectorSays();
    void reportsItsStates();
    void sendsNothingBeforeTheChallenge();
    void refusesChallengesWithoutTime_data();
    void refusesChallengesWithoutTime();
    void limitsEachStepOfTheHandshake();
    void pausesOnABadEndpoint();
    void leavesATooLongPathOut();
    void stopsAtOnce();
    // Coming back
    void backsOffAndStartsOverOnlyAfterHello();
    void spreadsItsWaits_data();
    void spreadsItsWaits();
    void comesBackWhileTheGatewayStarts();
    void aServerThatRepeatsTheTokenDoesNotGetItIntoTheStatus();
    void pausesAndGoesOnWhenAsked();
    void closesAfterSilence();
    void anyFrameKeepsItAlive();
    void failsAllRequestsWithOneErrorWhenLost();
    void dropsWhatComesLate();
    // Serving
    void passesInvokesOn();
    void cancelsTheEarlierOfTwoWithTheSameId();
    void sendsNoResultAfterCancelOrDisconnect();
    void sendsEventBeforeResult();
    void replacesAResultThatIsTooLarge();
    void answersInvokesThatItCannotRead();
    void ignoresBadFramesAndUnknownEvents();
    void answersRequests();
};

static QByteArray invokeFrame(const QByteArray &id)
{
    return R"({"type":"event","event":"node.invoke.request","payload":{"id":")" + id
        + R"(","nodeId":"4a67330b803d5c88757afb9328615344a89c49839a07f1f76887ad62d06a1f57","command":"system.which","timeoutMs":5000}})";
}

static QByteArray refusal(const QByteArray &detailsCode, const QByteArray &more = {})
{
    return R"({"code":"INVALID_REQUEST","message":"no","details":{"code":")" + detailsCode + '"'
        + more + "}}";
}

void GatewayConnectionTest::connectsAsTheVectorSays()
{
    ConnectionBench bench;
    bench.connectFully();
    const QJsonObject params = bench.connectParams();
    const QJsonObject client = params.value("client"_L1).toObject();
    QCOMPARE(client.value("id"_L1).toString(), u"node-host"_s);
    QCOMPARE(client.value("mode"_L1).toString(), u"node"_s);
    QCOMPARE(params.value("role"_L1).toString(), u"node"_s);
    QVERIFY(params.value("scopes"_L1).toArray().isEmpty());
    QCOMPARE(params.value("auth"_L1).toObject(), QJsonObject({{u"token"_s, u"example-token"_s}}));
    const QJsonObject device = params.value("device"_L1).toObject();
    QCOMPARE(device.value("signedAt"_L1).toInteger(), 1'700'000'000'000);
    // Vector A of handshake.md §3: same key, nonce, time, token and platform.
    QCOMPARE(
        device.value("signature"_L1).toString(),
        u"y9Nmwfp5DtG1xS4ksbzyJgE6kNPwJNz7RUkSfsKnwRQ_7z49uIaowED3oQwXaAZ7O8uLU-lknnFUR7WslSYgAw"_s);
}

void GatewayConnectionTest::reportsItsStates()
{
    ConnectionBench bench;
    bench.make();
    QList<ConnectionState> states;
    connect(bench.connection.get(), &GatewayConnection::statusChanged, this,
            [&] { states.append(bench.connection->status().state); });
    QList<quint64> connections;
    connect(bench.connection.get(), &GatewayConnection::connected, this,
            [&](quint64 number) { connections.append(number); });
    bench.connectFully();
    QVERIFY(states
            == QList({ConnectionState::Connecting, ConnectionState::Handshaking,
                      ConnectionState::Connected}));
    QCOMPARE(connections, QList<quint64>({1}));
    QCOMPARE(bench.connection->status().serverVersion, u"2026.9.6"_s);
    QCOMPARE(bench.connection->status().connId, u"c1"_s);
    QCOMPARE(bench.connection->status().protocol, 4);
}

void GatewayConnectionTest::sendsNothingBeforeTheChallenge()
{
    ConnectionBench bench;
    bench.start();
    bench.transport().accept();
    bench.transport().receive(R"({"type":"event","event":"tick","payload":{}})");
    QVERIFY(bench.transport().sent.isEmpty());
}

void GatewayConnectionTest::refusesChallengesWithoutTime_data()
{
    QTest::addColumn<QByteArray>("time");
    QTest::newRow("missing") << ""_ba;
    QTest::newRow("negative") << R"(,"ts":-1)"_ba;
    QTest::newRow("fraction") << R"(,"ts":1.5)"_ba;
    QTest::newRow("text") << R"(,"ts":"1")"_ba;
}

void GatewayConnectionTest::refusesChallengesWithoutTime()
{
    QFETCH(QByteArray, time);
    ConnectionBench bench;
    bench.start();
    bench.transport().accept();
    bench.transport().receive(
        R"({"type":"event","event":"connect.challenge","payload":{"nonce":"n")" + time + "}}");
    QVERIFY(bench.transport().sent.isEmpty());
    QCOMPARE(bench.transport().closeCode, 1008);
    QCOMPARE(bench.connection->status().lastError, u"CHALLENGE_TIME_INVALID"_s);
    QVERIFY(bench.connection->status().detail.contains(u"clock"_s));
    QVERIFY(bench.connection->status().state == ConnectionState::Waiting);
}

void GatewayConnectionTest::limitsEachStepOfTheHandshake()
{
    ConnectionBench bench;
    bench.start();
    bench.clock.advance(15s);
    QCOMPARE(bench.connection->status().lastError, u"CONNECT_TIMEOUT"_s);
    ConnectionBench::settle();
    bench.clock.advance(1s);
    bench.transport().accept();
    QPointer<FakeTransport> second = bench.transports.last;
    bench.clock.advance(14s);
    QVERIFY(bench.connection->status().state == ConnectionState::Handshaking);
    bench.clock.advance(1s);
    QCOMPARE(second->closeCode, 1008);
    QCOMPARE(bench.connection->status().lastError, u"CHALLENGE_TIMEOUT"_s);
    ConnectionBench::settle();
    bench.clock.advance(2s);
    bench.acceptAndChallenge();
    QPointer<FakeTransport> third = bench.transports.last;
    bench.clock.advance(15s);
    QCOMPARE(third->closeCode, 4000);
    QCOMPARE(bench.connection->status().lastError, u"HELLO_TIMEOUT"_s);
}

void GatewayConnectionTest::pausesOnABadEndpoint()
{
    ConnectionBench bench;
    bench.url = u"ws://127.evil.com:18789"_s;
    bench.start();
    QCOMPARE(bench.transports.made, 0);
    QVERIFY(bench.connection->status().state == ConnectionState::Paused);
    QCOMPARE(bench.connection->status().lastError, u"ENDPOINT_INVALID"_s);
    bench.connection->retryNow();
    ConnectionBench::settle();
    QCOMPARE(bench.transports.made, 0);
    bench.connection->stop();
    QVERIFY(bench.connection->status().state == ConnectionState::Stopped);
}

void GatewayConnectionTest::leavesATooLongPathOut()
{
    ConnectionBench bench;
    NodeDescription description;
    description.version = u"1"_s;
    description.platform = u"linux"_s;
    description.pathEnv = QString(70'000, u'x');
    bench.connection = std::make_unique<GatewayConnection>(
        GatewayEndpoint{u"home"_s, QUrl(bench.url), {}, false, false}, description,
        bench.credentials,
        ConnectionServices{bench.identity, bench.secrets, bench.clock, bench.transports,
                           [] { return 0.5; }});
    bench.start();
    bench.acceptAndChallenge();
    QCOMPARE(bench.transport().sent.size(), 1);
    QVERIFY(bench.transport().sent.first().size() <= 65'536);
    QVERIFY(!bench.connectParams().contains("pathEnv"_L1));
}

void GatewayConnectionTest::stopsAtOnce()
{
    ConnectionBench bench;
    bench.connectFully();
    QSignalSpy gone(bench.connection.get(), &GatewayConnection::disconnected);
    QPointer<FakeTransport> transport = bench.transports.last;
    bench.connection->stop();
    QVERIFY(bench.connection->status().state == ConnectionState::Stopped);
    QCOMPARE(gone.size(), 1);
    QCOMPARE(transport->closeCode, 1000);
    ConnectionBench::settle();
    QVERIFY(transport.isNull());
    QCOMPARE(bench.clock.alarmCount(), std::size_t(0));
    // Also while the secret store has not answered.
    bench.connection->start();
    bench.connection->stop();
    ConnectionBench::settle();
    QCOMPARE(bench.transports.made, 1);
}

void GatewayConnectionTest::backsOffAndStartsOverOnlyAfterHello()
{
    ConnectionBench bench;
    bench.start();
    for (const milliseconds wait : {1000ms, 2000ms, 4000ms, 8000ms, 16000ms, 30000ms, 30000ms}) {
        // A socket that opens proves nothing yet.
        bench.acceptAndChallenge();
        bench.refuseSocket();
        QVERIFY(bench.connection->status().state == ConnectionState::Waiting);
        QCOMPARE(bench.clock.nextAlarmIn(), std::optional(wait));
        QCOMPARE(*bench.connection->status().nextTryAt - bench.clock.monotonicTime(), wait);
        bench.clock.advance(wait);
    }
    QCOMPARE(bench.connection->status().attempt, 8);
    bench.acceptAndChallenge();
    bench.sayHello();
    QCOMPARE(bench.connection->status().attempt, 0);
    bench.transport().fail({TransportClose::Cause::Peer, 1012, u"service restart"_s, 0, {}});
    QCOMPARE(bench.clock.nextAlarmIn(), std::optional(1000ms));
    QCOMPARE(bench.connection->status().lastError, u"CLOSED_1012"_s);
}

void GatewayConnectionTest::spreadsItsWaits_data()
{
    QTest::addColumn<double>("random");
    QTest::addColumn<int>("expected");
    QTest::newRow("least") << 0.0 << 800;
    QTest::newRow("middle") << 0.5 << 1000;
    QTest::newRow("most") << 0.999999 << 1200;
}

void GatewayConnectionTest::spreadsItsWaits()
{
    QFETCH(double, random);
    QFETCH(int, expected);
    ConnectionBench bench;
    bench.random = random;
    bench.start();
    bench.refuseSocket();
    QCOMPARE(bench.clock.nextAlarmIn(), std::optional(milliseconds(expected)));
}

void GatewayConnectionTest::comesBackWhileTheGatewayStarts()
{
    ConnectionBench bench;
    bench.start();
    for (const milliseconds wait : {1000ms, 2000ms, 2000ms, 2000ms}) {
        bench.acceptAndChallenge();
        bench.refuse(
            R"({"code":"UNAVAILABLE","message":"gateway starting; retry shortly","retryAfterMs":500,)"
            R"("details":{"reason":"startup-sidecars"}})");
        QCOMPARE(bench.clock.nextAlarmIn(), std::optional(wait));
        bench.clock.advance(wait);
    }
    bench.acceptAndChallenge();
    bench.refuse(R"({"code":"UNAVAILABLE","message":"later","retryAfterMs":10000})");
    QCOMPARE(bench.clock.nextAlarmIn(), std::optional(11'000ms)); // never earlier than it says
}

void GatewayConnectionTest::aServerThatRepeatsTheTokenDoesNotGetItIntoTheStatus()
{
    ConnectionBench bench;
    bench.start();
    bench.acceptAndChallenge();
    bench.refuse(R"({"code":"INVALID_REQUEST","message":"not example-token, )" + QByteArray(400'000, 'x')
                 + R"(","details":{"code":"AUTH_TOKEN_MISMATCH"}})");
    const QString detail = bench.connection->status().detail;
    QVERIFY(detail.contains(u"not ***"_s));
    QVERIFY(!detail.contains(u"example-token"_s));
    QVERIFY(detail.size() < 600);
}

void GatewayConnectionTest::pausesAndGoesOnWhenAsked()
{
    ConnectionBench bench;
    bench.start();
    bench.acceptAndChallenge();
    bench.refuse(refusal("AUTH_TOKEN_MISMATCH"));
    QVERIFY(bench.connection->status().state == ConnectionState::Paused);
    bench.clock.advance(24h);
    QCOMPARE(bench.transports.made, 1);
    bench.connection->retryNow();
    ConnectionBench::settle();
    QCOMPARE(bench.transports.made, 2);
    bench.acceptAndChallenge();
    bench.sayHello();
    QVERIFY(bench.connection->status().state == ConnectionState::Connected);
    QVERIFY(bench.connection->status().lastError.isEmpty());
    bench.connection->retryNow(); // does nothing while up
    QCOMPARE(bench.transports.made, 2);
}

void GatewayConnectionTest::closesAfterSilence()
{
    ConnectionBench bench;
    bench.start();
    bench.acceptAndChallenge();
    bench.sayHello(R"(,"policy":{"tickIntervalMs":15000})");
    QPointer<FakeTransport> transport = bench.transports.last;
    bench.clock.advance(29'999ms);
    QCOMPARE(transport->closeCode, 0);
    bench.clock.advance(1ms);
    QCOMPARE(transport->closeCode, 4000);
    QCOMPARE(transport->closeReason, u"tick timeout"_s);
    QCOMPARE(bench.connection->status().lastError, u"TICK_TIMEOUT"_s);
}

void GatewayConnectionTest::anyFrameKeepsItAlive()
{
    ConnectionBench bench;
    bench.connectFully();
    for (int i = 0; i < 100; ++i) {
        bench.clock.advance(50s);
        if (i % 2 == 0) {
            bench.transport().ping();
        } else {
            bench.transport().receive(
                R"({"type":"event","event":"tick","payload":{"ts":1},"seq":1})");
        }
    }
    QCOMPARE(bench.transport().closeCode, 0);
    QVERIFY(bench.clock.alarmCount() <= 2); // the watchdog, and the probe's limit at most
}

void GatewayConnectionTest::failsAllRequestsWithOneErrorWhenLost()
{
    ConnectionBench bench;
    bench.connectFully();
    QList<Error> errors;
    for (int i = 0; i < 3; ++i) {
        bench.connection->request(
            u"skills.bins"_s, "{}"_ba, 5min, this,
            [&errors](const Result<QByteArray> &answer) { errors.append(answer.error()); });
    }
    bench.clock.advance(60s);
    QCOMPARE(errors.size(), 3);
    QVERIFY(errors.first().code == ErrorCode::Unavailable);
    QVERIFY(errors.first().message.contains(u"tick timeout"_s));
    QVERIFY(errors.at(1) == errors.first() && errors.at(2) == errors.first());
}

void GatewayConnectionTest::dropsWhatComesLate()
{
    ConnectionBench bench;
    bench.connectFully();
    QSignalSpy invokes(bench.connection.get(), &GatewayConnection::invokeReceived);
    QPointer<FakeTransport> old = bench.transports.last;
    bench.connection->stop();
    old->receive(invokeFrame("late"));
    QCOMPARE(invokes.size(), 0);
    QVERIFY(bench.connection->status().state == ConnectionState::Stopped);
}

void GatewayConnectionTest::passesInvokesOn()
{
    ConnectionBench bench;
    bench.connectFully();
    QList<InvokeRequest> invokes;
    connect(bench.connection.get(), &GatewayConnection::invokeReceived, this,
            [&](const InvokeRequest &request) { invokes.append(request); });
    bench.transport().receive(invokeFrame("i1"));
    QCOMPARE(invokes.size(), 1);
    QCOMPARE(invokes.first().command, u"system.which"_s);
    QVERIFY(invokes.first().timeout == std::optional(5000ms));
    bench.connection->sendResult({u"i1"_s, InvokePayload{R"({"bins":{}})"_ba}});
    QCOMPARE(bench.transport().lastSent().value("params"_L1).toObject(),
             QJsonObject({{u"id"_s, u"i1"_s},
                          {u"nodeId"_s, bench.identity.deviceId()},
                          {u"ok"_s, true},
                          {u"payloadJSON"_s, uR"({"bins":{}})"_s}}));
}

void GatewayConnectionTest::cancelsTheEarlierOfTwoWithTheSameId()
{
    ConnectionBench bench;
    bench.connectFully();
    QStringList happened;
    connect(bench.connection.get(), &GatewayConnection::invokeReceived, this,
            [&](const InvokeRequest &request) { happened << u"start "_s + request.id; });
    connect(bench.connection.get(), &GatewayConnection::invokeCancelled, this,
            [&](const QString &id) { happened << u"cancel "_s + id; });
    bench.transport().receive(invokeFrame("i1"));
    bench.transport().receive(invokeFrame("i1"));
    QCOMPARE(happened, QStringList({u"start i1"_s, u"cancel i1"_s, u"start i1"_s}));
}

void GatewayConnectionTest::sendsNoResultAfterCancelOrDisconnect()
{
    ConnectionBench bench;
    bench.connectFully();
    QSignalSpy cancelled(bench.connection.get(), &GatewayConnection::invokeCancelled);
    bench.transport().receive(invokeFrame("i1"));
    bench.transport().receive(
        R"({"type":"event","event":"node.invoke.cancel","payload":{"invokeId":"i1"}})");
    bench.transport().receive(
        R"({"type":"event","event":"node.invoke.cancel","payload":{"invokeId":"unknown"}})");
    QCOMPARE(cancelled.size(), 1);
    bench.connection->sendResult({u"i1"_s, InvokePayload{"{}"_ba}});
    QVERIFY(bench.lastRequest(u"node.invoke.result"_s).isEmpty());
    // A result of the connection before is nobody's on the next one.
    bench.transport().receive(invokeFrame("i2"));
    bench.refuseSocket();
    bench.connection->sendResult({u"i2"_s, InvokePayload{"{}"_ba}});
    bench.clock.advance(1s);
    bench.acceptAndChallenge();
    bench.sayHello();
    bench.connection->sendResult({u"i2"_s, InvokePayload{"{}"_ba}});
    QVERIFY(bench.lastRequest(u"node.invoke.result"_s).isEmpty());
}

void GatewayConnectionTest::sendsEventBeforeResult()
{
    ConnectionBench bench;
    bench.connectFully();
    bench.transport().receive(invokeFrame("i1"));
    bench.transport().sent.clear();
    bench.connection->sendEvent({u"exec.finished"_s, R"({"exitCode":0})"_ba});
    bench.connection->sendResult({u"i1"_s, InvokePayload{"{}"_ba}});
    QCOMPARE(bench.transport().sent.size(), 2);
    QVERIFY(bench.transport().sent.at(0).contains("exec.finished"));
    QVERIFY(bench.transport().sent.at(1).contains("node.invoke.result"));
}

void GatewayConnectionTest::replacesAResultThatIsTooLarge()
{
    ConnectionBench bench;
    bench.start();
    bench.acceptAndChallenge();
    bench.sayHello(R"(,"policy":{"maxPayload":65536})");
    bench.transport().receive(invokeFrame("i1"));
    bench.connection->sendResult({u"i1"_s, InvokePayload{'"' + QByteArray(70'000, 'x') + '"'}});
    const QJsonObject params = bench.transport().lastSent().value("params"_L1).toObject();
    QCOMPARE(params.value("ok"_L1).toBool(true), false);
    QCOMPARE(params.value("error"_L1).toObject().value("code"_L1).toString(), u"UNAVAILABLE"_s);
    for (const QByteArray &text : std::as_const(bench.transport().sent)) {
        QVERIFY(text.size() <= 65'536);
    }
    const qsizetype before = bench.transport().sent.size();
    bench.connection->sendEvent({u"x"_s, '"' + QByteArray(70'000, 'x') + '"'});
    QCOMPARE(bench.transport().sent.size(), before);
    std::optional<Error> error;
    bench.connection->request(
        u"m"_s, '"' + QByteArray(70'000, 'x') + '"', 1s, this,
        [&error](const Result<QByteArray> &answer) { error = answer.error(); });
    QVERIFY(!error.has_value());
    ConnectionBench::settle();
    QVERIFY(error.has_value() && error->code == ErrorCode::InvalidArgument);
}

void GatewayConnectionTest::answersInvokesThatItCannotRead()
{
    ConnectionBench bench;
    bench.connectFully();
    QSignalSpy invokes(bench.connection.get(), &GatewayConnection::invokeReceived);
    bench.transport().receive(
        R"({"type":"event","event":"node.invoke.request","payload":{"id":"i1","nodeId":"n"}})");
    QCOMPARE(bench.transport().lastSent().value("params"_L1).toObject().value("id"_L1).toString(),
             u"i1"_s);
    QVERIFY(bench.transport().sent.last().contains("command"));
    bench.transport().receive(
        R"({"type":"event","event":"node.invoke.request","payload":{"id":"i2","nodeId":"other","command":"c"}})");
    QVERIFY(bench.transport().sent.last().contains("nodeId"));
    QVERIFY(bench.transport().sent.last().contains("INVALID_REQUEST"));
    QCOMPARE(invokes.size(), 0);
}

void GatewayConnectionTest::ignoresBadFramesAndUnknownEvents()
{
    ConnectionBench bench;
    bench.connectFully();
    for (const QByteArray &text :
         {"garbage"_ba, "[]"_ba, QByteArray(1000, '['), R"({"type":"event","event":"new.one"})"_ba,
          R"({"type":"res","id":"no-such","ok":true})"_ba}) {
        bench.transport().receive(text);
    }
    QVERIFY(bench.connection->status().state == ConnectionState::Connected);
}

void GatewayConnectionTest::answersRequests()
{
    ConnectionBench bench;
    bench.make();
    std::optional<Result<QByteArray>> early;
    bench.connection->request(u"m"_s, "{}"_ba, 1s, this,
                              [&](const Result<QByteArray> &answer) { early = answer; });
    ConnectionBench::settle();
    QVERIFY(early.has_value() && !early->has_value()
            && early->error().code == ErrorCode::Unavailable);
    bench.connectFully();
    QList<Result<QByteArray>> answers;
    const auto ask = [&] {
        bench.connection->request(
            u"m"_s, "{}"_ba, 1s, this,
            [&answers](const Result<QByteArray> &answer) { answers.append(answer); });
        return bench.lastRequest(u"m"_s);
    };
    bench.answer(ask(), R"("ok":true,"payload":{"a":1})");
    bench.answer(ask(), R"("ok":false,"error":{"code":"INVALID_REQUEST","message":"bad"})");
    bench.answer(ask(), R"("ok":false,"error":{"code":"FORBIDDEN","message":"no"})");
    ask();
    bench.clock.advance(1s);
    QCOMPARE(answers.size(), 4);
    QCOMPARE(*answers.at(0), R"({"a":1})"_ba);
    QVERIFY(answers.at(1).error().code == ErrorCode::InvalidArgument);
    QCOMPARE(answers.at(1).error().message, u"INVALID_REQUEST: bad"_s);
    QVERIFY(answers.at(2).error().code == ErrorCode::Denied);
    QVERIFY(answers.at(3).error().code == ErrorCode::Timeout);
    auto context = std::make_unique<QObject>();
    bench.connection->request(u"m"_s, "{}"_ba, 1s, context.get(),
                              [](const Result<QByteArray> &) { QFAIL("called"); });
    context.reset();
    bench.answer(bench.lastRequest(u"m"_s), R"("ok":true)");
}

QTEST_GUILESS_MAIN(GatewayConnectionTest)
#include "tst_gatewayconnection.moc"
