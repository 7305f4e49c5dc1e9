// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/posixfolderprobe.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace telson::core;
using telson::platform::PosixFolderProbe;

class PosixFolderProbeTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void findsAFolder();
    void followsLinksAndDots();
    void tellsAFolderFromItsSuccessor();
    void refuses_data();
    void refuses();
    void refusesANameThatIsNoText();

private:
    std::unique_ptr<QTemporaryDir> m_root;
    QString m_path; // canonical
    PosixFolderProbe m_probe;
};

void PosixFolderProbeTest::init()
{
    m_root = std::make_unique<QTemporaryDir>();
    QVERIFY(m_root->isValid());
    m_path = QDir(m_root->path()).canonicalPath();
    QVERIFY(QDir(m_path).mkdir(u"work"_s));
    QFile file(m_path + u"/file"_s);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(QFile::link(m_path + u"/work"_s, m_path + u"/link"_s));
    QVERIFY(QFile::link(m_path + u"/nothing"_s, m_path + u"/dangling"_s));
}

void PosixFolderProbeTest::findsAFolder()
{
    const Result<ProbedFolder> folder = m_probe.probe(m_path + u"/work"_s);
    QVERIFY(folder.has_value());
    QCOMPARE(folder->path, QString(m_path + u"/work"_s));
    QVERIFY(folder->identity.inode != 0);
    QCOMPARE(*m_probe.probe(m_path + u"/work"_s), *folder);
}

void PosixFolderProbeTest::followsLinksAndDots()
{
    const ProbedFolder work = *m_probe.probe(m_path + u"/work"_s);
    for (const QString &way : {u"/link"_s, u"/work/"_s, u"/work/../link/."_s, u"//work"_s}) {
        const Result<ProbedFolder> folder = m_probe.probe(m_path + way);
        QVERIFY(folder.has_value());
        QCOMPARE(*folder, work);
    }
    QCOMPARE(m_probe.probe(u"/"_s)->path, u"/"_s);
}

void PosixFolderProbeTest::tellsAFolderFromItsSuccessor()
{
    const ProbedFolder first = *m_probe.probe(m_path + u"/work"_s);
    QVERIFY(QDir(m_path).rename(u"work"_s, u"old"_s)); // keeps its inode taken
    QVERIFY(QDir(m_path).mkdir(u"work"_s));
    const ProbedFolder second = *m_probe.probe(m_path + u"/work"_s);
    QCOMPARE(second.path, first.path);
    QVERIFY(second.identity != first.identity);
}

void PosixFolderProbeTest::refuses_data()
{
    QTest::addColumn<QString>("path"); // "%1" stands for the root
    QTest::addColumn<ErrorCode>("code");
    QTest::newRow("missing") << u"%1/nope"_s << ErrorCode::Unavailable;
    QTest::newRow("dangling link") << u"%1/dangling"_s << ErrorCode::Unavailable;
    QTest::newRow("file") << u"%1/file"_s << ErrorCode::InvalidArgument;
    QTest::newRow("below a file") << u"%1/file/x"_s << ErrorCode::InvalidArgument;
    QTest::newRow("device") << u"/dev/null"_s << ErrorCode::InvalidArgument;
    QTest::newRow("relative") << u"work"_s << ErrorCode::InvalidArgument;
    QTest::newRow("empty") << QString() << ErrorCode::InvalidArgument;
    QTest::newRow("nul") << QString(u"%1/work"_s + QChar(u'\0') + u"x"_s)
                         << ErrorCode::InvalidArgument;
}

void PosixFolderProbeTest::refuses()
{
    QFETCH(QString, path);
    QFETCH(ErrorCode, code);
    const Result<ProbedFolder> folder = m_probe.probe(path.replace(u"%1"_s, m_path));
    QVERIFY(!folder.has_value());
    QCOMPARE(toString(folder.error().code), toString(code));
    QVERIFY(!folder.error().message.isEmpty());
}

void PosixFolderProbeTest::refusesANameThatIsNoText()
{
    // A link leads to a folder whose name is not UTF-8.
    const QByteArray strange = QFile::encodeName(m_path) + "/\xFF";
    if (::mkdir(strange.constData(), 0700) != 0) {
        QSKIP("this file system takes only UTF-8 names");
    }
    QVERIFY(::symlink(strange.constData(), QFile::encodeName(m_path + u"/to-strange"_s).constData())
            == 0);
    QVERIFY(!m_probe.probe(m_path + u"/to-strange"_s).has_value());
    QCOMPARE(::rmdir(strange.constData()), 0);
}

QTEST_GUILESS_MAIN(PosixFolderProbeTest)
#include "tst_posixfolderprobe.moc"
