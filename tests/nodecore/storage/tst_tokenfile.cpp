// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/tokenfile.h"

#include "nodecore/base/path.h"
#include "nodecore/base/privatefiles.h"
#include "platform/factory.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class TokenFileTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsOneLine_data();
    void readsOneLine();
    void refusesWhatIsNoToken_data();
    void refusesWhatIsNoToken();
    void refusesAFileThatOthersCanRead();
    void aMissingFileIsUnavailable();

private:
    std::unique_ptr<PrivateFiles> m_files = telson::platform::makePrivateFiles();
    QTemporaryDir m_folder;
    std::filesystem::path m_path = toPath(m_folder.path()) / "token";
};

void TokenFileTest::readsOneLine_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("token");
    QTest::newRow("without a newline") << "abc"_ba << u"abc"_s;
    QTest::newRow("with one") << "abc\n"_ba << u"abc"_s;
    QTest::newRow("with one of Windows") << "abc\r\n"_ba << u"abc"_s;
    QTest::newRow("spaces belong to it") << " a b \n"_ba << u" a b "_s;
    QTest::newRow("UTF-8") << "p\xc3\xa4ss"_ba << u"päss"_s;
}

void TokenFileTest::readsOneLine()
{
    QFETCH(const QByteArray, bytes);
    QVERIFY(m_files->write(m_path, bytes).has_value());
    QTEST(readTokenFile(*m_files, m_path).value_or(QString()), "token");
}

void TokenFileTest::refusesWhatIsNoToken_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("only a newline") << "\n"_ba;
    QTest::newRow("two newlines") << "abc\n\n"_ba;
    QTest::newRow("two lines") << "abc\ndef"_ba;
    QTest::newRow("zero") << QByteArray("a\0b", 3);
    QTest::newRow("tab") << "a\tb"_ba;
    QTest::newRow("lone carriage return") << "abc\r"_ba;
    QTest::newRow("not UTF-8") << "a\xff"_ba;
    QTest::newRow("too long") << QByteArray(16 * 1024 + 1, 'a');
}

void TokenFileTest::refusesWhatIsNoToken()
{
    QFETCH(const QByteArray, bytes);
    QVERIFY(m_files->write(m_path, bytes).has_value());
    const Result<QString> token = readTokenFile(*m_files, m_path);
    QVERIFY(!token);
    QCOMPARE(toString(token.error().code), toString(ErrorCode::InvalidArgument));
    QVERIFY(token.error().message.contains(toQString(m_path)));
    QVERIFY(!token.error().message.contains(u"abc"_s));
}

void TokenFileTest::refusesAFileThatOthersCanRead()
{
    QVERIFY(m_files->write(m_path, "abc").has_value());
    QFile::setPermissions(toQString(m_path),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
    const Result<QString> token = readTokenFile(*m_files, m_path);
    QVERIFY(!token);
    QCOMPARE(toString(token.error().code), toString(ErrorCode::Denied));
    QVERIFY(token.error().message.contains(u"chmod 600 '"_s + toQString(m_path)));
}

void TokenFileTest::aMissingFileIsUnavailable()
{
    QCOMPARE(
        toString(readTokenFile(*m_files, toPath(m_folder.path()) / "none").error_or(Error()).code),
        toString(ErrorCode::Unavailable));
}

QTEST_GUILESS_MAIN(TokenFileTest)
#include "tst_tokenfile.moc"
