// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/framecodec.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

class FrameCodecTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refusesBadFrames_data();
    void refusesBadFrames();
    void refusesDepthBombsBeforeParsing();
    void bracketsInTextDoNotCountAsDepth();
    void readsAnInvoke();
    void readsInvokeTimeouts_data();
    void readsInvokeTimeouts();
    void namesTheFieldOfABadInvoke_data();
    void namesTheFieldOfABadInvoke();
    void readsChallengeTimes_data();
    void readsChallengeTimes();
    void readsARefusal();
    void readsARefusalThatLacksEverything();
    void readsOtherEvents();
    void encodesRequests();
    void encodesResults();
    void leavesAnEmptyEventPayloadOut();
    void survivesEveryCutAndFlip();
};

static QByteArray invokeFrame(const QByteArray &payload)
{
    return R"({"type":"event","event":"node.invoke.request","payload":)" + payload + '}';
}

void FrameCodecTest::refusesBadFrames_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("problem");
    QTest::newRow("empty") << ""_ba << u"not JSON"_s;
    QTest::newRow("no JSON") << "{"_ba << u"not JSON"_s;
    QTest::newRow("two values") << "{}{}"_ba << u"not JSON"_s;
    QTest::newRow("not UTF-8") << "{\"type\":\"\xff\"}"_ba << u"not JSON"_s;
    QTest::newRow("huge number") << R"({"type":"event","event":"x","n":1e999})"_ba << u"not JSON"_s;
    QTest::newRow("array") << "[]"_ba << u"no object"_s;
    QTest::newRow("number") << "7"_ba << u"no object"_s;
    QTest::newRow("no type") << "{}"_ba << u"type"_s;
    QTest::newRow("type is a number") << R"({"type":1})"_ba << u"type"_s;
    QTest::newRow("request") << R"({"type":"req","id":"1","method":"x"})"_ba << u"type"_s;
    QTest::newRow("event without name") << R"({"type":"event"})"_ba << u"event"_s;
    QTest::newRow("event name is a list") << R"({"type":"event","event":[]})"_ba << u"event"_s;
    QTest::newRow("response without id") << R"({"type":"res","ok":true})"_ba << u"id"_s;
    QTest::newRow("response id is a number") << R"({"type":"res","id":1,"ok":true})"_ba << u"id"_s;
    QTest::newRow("response without ok") << R"({"type":"res","id":"1"})"_ba << u"ok"_s;
    QTest::newRow("ok is a text") << R"({"type":"res","id":"1","ok":"true"})"_ba << u"ok"_s;
    QTest::newRow("invoke without id") << invokeFrame(R"({"nodeId":"n","command":"c"})") << u"id"_s;
    QTest::newRow("invoke is a list") << invokeFrame("[]") << u"id"_s;
    QTest::newRow("cancel without id")
        << R"({"type":"event","event":"node.invoke.cancel","payload":{}})"_ba << u"invokeId"_s;
    QTest::newRow("challenge without nonce")
        << R"({"type":"event","event":"connect.challenge","payload":{"ts":1}})"_ba << u"nonce"_s;
    QTest::newRow("challenge with empty nonce")
        << R"({"type":"event","event":"connect.challenge","payload":{"nonce":"","ts":1}})"_ba
        << u"nonce"_s;
}

void FrameCodecTest::refusesBadFrames()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, problem);
    const Result<IncomingFrame> frame = parseFrame(text);
    QVERIFY(!frame);
    QVERIFY(frame.error().code == ErrorCode::Protocol);
    QVERIFY2(frame.error().message.contains(problem), qPrintable(frame.error().message));
}

void FrameCodecTest::refusesDepthBombsBeforeParsing()
{
    const QByteArray bomb = QByteArray(20'000'000, '[');
    const Result<IncomingFrame> frame = parseFrame(bomb);
    QVERIFY(!frame);
    QVERIFY(frame.error().message.contains(u"nested"_s));
    QVERIFY(!parseFrame(QByteArray(s_maxFrameBytes + 1, ' ')));
}

void FrameCodecTest::bracketsInTextDoNotCountAsDepth()
{
    const QByteArray text =
        R"({"type":"event","event":"x","payload":"\")" + QByteArray(500, '[') + R"("})";
    QVERIFY(parseFrame(text).has_value());
}

void FrameCodecTest::readsAnInvoke()
{
    const Result<IncomingFrame> frame = parseFrame(invokeFrame(
        R"({"id":"i1","nodeId":"n1","command":"system.which","paramsJSON":"{\"bins\":[\"git\"]}","timeoutMs":30000,)"
        R"("idempotencyKey":"k","unknown":{"a":1}})"));
    QVERIFY(frame.has_value());
    const auto *invoke = std::get_if<InvokeRequest>(&*frame);
    QVERIFY(invoke != nullptr);
    QCOMPARE(invoke->id, u"i1"_s);
    QCOMPARE(invoke->nodeId, u"n1"_s);
    QCOMPARE(invoke->command, u"system.which"_s);
    QCOMPARE(invoke->paramsJson, R"({"bins":["git"]})"_ba);
    QVERIFY(invoke->timeout == std::optional(30000ms));
}

void FrameCodecTest::readsInvokeTimeouts_data()
{
    QTest::addColumn<QByteArray>("number");
    QTest::addColumn<qint64>("expected"); // -1 = no limit
    QTest::newRow("null") << "null"_ba << qint64(-1);
    QTest::newRow("zero") << "0"_ba << qint64(-1);
    QTest::newRow("one") << "1"_ba << qint64(1);
    QTest::newRow("fraction is rounded up") << "9983.2"_ba << qint64(9984);
    QTest::newRow("larger than 64 bits")
        << "99999999999999999999999"_ba << qint64(9'007'199'254'740'992);
    QTest::newRow("exponent") << "1e300"_ba << qint64(9'007'199'254'740'992);
}

void FrameCodecTest::readsInvokeTimeouts()
{
    QFETCH(QByteArray, number);
    QFETCH(qint64, expected);
    const Result<IncomingFrame> frame = parseFrame(invokeFrame(
        R"({"id":"i","nodeId":"n","command":"c","paramsJSON":null,"timeoutMs":)" + number + '}'));
    QVERIFY(frame.has_value());
    const auto *invoke = std::get_if<InvokeRequest>(&*frame);
    QVERIFY(invoke != nullptr);
    QCOMPARE(invoke->paramsJson, "{}"_ba);
    QCOMPARE(invoke->timeout.has_value() ? qint64(invoke->timeout->count()) : qint64(-1), expected);
}

void FrameCodecTest::namesTheFieldOfABadInvoke_data()
{
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<QString>("field");
    QTest::newRow("no node") << R"({"id":"i","command":"c"})"_ba << u"nodeId"_s;
    QTest::newRow("no command") << R"({"id":"i","nodeId":"n"})"_ba << u"command"_s;
    QTest::newRow("empty command") << R"({"id":"i","nodeId":"n","command":""})"_ba << u"command"_s;
    QTest::newRow("params are an object")
        << R"({"id":"i","nodeId":"n","command":"c","paramsJSON":{}})"_ba << u"paramsJSON"_s;
    QTest::newRow("time-out is a text")
        << R"({"id":"i","nodeId":"n","command":"c","timeoutMs":"5"})"_ba << u"timeoutMs"_s;
    QTest::newRow("time-out is negative")
        << R"({"id":"i","nodeId":"n","command":"c","timeoutMs":-5})"_ba << u"timeoutMs"_s;
}

void FrameCodecTest::namesTheFieldOfABadInvoke()
{
    QFETCH(QByteArray, payload);
    QFETCH(QString, field);
    const Result<IncomingFrame> frame = parseFrame(invokeFrame(payload));
    QVERIFY(frame.has_value());
    const auto *invalid = std::get_if<InvalidInvoke>(&*frame);
    QVERIFY(invalid != nullptr);
    QCOMPARE(invalid->id, u"i"_s);
    QVERIFY2(invalid->problem.contains(field), qPrintable(invalid->problem));
}

void FrameCodecTest::readsChallengeTimes_data()
{
    QTest::addColumn<QByteArray>("time");
    QTest::addColumn<bool>("isGood");
    QTest::newRow("now") << R"(,"ts":1700000000000)"_ba << true;
    QTest::newRow("zero") << R"(,"ts":0)"_ba << true;
    QTest::newRow("missing") << ""_ba << false;
    QTest::newRow("null") << R"(,"ts":null)"_ba << false;
    QTest::newRow("negative") << R"(,"ts":-1)"_ba << false;
    QTest::newRow("fraction") << R"(,"ts":1700000000000.5)"_ba << false;
    QTest::newRow("exponent") << R"(,"ts":1.7e12)"_ba << false;
    QTest::newRow("text") << R"(,"ts":"1700000000000")"_ba << false;
    QTest::newRow("too large") << R"(,"ts":18446744073709551615)"_ba << false;
}

void FrameCodecTest::readsChallengeTimes()
{
    QFETCH(QByteArray, time);
    QFETCH(bool, isGood);
    const Result<IncomingFrame> frame = parseFrame(
        R"({"type":"event","event":"connect.challenge","payload":{"nonce":"n")" + time + "}}");
    QVERIFY(frame.has_value());
    const auto *challenge = std::get_if<ChallengeEvent>(&*frame);
    QVERIFY(challenge != nullptr);
    QCOMPARE(challenge->time.has_value(), isGood);
    QVERIFY(isGood || challenge->time.error().message.contains(u"ts"_s));
}

void FrameCodecTest::readsARefusal()
{
    const Result<IncomingFrame> frame = parseFrame(
        R"({"type":"res","id":"1","ok":false,"error":{"code":"NOT_PAIRED","message":"pairing required","retryAfterMs":500,)"
        R"("details":{"code":"PAIRING_REQUIRED","reason":"not-paired","requestId":"r1","recommendedNextStep":"wait_then_retry",)"
        R"("canRetryWithDeviceToken":true,"expectedProtocol":4,"remediationHint":"h"}}})");
    QVERIFY(frame.has_value());
    const auto *response = std::get_if<ResponseFrame>(&*frame);
    QVERIFY(response != nullptr && !response->outcome.has_value());
    GatewayError expected{u"NOT_PAIRED"_s, u"pairing required"_s, {}, 500ms};
    expected.details = {
        u"PAIRING_REQUIRED"_s, u"not-paired"_s, u"wait_then_retry"_s, u"r1"_s, u"h"_s, true, 4};
    QVERIFY(response->outcome.error() == expected);
}

void FrameCodecTest::readsARefusalThatLacksEverything()
{
    for (const QByteArray &error :
         {""_ba, R"(,"error":null)"_ba, R"(,"error":[])"_ba, R"(,"error":{"details":7})"_ba}) {
        const Result<IncomingFrame> frame =
            parseFrame(R"({"type":"res","id":"1","ok":false)" + error + '}');
        QVERIFY(frame.has_value());
        const auto *response = std::get_if<ResponseFrame>(&*frame);
        QVERIFY(response != nullptr && !response->outcome.has_value());
        QVERIFY(response->outcome.error() == GatewayError());
    }
}

void FrameCodecTest::readsOtherEvents()
{
    const Result<IncomingFrame> tick =
        parseFrame(R"({"type":"event","event":"tick","payload":{"ts":1},"seq":1,"new":0})");
    QVERIFY(tick.has_value() && std::holds_alternative<OtherEvent>(*tick));
    const Result<IncomingFrame> resolved = parseFrame(
        R"({"type":"event","event":"node.pair.resolved","payload":{"requestId":"r","nodeId":"n","decision":"approved"}})");
    QVERIFY(resolved.has_value() && std::get<PairResolved>(*resolved).isApproved);
    const Result<IncomingFrame> rejected = parseFrame(
        R"({"type":"event","event":"node.pair.resolved","payload":{"decision":"rejected"}})");
    QVERIFY(rejected.has_value() && !std::get<PairResolved>(*rejected).isApproved);
    const Result<IncomingFrame> shutdown =
        parseFrame(R"({"type":"event","event":"shutdown","payload":{"reason":"restart"}})");
    QCOMPARE(std::get<ShutdownEvent>(*shutdown).reason, u"restart"_s);
}

void FrameCodecTest::encodesRequests()
{
    QCOMPARE(encodeRequest({u"1"_s, u"skills.bins"_s, "{}"_ba}),
             R"({"type":"req","id":"1","method":"skills.bins","params":{}})"_ba);
    QCOMPARE(encodeRequest({u"a\"b"_s, u"m"_s, {}}),
             R"({"type":"req","id":"a\"b","method":"m"})"_ba);
}

void FrameCodecTest::encodesResults()
{
    QCOMPARE(encodeInvokeResultParams({u"i"_s, InvokePayload{R"({"a":"b"})"_ba}}, u"n"_s),
             R"({"id":"i","nodeId":"n","ok":true,"payloadJSON":"{\"a\":\"b\"}"})"_ba);
    QCOMPARE(
        encodeInvokeResultParams(
            {u"i"_s, InvokeFailure{u"INVALID_REQUEST"_s, u"command required"_s}}, u"n"_s),
        R"({"error":{"code":"INVALID_REQUEST","message":"command required"},"id":"i","nodeId":"n","ok":false})"_ba);
    // Bytes that are no UTF-8 may come from a handler's defect; the frame stays valid.
    QVERIFY(encodeInvokeResultParams({u"i"_s, InvokePayload{"\"\xff\""_ba}}, u"n"_s)
                .contains("\xef\xbf\xbd"));
}

void FrameCodecTest::leavesAnEmptyEventPayloadOut()
{
    QCOMPARE(encodeNodeEventParams({u"e"_s, {}}), R"({"event":"e"})"_ba);
    QCOMPARE(encodeNodeEventParams({u"e"_s, "{}"_ba}), R"({"event":"e","payloadJSON":"{}"})"_ba);
}

void FrameCodecTest::survivesEveryCutAndFlip()
{
    const QByteArray whole =
        invokeFrame(R"({"id":"i","nodeId":"n","command":"c","paramsJSON":"{}","timeoutMs":1.5})");
    for (qsizetype i = 0; i < whole.size(); ++i) {
        QVERIFY(!parseFrame(whole.first(i)));
        for (int bit = 0; bit < 8; ++bit) {
            QByteArray flipped = whole;
            flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
            // Any answer will do, as long as it is one.
            [[maybe_unused]] const bool isRead = parseFrame(flipped).has_value();
        }
    }
}

QTEST_APPLESS_MAIN(FrameCodecTest)
#include "tst_framecodec.moc"
