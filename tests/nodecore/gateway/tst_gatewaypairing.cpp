// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/devicetokenrecord.h"
#include "tests/support/connectionbench.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;
using std::chrono::milliseconds;

/// What a gateway connection does with credentials, and while a person has to approve something.
class GatewayPairingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsTheDeviceToken();
    void connectsWithTheDeviceToken();
    void neverDeletesARefusedToken();
    void aNewTokenClearsTheSuspicion();
    void triesTheDeviceTokenOnceAfterAWrongSharedOne();
    void aHostileNameNeverGetsTheDeviceToken();
    void waitsForALockedSecretStore();
    void namesTheClockAfterThreeExpiredSignatures();

    void pollsSlowlyWhilePairingIsPending();
    void waitsForTheApprovalOfItsCommands();
    void aRefusedEventMakesItAskAgain();
    void otherProbeFailuresDoNotMatter();
};

static QByteArray refusal(const QByteArray &detailsCode, const QByteArray &more = {})
{
    return R"({"code":"INVALID_REQUEST","message":"no","details":{"code":")" + detailsCode + '"'
        + more + "}}";
}

void GatewayPairingTest::keepsTheDeviceToken()
{
    ConnectionBench bench;
    bench.start();
    bench.acceptAndChallenge();
    bench.sayHello(R"(,"auth":{"deviceToken":"issued","scopes":["a"]})");
    ConnectionBench::settle();
    const auto stored =
        parseDeviceTokenRecord(bench.secrets.secrets.value(ConnectionBench::tokenKey()));
    QVERIFY(stored.has_value());
    QVERIFY(*stored == (DeviceTokenRecord{u"issued"_s, {u"a"_s}, false}));
    // The same token again changes nothing, not even its scopes.
    bench.refuseSocket();
    bench.clock.advance(1s);
    bench.acceptAndChallenge();
    bench.sayHello(R"(,"auth":{"deviceToken":"issued","scopes":[]})");
    QCOMPARE(bench.secrets.writes.size(), 1);
}

void GatewayPairingTest::connectsWithTheDeviceToken()
{
    ConnectionBench bench;
    bench.credentials = {};
    bench.secrets.secrets.insert(ConnectionBench::tokenKey(),
                                 encodeDeviceTokenRecord({u"issued"_s, {}, false}));
    bench.start();
    bench.acceptAndChallenge();
    QCOMPARE(bench.connectParams().value("auth"_L1).toObject(),
             QJsonObject({{u"deviceToken"_s, u"issued"_s}}));
    // With a shared token configured it is that one alone.
    ConnectionBench shared;
    shared.secrets.secrets = bench.secrets.secrets;
    shared.start();
    shared.acceptAndChallenge();
    QCOMPARE(shared.connectParams().value("auth"_L1).toObject(),
             QJsonObject({{u"token"_s, u"example-token"_s}}));
}

void GatewayPairingTest::neverDeletesARefusedToken()
{
    ConnectionBench bench;
    bench.credentials = {};
    bench.secrets.secrets.insert(ConnectionBench::tokenKey(),
                                 encodeDeviceTokenRecord({u"issued"_s, {}, false}));
    bench.start();
    bench.acceptAndChallenge();
    bench.refuse(refusal("AUTH_DEVICE_TOKEN_MISMATCH"));
    QVERIFY(bench.connection->status().state == ConnectionState::Paused);
    const auto stored =
        parseDeviceTokenRecord(bench.secrets.secrets.value(ConnectionBench::tokenKey()));
    QVERIFY(stored.has_value());
    QVERIFY(*stored == (DeviceTokenRecord{u"issued"_s, {}, true}));
    bench.connection->retryNow();
    ConnectionBench::settle();
    bench.acceptAndChallenge();
    QVERIFY(!bench.connectParams().contains("auth"_L1));
    // Nor after a restart.
    ConnectionBench restarted;
    restarted.credentials = {};
    restarted.secrets.secrets = bench.secrets.secrets;
    restarted.start();
    restarted.acceptAndChallenge();
    QVERIFY(!restarted.connectParams().contains("auth"_L1));
}

void GatewayPairingTest::aNewTokenClearsTheSuspicion()
{
    ConnectionBench bench;
    bench.secrets.secrets.insert(ConnectionBench::tokenKey(),
                                 encodeDeviceTokenRecord({u"old"_s, {}, true}));
    bench.start();
    bench.acceptAndChallenge();
    bench.sayHello(R"(,"auth":{"deviceToken":"new","scopes":["b"]})");
    ConnectionBench::settle();
    const auto stored =
        parseDeviceTokenRecord(bench.secrets.secrets.value(ConnectionBench::tokenKey()));
    QVERIFY(stored.has_value() && *stored == (DeviceTokenRecord{u"new"_s, {u"b"_s}, false}));
}

void GatewayPairingTest::triesTheDeviceTokenOnceAfterAWrongSharedOne()
{
    ConnectionBench bench;
    bench.secrets.secrets.insert(ConnectionBench::tokenKey(),
                                 encodeDeviceTokenRecord({u"issued"_s, {}, false}));
    bench.start();
    bench.acceptAndChallenge();
    bench.refuse(refusal("AUTH_TOKEN_MISMATCH", R"(,"canRetryWithDeviceToken":true)"));
    QCOMPARE(bench.clock.nextAlarmIn(), std::optional(250ms));
    bench.clock.advance(250ms);
    bench.acceptAndChallenge();
    QCOMPARE(bench.connectParams().value("auth"_L1).toObject(),
             QJsonObject({{u"token"_s, u"example-token"_s}, {u"deviceToken"_s, u"issued"_s}}));
    bench.refuse(refusal("AUTH_TOKEN_MISMATCH", R"(,"canRetryWithDeviceToken":true)"));
    QVERIFY(bench.connection->status().state == ConnectionState::Paused);
}

void GatewayPairingTest::aHostileNameNeverGetsTheDeviceToken()
{
    ConnectionBench bench;
    bench.url = u"wss://127.evil.com:18789"_s;
    QString key = ConnectionBench::tokenKey();
    bench.secrets.secrets.insert(key.replace(u"ws://127.0.0.1"_s, u"wss://127.evil.com"_s),
                                 encodeDeviceTokenRecord({u"issued"_s, {}, false}));
    bench.start();
    bench.acceptAndChallenge();
    bench.refuse(refusal("AUTH_TOKEN_MISMATCH", R"(,"canRetryWithDeviceToken":true)"));
    QVERIFY(bench.connection->status().state == ConnectionState::Paused);
    QCOMPARE(bench.transports.made, 1);
}

void GatewayPairingTest::waitsForALockedSecretStore()
{
    ConnectionBench bench;
    bench.credentials = {};
    bench.secrets.readError = Error{ErrorCode::Denied, u"locked"_s, 0};
    bench.start();
    QCOMPARE(bench.transports.made, 0);
    QVERIFY(bench.connection->status().state == ConnectionState::Waiting);
    QVERIFY(bench.connection->status().detail.contains(u"locked"_s));
    bench.secrets.readError.reset();
    bench.clock.advance(1s);
    ConnectionBench::settle();
    QCOMPARE(bench.transports.made, 1);
    // A shared token does not need the store.
    ConnectionBench shared;
    shared.secrets.readError = Error{ErrorCode::Denied, u"locked"_s, 0};
    shared.start();
    QCOMPARE(shared.transports.made, 1);
}

void GatewayPairingTest::namesTheClockAfterThreeExpiredSignatures()
{
    ConnectionBench bench;
    bench.clock.setWallTime(1'700'000'000'000ms - 131s);
    bench.start();
    for (const milliseconds wait : {1000ms, 2000ms, 4000ms}) {
        bench.acceptAndChallenge();
        bench.clock.setWallTime(1'700'000'000'000ms - 131s);
        bench.refuse(refusal("DEVICE_AUTH_SIGNATURE_EXPIRED"));
        QVERIFY(bench.connection->status().state == ConnectionState::Waiting);
        bench.clock.advance(wait);
        bench.clock.setWallTime(1'700'000'000'000ms - 131s);
    }
    bench.acceptAndChallenge();
    bench.refuse(refusal("DEVICE_AUTH_SIGNATURE_EXPIRED"));
    QVERIFY(bench.connection->status().state == ConnectionState::Paused);
    QVERIFY2(bench.connection->status().detail.contains(u"131 s behind"_s),
             qPrintable(bench.connection->status().detail));
}

void GatewayPairingTest::pollsSlowlyWhilePairingIsPending()
{
    ConnectionBench bench;
    bench.start();
    const QByteArray pending =
        R"({"code":"NOT_PAIRED","message":"pairing required","details":{"code":"PAIRING_REQUIRED",)"
        R"("reason":"not-paired","requestId":"req-1"}})";
    int polls = 0;
    for (milliseconds passed = 0ms; passed < 5min;) {
        bench.acceptAndChallenge();
        bench.refuse(pending);
        QVERIFY(bench.connection->status().state == ConnectionState::PairingPending);
        QCOMPARE(bench.connection->status().requestId, u"req-1"_s);
        QVERIFY(bench.connection->status().detail.contains(u"openclaw devices approve req-1"_s));
        const milliseconds wait = *bench.clock.nextAlarmIn();
        QVERIFY(wait >= 10s && wait <= 36s);
        passed += wait;
        ++polls;
        bench.clock.advance(wait);
        QVERIFY(bench.connection->status().state == ConnectionState::PairingPending); // no flicker
    }
    QVERIFY(polls <= 13);
    bench.acceptAndChallenge();
    bench.sayHello();
    QVERIFY(bench.connection->status().state == ConnectionState::Connected);
    QVERIFY(bench.connection->status().requestId.isEmpty());
}

void GatewayPairingTest::waitsForTheApprovalOfItsCommands()
{
    ConnectionBench bench;
    bench.connectFully();
    const QString method = u"node.runnerInventory.update"_s;
    const QByteArray answer =
        R"-("ok":false,"error":{"code":"UNAVAILABLE","message":"awaiting operator approval; )-"
        R"-(run `openclaw nodes approve s-1` (see `openclaw nodes pending`)"})-";
    for (const milliseconds wait : {250ms, 500ms, 1000ms, 2000ms, 4000ms, 5000ms, 5000ms}) {
        const QString id = bench.lastRequest(method);
        QVERIFY(!id.isEmpty());
        bench.answer(id, answer);
        QVERIFY(bench.connection->status().state == ConnectionState::SurfacePending);
        QCOMPARE(bench.connection->status().requestId, u"s-1"_s);
        QVERIFY(bench.connection->status().detail.contains(u"openclaw nodes approve s-1"_s));
        bench.clock.advance(wait - 1ms);
        QCOMPARE(bench.lastRequest(method), id);
        bench.clock.advance(1ms);
        QVERIFY(bench.lastRequest(method) != id);
        bench.transport().ping();
    }
    // The decision comes while a question is on its way: it is asked once more, at once.
    const QString open = bench.lastRequest(method);
    bench.transport().receive(
        R"({"type":"event","event":"node.pair.resolved","payload":{"decision":"approved"}})");
    bench.answer(
        open,
        R"("ok":false,"error":{"code":"UNAVAILABLE","message":"changed","details":{"code":"PAIRING_CHANGED"}})");
    QVERIFY(bench.lastRequest(method) != open);
    bench.answer(bench.lastRequest(method), R"("ok":true,"payload":{})");
    QVERIFY(bench.connection->status().state == ConnectionState::Connected);
    QVERIFY(bench.connection->status().detail.isEmpty());
}

void GatewayPairingTest::aRefusedEventMakesItAskAgain()
{
    ConnectionBench bench;
    bench.connectFully();
    const QString first = bench.lastRequest(u"node.runnerInventory.update"_s);
    bench.answer(first, R"("ok":true)");
    bench.connection->sendEvent({u"node.host.stats"_s, "{}"_ba});
    bench.answer(
        bench.lastRequest(u"node.event"_s),
        R"("ok":false,"error":{"code":"UNAVAILABLE","message":"x","details":{"code":"PAIRING_CHANGED"}})");
    QVERIFY(bench.lastRequest(u"node.runnerInventory.update"_s) != first);
}

void GatewayPairingTest::otherProbeFailuresDoNotMatter()
{
    ConnectionBench bench;
    bench.connectFully();
    const QString id = bench.lastRequest(u"node.runnerInventory.update"_s);
    bench.answer(id, R"("ok":false,"error":{"code":"INVALID_REQUEST","message":"unknown method"})");
    QVERIFY(bench.connection->status().state == ConnectionState::Connected);
    bench.clock.advance(50s);
    QCOMPARE(bench.lastRequest(u"node.runnerInventory.update"_s), id);
}

QTEST_GUILESS_MAIN(GatewayPairingTest)
#include "tst_gatewaypairing.moc"
