// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/qt/websocketcodec.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::platform;
using telson::core::ErrorCode;
using telson::core::Result;

class WebSocketCodecTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asksForTheUpgrade_data();
    void asksForTheUpgrade();
    void readsUpgradeAnswers_data();
    void readsUpgradeAnswers();
    void masksFrames();
    void encodesEachLength_data();
    void encodesEachLength();
    void readsMessagesHoweverTheyAreCut();
    void readsControlFramesBetweenFragments();
    void refusesBadFrames_data();
    void refusesBadFrames();
    void refusesTooLargeAMessageBeforeItsBytes();
    void readsCloseFrames();
};

static const QByteArray s_key = "dGhlIHNhbXBsZSBub25jZQ=="_ba; // RFC 6455 §1.3

void WebSocketCodecTest::asksForTheUpgrade_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("no path") << u"ws://127.0.0.1:18789"_s
                             << "GET / HTTP/1.1\r\nHost: 127.0.0.1:18789\r\n"_ba;
    QTest::newRow("path") << u"wss://gateway.example/a%20b"_s
                          << "GET /a%20b HTTP/1.1\r\nHost: gateway.example\r\n"_ba;
    QTest::newRow("IPv6") << u"ws://[::1]:1/"_s << "GET / HTTP/1.1\r\nHost: [::1]:1\r\n"_ba;
}

void WebSocketCodecTest::asksForTheUpgrade()
{
    QFETCH(QString, url);
    QFETCH(QByteArray, start);
    const QByteArray request = webSocketUpgradeRequest(QUrl(url), s_key);
    QVERIFY2(request.startsWith(start), request.constData());
    QVERIFY(request.endsWith("\r\n\r\n"));
    QVERIFY(request.contains(QByteArray("\r\nSec-WebSocket-Key: " + s_key + "\r\n")));
    QVERIFY(!request.contains("Origin"));
}

void WebSocketCodecTest::readsUpgradeAnswers_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("status"); // 0 = not complete, -1 = error
    const QByteArray good = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: "
                            "keep-alive, Upgrade\r\n"
                            "sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"_ba;
    QTest::newRow("good") << good + "\r\n" << 101;
    QTest::newRow("with what follows") << good + "\r\n\x81\x01x" << 101;
    QTest::newRow("not complete") << good << 0;
    QTest::newRow("nothing") << ""_ba << 0;
    QTest::newRow("refused") << "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\n{}"_ba << 403;
    QTest::newRow("redirect") << "HTTP/1.1 302 Found\r\nLocation: http://evil\r\n\r\n"_ba << 302;
    QTest::newRow("wrong accept") << QByteArray(good).replace("s3pP", "AAAA") + "\r\n" << -1;
    QTest::newRow("no upgrade") << "HTTP/1.1 101 Yes\r\n\r\n"_ba << -1;
    QTest::newRow("extension") << good + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
                               << -1;
    QTest::newRow("subprotocol") << good + "Sec-WebSocket-Protocol: x\r\n\r\n" << -1;
    QTest::newRow("no HTTP") << "SSH-2.0-OpenSSH_10\r\n\r\n"_ba << -1;
    QTest::newRow("no status") << "HTTP/1.1 abc\r\n\r\n"_ba << -1;
    QTest::newRow("endless") << QByteArray(20'000, 'x') << -1;
    QTest::newRow("endless with end") << QByteArray(20'000, 'x') + "\r\n\r\n" << -1;
}

void WebSocketCodecTest::readsUpgradeAnswers()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, status);
    const Result<std::optional<WebSocketUpgradeAnswer>> answer =
        parseWebSocketUpgradeAnswer(bytes, s_key);
    QCOMPARE(!answer ? -1 : (answer->has_value() ? (*answer)->status : 0), status);
    QVERIFY(answer.has_value() || answer.error().code == ErrorCode::Protocol);
}

void WebSocketCodecTest::masksFrames()
{
    // RFC 6455 §5.7: "Hello", masked.
    QCOMPARE(encodeWebSocketFrame(WebSocketOpcode::Text, "Hello", {0x37, 0xfa, 0x21, 0x3d}).toHex(),
             "818537fa213d7f9f4d5158"_ba);
}

void WebSocketCodecTest::encodesEachLength_data()
{
    QTest::addColumn<qsizetype>("bytes");
    QTest::addColumn<QByteArray>("header");
    QTest::newRow("0") << qsizetype(0) << "8180"_ba;
    QTest::newRow("125") << qsizetype(125) << "81fd"_ba;
    QTest::newRow("126") << qsizetype(126) << "81fe007e"_ba;
    QTest::newRow("65535") << qsizetype(65535) << "81feffff"_ba;
    QTest::newRow("65536") << qsizetype(65536) << "81ff0000000000010000"_ba;
}

void WebSocketCodecTest::encodesEachLength()
{
    QFETCH(qsizetype, bytes);
    QFETCH(QByteArray, header);
    const QByteArray frame =
        encodeWebSocketFrame(WebSocketOpcode::Text, QByteArray(bytes, 'x'), {0, 0, 0, 0});
    QVERIFY(frame.toHex().startsWith(QByteArray(header + "00000000")));
    QCOMPARE(frame.size(), header.size() / 2 + 4 + bytes);
    QVERIFY(frame.endsWith(QByteArray(bytes, 'x')));
}

void WebSocketCodecTest::readsMessagesHoweverTheyAreCut()
{
    const QByteArray large(70'000, 'y');
    const QByteArray bytes = QByteArray::fromHex("8105") + "Hello" + QByteArray::fromHex("0103")
        + "Hel" + QByteArray::fromHex("8002") + "lo" + QByteArray::fromHex("817f0000000000011170")
        + large + QByteArray::fromHex("8100");
    for (const qsizetype step : {qsizetype(1), qsizetype(3), qsizetype(4096), bytes.size()}) {
        WebSocketReader reader(100'000);
        QList<QByteArray> messages;
        for (qsizetype i = 0; i < bytes.size(); i += step) {
            reader.append(QByteArrayView(bytes).sliced(i, std::min(step, bytes.size() - i)));
            for (;;) {
                const Result<std::optional<WebSocketMessage>> message = reader.next();
                QVERIFY(message.has_value());
                if (!message->has_value()) {
                    break;
                }
                messages.append((*message)->payload);
            }
        }
        QCOMPARE(messages, QList<QByteArray>({"Hello"_ba, "Hello"_ba, large, ""_ba}));
    }
}

void WebSocketCodecTest::readsControlFramesBetweenFragments()
{
    WebSocketReader reader(100);
    reader.append(QByteArray(QByteArray::fromHex("0101") + "a" + QByteArray::fromHex("8901") + "p"
                             + QByteArray::fromHex("8001") + "b"));
    const Result<std::optional<WebSocketMessage>> ping = reader.next();
    QVERIFY(ping.has_value() && ping->has_value());
    QCOMPARE((*ping)->opcode, WebSocketOpcode::Ping);
    QCOMPARE((*ping)->payload, "p"_ba);
    const Result<std::optional<WebSocketMessage>> text = reader.next();
    QVERIFY(text.has_value() && text->has_value());
    QCOMPARE((*text)->opcode, WebSocketOpcode::Text);
    QCOMPARE((*text)->payload, "ab"_ba);
}

void WebSocketCodecTest::refusesBadFrames_data()
{
    QTest::addColumn<QByteArray>("hex");
    QTest::newRow("compressed") << "c100"_ba;
    QTest::newRow("unknown opcode") << "8300"_ba;
    QTest::newRow("unknown control opcode") << "8b00"_ba;
    QTest::newRow("masked") << "818000000000"_ba;
    QTest::newRow("fragmented ping") << "0900"_ba;
    QTest::newRow("long ping") << "897e007e"_ba;
    QTest::newRow("continuation of nothing") << "8000"_ba;
    QTest::newRow("message inside a message") << "01016181016180"_ba;
    QTest::newRow("negative length") << "817fffffffffffffffff"_ba;
}

void WebSocketCodecTest::refusesBadFrames()
{
    QFETCH(QByteArray, hex);
    WebSocketReader reader(1000);
    reader.append(QByteArray::fromHex(hex));
    QVERIFY(!reader.next().has_value());
}

void WebSocketCodecTest::refusesTooLargeAMessageBeforeItsBytes()
{
    WebSocketReader reader(1000);
    reader.append(QByteArray::fromHex("817e03e9"));
    const Result<std::optional<WebSocketMessage>> message = reader.next();
    QVERIFY(!message.has_value());
    QVERIFY(message.error().code == ErrorCode::InvalidArgument);
    // Many small parts count together.
    WebSocketReader parts(1000);
    parts.append(QByteArray(QByteArray::fromHex("017e01f4") + QByteArray(500, 'x')
                            + QByteArray::fromHex("007e01f5")));
    QVERIFY(!parts.next().has_value());
}

void WebSocketCodecTest::readsCloseFrames()
{
    QCOMPARE(parseWebSocketClosePayload({})->code, 1005);
    QVERIFY(!parseWebSocketClosePayload("x"_ba).has_value());
    const Result<WebSocketCloseInfo> close =
        parseWebSocketClosePayload(encodeWebSocketClosePayload(1012, u"service restart"_s));
    QCOMPARE(close->code, 1012);
    QCOMPARE(close->reason, u"service restart"_s);
    QCOMPARE(encodeWebSocketClosePayload(1000, QString(500, u'\u00e4')).size(), 124);
}

QTEST_APPLESS_MAIN(WebSocketCodecTest)
#include "tst_websocketcodec.moc"
