// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/identity/deviceidentity.h"
#include "nodecore/identity/openidentity.h"
#include "nodecore/identity/signaturepayload.h"
#include "tests/support/memorysecretstore.h"

#include <QtCore/QCryptographicHash>
#include <QtTest/QtTest>

#include <optional>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

/// The vectors are those of handshake.md §3.
class DeviceIdentityTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void derivesIdAndPublicKey();
    void signsAsTheVectorsSay_data();
    void signsAsTheVectorsSay();
    void keepsItsSecret();
    void refusesBadSecrets_data();
    void refusesBadSecrets();
    void makesOneIdentityAndKeepsIt();
    void neverReplacesAnIdentity_data();
    void neverReplacesAnIdentity();
    void asksNobodyWhoIsGone();

private:
    std::optional<Result<DeviceIdentity>> open(const QString &knownDeviceId);

    MemorySecretStore m_secrets;
};

static DeviceIdentity vectorIdentity()
{
    return *DeviceIdentity::fromSeed(QByteArray(QByteArray(31, '\0') + '\1'));
}

static SignatureClaims vectorClaims()
{
    SignatureClaims claims;
    claims.deviceId = vectorIdentity().deviceId();
    claims.clientId = u"node-host"_s;
    claims.clientMode = u"node"_s;
    claims.role = u"node"_s;
    claims.signedAt = 1'700'000'000'000ms;
    claims.token = u"example-token"_s;
    claims.nonce = u"11111111-2222-4333-8444-555555555555"_s;
    claims.platform = u" linux "_s;
    claims.deviceFamily = u"Linux"_s;
    return claims;
}

void DeviceIdentityTest::derivesIdAndPublicKey()
{
    const DeviceIdentity identity = vectorIdentity();
    QCOMPARE(identity.publicKey(), u"TLWr9q15-_WrvMr8wmnYXNJlHtS4hbWGnyQa7fCluik"_s);
    QCOMPARE(identity.deviceId(),
             u"4a67330b803d5c88757afb9328615344a89c49839a07f1f76887ad62d06a1f57"_s);
}

void DeviceIdentityTest::signsAsTheVectorsSay_data()
{
    QTest::addColumn<SignatureClaims>("claims");
    QTest::addColumn<SignatureVersion>("version");
    QTest::addColumn<qsizetype>("bytes");
    QTest::addColumn<QByteArray>("digest");
    QTest::addColumn<QString>("signature");
    QTest::newRow("A: v3 node")
        << vectorClaims() << SignatureVersion::V3 << qsizetype(165)
        << "d0dfc2a296a45cf4d72a2fadc8ed8a6fafc74de5b89dfe6c6b1873f9d2cdaf41"_ba
        << u"y9Nmwfp5DtG1xS4ksbzyJgE6kNPwJNz7RUkSfsKnwRQ_7z49uIaowED3oQwXaAZ7O8uLU-lknnFUR7WslSYgAw"_s;
    QTest::newRow("B: v2 node")
        << vectorClaims() << SignatureVersion::V2 << qsizetype(153)
        << "92d4489d588f0a3d92f828f2c776e5c6ab310f2fb4b1c3988dcc30a850479cf2"_ba
        << u"hUhyTN2-7VYp7nKACVgVFmGvq3LKclfa8Xv2jEeSdE-PJ0FuPE1xGKLPpVx9czc6BzJjmA4tWbLwa8paYh-xAw"_s;
    SignatureClaims person = vectorClaims();
    person.clientId = u"openclaw-linux"_s;
    person.clientMode = u"ui"_s;
    person.role = u"operator"_s;
    person.scopes = {u"operator.read"_s, u"operator.write"_s, u"operator.admin"_s,
                     u"operator.approvals"_s, u"operator.pairing"_s};
    person.token.clear();
    person.platform = u"windows"_s;
    person.deviceFamily = u"Windows"_s;
    QTest::newRow("C: v3 operator")
        << person << SignatureVersion::V3 << qsizetype(242)
        << "3febdbc809c53dd7577622caf7e6e76a5f6bf5ca1ba0be8239e23fb4165b24e2"_ba
        << u"vlEY9nfLrec0UNMcAdwRQyQnLQ_QBJO8YrC6JkL4CH7oQetxtWdQz5gnuIHEmAiipye-3JtBqA_MUklJZyoBBg"_s;
}

void DeviceIdentityTest::signsAsTheVectorsSay()
{
    QFETCH(SignatureClaims, claims);
    QFETCH(SignatureVersion, version);
    QFETCH(qsizetype, bytes);
    QFETCH(QByteArray, digest);
    QFETCH(QString, signature);
    const QString payload = signaturePayload(claims, version);
    QCOMPARE(payload.toUtf8().size(), bytes);
    QCOMPARE(QCryptographicHash::hash(payload.toUtf8(), QCryptographicHash::Sha256).toHex(),
             digest);
    QCOMPARE(vectorIdentity().sign(payload), signature);
}

void DeviceIdentityTest::keepsItsSecret()
{
    const DeviceIdentity identity = DeviceIdentity::generate();
    const Result<DeviceIdentity> again = DeviceIdentity::fromSecret(identity.toSecret());
    QVERIFY(again.has_value());
    QCOMPARE(again->deviceId(), identity.deviceId());
    QCOMPARE(again->sign(u"x"_s), identity.sign(u"x"_s));
    QVERIFY(DeviceIdentity::generate().deviceId() != identity.deviceId());
    QByteArray secret = identity.toSecret();
    wipe(secret);
    QVERIFY(secret.isEmpty());
}

void DeviceIdentityTest::refusesBadSecrets_data()
{
    QTest::addColumn<QByteArray>("secret");
    const QByteArray good = vectorIdentity().toSecret();
    QTest::newRow("empty") << ""_ba;
    QTest::newRow("no prefix") << good.sliced(13);
    QTest::newRow("cut") << good.chopped(2);
    QTest::newRow("longer") << good + "AAAA";
    QTest::newRow("no base64") << "ed25519-seed:!!!!"_ba;
}

void DeviceIdentityTest::refusesBadSecrets()
{
    QFETCH(QByteArray, secret);
    const Result<DeviceIdentity> identity = DeviceIdentity::fromSecret(secret);
    QVERIFY(!identity);
    QVERIFY(identity.error().code == ErrorCode::InvalidArgument);
}

std::optional<Result<DeviceIdentity>> DeviceIdentityTest::open(const QString &knownDeviceId)
{
    std::optional<Result<DeviceIdentity>> answer;
    openIdentity(m_secrets, knownDeviceId, this, [&answer](Result<DeviceIdentity> identity) {
        answer.emplace(std::move(identity));
    });
    if (answer.has_value()) {
        return std::nullopt; // too early
    }
    [[maybe_unused]] const bool came = QTest::qWaitFor([&answer] { return answer.has_value(); });
    return answer;
}

void DeviceIdentityTest::makesOneIdentityAndKeepsIt()
{
    m_secrets.secrets.clear();
    m_secrets.reads.clear();
    const std::optional<Result<DeviceIdentity>> first = open({});
    QVERIFY(first.has_value() && first->has_value());
    QCOMPARE(m_secrets.reads.size(), 2); // the second is the proof that it was kept
    for (int i = 0; i < 3; ++i) {
        const std::optional<Result<DeviceIdentity>> again = open((*first)->deviceId());
        QVERIFY(again.has_value() && again->has_value());
        QCOMPARE((*again)->deviceId(), (*first)->deviceId());
    }
    QCOMPARE(m_secrets.writes.size(), 1);
}

void DeviceIdentityTest::neverReplacesAnIdentity_data()
{
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<QString>("knownDeviceId");
    QTest::addColumn<bool>("isLocked");
    QTest::addColumn<bool>("losesWrites");
    QTest::addColumn<ErrorCode>("code");
    QTest::newRow("store is locked")
        << vectorIdentity().toSecret() << QString() << true << false << ErrorCode::Denied;
    QTest::newRow("key is broken")
        << "garbage"_ba << QString() << false << false << ErrorCode::Protocol;
    QTest::newRow("key is gone") << QByteArray() << u"4a67"_s << false << false
                                 << ErrorCode::Unavailable;
    QTest::newRow("key is another's")
        << vectorIdentity().toSecret() << u"4a67"_s << false << false << ErrorCode::Protocol;
    QTest::newRow("store forgets") << QByteArray() << QString() << false << true << ErrorCode::Io;
}

void DeviceIdentityTest::neverReplacesAnIdentity()
{
    QFETCH(QByteArray, stored);
    QFETCH(QString, knownDeviceId);
    QFETCH(bool, isLocked);
    QFETCH(bool, losesWrites);
    QFETCH(ErrorCode, code);
    m_secrets.secrets.clear();
    if (!stored.isEmpty()) {
        m_secrets.secrets.insert(s_privateKeySecret.toString(), stored);
    }
    m_secrets.losesWrites = losesWrites;
    if (isLocked) {
        m_secrets.readError = Error{ErrorCode::Denied, u"locked"_s, 0};
    }
    const QMap<QString, QByteArray> before = m_secrets.secrets;
    const std::optional<Result<DeviceIdentity>> identity = open(knownDeviceId);
    m_secrets.readError.reset();
    m_secrets.losesWrites = false;
    QVERIFY(identity.has_value() && !identity->has_value());
    QVERIFY(identity->error().code == code);
    QCOMPARE(m_secrets.secrets, before);
}

void DeviceIdentityTest::asksNobodyWhoIsGone()
{
    auto context = std::make_unique<QObject>();
    bool wasCalled = false;
    openIdentity(m_secrets, {}, context.get(),
                 [&wasCalled](const Result<DeviceIdentity> &) { wasCalled = true; });
    context.reset();
    QCoreApplication::processEvents();
    QVERIFY(!wasCalled);
}

QTEST_GUILESS_MAIN(DeviceIdentityTest)
#include "tst_deviceidentity.moc"
