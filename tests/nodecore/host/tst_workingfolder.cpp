// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/workingfolder.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class WorkingFolderTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTheFolderOfARequest_data();
    void findsTheFolderOfARequest();
    void noFolderMeansTheDefault();
    void knowsWhatNotToTouch_data();
    void knowsWhatNotToTouch();
};

void WorkingFolderTest::findsTheFolderOfARequest_data()
{
    QTest::addColumn<QString>("cwd");
    QTest::addColumn<QString>("folder"); // null = refused
    const auto row = [](const char *name, const QString &cwd, const QString &folder) {
        QTest::newRow(name) << cwd << folder;
    };
    row("absolute", u"/work"_s, u"/work"_s);
    row("untidy", u"/work/../x/"_s, u"/work/../x/"_s);
    row("blank", u"  "_s, u"/home/u"_s);
    row("share", u"//server/share"_s, u"//server/share"_s);
    row("windows share", u"\\\\server\\share"_s, u"\\\\server\\share"_s);
    row("relative", u"sub"_s, QString());
    row("dot", u"."_s, QString());
    row("home by tilde", u"~/x"_s, QString());
    row("another node", u"node://abc/skills/x"_s, QString());
    row("another node, shouted", u"NODE://abc/skills/x"_s, QString());
    row("url", u"file:///work"_s, QString());
}

void WorkingFolderTest::findsTheFolderOfARequest()
{
    QFETCH(QString, cwd);
    QFETCH(QString, folder);
    const Result<QString> found = requestedFolder(cwd, u"/home/u"_s);
    QCOMPARE(found.has_value(), !folder.isNull());
    if (found.has_value()) {
        QCOMPARE(*found, folder);
    } else {
        QCOMPARE(toString(found.error().code), toString(ErrorCode::InvalidArgument));
    }
}

void WorkingFolderTest::noFolderMeansTheDefault()
{
    QCOMPARE(*requestedFolder(std::nullopt, u"/home/u"_s), u"/home/u"_s);
}

void WorkingFolderTest::knowsWhatNotToTouch_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<bool>("isUntouchable");
    const auto row = [](const char *folder, bool untouchable) {
        QTest::newRow(folder) << QString::fromLatin1(folder) << untouchable;
    };
    row("//server/share", true);
    row("\\\\server\\share", true);
    row("\\\\?\\C:\\x", true);
    row("/net/server", true);
    row("/net", true);
    row("/dev", true);
    row("/dev/fd/3", true);
    row("/proc/1/cwd", true);
    row("/sys/kernel", true);
    row("/./net/server", true);
    row("/work/../net/server", true);
    row("/network", false);
    row("/devel", false);
    row("/work/net", false);
    row("/", false);
    row("/home/u", false);
}

void WorkingFolderTest::knowsWhatNotToTouch()
{
    QFETCH(QString, folder);
    QFETCH(bool, isUntouchable);
    QCOMPARE(telson::core::isUntouchable(folder), isUntouchable);
}

QTEST_GUILESS_MAIN(WorkingFolderTest)
#include "tst_workingfolder.moc"
