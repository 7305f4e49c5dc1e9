// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/hostbench.h"

#include <QtCore/QJsonArray>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

const auto s_ask = R"({"version":1,"defaults":{"security":"allowlist","ask":"on-miss"}})"_ba;

QJsonObject params(const QJsonObject &further = {})
{
    QJsonObject object{{u"command"_s, QJsonArray{u"/bin/sh"_s, u"-lc"_s, u"echo hi"_s}},
                       {u"rawCommand"_s, u"echo hi"_s},
                       {u"cwd"_s, u"/work"_s},
                       {u"agentId"_s, u"main"_s},
                       {u"sessionKey"_s, u"agent:main:main"_s}};
    for (auto it = further.begin(); it != further.end(); ++it) {
        object.insert(it.key(), it.value());
    }
    return object;
}

} // namespace

class RunPrepareHandlerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void answersAPlan();
    void echoesIdsAsTheyCame();
    void absentIdsAreNullInThePlan();
    void usesTheDefaultFolder();
    void offersALinkedFolderByItsRealPath();
    void tellsTheEffectivePolicy_data();
    void tellsTheEffectivePolicy();
    void theSnapshotIsThePolicyOfThisNodeAlone();
    void makesTheGatewayAskUnderStrictInlineEval();
    void offersWhatTheReferenceRefuses_data();
    void offersWhatTheReferenceRefuses();
    void refuses_data();
    void refuses();
    void refusesAFolderThatIsMissing_data();
    void refusesAFolderThatIsMissing();
    void touchesNothingFarAwayBeforeAnApproval_data();
    void touchesNothingFarAwayBeforeAnApproval();
    void refusesVerbsOfAPerson();

private:
    std::unique_ptr<HostBench> m_bench;
};

void RunPrepareHandlerTest::init()
{
    m_bench = std::make_unique<HostBench>();
}

void RunPrepareHandlerTest::answersAPlan()
{
    m_bench->store.setText(s_ask);
    const auto call = m_bench->call(u"system.run.prepare"_s, params());
    QVERIFY(call->payload.has_value());
    QCOMPARE(call->trace, QStringList(u"answer"_s));
    const QJsonObject snapshot{{u"security"_s, u"allowlist"_s},
                               {u"ask"_s, u"on-miss"_s},
                               {u"askFallback"_s, u"deny"_s},
                               {u"autoAllowSkills"_s, false},
                               {u"allowlistRules"_s, QJsonArray()}};
    const QJsonObject plan{{u"argv"_s, QJsonArray{u"/bin/sh"_s, u"-lc"_s, u"echo hi"_s}},
                           {u"cwd"_s, u"/work"_s},
                           {u"commandText"_s, u"/bin/sh -lc \"echo hi\""_s},
                           {u"commandPreview"_s, u"echo hi"_s},
                           {u"agentId"_s, u"main"_s},
                           {u"sessionKey"_s, u"agent:main:main"_s},
                           {u"policySnapshot"_s, snapshot}};
    const QJsonObject expected{
        {u"plan"_s, plan},
        {u"execPolicy"_s, QJsonObject{{u"security"_s, u"allowlist"_s}, {u"ask"_s, u"on-miss"_s}}},
        {u"allowAlwaysCoverage"_s,
         QJsonObject{{u"complete"_s, false}, {u"patterns"_s, QJsonArray()}}},
    };
    QCOMPARE(*call->payload, expected);
}

void RunPrepareHandlerTest::echoesIdsAsTheyCame()
{
    const auto call = m_bench->call(
        u"system.run.prepare"_s, params({{u"agentId"_s, u" main "_s}, {u"sessionKey"_s, u""_s}}));
    const QJsonObject plan = (*call->payload)[u"plan"_s].toObject();
    QCOMPARE(plan[u"agentId"_s], QJsonValue(u" main "_s));
    QCOMPARE(plan[u"sessionKey"_s], QJsonValue(u""_s));
}

void RunPrepareHandlerTest::absentIdsAreNullInThePlan()
{
    const auto call =
        m_bench->call(u"system.run.prepare"_s,
                      {{u"command"_s, QJsonArray{u"rg"_s}}, {u"agentId"_s, QJsonValue::Null}});
    const QJsonObject plan = (*call->payload)[u"plan"_s].toObject();
    QVERIFY(plan.contains(u"agentId"_s) && plan[u"agentId"_s].isNull());
    QVERIFY(plan.contains(u"sessionKey"_s) && plan[u"sessionKey"_s].isNull());
    QVERIFY(plan[u"commandPreview"_s].isNull());
}

void RunPrepareHandlerTest::usesTheDefaultFolder()
{
    for (const QJsonValue &cwd : {QJsonValue(), QJsonValue(u" "_s)}) {
        const auto call = m_bench->call(u"system.run.prepare"_s, params({{u"cwd"_s, cwd}}));
        QCOMPARE((*call->payload)[u"plan"_s][u"cwd"_s], QJsonValue(u"/home/u"_s));
    }
}

void RunPrepareHandlerTest::offersALinkedFolderByItsRealPath()
{
    m_bench->folders.addLink(u"/link"_s, u"/work"_s);
    m_bench->store.setText(s_ask);
    const auto call = m_bench->call(u"system.run.prepare"_s, params({{u"cwd"_s, u"/link"_s}}));
    QVERIFY(call->payload.has_value());
    QCOMPARE((*call->payload)[u"plan"_s][u"cwd"_s], QJsonValue(u"/work"_s));
}

void RunPrepareHandlerTest::tellsTheEffectivePolicy_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<ExecMode>("mode");
    QTest::addColumn<QJsonObject>("wish");
    QTest::addColumn<QString>("policy");
    const QJsonObject full{{u"security"_s, u"full"_s}, {u"ask"_s, u"off"_s}};
    const QJsonObject strict{{u"security"_s, u"deny"_s}, {u"ask"_s, u"always"_s}};
    const auto s_full = R"({"version":1,"defaults":{"security":"full","ask":"off"}})"_ba;
    QTest::newRow("full") << s_full << ExecMode::Full << full << u"full/off"_s;
    QTest::newRow("document") << s_ask << ExecMode::Full << full << u"allowlist/on-miss"_s;
    QTest::newRow("mode") << s_full << ExecMode::Ask << full << u"allowlist/on-miss"_s;
    QTest::newRow("mode allowlist") << s_full << ExecMode::Allowlist << full << u"allowlist/off"_s;
    QTest::newRow("wish") << s_full << ExecMode::Full << strict << u"deny/always"_s;
    QTest::newRow("no wish") << s_full << ExecMode::Full << QJsonObject() << u"full/off"_s;
    QTest::newRow("deny") << R"({"version":1,"defaults":{"security":"deny"}})"_ba << ExecMode::Full
                          << full << u"deny/off"_s;
    QTest::newRow("always") << R"({"version":1,"defaults":{"ask":"always"}})"_ba << ExecMode::Full
                            << full << u"full/always"_s;
}

void RunPrepareHandlerTest::tellsTheEffectivePolicy()
{
    QFETCH(QByteArray, document);
    QFETCH(ExecMode, mode);
    QFETCH(QJsonObject, wish);
    QFETCH(QString, policy);
    m_bench->store.setText(document);
    m_bench->rules.mode = mode;
    const auto call = m_bench->call(u"system.run.prepare"_s, params(wish));
    QVERIFY(call->payload.has_value());
    const QJsonObject answer = (*call->payload)[u"execPolicy"_s].toObject();
    QCOMPARE(QString(answer[u"security"_s].toString() + u'/' + answer[u"ask"_s].toString()),
             policy);
}

void RunPrepareHandlerTest::theSnapshotIsThePolicyOfThisNodeAlone()
{
    const auto call = m_bench->call(u"system.run.prepare"_s, params({{u"security"_s, u"deny"_s}}));
    QCOMPARE((*call->payload)[u"plan"_s][u"policySnapshot"_s][u"security"_s],
             QJsonValue(u"full"_s));
}

void RunPrepareHandlerTest::makesTheGatewayAskUnderStrictInlineEval()
{
    m_bench->rules.inlineEval = InlineEval::NeedsApproval;
    const auto call = m_bench->call(u"system.run.prepare"_s, params());
    QCOMPARE((*call->payload)[u"execPolicy"_s][u"ask"_s], QJsonValue(u"always"_s));
}

void RunPrepareHandlerTest::offersWhatTheReferenceRefuses_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("pipe") << u"rg x | wc -l"_s;
    QTest::newRow("and") << u"cd /tmp && pwd"_s;
    QTest::newRow("redirect") << u"echo hi > out"_s;
    QTest::newRow("python -c") << u"python3 -c 'print(1)'"_s;
    QTest::newRow("script") << u"sh run.sh"_s;
    QTest::newRow("substitution") << u"echo $(id)"_s;
    QTest::newRow("unknown program") << u"nosuchcmd"_s;
}

void RunPrepareHandlerTest::offersWhatTheReferenceRefuses()
{
    QFETCH(QString, text);
    m_bench->store.setText(s_ask);
    const auto call =
        m_bench->call(u"system.run.prepare"_s,
                      params({{u"command"_s, QJsonArray{u"/bin/sh"_s, u"-lc"_s, text}},
                              {u"rawCommand"_s, text}}));
    QVERIFY(call->payload.has_value());
    QCOMPARE((*call->payload)[u"plan"_s][u"commandPreview"_s], QJsonValue(text));
}

void RunPrepareHandlerTest::refuses_data()
{
    QTest::addColumn<QJsonObject>("further");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const QJsonObject &further, const QString &message) {
        QTest::newRow(name) << further << message;
    };
    row("no command", {{u"command"_s, QJsonValue::Null}, {u"rawCommand"_s, QJsonValue::Null}},
        u"command required"_s);
    row("text only", {{u"command"_s, QJsonArray()}}, u"rawCommand requires params.command"_s);
    row("another text", {{u"rawCommand"_s, u"ls"_s}},
        u"INVALID_REQUEST: rawCommand does not match command"_s);
    row("blocked variable", {{u"env"_s, QJsonObject{{u"LD_PRELOAD"_s, u"x"_s}}}},
        u"SYSTEM_RUN_DENIED: environment override rejected (blocked override keys: LD_PRELOAD)"_s);
    row("blocked assignment",
        {{u"command"_s, QJsonArray{u"env"_s, u"PATH=/x"_s, u"rg"_s}},
         {u"rawCommand"_s, QJsonValue::Null}},
        u"SYSTEM_RUN_DENIED: command env assignment rejected (blocked env assignment keys: PATH)"_s);
    row("relative folder", {{u"cwd"_s, u"sub"_s}},
        u"cwd must be an absolute path on the node's machine"_s);
    row("folder of another node", {{u"cwd"_s, u"node://x/skills/y"_s}},
        u"cwd names a folder that this node does not publish"_s);
    row("field of another type", {{u"cwd"_s, 5}}, u"cwd must be a string"_s);
}

void RunPrepareHandlerTest::refuses()
{
    QFETCH(QJsonObject, further);
    QFETCH(QString, message);
    const auto call = m_bench->call(u"system.run.prepare"_s, params(further));
    QCOMPARE(call->failure, CommandFailure({u"INVALID_REQUEST"_s, message}));
    QVERIFY(call->events.isEmpty());
}

void RunPrepareHandlerTest::refusesAFolderThatIsMissing_data()
{
    QTest::addColumn<QString>("cwd");
    QTest::addColumn<bool>("needsApproval");
    QTest::addColumn<QString>("message");
    QTest::newRow("missing, full")
        << u"/nope"_s << false << u"working directory does not exist or is inaccessible"_s;
    QTest::newRow("file, full") << u"/file"_s << false
                                << u"working directory does not exist or is inaccessible"_s;
    QTest::newRow("missing, ask") << u"/nope"_s << true
                                  << u"approval requires an existing canonical cwd"_s;
    QTest::newRow("file, ask") << u"/file"_s << true
                               << u"approval requires cwd to be a directory"_s;
}

void RunPrepareHandlerTest::refusesAFolderThatIsMissing()
{
    QFETCH(QString, cwd);
    QFETCH(bool, needsApproval);
    QFETCH(QString, message);
    m_bench->folders.addFile(u"/file"_s);
    m_bench->rules.mode = needsApproval ? ExecMode::Ask : ExecMode::Full;
    const auto call = m_bench->call(u"system.run.prepare"_s, params({{u"cwd"_s, cwd}}));
    QCOMPARE(call->failure,
             CommandFailure({u"INVALID_REQUEST"_s, u"SYSTEM_RUN_DENIED: "_s + message}));
}

void RunPrepareHandlerTest::touchesNothingFarAwayBeforeAnApproval_data()
{
    QTest::addColumn<QString>("cwd");
    QTest::newRow("share") << u"//server/share"_s;
    QTest::newRow("windows share") << u"\\\\server\\share"_s;
    QTest::newRow("automounter") << u"/net/server"_s;
    QTest::newRow("device") << u"/dev/fd/0"_s;
}

void RunPrepareHandlerTest::touchesNothingFarAwayBeforeAnApproval()
{
    QFETCH(QString, cwd);
    m_bench->rules.mode = ExecMode::Ask;
    const auto call = m_bench->call(u"system.run.prepare"_s, params({{u"cwd"_s, cwd}}));
    QVERIFY(call->failure.has_value());
    QVERIFY(m_bench->folders.probed().isEmpty());
}

void RunPrepareHandlerTest::refusesVerbsOfAPerson()
{
    const auto call = m_bench->call(
        u"system.run.prepare"_s,
        params({{u"command"_s, QJsonArray{u"/bin/sh"_s, u"-lc"_s, u"/approve abc allow-always"_s}},
                {u"rawCommand"_s, QJsonValue::Null}}));
    QCOMPARE(call->failure->code, u"SYSTEM_RUN_DENIED"_s);
}

QTEST_GUILESS_MAIN(RunPrepareHandlerTest)
#include "tst_runpreparehandler.moc"
