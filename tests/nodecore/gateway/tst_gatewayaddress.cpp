// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/gatewayaddress.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class GatewayAddressTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void classifiesHosts_data();
    void classifiesHosts();
    void refusesUrls_data();
    void refusesUrls();
    void namesOrigins_data();
    void namesOrigins();
    void readsFingerprints_data();
    void readsFingerprints();
    void settlesTransports_data();
    void settlesTransports();
    void trustsOnlyLoopbackAndPinsWithASecondToken_data();
    void trustsOnlyLoopbackAndPinsWithASecondToken();
};

static const QString s_pin(64, u'a');

void GatewayAddressTest::classifiesHosts_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<HostClass>("expected");
    for (const QString &host : {u"127.0.0.1"_s, u"127.255.255.254"_s, u"::1"_s, u"localhost"_s,
                                u"LOCALHOST"_s, u"::ffff:127.0.0.1"_s}) {
        QTest::newRow(qPrintable(host)) << host << HostClass::Loopback;
    }
    for (const QString &host :
         {u"10.0.0.1"_s, u"172.16.0.1"_s, u"172.31.255.255"_s, u"192.168.1.1"_s, u"169.254.1.1"_s,
          u"100.64.0.1"_s, u"100.127.255.255"_s, u"fe80::1"_s, u"febf::1"_s, u"fc00::1"_s,
          u"fdff::1"_s, u"fec0::1"_s, u"::ffff:10.0.0.1"_s}) {
        QTest::newRow(qPrintable(host)) << host << HostClass::Private;
    }
    for (const QString &host : {u"desk.local"_s, u"a.tailnet.ts.net"_s, u"DESK.LOCAL"_s}) {
        QTest::newRow(qPrintable(host)) << host << HostClass::PrivateName;
    }
    for (const QString &host :
         {u"127.evil.com"_s, u"127.0.0.1.evil.com"_s, u"localhost.evil.com"_s, u"evil-localhost"_s,
          u"local"_s, u"ts.net"_s, u"desk.local.evil.com"_s, u"10.evil.com"_s, u"gateway"_s}) {
        QTest::newRow(qPrintable(host)) << host << HostClass::OtherName;
    }
    for (const QString &host :
         {u"8.8.8.8"_s, u"0.0.0.0"_s, u"126.255.255.255"_s, u"128.0.0.1"_s, u"172.15.0.1"_s,
          u"172.32.0.1"_s, u"100.63.255.255"_s, u"100.128.0.1"_s, u"192.169.0.1"_s, u"::"_s,
          u"::2"_s, u"2001:db8::1"_s, u"fe00::1"_s, u"ff02::1"_s, u"::ffff:8.8.8.8"_s}) {
        QTest::newRow(qPrintable(host)) << host << HostClass::Public;
    }
}

void GatewayAddressTest::classifiesHosts()
{
    QFETCH(QString, host);
    QFETCH(HostClass, expected);
    QCOMPARE(hostClass(host), expected);
}

void GatewayAddressTest::refusesUrls_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("host only") << u"gateway:18789"_s;
    QTest::newRow("http") << u"http://gateway"_s;
    QTest::newRow("no host") << u"ws://"_s;
    QTest::newRow("user") << u"wss://me@gateway"_s;
    QTest::newRow("password") << u"wss://me:s3cret@gateway"_s;
    QTest::newRow("query") << u"wss://gateway?token=s3cret"_s;
    QTest::newRow("fragment") << u"wss://gateway#x"_s;
    QTest::newRow("port too large") << u"wss://gateway:70000"_s;
    QTest::newRow("space") << u"wss://gate way"_s;
}

void GatewayAddressTest::refusesUrls()
{
    QFETCH(QString, text);
    const Result<QUrl> url = parseGatewayUrl(text);
    QVERIFY(!url);
    QVERIFY(url.error().code == ErrorCode::InvalidArgument);
    QVERIFY(!url.error().message.contains(u"s3cret"_s));
}

void GatewayAddressTest::namesOrigins_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("origin");
    QTest::newRow("default tls port")
        << u"wss://Gateway.Example"_s << u"wss://gateway.example:443"_s;
    QTest::newRow("default plain port") << u"ws://127.0.0.1/path"_s << u"ws://127.0.0.1:80"_s;
    QTest::newRow("port") << u"ws://localhost:18789"_s << u"ws://localhost:18789"_s;
    QTest::newRow("IPv6") << u"ws://[::1]:1"_s << u"ws://[::1]:1"_s;
    QTest::newRow("other letters")
        << u"wss://b\u00fccher.example"_s << u"wss://xn--bcher-kva.example:443"_s;
}

void GatewayAddressTest::namesOrigins()
{
    QFETCH(QString, url);
    QFETCH(QString, origin);
    QCOMPARE(gatewayOrigin(*parseGatewayUrl(url)), origin);
}

void GatewayAddressTest::readsFingerprints_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isGood");
    QTest::newRow("plain") << s_pin << true;
    QTest::newRow("upper case") << s_pin.toUpper() << true;
    QTest::newRow("prefix") << u"sha256:"_s + s_pin << true;
    QString colons;
    for (int i = 0; i < 32; ++i) {
        colons += i == 0 ? u"AA"_s : u":AA"_s;
    }
    QTest::newRow("colons") << u"SHA256:"_s + colons << true;
    QTest::newRow("short") << s_pin.chopped(2) << false;
    QTest::newRow("long") << s_pin + u"aa"_s << false;
    QTest::newRow("no hex") << s_pin.chopped(1) + u'g' << false;
    QTest::newRow("sha1") << u"sha1:"_s + s_pin << false;
    QTest::newRow("empty") << QString() << false;
}

void GatewayAddressTest::readsFingerprints()
{
    QFETCH(QString, text);
    QFETCH(bool, isGood);
    const Result<QByteArray> pin = parseFingerprint(text);
    QCOMPARE(pin.has_value(), isGood);
    if (isGood) {
        QCOMPARE(*pin, QByteArray(32, '\xaa'));
    }
}

void GatewayAddressTest::settlesTransports_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("pin");
    QTest::addColumn<bool>("trustCa");
    QTest::addColumn<bool>("allowInsecurePrivate");
    QTest::addColumn<QString>("outcome");
    QTest::newRow("ws to loopback")
        << u"ws://127.0.0.1:1"_s << QString() << false << false << u"plain"_s;
    QTest::newRow("ws to a private address")
        << u"ws://192.168.0.9"_s << QString() << false << false << u"plain"_s;
    QTest::newRow("ws to a tailnet")
        << u"ws://a.ts.net"_s << QString() << false << false << u"plain"_s;
    QTest::newRow("ws to a name") << u"ws://gateway"_s << QString() << false << false
                                  << u"denied"_s;
    QTest::newRow("ws to 127.evil.com")
        << u"ws://127.evil.com"_s << QString() << false << false << u"denied"_s;
    QTest::newRow("ws to a name, allowed")
        << u"ws://gateway"_s << QString() << false << true << u"plain"_s;
    QTest::newRow("ws to a public address")
        << u"ws://8.8.8.8"_s << QString() << false << false << u"denied"_s;
    QTest::newRow("ws to a public address is never allowed")
        << u"ws://8.8.8.8"_s << QString() << false << true << u"denied"_s;
    QTest::newRow("wss anywhere") << u"wss://8.8.8.8"_s << QString() << false << false
                                  << u"plain"_s;
    QTest::newRow("wss with pin") << u"wss://8.8.8.8"_s << s_pin << false << false << u"pinned"_s;
    QTest::newRow("wss with pin, CA trusted")
        << u"wss://8.8.8.8"_s << s_pin << true << false << u"plain"_s;
    QTest::newRow("ws with pin") << u"ws://127.0.0.1"_s << s_pin << false << false << u"invalid"_s;
    QTest::newRow("bad pin") << u"wss://8.8.8.8"_s << u"aa"_s << false << false << u"invalid"_s;
    QTest::newRow("bad url") << u"http://x"_s << QString() << false << false << u"invalid"_s;
}

void GatewayAddressTest::settlesTransports()
{
    QFETCH(QString, url);
    QFETCH(QString, pin);
    QFETCH(bool, trustCa);
    QFETCH(bool, allowInsecurePrivate);
    QFETCH(QString, outcome);
    const Result<TransportTarget> target =
        transportTarget({u"home"_s, QUrl(url), pin, trustCa, allowInsecurePrivate});
    QString seen;
    if (target) {
        seen = target->pinnedSha256.isEmpty() ? u"plain"_s : u"pinned"_s;
    } else {
        seen = target.error().code == ErrorCode::Denied ? u"denied"_s : u"invalid"_s;
    }
    QCOMPARE(seen, outcome);
}

void GatewayAddressTest::trustsOnlyLoopbackAndPinsWithASecondToken_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("pin");
    QTest::addColumn<bool>("isTrusted");
    const QByteArray pin(32, '\xaa');
    QTest::newRow("loopback") << u"ws://127.0.0.1"_s << QByteArray() << true;
    QTest::newRow("localhost") << u"ws://localhost"_s << QByteArray() << true;
    QTest::newRow("IPv6 loopback") << u"ws://[::1]"_s << QByteArray() << true;
    QTest::newRow("127.evil.com") << u"ws://127.evil.com"_s << QByteArray() << false;
    QTest::newRow("private") << u"ws://192.168.0.1"_s << QByteArray() << false;
    QTest::newRow("wss") << u"wss://gateway"_s << QByteArray() << false;
    QTest::newRow("pinned wss") << u"wss://gateway"_s << pin << true;
}

void GatewayAddressTest::trustsOnlyLoopbackAndPinsWithASecondToken()
{
    QFETCH(QString, url);
    QFETCH(QByteArray, pin);
    QFETCH(bool, isTrusted);
    QCOMPARE(isTrustedForTokenRetry({QUrl(url), pin}), isTrusted);
}

QTEST_APPLESS_MAIN(GatewayAddressTest)
#include "tst_gatewayaddress.moc"
