// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/connectreaction.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

using Action = ConnectReaction::Action;

/// Walks the rows of handshake.md §5 and §6.
class ConnectReactionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reactsToEachRefusal_data();
    void reactsToEachRefusal();
    void reactsToEachCloseCode_data();
    void reactsToEachCloseCode();
    void retriesOnceWithTheDeviceTokenWhereItIsSafe_data();
    void retriesOnceWithTheDeviceTokenWhereItIsSafe();
    void stopsUsingARefusedDeviceToken_data();
    void stopsUsingARefusedDeviceToken();
    void namesTheClockAfterThreeRetries();
    void keepsTryingAfterOtherSignatureRefusals();
    void honoursTheHintOfTheGateway();
    void waitsAfterRateLimit();
    void namesTheCommandThatApproves_data();
    void namesTheCommandThatApproves();
    void reactsToTransportFailures_data();
    void reactsToTransportFailures();
};

static ConnectFailure refusedWith(const QString &code, const QString &detailsCode)
{
    ConnectFailure failure;
    failure.refusal = GatewayError{code, u"says the gateway"_s, {}, {}};
    failure.refusal->details.code = detailsCode;
    return failure;
}

void ConnectReactionTest::reactsToEachRefusal_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("detailsCode");
    QTest::addColumn<Action>("action");
    const QString invalid = u"INVALID_REQUEST"_s;
    const auto row = [](const QString &code, const QString &detailsCode, Action action) {
        QTest::newRow(qPrintable(detailsCode.isEmpty() ? code : detailsCode))
            << code << detailsCode << action;
    };
    row(invalid, u"AUTH_TOKEN_MISSING"_s, Action::Pause);
    row(invalid, u"AUTH_TOKEN_MISMATCH"_s, Action::Pause);
    row(invalid, u"AUTH_DEVICE_TOKEN_MISMATCH"_s, Action::Pause);
    row(invalid, u"AUTH_BOOTSTRAP_TOKEN_INVALID"_s, Action::Pause);
    row(invalid, u"AUTH_PASSWORD_MISSING"_s, Action::Pause);
    row(invalid, u"AUTH_PASSWORD_MISMATCH"_s, Action::Pause);
    row(invalid, u"AUTH_TOKEN_NOT_CONFIGURED"_s, Action::Retry);
    row(invalid, u"AUTH_PASSWORD_NOT_CONFIGURED"_s, Action::Retry);
    row(invalid, u"AUTH_RATE_LIMITED"_s, Action::Retry);
    row(invalid, u"AUTH_SCOPE_MISMATCH"_s, Action::Pause);
    row(invalid, u"AUTH_REQUIRED"_s, Action::Retry);
    row(invalid, u"AUTH_UNAUTHORIZED"_s, Action::Retry);
    row(invalid, u"AUTH_TAILSCALE_IDENTITY_MISSING"_s, Action::Pause);
    row(invalid, u"AUTH_IDENTITY_HEADER_REQUIRED"_s, Action::Pause);
    row(invalid, u"AUTH_VERIFIED_USER_REQUIRED"_s, Action::Pause);
    row(u"UNAVAILABLE"_s, u"AUTHENTICATED_PROFILE_UNAVAILABLE"_s, Action::Retry);
    row(u"NOT_PAIRED"_s, u"DEVICE_IDENTITY_REQUIRED"_s, Action::Pause);
    row(invalid, u"DEVICE_AUTH_SIGNATURE_INVALID"_s, Action::Retry);
    row(invalid, u"DEVICE_AUTH_SIGNATURE_EXPIRED"_s, Action::Retry);
    row(invalid, u"DEVICE_AUTH_NONCE_MISMATCH"_s, Action::Retry);
    row(invalid, u"DEVICE_AUTH_NONCE_REQUIRED"_s, Action::Retry);
    row(invalid, u"DEVICE_AUTH_DEVICE_ID_MISMATCH"_s, Action::Retry);
    row(invalid, u"DEVICE_AUTH_PUBLIC_KEY_INVALID"_s, Action::Retry);
    row(invalid, u"DEVICE_AUTH_INVALID"_s, Action::Retry);
    row(u"NOT_PAIRED"_s, u"PAIRING_REQUIRED"_s, Action::PollPairing);
    row(invalid, u"PROTOCOL_MISMATCH"_s, Action::Pause);
    row(invalid, u"CLIENT_VERSION_MISMATCH"_s, Action::Pause);
    row(invalid, u"CONTROL_UI_ORIGIN_NOT_ALLOWED"_s, Action::Retry);
    row(u"UNAVAILABLE"_s, QString(), Action::Retry);
    row(u"NOT_PAIRED"_s, QString(), Action::Retry);
    row(invalid, QString(), Action::Retry);
    row(u"SOMETHING_NEW"_s, QString(), Action::Retry);
    row(invalid, u"SOMETHING_NEW_TOO"_s, Action::Retry);
}

void ConnectReactionTest::reactsToEachRefusal()
{
    QFETCH(QString, code);
    QFETCH(QString, detailsCode);
    QFETCH(Action, action);
    ConnectFailure failure = refusedWith(code, detailsCode);
    failure.signatureRefusals = 1;
    const ConnectReaction reaction = reactionTo(failure);
    QCOMPARE(reaction.action, action);
    QCOMPARE(reaction.code, detailsCode.isEmpty() ? code : detailsCode);
    QVERIFY(!reaction.text.isEmpty());
}

void ConnectReactionTest::reactsToEachCloseCode_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<Action>("action");
    QTest::newRow("1000 handshake deadline") << 1000 << Action::Retry;
    QTest::newRow("1001 going away") << 1001 << Action::Retry;
    QTest::newRow("1002 protocol mismatch") << 1002 << Action::Pause;
    QTest::newRow("1006 no close frame") << 1006 << Action::Retry;
    QTest::newRow("1008 slow consumer") << 1008 << Action::Retry;
    QTest::newRow("1009 frame too large") << 1009 << Action::Retry;
    QTest::newRow("1011 internal") << 1011 << Action::Retry;
    QTest::newRow("1012 service restart") << 1012 << Action::Retry;
    QTest::newRow("1013 gateway starting") << 1013 << Action::Retry;
    QTest::newRow("4000 tick timeout") << 4000 << Action::Retry;
    QTest::newRow("4001 auth changed") << 4001 << Action::Retry;
    QTest::newRow("4999 unknown") << 4999 << Action::Retry;
}

void ConnectReactionTest::reactsToEachCloseCode()
{
    QFETCH(int, code);
    QFETCH(Action, action);
    ConnectFailure failure;
    failure.close = {TransportClose::Cause::Peer, code, u"because"_s, 0, {}};
    const ConnectReaction reaction = reactionTo(failure);
    QCOMPARE(reaction.action, action);
    QCOMPARE(reaction.code, u"CLOSED_%1"_s.arg(code));
    QVERIFY(reaction.text.contains(u"because"_s));
    QCOMPARE(reaction.atLeast, code == 1013 ? 500ms : 0ms);
}

void ConnectReactionTest::retriesOnceWithTheDeviceTokenWhereItIsSafe_data()
{
    QTest::addColumn<bool>("gatewayAllows");
    QTest::addColumn<bool>("hasToken");
    QTest::addColumn<bool>("isTrusted");
    QTest::addColumn<bool>("hasRetried");
    QTest::addColumn<Action>("action");
    QTest::newRow("all well") << true << true << true << false << Action::RetryWithDeviceToken;
    QTest::newRow("not offered") << false << true << true << false << Action::Pause;
    QTest::newRow("no token") << true << false << true << false << Action::Pause;
    QTest::newRow("hostile host") << true << true << false << false << Action::Pause;
    QTest::newRow("second time") << true << true << true << true << Action::Pause;
}

void ConnectReactionTest::retriesOnceWithTheDeviceTokenWhereItIsSafe()
{
    QFETCH(bool, gatewayAllows);
    QFETCH(bool, hasToken);
    QFETCH(bool, isTrusted);
    QFETCH(bool, hasRetried);
    QFETCH(Action, action);
    ConnectFailure failure = refusedWith(u"INVALID_REQUEST"_s, u"AUTH_TOKEN_MISMATCH"_s);
    failure.refusal->details.canRetryWithDeviceToken = gatewayAllows;
    failure.hasDeviceToken = hasToken;
    failure.isTrustedForTokenRetry = isTrusted;
    failure.hasRetriedWithDeviceToken = hasRetried;
    failure.hasOtherCredential = true;
    QCOMPARE(reactionTo(failure).action, action);
}

void ConnectReactionTest::stopsUsingARefusedDeviceToken_data()
{
    QTest::addColumn<bool>("wasSent");
    QTest::addColumn<bool>("hasOther");
    QTest::addColumn<Action>("action");
    QTest::newRow("nothing else") << true << false << Action::Pause;
    QTest::newRow("shared token") << true << true << Action::Retry;
    QTest::newRow("never sent") << false << false << Action::Pause;
}

void ConnectReactionTest::stopsUsingARefusedDeviceToken()
{
    QFETCH(bool, wasSent);
    QFETCH(bool, hasOther);
    QFETCH(Action, action);
    ConnectFailure failure = refusedWith(u"INVALID_REQUEST"_s, u"AUTH_DEVICE_TOKEN_MISMATCH"_s);
    failure.sentDeviceToken = wasSent;
    failure.hasOtherCredential = hasOther;
    const ConnectReaction reaction = reactionTo(failure);
    QCOMPARE(reaction.action, action);
    QCOMPARE(reaction.marksTokenSuspect, wasSent);
}

void ConnectReactionTest::namesTheClockAfterThreeRetries()
{
    ConnectFailure failure = refusedWith(u"INVALID_REQUEST"_s, u"DEVICE_AUTH_SIGNATURE_EXPIRED"_s);
    for (failure.signatureRefusals = 1; failure.signatureRefusals <= 3;
         ++failure.signatureRefusals) {
        QCOMPARE(reactionTo(failure).action, Action::Retry);
    }
    QCOMPARE(reactionTo(failure).action, Action::Pause);
    QVERIFY(reactionTo(failure).text.contains(u"clock"_s));
}

void ConnectReactionTest::keepsTryingAfterOtherSignatureRefusals()
{
    ConnectFailure failure = refusedWith(u"INVALID_REQUEST"_s, u"DEVICE_AUTH_SIGNATURE_INVALID"_s);
    failure.signatureRefusals = 50;
    QCOMPARE(reactionTo(failure).action, Action::Retry);
    QVERIFY(reactionTo(failure).text.contains(u"identity"_s));
}

void ConnectReactionTest::honoursTheHintOfTheGateway()
{
    ConnectFailure failure = refusedWith(u"UNAVAILABLE"_s, QString());
    QCOMPARE(reactionTo(failure).atLeast, 500ms);
    QCOMPARE(reactionTo(failure).atMost, 2s);
    failure.refusal->retryAfter = 1000ms;
    QCOMPARE(reactionTo(failure).atLeast, 1000ms);
    failure.refusal->retryAfter = std::chrono::hours(24 * 365);
    QCOMPARE(reactionTo(failure).atLeast, 1h);
}

void ConnectReactionTest::waitsAfterRateLimit()
{
    ConnectFailure failure = refusedWith(u"INVALID_REQUEST"_s, u"AUTH_RATE_LIMITED"_s);
    QCOMPARE(reactionTo(failure).atLeast, 5min);
    failure.refusal->retryAfter = 90s;
    QCOMPARE(reactionTo(failure).atLeast, 90s);
    failure.refusal->retryAfter = std::chrono::hours(24 * 365);
    QCOMPARE(reactionTo(failure).atLeast, 1h);
}

void ConnectReactionTest::namesTheCommandThatApproves_data()
{
    QTest::addColumn<QString>("requestId");
    QTest::addColumn<QString>("command");
    QTest::newRow("with id") << u"r-1"_s << u"openclaw devices approve r-1"_s;
    QTest::newRow("without") << QString() << u"openclaw devices list"_s;
    QTest::newRow("more than an id") << u"r; rm -rf ~"_s << u"openclaw devices list"_s;
}

void ConnectReactionTest::namesTheCommandThatApproves()
{
    QFETCH(QString, requestId);
    QFETCH(QString, command);
    ConnectFailure failure = refusedWith(u"NOT_PAIRED"_s, u"PAIRING_REQUIRED"_s);
    failure.refusal->details.requestId = requestId;
    const QString text = reactionTo(failure).text;
    QVERIFY2(text.contains(command), qPrintable(text));
    QVERIFY(!text.contains(u"rm -rf"_s));
}

void ConnectReactionTest::reactsToTransportFailures_data()
{
    QTest::addColumn<TransportClose>("close");
    QTest::addColumn<int>("proxyRefusals");
    QTest::addColumn<Action>("action");
    QTest::addColumn<QString>("code");
    using Cause = TransportClose::Cause;
    QTest::newRow("network") << TransportClose{Cause::Network, 1006, u"refused"_s, 0, {}} << 0
                             << Action::Retry << u"NETWORK"_s;
    QTest::newRow("tls") << TransportClose{Cause::Tls, 1006, u"self-signed"_s, 0, {}} << 0
                         << Action::Retry << u"TLS"_s;
    QTest::newRow("pin") << TransportClose{Cause::PinMismatch, 1006, u"pinned a"_s, 0, {}} << 0
                         << Action::Retry << u"TLS_PIN_MISMATCH"_s;
    QTest::newRow("broken") << TransportClose{Cause::Broken, 1002, u"masked"_s, 0, {}} << 0
                            << Action::Retry << u"PROTOCOL"_s;
    QTest::newRow("local") << TransportClose{Cause::Local, 4000, u"tick timeout"_s, 0, {}} << 0
                           << Action::Retry << u"LOCAL"_s;
    QTest::newRow("http") << TransportClose{Cause::UpgradeRefused, 1006, {}, 502, {}} << 0
                          << Action::Retry << u"HTTP_502"_s;
    QTest::newRow("proxy, twice") << TransportClose{Cause::UpgradeRefused, 1006, {}, 403, {}} << 2
                                  << Action::Retry << u"HTTP_403"_s;
    QTest::newRow("proxy, thrice") << TransportClose{Cause::UpgradeRefused, 1006, {}, 403, {}} << 3
                                   << Action::Pause << u"HTTP_403"_s;
}

void ConnectReactionTest::reactsToTransportFailures()
{
    QFETCH(TransportClose, close);
    QFETCH(int, proxyRefusals);
    QFETCH(Action, action);
    QFETCH(QString, code);
    ConnectFailure failure;
    failure.close = close;
    failure.localCode = u"LOCAL"_s;
    failure.proxyRefusals = proxyRefusals;
    const ConnectReaction reaction = reactionTo(failure);
    QCOMPARE(reaction.action, action);
    QCOMPARE(reaction.code, code);
    QVERIFY(!reaction.text.isEmpty());
}

QTEST_APPLESS_MAIN(ConnectReactionTest)
#include "tst_connectreaction.moc"
