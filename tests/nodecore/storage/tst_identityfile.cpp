// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/identityfile.h"

#include "nodecore/base/path.h"
#include "nodecore/identity/deviceidentity.h"
#include "platform/factory.h"
#include "tests/support/faultyprivatefiles.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

namespace {

StoredIdentity someIdentity()
{
    const DeviceIdentity device = DeviceIdentity::generate();
    return {.deviceId = device.deviceId(),
            .publicKey = device.publicKey(),
            .instanceId = u"5d3f0f1e-8d3a-4c55-9a39-0f3d8d0f9c11"_s,
            .createdAt = 1'700'000'000'123ms};
}

} // namespace

class IdentityFileTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void noFileIsNoIdentity();
    void whatWasWrittenIsRead();
    void writingTheSameAgainIsFine();
    void anotherIdentityNeverReplacesIt();
    void aBrokenFileIsNamedAndKept_data();
    void aBrokenFileIsNamedAndKept();
    void anUnreadableFileIsAnErrorAndKept();
    void refusesToWriteWhatCouldNotBeRead();

private:
    std::unique_ptr<PrivateFiles> m_real = telson::platform::makePrivateFiles();
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FaultyPrivateFiles> m_files;
    std::filesystem::path m_path;
};

void IdentityFileTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_files = std::make_unique<FaultyPrivateFiles>(*m_real);
    m_path = toPath(m_folder->path()) / "identity.json";
}

void IdentityFileTest::noFileIsNoIdentity()
{
    const auto read = readIdentityFile(*m_files, m_path);
    QVERIFY(read.has_value() && !read->has_value());
}

void IdentityFileTest::whatWasWrittenIsRead()
{
    const StoredIdentity identity = someIdentity();
    QVERIFY(writeIdentityFile(*m_files, m_path, identity).has_value());
    QCOMPARE(readIdentityFile(*m_files, m_path).value_or(std::nullopt), identity);
}

void IdentityFileTest::writingTheSameAgainIsFine()
{
    const StoredIdentity identity = someIdentity();
    QVERIFY(writeIdentityFile(*m_files, m_path, identity).has_value());
    QVERIFY(writeIdentityFile(*m_files, m_path, identity).has_value());
    QCOMPARE(m_files->written.size(), 1);
}

void IdentityFileTest::anotherIdentityNeverReplacesIt()
{
    const StoredIdentity identity = someIdentity();
    QVERIFY(writeIdentityFile(*m_files, m_path, identity).has_value());
    const Result<void> other = writeIdentityFile(*m_files, m_path, someIdentity());
    QVERIFY(!other);
    QCOMPARE(toString(other.error().code), toString(ErrorCode::Denied));
    QCOMPARE(readIdentityFile(*m_files, m_path).value_or(std::nullopt), identity);
}

void IdentityFileTest::aBrokenFileIsNamedAndKept_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("problem");
    const QString key = u"A5gdqpmZmO3HHnrTwMTYLAVyoVfzLkHaTqZ5VZUbV-M"_s;
    const QString form =
        u"{\"version\":%1,\"deviceId\":\"%2\",\"publicKey\":\"%3\",\"instanceId\":\"%4\",\"createdAtMs\":%5}"_s;
    const StoredIdentity good = someIdentity();
    const auto row = [](const char *name, const QString &text, const QString &problem) {
        QTest::newRow(name) << text << problem;
    };
    row("cut off", u"{"_s, u"invalid JSON syntax (line 1, column 2)"_s);
    row("empty", u""_s, u"invalid JSON syntax (line 1, column 1)"_s);
    row("a list", u"[]"_s, u"expected an object"_s);
    row("no version", u"{}"_s, u"version: expected the number 1"_s);
    row("newer", u"{\"version\":2}"_s,
        u"version: the file is newer than this program, which understands 1; update it"_s);
    row("no key", form.arg(u"1"_s, good.deviceId, u""_s, good.instanceId, u"1"_s),
        u"publicKey: expected 43 characters of base64url"_s);
    row("another device", form.arg(u"1"_s, good.deviceId, key, good.instanceId, u"1"_s),
        u"deviceId: expected the SHA-256 of publicKey"_s);
    row("no instance", form.arg(u"1"_s, good.deviceId, good.publicKey, u"x"_s, u"1"_s),
        u"instanceId: expected a UUID"_s);
    row("no time", form.arg(u"1"_s, good.deviceId, good.publicKey, good.instanceId, u"\"1\""_s),
        u"createdAtMs: expected a whole number from 0"_s);
}

void IdentityFileTest::aBrokenFileIsNamedAndKept()
{
    QFETCH(const QString, text);
    QFETCH(const QString, problem);
    QVERIFY(m_real->write(m_path, text.toUtf8()).has_value());
    const auto read = readIdentityFile(*m_files, m_path);
    QVERIFY(!read);
    QCOMPARE(toString(read.error().code), toString(ErrorCode::InvalidArgument));
    QVERIFY2(read.error().message.startsWith(toQString(m_path) + u": "_s + problem),
             qPrintable(read.error().message));
    QVERIFY(!writeIdentityFile(*m_files, m_path, someIdentity()));
    QVERIFY(m_files->written.isEmpty());
}

void IdentityFileTest::anUnreadableFileIsAnErrorAndKept()
{
    const Error error{ErrorCode::Denied, u"'identity.json' belongs to another user"_s};
    m_files->readError = error;
    QCOMPARE(readIdentityFile(*m_files, m_path).error_or(Error()), error);
    QCOMPARE(writeIdentityFile(*m_files, m_path, someIdentity()).error_or(Error()), error);
    QVERIFY(m_files->written.isEmpty());
}

void IdentityFileTest::refusesToWriteWhatCouldNotBeRead()
{
    StoredIdentity identity = someIdentity();
    identity.deviceId = identity.deviceId.toUpper();
    QCOMPARE(toString(writeIdentityFile(*m_files, m_path, identity).error_or(Error()).code),
             toString(ErrorCode::InvalidArgument));
}

QTEST_GUILESS_MAIN(IdentityFileTest)
#include "tst_identityfile.moc"
