// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/log.h"
#include "nodecore/base/path.h"

#include <QtTest/QtTest>

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace telson::core;

class LogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void writesRoomMessageAndFields();
    void aValueCanNotForgeALine();
    void leavesOutWhatIsBelowTheLevel();
    void takesWhatQtPrints();
    void theFileIsForItsOwnerOnly();

private:
    [[nodiscard]] QString written() const;

    QTemporaryDir m_folder;
    QString m_file;
    int m_count = 0;
};

void LogTest::init()
{
    m_file = m_folder.filePath(u"%1.log"_s.arg(m_count++));
    startLogging({.file = toPath(m_file), .level = LogLevel::Info, .toStandardError = false});
}

QString LogTest::written() const
{
    QFile file(m_file);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

void LogTest::writesRoomMessageAndFields()
{
    logInfo(LogRoom::Gateway, u"connected", {{u"gateway", u"home"}, {u"attempt", 3}});
    QVERIFY2(written().endsWith(u" info gateway: connected gateway=home attempt=3\n"_s),
             qUtf8Printable(written()));
}

void LogTest::aValueCanNotForgeALine()
{
    logWarn(LogRoom::Host, u"odd",
            {{u"name", u"x\n2026 error host: forged"}, {u"bidi", u"a\u202Eb"}, {u"quote", u"a\"b"}});
    QCOMPARE(written().count(u'\n'), 1);
    QVERIFY(written().contains(u"name=\"x\\u{a}2026 error host: forged\""_s));
    QVERIFY(written().contains(u"bidi=a\\u{202e}b"_s));
    QVERIFY(written().contains(u"quote=\"a\\\"b\""_s));
}

void LogTest::leavesOutWhatIsBelowTheLevel()
{
    logDebug(LogRoom::Exec, u"detail");
    logInfo(LogRoom::Exec, u"change");
    QVERIFY(!written().contains(u"detail"_s));
    QVERIFY(written().contains(u"change"_s));
}

void LogTest::takesWhatQtPrints()
{
    qWarning("from Qt");
    QVERIFY(written().contains(u"warning qt: from Qt"_s));
}

void LogTest::theFileIsForItsOwnerOnly()
{
    logInfo(LogRoom::Exec, u"x");
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY(!(QFile::permissions(m_file) & others));
}

QTEST_GUILESS_MAIN(LogTest)
#include "tst_log.moc"
