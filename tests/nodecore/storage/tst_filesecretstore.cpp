// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/filesecretstore.h"

#include "nodecore/base/path.h"
#include "nodecore/storage/filelock.h"
#include "platform/factory.h"
#include "tests/support/faultyprivatefiles.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class FileSecretStoreTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void whatWasWrittenIsReadByAnotherStore();
    void anUnknownKeyIsNothing();
    void theAnswerComesLaterAndOnce();
    void noAnswerOnceTheContextIsGone();
    void theFileIsForItsOwnerOnly();
    void refusesAFileThatOthersCanRead();
    void aBrokenFileIsReportedAndKept_data();
    void aBrokenFileIsReportedAndKept();
    void aFailingDeviceIsReported();
    void aSecondWriterIsReported();

private:
    [[nodiscard]] Result<std::optional<QByteArray>> read(SecretStore &store, const QString &key);
    [[nodiscard]] Result<void> write(SecretStore &store, const QString &key,
                                     const QByteArray &secret);

    std::unique_ptr<PrivateFiles> m_real = telson::platform::makePrivateFiles();
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FaultyPrivateFiles> m_files;
    std::filesystem::path m_path;
    std::unique_ptr<FileSecretStore> m_store;
};

void FileSecretStoreTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_files = std::make_unique<FaultyPrivateFiles>(*m_real);
    m_path = toPath(m_folder->path()) / "profile" / "secrets.json";
    m_store = std::make_unique<FileSecretStore>(*m_files, m_path);
}

void FileSecretStoreTest::cleanup()
{
    m_folder.reset();
}

Result<std::optional<QByteArray>> FileSecretStoreTest::read(SecretStore &store, const QString &key)
{
    std::optional<Result<std::optional<QByteArray>>> answer;
    store.read(key, this, [&answer](Result<std::optional<QByteArray>> result) {
        answer.emplace(std::move(result));
    });
    if (!QTest::qWaitFor([&answer] { return answer.has_value(); })) {
        return fail(ErrorCode::Timeout, u"no answer"_s);
    }
    return *answer;
}

Result<void> FileSecretStoreTest::write(SecretStore &store, const QString &key,
                                        const QByteArray &secret)
{
    std::optional<Result<void>> answer;
    store.write(key, secret, this,
                [&answer](Result<void> result) { answer.emplace(std::move(result)); });
    if (!QTest::qWaitFor([&answer] { return answer.has_value(); })) {
        return fail(ErrorCode::Timeout, u"no answer"_s);
    }
    return *answer;
}

void FileSecretStoreTest::whatWasWrittenIsReadByAnotherStore()
{
    const QByteArray secret("with\0zero and \xff", 15);
    QVERIFY(write(*m_store, u"a/b"_s, secret).has_value());
    QVERIFY(write(*m_store, u"c"_s, "other").has_value());
    QVERIFY(write(*m_store, u"c"_s, "newer").has_value());
    FileSecretStore other(*m_real, m_path);
    QCOMPARE(read(other, u"a/b"_s).value_or(std::nullopt), secret);
    QCOMPARE(read(other, u"c"_s).value_or(std::nullopt), "newer"_ba);
}

void FileSecretStoreTest::anUnknownKeyIsNothing()
{
    const auto missing = read(*m_store, u"a"_s);
    QVERIFY(missing.has_value() && !missing->has_value());
    QVERIFY(write(*m_store, u"b"_s, "x").has_value());
    const auto other = read(*m_store, u"a"_s);
    QVERIFY(other.has_value() && !other->has_value());
}

void FileSecretStoreTest::theAnswerComesLaterAndOnce()
{
    int reads = 0;
    int writes = 0;
    m_store->read(u"a"_s, this, [&reads](auto) { ++reads; });
    m_store->write(u"a"_s, "x", this, [&writes](auto) { ++writes; });
    QCOMPARE(reads + writes, 0);
    QTRY_COMPARE(writes, 1);
    QCoreApplication::processEvents();
    QCOMPARE(reads, 1);
    QCOMPARE(writes, 1);
}

void FileSecretStoreTest::noAnswerOnceTheContextIsGone()
{
    int answers = 0;
    {
        QObject context;
        m_store->read(u"a"_s, &context, [&answers](auto) { ++answers; });
        m_store->write(u"a"_s, "x", &context, [&answers](auto) { ++answers; });
    }
    QCoreApplication::processEvents();
    QCOMPARE(answers, 0);
}

void FileSecretStoreTest::theFileIsForItsOwnerOnly()
{
    QVERIFY(write(*m_store, u"a"_s, "x").has_value());
    const auto shared = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY((QFile::permissions(toQString(m_path)) & shared) == QFile::Permissions());
}

void FileSecretStoreTest::refusesAFileThatOthersCanRead()
{
    QVERIFY(write(*m_store, u"a"_s, "x").has_value());
    QFile::setPermissions(toQString(m_path),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup);
    const auto answer = read(*m_store, u"a"_s);
    QVERIFY(!answer);
    QCOMPARE(toString(answer.error().code), toString(ErrorCode::Denied));
    QVERIFY(answer.error().message.contains(u"chmod 600 '"_s + toQString(m_path)));
    QCOMPARE(toString(write(*m_store, u"a"_s, "y").error_or(Error()).code),
             toString(ErrorCode::Denied));
}

void FileSecretStoreTest::aBrokenFileIsReportedAndKept_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("cut off") << "{\"version\":1"_ba;
    QTest::newRow("a list") << "[]"_ba;
    QTest::newRow("another version") << R"({"version":2,"secrets":{}})"_ba;
    QTest::newRow("no secrets") << R"({"version":1})"_ba;
    QTest::newRow("not base64") << R"({"version":1,"secrets":{"a":"§"}})"_ba;
    QTest::newRow("not a text") << R"({"version":1,"secrets":{"a":1}})"_ba;
}

void FileSecretStoreTest::aBrokenFileIsReportedAndKept()
{
    QFETCH(const QByteArray, text);
    QVERIFY(m_real->makeFolder(m_path.parent_path()).has_value());
    QVERIFY(m_real->write(m_path, text).has_value());
    const auto answer = read(*m_store, u"a"_s);
    QVERIFY(!answer);
    QVERIFY(answer.error().message.startsWith(toQString(m_path)));
    QVERIFY(!write(*m_store, u"a"_s, "x"));
    QVERIFY(m_files->written.isEmpty());
}

void FileSecretStoreTest::aFailingDeviceIsReported()
{
    const Error error{ErrorCode::Io, u"disk gone"_s, 5};
    m_files->writeError = error;
    QCOMPARE(write(*m_store, u"a"_s, "x").error_or(Error()), error);
    m_files->readError = error;
    QCOMPARE(read(*m_store, u"a"_s).error_or(Error()), error);
}

void FileSecretStoreTest::aSecondWriterIsReported()
{
    QVERIFY(write(*m_store, u"a"_s, "x").has_value());
    const auto lock = lockBeside(m_path);
    QVERIFY(lock.has_value());
    QCOMPARE(toString(write(*m_store, u"a"_s, "y").error_or(Error()).code),
             toString(ErrorCode::Unavailable));
}

QTEST_GUILESS_MAIN(FileSecretStoreTest)
#include "tst_filesecretstore.moc"
