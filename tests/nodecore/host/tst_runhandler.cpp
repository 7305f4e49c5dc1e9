// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/hostbench.h"

#include <QtCore/QJsonArray>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

namespace {

const auto s_ask = R"({"version":1,"defaults":{"security":"allowlist","ask":"on-miss"}})"_ba;
const auto s_deny = R"({"version":1,"defaults":{"security":"deny"}})"_ba;

QJsonObject with(QJsonObject object, const QJsonObject &further)
{
    for (auto it = further.begin(); it != further.end(); ++it) {
        object.insert(it.key(), it.value());
    }
    return object;
}

QJsonObject params(const QJsonObject &further = {})
{
    return with({{u"command"_s, QJsonArray{u"rg"_s, u"a b"_s}},
                 {u"cwd"_s, u"/work"_s},
                 {u"agentId"_s, u"main"_s},
                 {u"sessionKey"_s, u"agent:main:main"_s},
                 {u"runId"_s, u"r1"_s}},
                further);
}

} // namespace

class RunHandlerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void runsAndAnswers();
    void anEventComesBeforeTheAnswer();
    void fillsInWhatTheRequestLeavesOut();
    void givesTheCommandItsVariables();
    void aShellGetsOnlyTerminalAndLocaleVariables();
    void answersHowItEnded_data();
    void answersHowItEnded();
    void aStartThatFailsIsAResult();
    void endsAtTheDeadline();
    void noTimeoutMeansNoDeadline();

    void validatesInTheOrderOfTheContract_data();
    void validatesInTheOrderOfTheContract();
    void refusesVariables_data();
    void refusesVariables();

    void refusesByPolicy_data();
    void refusesByPolicy();
    void echoesSuppressionInADenial();
    void refusesScreenRecording();
    void refusesVerbsOfAPerson();
    void refusesFoldersOfOthers();

    void cancelEndsTheRun();
    void losingTheConnectionEndsTheRun();
    void destroyingTheHostEndsTheRun();
    void boundsTheNumberOfRuns();
    void cheapCommandsDoNotWait();

private:
    void finish(qsizetype process, int exitCode = 0);
    void waitFor(const HostCall &call);

    std::unique_ptr<HostBench> m_bench;
};

void RunHandlerTest::init()
{
    m_bench = std::make_unique<HostBench>();
}

void RunHandlerTest::finish(qsizetype process, int exitCode)
{
    QTRY_VERIFY(m_bench->processes.at(process) != nullptr);
    FakeProcess *child = m_bench->processes.at(process);
    if (child->state() == ChildProcess::State::Starting) {
        child->beStarted();
    }
    child->exit(exitCode);
    child->closeOutput();
}

void RunHandlerTest::waitFor(const HostCall &call)
{
    QTRY_VERIFY(call.isAnswered());
}

void RunHandlerTest::runsAndAnswers()
{
    const auto call = m_bench->call(u"system.run"_s, params());
    QCOMPARE(m_bench->processes.count(), 1);
    FakeProcess *child = m_bench->processes.at(0);
    QCOMPARE(child->spec().argv, QStringList({u"rg"_s, u"a b"_s}));
    QCOMPARE(child->spec().folder, u"/work"_s);
    QVERIFY(!child->spec().folderIdentity.has_value());
    child->beStarted();
    child->write(OutputChannel::StandardOutput, "hi\n"_ba);
    finish(0);
    waitFor(*call);
    const QJsonObject expected{{u"exitCode"_s, 0},   {u"timedOut"_s, false},
                               {u"success"_s, true}, {u"stdout"_s, u"hi\n"_s},
                               {u"stderr"_s, u""_s}, {u"error"_s, QJsonValue::Null}};
    QCOMPARE(*call->payload, expected);
}

void RunHandlerTest::anEventComesBeforeTheAnswer()
{
    const auto call = m_bench->call(u"system.run"_s, params());
    finish(0, 3);
    waitFor(*call);
    QCOMPARE(call->trace, QStringList({u"exec.finished"_s, u"answer"_s}));
    const QJsonObject expected{{u"sessionKey"_s, u"agent:main:main"_s},
                               {u"runId"_s, u"r1"_s},
                               {u"host"_s, u"node"_s},
                               {u"command"_s, u"rg \"a b\""_s},
                               {u"exitCode"_s, 3},
                               {u"timedOut"_s, false},
                               {u"success"_s, false},
                               {u"output"_s, u""_s},
                               {u"suppressNotifyOnExit"_s, true}};
    QCOMPARE(call->events.constFirst(), expected);
}

void RunHandlerTest::fillsInWhatTheRequestLeavesOut()
{
    const auto call = m_bench->call(u"system.run"_s, {{u"command"_s, QJsonArray{u"true"_s}}});
    QCOMPARE(m_bench->processes.at(0)->spec().folder, u"/home/u"_s);
    finish(0);
    waitFor(*call);
    QCOMPARE(call->events.constFirst()[u"sessionKey"_s], QJsonValue(u"node"_s));
    QCOMPARE(call->events.constFirst()[u"runId"_s].toString().size(), 36);
}

void RunHandlerTest::givesTheCommandItsVariables()
{
    m_bench->call(u"system.run"_s, params({{u"env"_s, QJsonObject{{u"FOO"_s, u"1"_s}}}}));
    const Environment environment = m_bench->processes.at(0)->spec().environment;
    QCOMPARE(environment.value(u"FOO"_s), u"1"_s);
    QCOMPARE(environment.value(u"PATH"_s), u"/usr/bin:/bin"_s);
    QCOMPARE(environment.value(u"OPENCLAW_CLI"_s), u"1"_s);
}

void RunHandlerTest::aShellGetsOnlyTerminalAndLocaleVariables()
{
    m_bench->call(u"system.run"_s,
                  params({{u"command"_s, QJsonArray{u"nice"_s, u"bash"_s, u"run.sh"_s}},
                          {u"env"_s, QJsonObject{{u"FOO"_s, u"1"_s}, {u"LANG"_s, u"x"_s}}}}));
    const Environment environment = m_bench->processes.at(0)->spec().environment;
    QVERIFY(!environment.contains(u"FOO"_s));
    QCOMPARE(environment.value(u"LANG"_s), u"x"_s);
}

void RunHandlerTest::answersHowItEnded_data()
{
    QTest::addColumn<int>("signal");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QJsonValue>("error");
    QTest::newRow("exit code") << 0 << 7 << QJsonValue(QJsonValue::Null);
    QTest::newRow("signal") << 9 << 137 << QJsonValue(u"killed by SIGKILL"_s);
}

void RunHandlerTest::answersHowItEnded()
{
    QFETCH(int, signal);
    QFETCH(int, exitCode);
    QFETCH(QJsonValue, error);
    const auto call = m_bench->call(u"system.run"_s, params());
    FakeProcess *child = m_bench->processes.at(0);
    child->beStarted();
    if (signal == 0) {
        child->exit(exitCode);
    } else {
        child->dieOf(signal, u"SIGKILL"_s);
    }
    child->closeOutput();
    waitFor(*call);
    QCOMPARE((*call->payload)[u"exitCode"_s], QJsonValue(exitCode));
    QCOMPARE((*call->payload)[u"success"_s], QJsonValue(false));
    QCOMPARE((*call->payload)[u"error"_s], error);
}

void RunHandlerTest::aStartThatFailsIsAResult()
{
    const auto call = m_bench->call(u"system.run"_s, params({{u"cwd"_s, u"/nope"_s}}));
    m_bench->processes.at(0)->failToStart(
        {StartFailure::FolderMissing, u"No such file or directory"_s, 2});
    waitFor(*call);
    QVERIFY(call->payload.has_value());
    QVERIFY(!call->payload->contains(u"exitCode"_s));
    QCOMPARE((*call->payload)[u"success"_s], QJsonValue(false));
    const QString error = (*call->payload)[u"error"_s].toString();
    QVERIFY2(
        error.startsWith("node exec working directory does not exist on the node host: /nope"_L1),
        qPrintable(error));
    QCOMPARE(call->events.constFirst()[u"output"_s], QJsonValue(error));
    QCOMPARE(call->trace, QStringList({u"exec.finished"_s, u"answer"_s}));
}

void RunHandlerTest::endsAtTheDeadline()
{
    const auto call = m_bench->call(u"system.run"_s, params({{u"timeoutMs"_s, 2000}}));
    m_bench->processes.at(0)->beStarted();
    m_bench->clock.advance(2s);
    for (int step = 0; step < 50 && !call->isAnswered(); ++step) {
        QCoreApplication::processEvents();
        m_bench->clock.advance(100ms);
    }
    waitFor(*call);
    QCOMPARE((*call->payload)[u"exitCode"_s], QJsonValue(124));
    QCOMPARE((*call->payload)[u"timedOut"_s], QJsonValue(true));
    QCOMPARE((*call->payload)[u"success"_s], QJsonValue(false));
    QVERIFY((*call->payload)[u"error"_s].isNull());
    QCOMPARE(call->events.constFirst()[u"timedOut"_s], QJsonValue(true));
}

void RunHandlerTest::noTimeoutMeansNoDeadline()
{
    const auto call = m_bench->call(u"system.run"_s, params({{u"timeoutMs"_s, 0}}));
    m_bench->processes.at(0)->beStarted();
    m_bench->clock.advance(24h);
    QCoreApplication::processEvents();
    QVERIFY(!call->isAnswered());
}

void RunHandlerTest::validatesInTheOrderOfTheContract_data()
{
    QTest::addColumn<QJsonObject>("further");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const QJsonObject &further, const QString &message) {
        QTest::newRow(name) << further << message;
    };
    // Each row holds the faults of all rows below it, too.
    const QJsonObject blocked{{u"env"_s, QJsonObject{{u"IFS"_s, u"y"_s}, {u"A-B"_s, u"x"_s}}}};
    const QJsonObject plan{{u"argv"_s, QJsonArray{u"rg"_s, u"a b"_s}},
                           {u"commandText"_s, u"rg \"a b\""_s},
                           {u"cwd"_s, u"/work"_s},
                           {u"agentId"_s, u"main"_s},
                           {u"sessionKey"_s, u"agent:main:main"_s}};
    const QJsonObject noSnapshot =
        with(blocked, {{u"approved"_s, true}, {u"systemRunPlan"_s, plan}});
    const QJsonObject otherPlan =
        with(noSnapshot, {{u"systemRunPlan"_s, with(plan, {{u"argv"_s, QJsonArray{u"ls"_s}}})}});
    const QJsonObject both = with(otherPlan, {{u"approvalSource"_s, u"auto-review"_s}});
    const QJsonObject badSource = with(both, {{u"approvalSource"_s, u"x"_s}});
    const QJsonObject badPlan =
        with(badSource, {{u"systemRunPlan"_s, QJsonObject{{u"nope"_s, 1}}}});
    const QJsonObject badText = with(badPlan, {{u"rawCommand"_s, u"ls"_s}});
    row("command",
        with(badText, {{u"command"_s, QJsonValue::Null}, {u"rawCommand"_s, QJsonValue::Null}}),
        u"command required"_s);
    row("text", badText, u"INVALID_REQUEST: rawCommand does not match command"_s);
    row("plan", badPlan, u"systemRunPlan invalid"_s);
    row("source", badSource, u"approvalSource invalid"_s);
    row("source and approval", both, u"approvalSource cannot be combined with explicit approval"_s);
    row("approval of another plan", otherPlan,
        u"explicit approval requires matching systemRunPlan"_s);
    row("source of another plan",
        with(otherPlan, {{u"approved"_s, false}, {u"approvalSource"_s, u"ask-fallback"_s}}),
        u"approvalSource requires matching systemRunPlan"_s);
    row("approval without a plan", with(blocked, {{u"approved"_s, true}}),
        u"explicit approval requires matching systemRunPlan"_s);
    row("source without a plan", with(blocked, {{u"approvalSource"_s, u"auto-review"_s}}),
        u"approvalSource requires matching systemRunPlan"_s);
    row("no snapshot", noSnapshot, u"delayed approval requires a prepared policy snapshot"_s);
    row("no snapshot for a review",
        with(blocked, {{u"approvalSource"_s, u"auto-review"_s}, {u"systemRunPlan"_s, plan}}),
        u"delayed approval requires a prepared policy snapshot"_s);
    for (const QString &field : {u"commandText"_s, u"cwd"_s, u"agentId"_s, u"sessionKey"_s}) {
        row(qPrintable(u"approval of a plan with another "_s + field),
            with(blocked,
                 {{u"approved"_s, true}, {u"systemRunPlan"_s, with(plan, {{field, u"/x"_s}})}}),
            u"explicit approval requires matching systemRunPlan"_s);
    }
    row("variables", blocked,
        u"SYSTEM_RUN_DENIED: environment override rejected (blocked override keys: IFS; invalid "
        u"non-portable override keys: A-B)"_s);
}

void RunHandlerTest::validatesInTheOrderOfTheContract()
{
    QFETCH(QJsonObject, further);
    QFETCH(QString, message);
    m_bench->store.setText(s_deny); // policy comes after all of this
    const auto call = m_bench->call(u"system.run"_s, params(further));
    QCOMPARE(call->failure, CommandFailure({u"INVALID_REQUEST"_s, message}));
    QVERIFY(call->events.isEmpty());
    QCOMPARE(m_bench->processes.count(), 0);
}

void RunHandlerTest::refusesVariables_data()
{
    QTest::addColumn<QJsonObject>("further");
    QTest::addColumn<QString>("message");
    const auto env = [](const QJsonObject &variables) {
        return QJsonObject{{u"env"_s, variables}};
    };
    QTest::newRow("loader")
        << env({{u"LD_PRELOAD"_s, u"x"_s}, {u"NODE_OPTIONS"_s, u"y"_s}})
        << u"SYSTEM_RUN_DENIED: environment override rejected (blocked override keys: "
           u"LD_PRELOAD, NODE_OPTIONS)"_s;
    QTest::newRow("path")
        << env({{u"PATH"_s, u"/x"_s}})
        << u"SYSTEM_RUN_DENIED: environment override rejected (blocked override keys: PATH)"_s;
    QTest::newRow("names")
        << env({{u"1"_s, u"y"_s}, {u"A-B"_s, u"x"_s}})
        << u"SYSTEM_RUN_DENIED: environment override rejected (invalid non-portable "
           u"override keys: 1, A-B)"_s;
    QTest::newRow("assignment")
        << QJsonObject{{u"command"_s, QJsonArray{u"env"_s, u"LD_PRELOAD=x"_s, u"rg"_s}}}
        << u"SYSTEM_RUN_DENIED: command env assignment rejected (blocked env assignment keys: LD_PRELOAD)"_s;
}

void RunHandlerTest::refusesVariables()
{
    QFETCH(QJsonObject, further);
    QFETCH(QString, message);
    const auto call = m_bench->call(u"system.run"_s, params(further));
    QCOMPARE(call->failure, CommandFailure({u"INVALID_REQUEST"_s, message}));
    QVERIFY(call->events.isEmpty());
}

void RunHandlerTest::refusesByPolicy_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<ExecMode>("mode");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("message");
    const auto full = R"({"version":1,"defaults":{"security":"full","ask":"off"}})"_ba;
    const QString required = u"SYSTEM_RUN_DENIED: approval required"_s;
    const QString disabled = u"SYSTEM_RUN_DISABLED: security=deny"_s;
    QTest::newRow("deny") << s_deny << ExecMode::Full << u"security=deny"_s << disabled;
    QTest::newRow("mode deny") << full << ExecMode::Deny << u"security=deny"_s << disabled;
    QTest::newRow("on-miss") << s_ask << ExecMode::Full << u"approval-required"_s << required;
    QTest::newRow("mode ask") << full << ExecMode::Ask << u"approval-required"_s << required;
    QTest::newRow("mode allowlist")
        << full << ExecMode::Allowlist << u"approval-required"_s << required;
    QTest::newRow("always") << R"({"version":1,"defaults":{"security":"full","ask":"always"}})"_ba
                            << ExecMode::Full << u"approval-required"_s << required;
    QTest::newRow("the rule would match, but rules are not read yet")
        << R"({"version":1,"defaults":{"security":"allowlist"},"agents":{"main":{"allowlist":["rg"]}}})"_ba
        << ExecMode::Full << u"approval-required"_s << required;
    QTest::newRow("no document, fresh installation")
        << ""_ba << ExecMode::Ask << u"approval-required"_s << required;
}

void RunHandlerTest::refusesByPolicy()
{
    QFETCH(QByteArray, document);
    QFETCH(ExecMode, mode);
    QFETCH(QString, reason);
    QFETCH(QString, message);
    m_bench->store.setText(document);
    m_bench->rules.mode = mode;
    const auto call = m_bench->call(u"system.run"_s, params());
    QCOMPARE(call->trace, QStringList({u"exec.denied"_s, u"answer"_s}));
    QCOMPARE(call->failure, CommandFailure({u"SYSTEM_RUN_DENIED"_s, message}));
    const QJsonObject expected{{u"sessionKey"_s, u"agent:main:main"_s},
                               {u"runId"_s, u"r1"_s},
                               {u"host"_s, u"node"_s},
                               {u"command"_s, u"rg \"a b\""_s},
                               {u"reason"_s, reason}};
    QCOMPARE(call->events.constFirst(), expected);
    QCOMPARE(m_bench->processes.count(), 0);
}

void RunHandlerTest::echoesSuppressionInADenial()
{
    m_bench->store.setText(s_deny);
    const auto call = m_bench->call(u"system.run"_s, params({{u"suppressNotifyOnExit"_s, true}}));
    QCOMPARE(call->events.constFirst()[u"suppressNotifyOnExit"_s], QJsonValue(true));
}

void RunHandlerTest::refusesScreenRecording()
{
    const auto call = m_bench->call(u"system.run"_s, params({{u"needsScreenRecording"_s, true}}));
    QCOMPARE(call->failure,
             CommandFailure({u"SYSTEM_RUN_DENIED"_s, u"PERMISSION_MISSING: screenRecording"_s}));
    QCOMPARE(call->events.constFirst()[u"reason"_s], QJsonValue(u"permission:screenRecording"_s));
    QCOMPARE(m_bench->processes.count(), 0);
}

void RunHandlerTest::refusesVerbsOfAPerson()
{
    for (const QJsonArray &command : {QJsonArray{u"/approve"_s, u"abc"_s},
                                      QJsonArray{u"openclaw"_s, u"channels"_s, u"login"_s}}) {
        const auto call = m_bench->call(u"system.run"_s, params({{u"command"_s, command}}));
        QCOMPARE(call->failure->code, u"SYSTEM_RUN_DENIED"_s);
        QCOMPARE(call->events.constFirst()[u"reason"_s], QJsonValue(u"approval-required"_s));
    }
    QCOMPARE(m_bench->processes.count(), 0);
}

void RunHandlerTest::refusesFoldersOfOthers()
{
    for (const QString &cwd : {u"node://other/skills/x"_s, u"sub"_s}) {
        const auto call = m_bench->call(u"system.run"_s, params({{u"cwd"_s, cwd}}));
        QCOMPARE(call->failure->code, u"INVALID_REQUEST"_s);
    }
    QCOMPARE(m_bench->processes.count(), 0);
}

void RunHandlerTest::cancelEndsTheRun()
{
    const auto call = m_bench->call(u"system.run"_s, params());
    m_bench->processes.at(0)->beStarted();
    m_bench->host->cancel(u"gateway:home"_s, m_bench->lastId());
    QTRY_VERIFY(m_bench->processes.callsOf(0).contains(u"terminate"_s)
                || m_bench->processes.callsOf(0).contains(u"kill"_s));
    m_bench->clock.advance(10s);
    QCoreApplication::processEvents();
    QVERIFY(call->trace.isEmpty());
    QCOMPARE(m_bench->host->runningCount(), 0);
}

void RunHandlerTest::losingTheConnectionEndsTheRun()
{
    const auto call = m_bench->call(u"system.run"_s, params());
    const auto other = m_bench->call(u"system.run"_s, params(), 2);
    m_bench->processes.at(0)->beStarted();
    m_bench->processes.at(1)->beStarted();
    m_bench->host->connectionLost(u"gateway:home"_s, 1);
    QTRY_VERIFY(m_bench->processes.callsOf(0).contains(u"terminate"_s)
                || m_bench->processes.callsOf(0).contains(u"kill"_s));
    QCOMPARE(m_bench->processes.callsOf(1), QStringList(u"start"_s));
    QVERIFY(call->trace.isEmpty());
    finish(1);
    waitFor(*other);
}

void RunHandlerTest::destroyingTheHostEndsTheRun()
{
    const auto call = m_bench->call(u"system.run"_s, params());
    m_bench->processes.at(0)->beStarted();
    m_bench->host.reset();
    m_bench->clock.advance(10s);
    QCoreApplication::processEvents();
    QVERIFY(call->trace.isEmpty());
    QVERIFY(m_bench->processes.callsOf(0).size() > 1);
}

void RunHandlerTest::boundsTheNumberOfRuns()
{
    m_bench = std::make_unique<HostBench>(2);
    const auto first = m_bench->call(u"system.run"_s, params());
    m_bench->call(u"system.run"_s, params());
    const auto third = m_bench->call(u"system.run"_s, params());
    QCOMPARE(third->failure, CommandFailure({u"UNAVAILABLE"_s, u"node busy, retry"_s}));
    QVERIFY(third->events.isEmpty());
    finish(0);
    waitFor(*first);
    const auto fourth = m_bench->call(u"system.run"_s, params());
    QVERIFY(!fourth->isAnswered());
    QCOMPARE(m_bench->processes.count(), 3);
}

void RunHandlerTest::cheapCommandsDoNotWait()
{
    m_bench = std::make_unique<HostBench>(1);
    m_bench->call(u"system.run"_s, params());
    QVERIFY(
        m_bench->call(u"system.which"_s, {{u"bins"_s, QJsonArray{u"sh"_s}}})->payload.has_value());
    QVERIFY(m_bench->call(u"system.run.prepare"_s, params())->payload.has_value());
    QVERIFY(m_bench->call(u"system.execApprovals.get"_s, {})->payload.has_value());
}

QTEST_GUILESS_MAIN(RunHandlerTest)
#include "tst_runhandler.moc"
