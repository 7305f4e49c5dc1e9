// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/connectcodec.h"
#include "nodecore/protocol/devicetokenrecord.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

class ConnectCodecTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void leavesEmptyFieldsOut();
    void encodesEveryField();
    void readsTheHelloOfAGateway();
    void readsAMinimalHello();
    void keepsSenselessLimitsInRange();
    void refusesAHelloWithoutProtocol_data();
    void refusesAHelloWithoutProtocol();
    void keepsADeviceTokenRecord();
    void refusesBadDeviceTokenRecords_data();
    void refusesBadDeviceTokenRecords();
};

static QJsonObject encoded(const ConnectParams &params)
{
    return QJsonDocument::fromJson(encodeConnectParams(params)).object();
}

void ConnectCodecTest::leavesEmptyFieldsOut()
{
    ConnectParams params;
    params.client = {u"node-host"_s, u"node"_s, u"1"_s, u"linux"_s, {}, {}, {}, {}};
    params.role = u"node"_s;
    const QJsonObject object = encoded(params);
    // The gateway refuses keys that it does not know, so the set is exact.
    QCOMPARE(object.keys(),
             QStringList({u"caps"_s, u"client"_s, u"commands"_s, u"device"_s, u"maxProtocol"_s,
                          u"minProtocol"_s, u"role"_s, u"scopes"_s}));
    QCOMPARE(object.value("client"_L1).toObject().keys(),
             QStringList({u"id"_s, u"mode"_s, u"platform"_s, u"version"_s}));
    QCOMPARE(object.value("minProtocol"_L1).toInt(), 3);
    QCOMPARE(object.value("maxProtocol"_L1).toInt(), 4);
    QVERIFY(object.value("scopes"_L1).toArray().isEmpty() && object.value("scopes"_L1).isArray());
}

void ConnectCodecTest::encodesEveryField()
{
    ConnectParams params;
    params.client = {u"node-host"_s, u"node"_s, u"1"_s,   u"linux"_s,
                     u"Linux"_s,     u"desk"_s, u"box"_s, u"uuid"_s};
    params.role = u"node"_s;
    params.caps = {u"system"_s};
    params.commands = {u"system.run"_s};
    params.pathEnv = u"/bin"_s;
    params.auth = {u"t"_s, u"d"_s, u"b"_s, u"p"_s};
    params.device = {u"id"_s, u"key"_s, u"sig"_s, 1'700'000'000'000ms, u"nonce"_s};
    params.locale = u"en-US"_s;
    params.userAgent = u"telson/1"_s;
    const QJsonObject object = encoded(params);
    QCOMPARE(object.value("device"_L1).toObject().value("signedAt"_L1).toInteger(),
             1'700'000'000'000);
    QCOMPARE(object.value("auth"_L1).toObject().keys(),
             QStringList({u"bootstrapToken"_s, u"deviceToken"_s, u"password"_s, u"token"_s}));
    QCOMPARE(object.value("pathEnv"_L1).toString(), u"/bin"_s);
    QCOMPARE(object.value("client"_L1).toObject().value("deviceFamily"_L1).toString(), u"Linux"_s);
    QCOMPARE(params.auth.signedToken(), u"t"_s);
    params.auth.token.clear();
    QCOMPARE(params.auth.signedToken(), u"d"_s);
    params.auth.deviceToken.clear();
    QCOMPARE(params.auth.signedToken(), u"b"_s);
}

void ConnectCodecTest::readsTheHelloOfAGateway()
{
    const Result<HelloOk> hello = parseHelloOk(
        R"({"type":"hello-ok","protocol":4,"server":{"version":"2026.9.6","connId":"c"},"features":{"methods":["x"]},)"
        R"("auth":{"method":"token","role":"node","scopes":["a",7],"deviceToken":"dt","recoveryScope":{}},)"
        R"("policy":{"maxPayload":26214400,"maxBufferedBytes":52428800,"tickIntervalMs":15000},"new":[1]})");
    QVERIFY(hello.has_value());
    QCOMPARE(hello->protocol, 4);
    QCOMPARE(hello->serverVersion, u"2026.9.6"_s);
    QCOMPARE(hello->connId, u"c"_s);
    QCOMPARE(hello->deviceToken, u"dt"_s);
    QCOMPARE(hello->scopes, QStringList({u"a"_s}));
    QCOMPARE(hello->maxPayload, 26214400);
    QVERIFY(hello->tickInterval == 15s);
}

void ConnectCodecTest::readsAMinimalHello()
{
    const Result<HelloOk> hello =
        parseHelloOk(R"({"protocol":3,"server":7,"auth":"x","policy":[]})");
    QVERIFY(hello.has_value());
    QCOMPARE(hello->maxPayload, 26'214'400);
    QVERIFY(hello->tickInterval == 30s);
    QVERIFY(hello->deviceToken.isEmpty());
}

void ConnectCodecTest::keepsSenselessLimitsInRange()
{
    const Result<HelloOk> small = parseHelloOk(
        R"({"protocol":4,"policy":{"maxPayload":0,"maxBufferedBytes":1,"tickIntervalMs":0}})");
    QVERIFY(small->tickInterval == 1s);
    QCOMPARE(small->maxPayload, 4096);
    const Result<HelloOk> large =
        parseHelloOk(R"({"protocol":4,"policy":{"tickIntervalMs":99999999999999}})");
    QVERIFY(large->tickInterval == 10min);
    const Result<HelloOk> wrong = parseHelloOk(R"({"protocol":4,"policy":{"tickIntervalMs":-5}})");
    QVERIFY(wrong->tickInterval == 30s);
}

void ConnectCodecTest::refusesAHelloWithoutProtocol_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("empty") << ""_ba;
    QTest::newRow("null") << "null"_ba;
    QTest::newRow("list") << "[]"_ba;
    QTest::newRow("missing") << "{}"_ba;
    QTest::newRow("zero") << R"({"protocol":0})"_ba;
    QTest::newRow("text") << R"({"protocol":"4"})"_ba;
    QTest::newRow("huge") << R"({"protocol":18446744073709551615})"_ba;
    QTest::newRow("deep") << QByteArray(100, '[') + QByteArray(100, ']');
}

void ConnectCodecTest::refusesAHelloWithoutProtocol()
{
    QFETCH(QByteArray, json);
    const Result<HelloOk> hello = parseHelloOk(json);
    QVERIFY(!hello);
    QVERIFY(hello.error().code == ErrorCode::Protocol);
}

void ConnectCodecTest::keepsADeviceTokenRecord()
{
    const DeviceTokenRecord record{u"secret"_s, {u"a"_s, u"b"_s}, true};
    const Result<DeviceTokenRecord> read = parseDeviceTokenRecord(encodeDeviceTokenRecord(record));
    QVERIFY(read.has_value() && *read == record);
}

void ConnectCodecTest::refusesBadDeviceTokenRecords_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("field");
    QTest::newRow("no JSON") << "s3cret"_ba << u"JSON"_s;
    QTest::newRow("no version") << R"({"token":"s3cret"})"_ba << u"version"_s;
    QTest::newRow("later version") << R"({"version":2,"token":"s3cret"})"_ba << u"version"_s;
    QTest::newRow("no token") << R"({"version":1})"_ba << u"token"_s;
    QTest::newRow("suspect is a text")
        << R"({"version":1,"token":"s3cret","suspect":"no"})"_ba << u"suspect"_s;
    QTest::newRow("scopes is a text")
        << R"({"version":1,"token":"s3cret","scopes":"a"})"_ba << u"scopes"_s;
    QTest::newRow("scope is a number")
        << R"({"version":1,"token":"s3cret","scopes":[1]})"_ba << u"scopes"_s;
}

void ConnectCodecTest::refusesBadDeviceTokenRecords()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, field);
    const Result<DeviceTokenRecord> read = parseDeviceTokenRecord(json);
    QVERIFY(!read);
    QVERIFY(read.error().message.contains(field));
    QVERIFY(!read.error().message.contains(u"s3cret"_s));
}

QTEST_APPLESS_MAIN(ConnectCodecTest)
#include "tst_connectcodec.moc"
