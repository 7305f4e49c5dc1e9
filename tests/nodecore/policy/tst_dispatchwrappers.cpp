// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/dispatchwrappers.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class DispatchWrappersTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knowsAProgramByItsBareName_data();
    void knowsAProgramByItsBareName();
    void findsWhatALauncherStarts_data();
    void findsWhatALauncherStarts();
    void seesAnEnvironmentPrelude_data();
    void seesAnEnvironmentPrelude();
};

void DispatchWrappersTest::knowsAProgramByItsBareName_data()
{
    QTest::addColumn<QString>("token");
    QTest::addColumn<QString>("name");
    QTest::newRow("bare") << u"bash"_s << u"bash"_s;
    QTest::newRow("path") << u"/bin/bash"_s << u"bash"_s;
    QTest::newRow("windows path") << u"C:\\x\\Bash.EXE"_s << u"bash"_s;
    QTest::newRow("cmd suffix") << u"npm.cmd"_s << u"npm"_s;
    QTest::newRow("only one suffix") << u"a.exe.exe"_s << u"a.exe"_s;
    QTest::newRow("look-alike") << u"bashful.exe"_s << u"bashful"_s;
    QTest::newRow("only a suffix") << u".exe"_s << u".exe"_s;
    QTest::newRow("empty") << QString() << QString();
    QTest::newRow("folder") << u"/bin/"_s << QString();
}

void DispatchWrappersTest::knowsAProgramByItsBareName()
{
    QFETCH(QString, token);
    QFETCH(QString, name);
    QCOMPARE(programName(token), name);
}

void DispatchWrappersTest::findsWhatALauncherStarts_data()
{
    QTest::addColumn<QString>("argv"); // tokens parted by spaces
    QTest::addColumn<QString>("inner"); // the same as argv: stays as it is
    const auto unwraps = [](const char *argv, const char *inner) {
        QTest::newRow(argv) << QString::fromLatin1(argv) << QString::fromLatin1(inner);
    };
    const auto stays = [](const char *argv) {
        QTest::newRow(argv) << QString::fromLatin1(argv) << QString::fromLatin1(argv);
    };
    stays("rg x");
    unwraps("nice rg x", "rg x");
    unwraps("nice -n5 rg", "rg");
    unwraps("nice -5 rg", "rg");
    unwraps("nice --adjustment 5 rg", "rg");
    unwraps("nice --adjustment=5 rg", "rg");
    stays("nice");
    stays("nice --help");
    stays("nohup -x rg");
    unwraps("nohup --help rg", "rg");
    unwraps("timeout 5s rg x", "rg x");
    unwraps("timeout -k 5 10 rg", "rg");
    unwraps("timeout --kill-after=5 10 rg", "rg");
    stays("timeout -sKILL 5 rg");
    unwraps("timeout --foreground --preserve-status -v 5 rg", "rg");
    stays("timeout 5");
    unwraps("timeout -- 5 rg", "rg");
    stays("stdbuf -oL rg");
    unwraps("stdbuf -o L rg", "rg");
    unwraps("time -f %e rg", "rg");
    stays("time -ab rg");
    unwraps("flock l rg", "rg");
    unwraps("flock -nx l rg", "rg");
    unwraps("flock -w 5 l rg", "rg");
    stays("flock -w5 l rg");
    stays("flock l -c rg");
    stays("flock -c rg l");
    unwraps("caffeinate -i rg", "rg");
    unwraps("sandbox-exec -p (x) rg", "rg");
    unwraps("env rg", "rg");
    unwraps("env -- rg", "rg");
    stays("env");
    stays("env A=1");
    unwraps("busybox sh -c rg", "sh -c rg");
    unwraps("busybox -- ash -c rg", "ash -c rg");
    stays("busybox ls");
    stays("busybox --list");
    unwraps("toybox sh -c rg", "sh -c rg");
    unwraps("command rg", "rg");
    stays("command -v rg");
    unwraps("builtin rg", "rg");
    unwraps("exec -a n rg", "rg");
    unwraps("exec -an -c rg", "rg");
    stays("exec -x rg");
    stays("/bin/command rg");
    stays("sudo rg");
    stays("xargs rg");
    unwraps("/usr/bin/nice env rg", "rg");
    unwraps("nice nice nice nice rg", "rg");
    unwraps("nice nice nice nice nice rg", "nice rg");
    unwraps("exec nice env rg", "rg");
}

void DispatchWrappersTest::findsWhatALauncherStarts()
{
    QFETCH(QString, argv);
    QFETCH(QString, inner);
    QCOMPARE(unwrapDispatch(argv.split(u' ')).argv, inner.split(u' '));
}

void DispatchWrappersTest::seesAnEnvironmentPrelude_data()
{
    QTest::addColumn<QStringList>("argv");
    QTest::addColumn<QString>("inner");
    QTest::addColumn<bool>("hasPrelude");
    const auto row = [](const char *name, const QStringList &argv, const QString &inner,
                        bool hasPrelude) { QTest::newRow(name) << argv << inner << hasPrelude; };
    row("none", {u"env"_s, u"sh"_s}, u"sh"_s, false);
    row("assignment", {u"env"_s, u"A=1"_s, u"sh"_s}, u"sh"_s, true);
    row("option", {u"env"_s, u"-i"_s, u"sh"_s}, u"sh"_s, true);
    row("option with a value", {u"env"_s, u"-u"_s, u"X"_s, u"sh"_s}, u"sh"_s, true);
    row("folder", {u"env"_s, u"--chdir=/x"_s, u"sh"_s}, u"sh"_s, true);
    row("behind nice", {u"nice"_s, u"env"_s, u"B=2"_s, u"env"_s, u"sh"_s}, u"sh"_s, true);
    row("split string", {u"env"_s, u"-S"_s, u"A=1 sh -c x"_s}, u"sh -c x"_s, true);
    row("split string, attached", {u"env"_s, u"-Ssh -c x"_s, u"y"_s}, u"sh -c x y"_s, true);
    row("split string, quoted", {u"env"_s, u"--split-string='sh' \"-c\" x"_s}, u"sh -c x"_s, true);
    row("split string in a cluster", {u"env"_s, u"-iS"_s, u"sh"_s}, u"sh"_s, true);
}

void DispatchWrappersTest::seesAnEnvironmentPrelude()
{
    QFETCH(QStringList, argv);
    QFETCH(QString, inner);
    QFETCH(bool, hasPrelude);
    const UnwrappedCommand command = unwrapDispatch(argv);
    QCOMPARE(command.argv.join(u' '), inner);
    QCOMPARE(command.hasEnvironmentPrelude, hasPrelude);
}

QTEST_GUILESS_MAIN(DispatchWrappersTest)
#include "tst_dispatchwrappers.moc"
