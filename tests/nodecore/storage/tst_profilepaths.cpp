// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/profilepaths.h"

#include "nodecore/base/path.h"

#include <QtCore/QDir>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class ProfilePathsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFolderFollowsTheCustomOfTheSystem_data();
    void theFolderFollowsTheCustomOfTheSystem();
    void aRelativeHomeCountsFromTheCurrentFolder();
    void everyFileLiesInTheFolder();
};

void ProfilePathsTest::theFolderFollowsTheCustomOfTheSystem_data()
{
    QTest::addColumn<ProfileLayout>("layout");
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("folder");
    QTest::newRow("linux") << ProfileLayout::Linux << QString() << QString()
                           << u"/home/ada/.config/telson"_s;
    QTest::newRow("linux, XDG_CONFIG_HOME")
        << ProfileLayout::Linux << u"XDG_CONFIG_HOME"_s << u"/cfg"_s << u"/cfg/telson"_s;
    QTest::newRow("linux, a relative XDG_CONFIG_HOME is ignored")
        << ProfileLayout::Linux << u"XDG_CONFIG_HOME"_s << u"cfg"_s
        << u"/home/ada/.config/telson"_s;
    QTest::newRow("linux, an empty XDG_CONFIG_HOME is none")
        << ProfileLayout::Linux << u"XDG_CONFIG_HOME"_s << u""_s << u"/home/ada/.config/telson"_s;
    QTest::newRow("linux, TELSON_HOME")
        << ProfileLayout::Linux << u"TELSON_HOME"_s << u"/srv/t/../telson"_s << u"/srv/telson"_s;
    QTest::newRow("macos") << ProfileLayout::MacOs << QString() << QString()
                           << u"/home/ada/Library/Application Support/Telson"_s;
    QTest::newRow("macos, TELSON_HOME")
        << ProfileLayout::MacOs << u"TELSON_HOME"_s << u"/srv/telson"_s << u"/srv/telson"_s;
    QTest::newRow("windows") << ProfileLayout::Windows << u"LOCALAPPDATA"_s << u"/local"_s
                             << u"/local/Telson"_s;
    QTest::newRow("windows without LOCALAPPDATA")
        << ProfileLayout::Windows << QString() << QString() << u"/home/ada/AppData/Local/Telson"_s;
}

void ProfilePathsTest::theFolderFollowsTheCustomOfTheSystem()
{
    QFETCH(const ProfileLayout, layout);
    QFETCH(const QString, variable);
    QFETCH(const QString, value);
    QProcessEnvironment environment;
    if (!variable.isEmpty()) {
        environment.insert(variable, value);
    }
    QTEST(toQString(profileFolder(environment, u"/home/ada"_s, layout)), "folder");
}

void ProfilePathsTest::aRelativeHomeCountsFromTheCurrentFolder()
{
    QProcessEnvironment environment;
    environment.insert(u"TELSON_HOME"_s, u"profile"_s);
    QCOMPARE(toQString(profileFolder(environment, u"/home/ada"_s)),
             QDir::current().absoluteFilePath(u"profile"_s));
}

void ProfilePathsTest::everyFileLiesInTheFolder()
{
    const ProfilePaths paths = profilePaths("/p");
    QCOMPARE(toQString(paths.folder), u"/p"_s);
    QCOMPARE(toQString(paths.settings), u"/p/telson.json"_s);
    QCOMPARE(toQString(paths.approvals), u"/p/exec-approvals.json"_s);
    QCOMPARE(toQString(paths.identity), u"/p/identity.json"_s);
    QCOMPARE(toQString(paths.secrets), u"/p/secrets.json"_s);
    QCOMPARE(toQString(paths.log), u"/p/logs/telson.log"_s);
    QCOMPARE(toQString(paths.lock), u"/p/service.lock"_s);
}

QTEST_GUILESS_MAIN(ProfilePathsTest)
#include "tst_profilepaths.moc"
