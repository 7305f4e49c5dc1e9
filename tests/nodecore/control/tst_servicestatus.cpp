// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/servicestatus.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class ServiceStatusTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFieldSurvivesTheWire();
    void ignoresUnknownKeys();
    void namesAFieldOfTheWrongType_data();
    void namesAFieldOfTheWrongType();
};

void ServiceStatusTest::everyFieldSurvivesTheWire()
{
    const ServiceStatus status{.version = u"1.2"_s,
                               .profile = u"/home/ada/Übung"_s,
                               .deviceId = u"ab"_s,
                               .displayName = u"desk"_s,
                               .execMode = u"ask"_s,
                               .commands = {u"system.run"_s, u"system.which"_s},
                               .processId = 42,
                               .uptimeMs = 1000,
                               .runningCommands = 3,
                               .policyProblem = u"exec-approvals.json: line 3"_s,
                               .gateways = {{.id = u"home"_s,
                                             .url = u"wss://gateway.example"_s,
                                             .state = u"waiting"_s,
                                             .detail = u"refused"_s,
                                             .requestId = u"r"_s,
                                             .serverVersion = u"2026.9.6"_s,
                                             .lastError = u"AUTH_TOKEN_MISMATCH"_s,
                                             .attempt = 4,
                                             .nextTryInMs = 1500}}};
    const auto decoded = decodeServiceStatus(encodeServiceStatus(status));
    QVERIFY(decoded.has_value());
    QCOMPARE(*decoded, status);
}

void ServiceStatusTest::ignoresUnknownKeys()
{
    QVERIFY(decodeServiceStatus(R"({"later":{"x":1}})").has_value());
}

void ServiceStatusTest::namesAFieldOfTheWrongType_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("named");
    QTest::newRow("not an object") << QByteArray("3") << u"object"_s;
    QTest::newRow("version") << QByteArray(R"({"version":1})") << u"version must be a string"_s;
    QTest::newRow("uptime") << QByteArray(R"({"uptimeMs":"1"})") << u"uptimeMs must be an integer"_s;
    QTest::newRow("commands") << QByteArray(R"({"commands":[1]})") << u"commands must be"_s;
    QTest::newRow("gateways") << QByteArray(R"({"gateways":{}})") << u"gateways must be an array"_s;
    QTest::newRow("inside") << QByteArray(R"({"gateways":[{"url":1}]})") << u"gateways[].url"_s;
}

void ServiceStatusTest::namesAFieldOfTheWrongType()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, named);
    const auto decoded = decodeServiceStatus(json);
    QVERIFY(!decoded.has_value());
    QVERIFY(decoded.error().code == ErrorCode::Protocol);
    QVERIFY2(decoded.error().message.contains(named), qUtf8Printable(decoded.error().message));
}

QTEST_GUILESS_MAIN(ServiceStatusTest)
#include "tst_servicestatus.moc"
