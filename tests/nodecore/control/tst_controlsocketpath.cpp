// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/path.h"
#include "nodecore/control/controlsocketpath.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class ControlSocketPathTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void liesInTheRuntimeFolderAndTellsProfilesApart();
    void liesInTheProfileWhereThereIsNoRuntimeFolder();
    void twoSpellingsOfOneProfileShareASocket();
    void refusesAPathThatASocketAddressCanNotHold();
};

void ControlSocketPathTest::liesInTheRuntimeFolderAndTellsProfilesApart()
{
    const auto one = controlSocketPath("/home/ada/.config/telson", "/run/user/1000");
    const auto other = controlSocketPath("/home/bob/.config/telson", "/run/user/1000");
    QVERIFY(one.has_value() && other.has_value());
    QCOMPARE(toQString(one->parent_path()), u"/run/user/1000/telson"_s);
    QVERIFY(*one != *other);
}

void ControlSocketPathTest::liesInTheProfileWhereThereIsNoRuntimeFolder()
{
    const auto path = controlSocketPath("/home/ada/telson", {});
    QVERIFY(path.has_value());
    QCOMPARE(toQString(*path), u"/home/ada/telson/control.sock"_s);
    // A relative one is no runtime folder.
    QCOMPARE(controlSocketPath("/home/ada/telson", "run/user").value_or("x"), *path);
}

void ControlSocketPathTest::twoSpellingsOfOneProfileShareASocket()
{
    QCOMPARE(controlSocketPath("/tmp/../tmp/telson", "/run/user/1").value_or("a"),
             controlSocketPath("/tmp/telson", "/run/user/1").value_or("b"));
}

void ControlSocketPathTest::refusesAPathThatASocketAddressCanNotHold()
{
    const auto path = controlSocketPath(toPath(u"/tmp/"_s + QString(120, u'x')), {});
    QVERIFY(!path.has_value());
    QVERIFY(path.error().code == ErrorCode::InvalidArgument);
    QVERIFY(path.error().message.contains(u"XDG_RUNTIME_DIR"_s));
}

QTEST_GUILESS_MAIN(ControlSocketPathTest)
#include "tst_controlsocketpath.moc"
