// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/environment.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class EnvironmentTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesEachRejectedKeyInTheContractsWords_data();
    void namesEachRejectedKeyInTheContractsWords();
    void givesShellWrappersOnlyTerminalAndLocale();
    void withholdsOurSecretsFromChildren_data();
    void withholdsOurSecretsFromChildren();
    void refusesLaunchVariablesOnWindowsOnly_data();
    void refusesLaunchVariablesOnWindowsOnly();
    void replacesVariablesWhateverTheirCaseOnWindows();
    void fillsAnEmptyPath_data();
    void fillsAnEmptyPath();
    void keepsGitProtocolsInSafeForm_data();
    void keepsGitProtocolsInSafeForm();
    void findsAssignmentsOfEnvWrappers_data();
    void findsAssignmentsOfEnvWrappers();
    void refusesBlockedAssignments();
};

void EnvironmentTest::namesEachRejectedKeyInTheContractsWords_data()
{
    QTest::addColumn<Environment>("overrides");
    QTest::addColumn<QString>("parts");
    QTest::newRow("blocked") << Environment{{u"ld_preload"_s, u"x"_s}}
                             << u"blocked override keys: LD_PRELOAD"_s;
    QTest::newRow("sorted") << Environment{{u"PATH"_s, u"/x"_s}, {u"NODE_OPTIONS"_s, u"x"_s}}
                            << u"blocked override keys: NODE_OPTIONS, PATH"_s;
    QTest::newRow("one name in two cases")
        << Environment{{u"PATH"_s, u"/x"_s}, {u"Path"_s, u"/x"_s}}
        << u"blocked override keys: PATH"_s;
    QTest::newRow("invalid") << Environment{{u"a-b"_s, u"x"_s}, {u"9"_s, u"x"_s}}
                             << u"invalid non-portable override keys: 9, a-b"_s;
    QTest::newRow("empty") << Environment{{u" "_s, u"x"_s}}
                           << u"invalid non-portable override keys: "_s;
    QTest::newRow("both") << Environment{{u"HOME"_s, u"x"_s}, {u"c-d"_s, u"x"_s}, {u"OK"_s, u"1"_s}}
                          << u"blocked override keys: HOME; "
                             "invalid non-portable override keys: c-d"_s;
    QTest::newRow("a %1 in a name") << Environment{{u"%1"_s, u"x"_s}, {u"HOME"_s, u"x"_s}}
                                    << u"blocked override keys: HOME; "
                                       "invalid non-portable override keys: %1"_s;
}

void EnvironmentTest::namesEachRejectedKeyInTheContractsWords()
{
    QFETCH(const Environment, overrides);
    QFETCH(const QString, parts);
    for (const bool isShellWrapper : {false, true}) {
        const auto result = commandEnvironment({}, overrides, isShellWrapper);
        QVERIFY(!result.has_value());
        QVERIFY(result.error().code == ErrorCode::InvalidArgument);
        QCOMPARE(result.error().message,
                 QString("SYSTEM_RUN_DENIED: environment override rejected ("_L1 + parts + u')'));
    }
}

void EnvironmentTest::givesShellWrappersOnlyTerminalAndLocale()
{
    const Environment overrides{{u"TERM"_s, u"dumb"_s},
                                {u"LC_TIME"_s, u"C"_s},
                                {u"FOO"_s, u"1"_s},
                                {u"PAGER"_s, u"cat"_s},
                                {u"LC_A(x)"_s, u"C"_s}};
    const auto result = commandEnvironment({{u"HOME"_s, u"/h"_s}}, overrides, true);
    QVERIFY(result.has_value());
    QCOMPARE(*result,
             (Environment{{u"HOME"_s, u"/h"_s},
                          {u"TERM"_s, u"dumb"_s},
                          {u"LC_TIME"_s, u"C"_s},
                          {u"PAGER"_s, u""_s},
                          {u"OPENCLAW_CLI"_s, u"1"_s}}));
}

void EnvironmentTest::withholdsOurSecretsFromChildren_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name :
         {"OPENCLAW_GATEWAY_TOKEN", "OPENCLAW_GATEWAY_PASSWORD", "OPENCLAW_GATEWAY_URL",
          "openclaw_gateway_token", "TELSON_HOME", "CF_ACCESS_CLIENT_SECRET"}) {
        QTest::newRow(name) << QString::fromLatin1(name);
    }
}

void EnvironmentTest::withholdsOurSecretsFromChildren()
{
    QFETCH(const QString, name);
    QVERIFY(filteredEnvironment({{name, u"secret"_s}}).isEmpty());
    QCOMPARE(judgeOverrides({{name, u"x"_s}}).blockedKeys, QStringList{name.toUpper()});
}

void EnvironmentTest::refusesLaunchVariablesOnWindowsOnly_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("COMSPEC") << u"ComSpec"_s;
    QTest::newRow("PATHEXT") << u"PATHEXT"_s;
    QTest::newRow("PSMODULEPATH") << u"PSModulePath"_s;
}

void EnvironmentTest::refusesLaunchVariablesOnWindowsOnly()
{
    QFETCH(const QString, name);
    const Environment overrides{{name, u"x"_s}};
    QCOMPARE(judgeOverrides(overrides, EnvironmentRules::Windows).blockedKeys,
             QStringList{name.toUpper()});
    QVERIFY(judgeOverrides(overrides, EnvironmentRules::Posix).isClean());
}

void EnvironmentTest::replacesVariablesWhateverTheirCaseOnWindows()
{
    const Environment inherited{{u"Foo"_s, u"1"_s}};
    const Environment overrides{{u"FOO"_s, u"2"_s}};
    const auto windows = commandEnvironment(inherited, overrides, false, EnvironmentRules::Windows);
    QVERIFY(windows.has_value());
    QCOMPARE(*windows, (Environment{{u"FOO"_s, u"2"_s}, {u"OPENCLAW_CLI"_s, u"1"_s}}));
    const auto posix = commandEnvironment(inherited, overrides, false, EnvironmentRules::Posix);
    QVERIFY(posix.has_value());
    QCOMPARE(posix->size(), 3);
}

void EnvironmentTest::fillsAnEmptyPath_data()
{
    QTest::addColumn<Environment>("own");
    QTest::addColumn<QString>("path");
    const QString standard = u"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"_s;
    QTest::newRow("missing") << Environment{} << standard;
    QTest::newRow("empty") << Environment{{u"PATH"_s, u""_s}} << standard;
    QTest::newRow("set") << Environment{{u"PATH"_s, u"/a"_s}} << u"/a"_s;
}

void EnvironmentTest::fillsAnEmptyPath()
{
    QFETCH(const Environment, own);
    QFETCH(const QString, path);
    QCOMPARE(inheritedEnvironment(own, EnvironmentRules::Posix).value(u"PATH"_s), path);
    QCOMPARE(inheritedEnvironment(own, EnvironmentRules::Windows), filteredEnvironment(own));
}

void EnvironmentTest::keepsGitProtocolsInSafeForm_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("kept");
    const QString list = u"GIT_ALLOW_PROTOCOL"_s;
    const QString fromUser = u"GIT_PROTOCOL_FROM_USER"_s;
    QTest::newRow("drops ext and file") << list << u"git:ext:ssh:file"_s << u"git:ssh"_s;
    QTest::newRow("all") << list << u"git:http:https:ssh"_s << u"git:http:https:ssh"_s;
    QTest::newRow("true") << fromUser << u"true"_s << u"0"_s;
    QTest::newRow("ON") << fromUser << u"ON"_s << u"0"_s;
    QTest::newRow("2k") << fromUser << u"2k"_s << u"0"_s;
    QTest::newRow("0x10") << fromUser << u"0x10"_s << u"0"_s;
    QTest::newRow("false") << fromUser << u"false"_s << u"false"_s;
    QTest::newRow("0") << fromUser << u"0"_s << u"0"_s;
    QTest::newRow("00") << fromUser << u"00"_s << u"00"_s;
}

void EnvironmentTest::keepsGitProtocolsInSafeForm()
{
    QFETCH(const QString, name);
    QFETCH(const QString, value);
    QFETCH(const QString, kept);
    QCOMPARE(filteredEnvironment({{name, value}}), (Environment{{name, kept}}));
}

void EnvironmentTest::findsAssignmentsOfEnvWrappers_data()
{
    QTest::addColumn<QStringList>("argv");
    QTest::addColumn<QStringList>("keys");
    const QStringList preload{u"LD_PRELOAD"_s};
    QTest::newRow("none") << QStringList{} << QStringList{};
    QTest::newRow("bare env") << QStringList{u"env"_s} << QStringList{};
    QTest::newRow("by path") << QStringList{u"/usr/bin/env"_s, u"LD_PRELOAD=x"_s, u"ls"_s}
                             << preload;
    QTest::newRow("after --") << QStringList{u"env"_s, u"--"_s, u"LD_PRELOAD=x"_s} << preload;
    QTest::newRow("after -") << QStringList{u"env"_s, u"-"_s, u"LD_PRELOAD=x"_s} << preload;
    QTest::newRow("after -u X") << QStringList{u"env"_s, u"-u"_s, u"X"_s, u"LD_PRELOAD=x"_s}
                                << preload;
    QTest::newRow("after -iC /x") << QStringList{u"env"_s, u"-iC"_s, u"/x"_s, u"LD_PRELOAD=x"_s}
                                  << preload;
    QTest::newRow("after --block-signal")
        << QStringList{u"env"_s, u"--block-signal"_s, u"LD_PRELOAD=x"_s, u"ls"_s} << preload;
    QTest::newRow("after --block-signal PIPE")
        << QStringList{u"env"_s, u"--block-signal"_s, u"PIPE"_s, u"LD_PRELOAD=x"_s, u"ls"_s}
        << preload;
    QTest::newRow("-S") << QStringList{u"env"_s, u"-S"_s, u"LD_PRELOAD=x ls"_s} << preload;
    QTest::newRow("-S quoted") << QStringList{u"env"_s, u"-S'LD_PRELOAD'=x ls"_s} << preload;
    QTest::newRow("nested -S") << QStringList{u"env"_s, u"-S"_s, u"env -S \"LD_PRELOAD=x ls\""_s}
                               << preload;
    QTest::newRow("--split-string=")
        << QStringList{u"env"_s, u"--split-string=A=1 ls"_s, u"B=2"_s} << QStringList{u"A"_s};
    QTest::newRow("behind timeout")
        << QStringList{u"timeout"_s, u"5"_s, u"env"_s, u"LD_PRELOAD=x"_s} << preload;
    QTest::newRow("behind setsid")
        << QStringList{u"setsid"_s, u"env"_s, u"LD_PRELOAD=x"_s} << preload;
    QTest::newRow("of another program")
        << QStringList{u"rg"_s, u"env"_s, u"LD_PRELOAD=x"_s} << QStringList{};
    QTest::newRow("of the program")
        << QStringList{u"env"_s, u"make"_s, u"CC=gcc"_s} << QStringList{};
}

void EnvironmentTest::findsAssignmentsOfEnvWrappers()
{
    QFETCH(const QStringList, argv);
    QFETCH(const QStringList, keys);
    QCOMPARE(envAssignmentKeys(argv), keys);
}

void EnvironmentTest::refusesBlockedAssignments()
{
    QVERIFY(checkEnvAssignments({u"env"_s, u"FOO=1"_s, u"ls"_s}).has_value());
    const auto result =
        checkEnvAssignments({u"env"_s, u"PATH=/x"_s, u"ld_preload=y"_s, u"FOO=1"_s, u"ls"_s});
    QVERIFY(!result.has_value());
    QVERIFY(result.error().code == ErrorCode::InvalidArgument);
    QCOMPARE(result.error().message,
             u"SYSTEM_RUN_DENIED: command env assignment rejected "
             "(blocked env assignment keys: LD_PRELOAD, PATH)"_s);
}

QTEST_GUILESS_MAIN(EnvironmentTest)
#include "tst_environment.moc"
