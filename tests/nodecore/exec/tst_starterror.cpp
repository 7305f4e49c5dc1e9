// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/exec/starterror.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class StartErrorTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesPathAndReason_data();
    void namesPathAndReason();
};

void StartErrorTest::namesPathAndReason_data()
{
    QTest::addColumn<StartFailure>("reason");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, StartFailure reason, const QString &text) {
        QTest::newRow(name) << reason << text;
    };
    row("folder missing", StartFailure::FolderMissing,
        u"node exec working directory does not exist on the node host: /a %1 b (os reported: why)"_s);
    row("folder is none", StartFailure::FolderNotADirectory,
        u"node exec working directory is not a directory on the node host: /a %1 b (os reported: why)"_s);
    row("folder changed", StartFailure::FolderChanged,
        u"working directory changed before the start: /a %1 b"_s);
    row("folder closed", StartFailure::FolderUnusable,
        u"cannot enter working directory: /a %1 b (why)"_s);
    row("program missing", StartFailure::ProgramMissing, u"program not found: x %2 y (why)"_s);
    row("program closed", StartFailure::ProgramNotExecutable,
        u"program cannot be executed: x %2 y (why)"_s);
    row("program broken", StartFailure::ProgramBroken,
        u"program has no format that this system runs: x %2 y (why)"_s);
    row("text", StartFailure::InvalidText, u"command cannot be passed on as it is: why"_s);
    row("resources", StartFailure::OutOfResources, u"no resources left to start: x %2 y (why)"_s);
    row("other", StartFailure::Other, u"cannot start: x %2 y (why)"_s);
}

void StartErrorTest::namesPathAndReason()
{
    QFETCH(const StartFailure, reason);
    QFETCH(const QString, text);
    CommandSpec spec;
    spec.argv = {u"x %2 y"_s};
    spec.folder = u"/a %1 b"_s;
    QCOMPARE(describe({reason, u"why"_s, 2}, spec), text);
}

QTEST_GUILESS_MAIN(StartErrorTest)
#include "tst_starterror.moc"
