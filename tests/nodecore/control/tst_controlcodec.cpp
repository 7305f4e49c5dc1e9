// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/controlcodec.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class ControlCodecTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRequestSurvivesTheWire();
    void anAnswerSurvivesTheWire();
    void anErrorSurvivesTheWire();
    void namesWhatIsWrongWithARequest_data();
    void namesWhatIsWrongWithARequest();
    void refusesAnAnswerWithNeitherResultNorError();
};

void ControlCodecTest::aRequestSurvivesTheWire()
{
    const QByteArray line = encodeControlRequest({.id = 7, .method = u"status"_s});
    QVERIFY(line.endsWith('\n'));
    QCOMPARE(line.count('\n'), 1);
    const auto decoded = decodeControlRequest(line);
    QVERIFY(decoded.has_value());
    QCOMPARE(decoded->id, 7);
    QCOMPARE(decoded->method, u"status"_s);
}

void ControlCodecTest::anAnswerSurvivesTheWire()
{
    const auto decoded = decodeControlResponse(
        encodeControlResponse({.id = 7, .resultJson = R"({"a":"line\nfeed"})", .error = {}}));
    QVERIFY(decoded.has_value());
    QCOMPARE(decoded->id, 7);
    QCOMPARE(decoded->resultJson, QByteArray(R"({"a":"line\nfeed"})"));
}

void ControlCodecTest::anErrorSurvivesTheWire()
{
    const auto decoded = decodeControlResponse(
        encodeControlResponse({.id = {}, .resultJson = {}, .error = ControlError{-32601, u"no"_s}}));
    QVERIFY(decoded.has_value());
    QVERIFY(!decoded->id);
    QCOMPARE(decoded->error->code, -32601);
    QCOMPARE(decoded->error->message, u"no"_s);
}

void ControlCodecTest::namesWhatIsWrongWithARequest_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("named");
    QTest::newRow("no JSON") << QByteArray("{") << u"JSON object"_s;
    QTest::newRow("an array") << QByteArray("[]") << u"JSON object"_s;
    QTest::newRow("no version") << QByteArray(R"({"id":1,"method":"status"})") << u"jsonrpc"_s;
    QTest::newRow("old version")
        << QByteArray(R"({"jsonrpc":"1.0","id":1,"method":"status"})") << u"jsonrpc"_s;
    QTest::newRow("id is text")
        << QByteArray(R"({"jsonrpc":"2.0","id":"1","method":"status"})") << u"id"_s;
    QTest::newRow("no method") << QByteArray(R"({"jsonrpc":"2.0","id":1})") << u"method"_s;
    QTest::newRow("method is a number")
        << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":5})") << u"method"_s;
    QTest::newRow("too long") << QByteArray(s_maxControlLine + 1, ' ') << u"more than"_s;
}

void ControlCodecTest::namesWhatIsWrongWithARequest()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, named);
    const auto decoded = decodeControlRequest(line);
    QVERIFY(!decoded.has_value());
    QVERIFY(decoded.error().code == ErrorCode::Protocol);
    QVERIFY2(decoded.error().message.contains(named), qUtf8Printable(decoded.error().message));
}

void ControlCodecTest::refusesAnAnswerWithNeitherResultNorError()
{
    QVERIFY(!decodeControlResponse(R"({"jsonrpc":"2.0","id":1})").has_value());
}

QTEST_GUILESS_MAIN(ControlCodecTest)
#include "tst_controlcodec.moc"
