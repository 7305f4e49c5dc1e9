// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/systemrunanswers.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

namespace {

QJsonObject parsed(const QByteArray &json)
{
    return QJsonDocument::fromJson(json).object();
}

} // namespace

class SystemRunTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEveryField();
    void readsPrepare();
    void takesNullAsAbsent();
    void refusesBadFieldsByName_data();
    void refusesBadFieldsByName();
    void refusesBadPrepareFieldsByName_data();
    void refusesBadPrepareFieldsByName();
    void keepsPlanErrorsForLater_data();
    void keepsPlanErrorsForLater();
    void readsAPlanBackAsItWasWritten();
    void readsTheTimeout_data();
    void readsTheTimeout();
    void knowsAnExplicitApproval_data();
    void knowsAnExplicitApproval();

    void writesThePlan();
    void writesAResult_data();
    void writesAResult();
    void writesFinished();
    void theOutputOfAnEventIsTheEnd();
    void anEventDoesNotStartInTheMiddleOfACharacter();
    void writesDenied();
};

void SystemRunTest::readsEveryField()
{
    const auto params =
        decodeSystemRun(R"({"command":["/bin/sh","-lc","echo hi"],"rawCommand":"echo hi",
        "cwd":"/work","env":{"A":"1"},"timeoutMs":2000,"needsScreenRecording":true,"agentId":"main",
        "sessionKey":"agent:main:main","runId":"r1","suppressNotifyOnExit":true,"future":{}})"_ba);
    QVERIFY(params.has_value());
    QCOMPARE(params->command.argv, QStringList({u"/bin/sh"_s, u"-lc"_s, u"echo hi"_s}));
    QCOMPARE(params->command.rawCommand, u"echo hi"_s);
    QCOMPARE(params->command.cwd, u"/work"_s);
    QCOMPARE(params->command.env, (QMap<QString, QString>{{u"A"_s, u"1"_s}}));
    QCOMPARE(params->command.agentId, u"main"_s);
    QCOMPARE(params->command.sessionKey, u"agent:main:main"_s);
    QCOMPARE(params->timeout, 2000ms);
    QVERIFY(params->needsScreenRecording);
    QCOMPARE(params->runId, u"r1"_s);
    QCOMPARE(params->suppressNotifyOnExit, true);
    QVERIFY(params->plan.has_value() && !params->plan->has_value());
    QVERIFY(params->approvalSource.has_value() && !params->approvalSource->has_value());
    QVERIFY(!params->isExplicitlyApproved);
}

void SystemRunTest::readsPrepare()
{
    const auto params = decodeSystemRunPrepare(
        R"({"command":["rg"],"security":"full","ask":"on-miss","strictInlineEval":true,"agentId":" main ","sessionKey":""})"_ba);
    QVERIFY(params.has_value());
    QCOMPARE(params->security, u"full"_s);
    QCOMPARE(params->ask, u"on-miss"_s);
    QVERIFY(params->strictInlineEval);
    QCOMPARE(params->command.agentId, u" main "_s);
    QCOMPARE(params->command.sessionKey, QString());
}

void SystemRunTest::takesNullAsAbsent()
{
    const auto params =
        decodeSystemRun(R"({"command":["rg"],"rawCommand":null,"cwd":null,"env":null,
        "timeoutMs":null,"needsScreenRecording":null,"agentId":null,"sessionKey":null,"runId":null,
        "suppressNotifyOnExit":null,"systemRunPlan":null,"approved":null,"approvalDecision":null,
        "approvalSource":null})"_ba);
    QVERIFY(params.has_value());
    QVERIFY(!params->command.cwd.has_value());
    QVERIFY(!params->timeout.has_value());
    QVERIFY(!params->suppressNotifyOnExit.has_value());
    QVERIFY(params->plan.has_value() && !params->plan->has_value());
}

void SystemRunTest::refusesBadFieldsByName_data()
{
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const QByteArray &params, const QString &message) {
        QTest::newRow(name) << params << message;
    };
    row("nothing", "{}", u"command required"_s);
    row("null", R"({"command":null})", u"command required"_s);
    row("empty", R"({"command":[]})", u"command required"_s);
    row("empty program", R"({"command":[""]})", u"command required"_s);
    row("blank program", R"({"command":[" ","x"]})", u"command required"_s);
    row("text only", R"({"rawCommand":"rg"})", u"rawCommand requires params.command"_s);
    row("text and empty", R"({"command":[],"rawCommand":"rg"})",
        u"rawCommand requires params.command"_s);
    row("command as text", R"({"command":"rg"})", u"command must be an array of strings"_s);
    row("number in the command", R"({"command":["rg",5]})", u"command[1] must be a string"_s);
    row("nul in the command", R"({"command":["rg\u0000x"]})",
        u"command must not contain a NUL character"_s);
    row("nul in cwd", R"({"command":["rg"],"cwd":"/a\u0000"})",
        u"cwd must not contain a NUL character"_s);
    row("nul in a value", R"({"command":["rg"],"env":{"A":"\u0000"}})",
        u"env must not contain a NUL character"_s);
    row("nul in a name", R"({"command":["rg"],"env":{"A\u0000":"x"}})",
        u"env must not contain a NUL character"_s);
    row("rawCommand", R"({"command":["rg"],"rawCommand":1})", u"rawCommand must be a string"_s);
    row("cwd", R"({"command":["rg"],"cwd":{}})", u"cwd must be a string"_s);
    row("env", R"({"command":["rg"],"env":["A=1"]})", u"env must be an object of strings"_s);
    row("env value", R"({"command":["rg"],"env":{"A":1}})", u"env.A must be a string"_s);
    row("timeoutMs", R"({"command":["rg"],"timeoutMs":"5"})", u"timeoutMs must be a number"_s);
    row("needsScreenRecording", R"({"command":["rg"],"needsScreenRecording":1})",
        u"needsScreenRecording must be true or false"_s);
    row("agentId", R"({"command":["rg"],"agentId":1})", u"agentId must be a string"_s);
    row("long sessionKey", R"({"command":["rg"],"sessionKey":")" + QByteArray(5000, 'x') + "\"}",
        u"sessionKey is longer than 4096 characters"_s);
    row("runId", R"({"command":["rg"],"runId":1})", u"runId must be a string"_s);
    row("approved", R"({"command":["rg"],"approved":"yes"})", u"approved must be true or false"_s);
    row("approvalDecision", R"({"command":["rg"],"approvalDecision":"deny"})",
        u"approvalDecision must be allow-once or allow-always"_s);
    QByteArray many = R"({"command":["rg")";
    for (int number = 0; number < 4096; ++number) {
        many += ",\"\"";
    }
    row("many arguments", many + "]}", u"command has 4097 arguments, more than 4096"_s);
    row("long command", R"({"command":["rg",")" + QByteArray(1024 * 1024, 'x') + "\"]}",
        u"command is longer than 1 MiB"_s);
    row("no object", "null", u"params must be a json object"_s);
}

void SystemRunTest::refusesBadFieldsByName()
{
    QFETCH(QByteArray, params);
    QFETCH(QString, message);
    const auto decoded = decodeSystemRun(params);
    QVERIFY(!decoded.has_value());
    QCOMPARE(decoded.error(), Error({ErrorCode::InvalidArgument, message}));
}

void SystemRunTest::refusesBadPrepareFieldsByName_data()
{
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QString>("message");
    QTest::newRow("security") << R"({"command":["rg"],"security":"FULL"})"_ba
                              << u"security must be deny, allowlist or full"_s;
    QTest::newRow("ask") << R"({"command":["rg"],"ask":"never"})"_ba
                         << u"ask must be off, on-miss or always"_s;
    QTest::newRow("strictInlineEval") << R"({"command":["rg"],"strictInlineEval":1})"_ba
                                      << u"strictInlineEval must be true or false"_s;
    QTest::newRow("command") << R"({"command":[1]})"_ba << u"command[0] must be a string"_s;
}

void SystemRunTest::refusesBadPrepareFieldsByName()
{
    QFETCH(QByteArray, params);
    QFETCH(QString, message);
    QCOMPARE(decodeSystemRunPrepare(params).error(), Error({ErrorCode::InvalidArgument, message}));
}

void SystemRunTest::keepsPlanErrorsForLater_data()
{
    QTest::addColumn<QByteArray>("plan");
    QTest::addColumn<bool>("isValid");
    const auto row = [](const char *name, const QByteArray &plan, bool isValid) {
        QTest::newRow(name) << plan << isValid;
    };
    const QByteArray head = R"({"argv":["rg"],"commandText":"rg")";
    row("least", head + "}", true);
    row("unknown key", head + R"(,"x":1})", true);
    row("nulls", head + R"(,"cwd":null,"commandPreview":null,"agentId":null,"sessionKey":null})",
        true);
    row("no object", "[]", false);
    row("strange", R"({"nope":1})", false);
    row("no argv", R"({"commandText":"rg"})", false);
    row("empty argv", R"({"argv":[],"commandText":"rg"})", false);
    row("number in argv", R"({"argv":[1],"commandText":"rg"})", false);
    row("empty text", R"({"argv":["rg"],"commandText":""})", false);
    row("cwd", head + R"(,"cwd":1})", false);
    row("a file this node never bound",
        head + R"(,"mutableFileOperand":{"argvIndex":0,"path":"/x","sha256":"0"}})", false);
    const auto snapshot = [&head](const QByteArray &fields) -> QByteArray {
        return head + R"(,"policySnapshot":{)" + fields + "}}";
    };
    const QByteArray scalars =
        R"("security":"allowlist","ask":"on-miss","askFallback":"deny","autoAllowSkills":false)";
    row("snapshot",
        snapshot(scalars + R"(,"allowlistRules":[{"pattern":"a","source":"allow-always"}])"), true);
    row("snapshot without rules", snapshot(scalars), false);
    row("rule without a pattern", snapshot(scalars + R"(,"allowlistRules":[{}])"), false);
    row("rule of another source",
        snapshot(scalars + R"(,"allowlistRules":[{"pattern":"a","source":"manual"}])"), false);
    row("security of another kind",
        snapshot(
            R"("security":"x","ask":"off","askFallback":"deny","autoAllowSkills":false,"allowlistRules":[])"),
        false);
    row("number for a flag",
        snapshot(
            R"("security":"full","ask":"off","askFallback":"deny","autoAllowSkills":1,"allowlistRules":[])"),
        false);
}

void SystemRunTest::keepsPlanErrorsForLater()
{
    QFETCH(QByteArray, plan);
    QFETCH(bool, isValid);
    const auto params =
        decodeSystemRun(R"({"command":["rg"],"approvalSource":"x","systemRunPlan":)" + plan + "}");
    QVERIFY(params.has_value());
    QCOMPARE(params->plan.has_value(), isValid);
    if (!isValid) {
        QCOMPARE(params->plan.error().message, u"systemRunPlan invalid"_s);
    }
    QCOMPARE(params->approvalSource.error().message, u"approvalSource invalid"_s);
}

void SystemRunTest::readsAPlanBackAsItWasWritten()
{
    SystemRunPlan plan;
    plan.argv = {u"/bin/sh"_s, u"-lc"_s, u"echo \u00E4\n"_s, QString()};
    plan.cwd = u"/work"_s;
    plan.commandText = u"x"_s;
    plan.commandPreview = u"echo"_s;
    plan.agentId = u" main "_s;
    plan.policySnapshot = PlanPolicy{
        u"allowlist"_s,
        u"on-miss"_s,
        u"deny"_s,
        true,
        {{u"a"_s, {}, {}}, {u"b"_s, u"x"_s, u"allow-always"_s}},
    };
    const QJsonObject written = parsed(encodePreparedRun({plan, u"full"_s, u"off"_s}));
    const QByteArray request = QJsonDocument(QJsonObject{{u"command"_s, QJsonArray{u"x"_s}},
                                                         {u"systemRunPlan"_s, written[u"plan"_s]}})
                                   .toJson();
    const auto params = decodeSystemRun(request);
    QVERIFY(params.has_value());
    QCOMPARE(**params->plan, plan);
}

void SystemRunTest::readsTheTimeout_data()
{
    QTest::addColumn<QByteArray>("number");
    QTest::addColumn<qint64>("milliseconds"); // -1 = no limit
    QTest::newRow("zero") << "0"_ba << qint64(-1);
    QTest::newRow("negative") << "-5"_ba << qint64(-1);
    QTest::newRow("plain") << "1800000"_ba << qint64(1800000);
    QTest::newRow("fraction") << "0.25"_ba << qint64(1);
    QTest::newRow("larger than any clock") << "1e300"_ba << qint64(2147483647);
    QTest::newRow("larger than any integer") << "99999999999999999999999"_ba << qint64(2147483647);
}

void SystemRunTest::readsTheTimeout()
{
    QFETCH(QByteArray, number);
    QFETCH(qint64, milliseconds);
    const auto params = decodeSystemRun(R"({"command":["rg"],"timeoutMs":)" + number + "}");
    QVERIFY(params.has_value());
    QCOMPARE(params->timeout.value_or(-1ms).count(), milliseconds);
}

void SystemRunTest::knowsAnExplicitApproval_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<bool>("isApproved");
    QTest::newRow("true") << R"("approved":true)"_ba << true;
    QTest::newRow("once") << R"("approvalDecision":"allow-once")"_ba << true;
    QTest::newRow("always") << R"("approved":false,"approvalDecision":"allow-always")"_ba << true;
    QTest::newRow("false") << R"("approved":false)"_ba << false;
    QTest::newRow("source") << R"("approvalSource":"auto-review")"_ba << false;
}

void SystemRunTest::knowsAnExplicitApproval()
{
    QFETCH(QByteArray, fields);
    QFETCH(bool, isApproved);
    const auto params = decodeSystemRun(R"({"command":["rg"],)" + fields + "}");
    QVERIFY(params.has_value());
    QCOMPARE(params->isExplicitlyApproved, isApproved);
}

void SystemRunTest::writesThePlan()
{
    SystemRunPlan plan;
    plan.argv = {u"rg"_s};
    plan.commandText = u"rg"_s;
    plan.policySnapshot = PlanPolicy{u"full"_s, u"off"_s, u"deny"_s, false, {}};
    // The gateway's schema wants cwd, agentId and sessionKey to be there, null or not.
    QCOMPARE(encodePreparedRun({plan, u"full"_s, u"off"_s}),
             R"({"plan":{"argv":["rg"],"cwd":null,"commandText":"rg","commandPreview":null,)"
             R"("agentId":null,"sessionKey":null,"policySnapshot":{"security":"full","ask":"off",)"
             R"("askFallback":"deny","autoAllowSkills":false,"allowlistRules":[]}},)"
             R"("execPolicy":{"security":"full","ask":"off"},)"
             R"("allowAlwaysCoverage":{"complete":false,"patterns":[]}})"_ba);
}

void SystemRunTest::writesAResult_data()
{
    QTest::addColumn<SystemRunResult>("result");
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("success")
        << SystemRunResult{0, false, u"hi\n"_s, {}, {}}
        << R"({"exitCode":0,"timedOut":false,"success":true,"stdout":"hi\n","stderr":"","error":null})"_ba;
    QTest::newRow("exit code")
        << SystemRunResult{7, false, {}, u"no"_s, {}}
        << R"({"exitCode":7,"timedOut":false,"success":false,"stdout":"","stderr":"no","error":null})"_ba;
    QTest::newRow("signal")
        << SystemRunResult{137, false, {}, {}, u"killed by SIGKILL"_s}
        << R"({"exitCode":137,"timedOut":false,"success":false,"stdout":"","stderr":"","error":"killed by SIGKILL"})"_ba;
    QTest::newRow("deadline")
        << SystemRunResult{124, true, u"a"_s, {}, {}}
        << R"({"exitCode":124,"timedOut":true,"success":false,"stdout":"a","stderr":"","error":null})"_ba;
    QTest::newRow("no start")
        << SystemRunResult{std::nullopt, false, {}, {}, u"not found"_s}
        << R"({"timedOut":false,"success":false,"stdout":"","stderr":"","error":"not found"})"_ba;
}

void SystemRunTest::writesAResult()
{
    QFETCH(SystemRunResult, result);
    QFETCH(QByteArray, json);
    QCOMPARE(encodeSystemRunResult(result), json);
}

void SystemRunTest::writesFinished()
{
    QCOMPARE(
        encodeExecFinished({u"node"_s, u"r1"_s, u"rg x"_s, true},
                           {1, false, u"out\n"_s, u"err\n"_s, u"bad"_s}),
        R"({"sessionKey":"node","runId":"r1","host":"node","command":"rg x","exitCode":1,)"
        R"("timedOut":false,"success":false,"output":"out\n\nerr\n\nbad","suppressNotifyOnExit":true})"_ba);
    QCOMPARE(parsed(encodeExecFinished({}, {0, false, {}, u" e "_s, {}}))[u"output"_s], u"e"_s);
}

void SystemRunTest::theOutputOfAnEventIsTheEnd()
{
    const QString fits(20000, u'x');
    QCOMPARE(parsed(encodeExecFinished({}, {0, false, fits, {}, {}}))[u"output"_s], fits);
    const QString output =
        parsed(encodeExecFinished({}, {0, false, u"ab"_s + fits, {}, {}}))[u"output"_s].toString();
    QCOMPARE(output, QString(u"... (truncated) "_s + fits));
}

void SystemRunTest::anEventDoesNotStartInTheMiddleOfACharacter()
{
    const QString text = QString::fromUcs4(U"\U0001F600") + QString(19999, u'x');
    const QString output =
        parsed(encodeExecFinished({}, {0, false, text, {}, {}}))[u"output"_s].toString();
    QCOMPARE(output, QString(u"... (truncated) "_s + QString(19999, u'x')));
}

void SystemRunTest::writesDenied()
{
    QCOMPARE(
        encodeExecDenied({u"node"_s, u"r1"_s, u"rg"_s, std::nullopt}, u"approval-required"_s),
        R"({"sessionKey":"node","runId":"r1","host":"node","command":"rg","reason":"approval-required"})"_ba);
    QCOMPARE(parsed(encodeExecDenied({u"s"_s, u"r"_s, u"c"_s, false},
                                     u"x"_s))[u"suppressNotifyOnExit"_s],
             QJsonValue(false));
}

QTEST_GUILESS_MAIN(SystemRunTest)
#include "tst_systemrun.moc"
