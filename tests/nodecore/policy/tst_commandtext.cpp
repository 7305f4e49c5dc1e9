// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/commandtext.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(u' ');
}

} // namespace

class CommandTextTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void formatsLikeTheGateway_data();
    void formatsLikeTheGateway();
    void seesAShell_data();
    void seesAShell();
    void previewsWhatAShellIsGiven_data();
    void previewsWhatAShellIsGiven();
    void previewsLoginShOnlyIfTheCallerSaysTheSame();
    void comparesTheCallersText_data();
    void comparesTheCallersText();
    void refusesVerbsThatBelongToAPerson_data();
    void refusesVerbsThatBelongToAPerson();
};

void CommandTextTest::formatsLikeTheGateway_data()
{
    QTest::addColumn<QStringList>("argv");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, const QStringList &argv, const QString &text) {
        QTest::newRow(name) << argv << text;
    };
    row("plain", {u"rg"_s, u"x"_s}, u"rg x"_s);
    row("space", {u"/bin/sh"_s, u"-lc"_s, u"echo hi"_s}, u"/bin/sh -lc \"echo hi\""_s);
    row("quote and empty", {u"rg"_s, u"a\"b"_s, QString()}, u"rg \"a\\\"b\" \"\""_s);
    row("single quote stays", {u"a'b"_s}, u"a'b"_s);
    row("backslash stays", {u"a\\b"_s}, u"a\\b"_s);
    row("newline", {u"a\nb"_s}, u"\"a\nb\""_s);
    row("no-break space", {u"a\u00A0b"_s}, u"\"a\u00A0b\""_s);
    row("byte order mark", {u"\uFEFFb"_s}, u"\"\uFEFFb\""_s);
    row("next line is none for the gateway", {u"a\u0085b"_s}, u"a\u0085b"_s);
}

void CommandTextTest::formatsLikeTheGateway()
{
    QFETCH(QStringList, argv);
    QFETCH(QString, text);
    QCOMPARE(formatCommand(argv), text);
}

void CommandTextTest::seesAShell_data()
{
    QTest::addColumn<QString>("argv");
    QTest::addColumn<bool>("isShell");
    const auto row = [](const char *argv, bool isShell) {
        QTest::newRow(argv) << QString::fromLatin1(argv) << isShell;
    };
    row("sh -c rg", true);
    row("/bin/bash run.sh", true);
    row("nice bash run.sh", true);
    row("env FOO=1 bash -c rg", true);
    row("env -i zsh", true);
    row("busybox sh -c rg", true);
    row("timeout 5 nice dash x", true);
    row("C:\\Windows\\System32\\cmd.exe /d /s /c x", true);
    row("pwsh -Command x", true);
    row("nu -c x", true);
    row("rg sh", false);
    row("bashful -c x", false);
    row("python3 -c x", false);
    row("git -c x", false);
}

void CommandTextTest::seesAShell()
{
    QFETCH(QString, argv);
    QFETCH(bool, isShell);
    QCOMPARE(usesShell(argv.split(u' ')), isShell);
}

void CommandTextTest::previewsWhatAShellIsGiven_data()
{
    QTest::addColumn<QStringList>("argv");
    QTest::addColumn<QString>("preview"); // null = none
    const auto row = [](const char *name, const QStringList &argv, const QString &preview = {}) {
        QTest::newRow(name) << argv << preview;
    };
    row("sh -c", {u"sh"_s, u"-c"_s, u" rg x\n"_s}, u"rg x"_s);
    row("behind nice", {u"nice"_s, u"sh"_s, u"-c"_s, u"rg x"_s}, u"rg x"_s);
    row("busybox", words("busybox sh -c rg"), u"rg"_s);
    row("cluster", words("bash -xc rg"), u"rg"_s);
    row("attached text", {u"bash"_s, u"-cecho 1"_s}, u"echo 1"_s);
    row("option with a value", words("bash -o pipefail -c rg"), u"rg"_s);
    row("option with a value in the cluster", words("bash -oc pipefail rg"), u"rg"_s);
    row("long option", words("fish --command rg"), u"rg"_s);
    row("powershell", words("pwsh -NoProfile -Command x y"), u"x y"_s);
    row("cmd", {u"cmd.exe"_s, u"/d"_s, u"/s"_s, u"/c"_s, u"rg x"_s}, u"rg x"_s);
    row("cmd shows the whole tail", words("cmd.exe /c dir & calc"), u"dir & calc"_s);
    row("no shell", words("python3 -c rg"));
    row("no payload", words("sh run.sh -c rg"));
    row("payload missing", words("sh -c"));
    row("blank payload", {u"sh"_s, u"-c"_s, u" "_s});
    row("positional arguments", words("sh -c rg a"));
    row("end of options", words("sh -- -c rg"));
    row("environment prelude", words("env BASH_ENV=/tmp/p bash -c rg"));
    row("environment option", words("env -i bash -c rg"));
    row("login", words("bash -lc rg"));
    row("login, long", words("bash --login -c rg"));
    row("interactive", words("bash -ic rg"));
    row("start-up file", words("bash --rcfile x -c rg"));
    row("fish init", words("fish -C x -c rg"));
    row("fish attached", {u"fish"_s, u"-crg 1"_s});
    row("csh", words("csh -c rg"));
    row("powershell with a profile", words("pwsh -File x -Command rg"));
}

void CommandTextTest::previewsWhatAShellIsGiven()
{
    QFETCH(QStringList, argv);
    QFETCH(QString, preview);
    QCOMPARE(commandPreview(argv, std::nullopt).value_or(QString()), preview);
}

void CommandTextTest::previewsLoginShOnlyIfTheCallerSaysTheSame()
{
    const QStringList argv{u"/bin/sh"_s, u"-lc"_s, u"rg x"_s};
    QCOMPARE(commandPreview(argv, u"rg x"_s), u"rg x"_s);
    QCOMPARE(commandPreview(argv, u"/bin/sh -lc \"rg x\""_s), u"rg x"_s);
    QCOMPARE(commandPreview(argv, u"ls"_s), std::nullopt);
    QCOMPARE(commandPreview(argv, std::nullopt), std::nullopt);
    QCOMPARE(commandPreview({u"bash"_s, u"-lc"_s, u"rg x"_s}, u"rg x"_s), std::nullopt);
    QCOMPARE(commandPreview({u"sh"_s, u"-l"_s, u"-c"_s, u"rg x"_s}, u"rg x"_s), std::nullopt);
}

void CommandTextTest::comparesTheCallersText_data()
{
    QTest::addColumn<QStringList>("argv");
    QTest::addColumn<QString>("raw");
    QTest::addColumn<bool>("matches");
    const auto row = [](const char *name, const QStringList &argv, const QString &raw,
                        bool matches) { QTest::newRow(name) << argv << raw << matches; };
    row("formatted", {u"rg"_s, u"a b"_s}, u"rg \"a b\""_s, true);
    row("not the joined words", {u"rg"_s, u"a b"_s}, u"rg a b"_s, false);
    row("other command", {u"rg"_s}, u"ls"_s, false);
    row("harmless text for a harmful argv", {u"/bin/rm"_s, u"x"_s}, u"echo ok"_s, false);
    row("payload", words("sh -c rg"), u"rg"_s, true);
    row("payload with space around", {u"sh"_s, u"-c"_s, u"rg x\n"_s}, u"rg x"_s, true);
    row("payload of login sh", {u"/bin/sh"_s, u"-lc"_s, u"rg x"_s}, u"rg x"_s, true);
    row("payload of login bash", {u"bash"_s, u"-lc"_s, u"rg x"_s}, u"rg x"_s, false);
    row("payload with positional arguments", words("sh -c rg a"), u"rg"_s, false);
    row("payload behind an environment prelude",
        {u"/usr/bin/env"_s, u"BASH_ENV=/tmp/p"_s, u"bash"_s, u"-c"_s, u"echo SAFE"_s},
        u"echo SAFE"_s, false);
}

void CommandTextTest::comparesTheCallersText()
{
    QFETCH(QStringList, argv);
    QFETCH(QString, raw);
    QFETCH(bool, matches);
    QCOMPARE(rawCommandMatches(argv, raw), matches);
}

void CommandTextTest::refusesVerbsThatBelongToAPerson_data()
{
    QTest::addColumn<QStringList>("argv");
    QTest::addColumn<bool>("isRefused");
    const auto row = [](const char *name, const QStringList &argv, bool isRefused) {
        QTest::newRow(name) << argv << isRefused;
    };
    row("approve", words("/approve abc allow-once"), true);
    row("approve in a shell", {u"/bin/sh"_s, u"-lc"_s, u"  /approve abc"_s}, true);
    row("login", words("openclaw channels login"), true);
    row("login by path", words("/usr/bin/openclaw channels login --verbose"), true);
    row("login with an option", words("openclaw --dev channels login"), true);
    row("login in a shell", {u"sh"_s, u"-c"_s, u"openclaw channels  login"_s}, true);
    row("login behind nice", words("nice openclaw channels login"), true);
    row("channels list", words("openclaw channels list"), false);
    row("a word of a text", words("echo /approve"), false);
    row("another program", words("myopenclaw channels login"), false);
}

void CommandTextTest::refusesVerbsThatBelongToAPerson()
{
    QFETCH(QStringList, argv);
    QFETCH(bool, isRefused);
    QCOMPARE(refusedOnEveryDoor(argv).has_value(), isRefused);
}

QTEST_GUILESS_MAIN(CommandTextTest)
#include "tst_commandtext.moc"
