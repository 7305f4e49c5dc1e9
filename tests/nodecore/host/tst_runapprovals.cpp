// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/hostbench.h"

#include <QtCore/QJsonArray>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

const auto s_ask = R"({"version":1,"defaults":{"security":"allowlist","ask":"on-miss"}})"_ba;

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

/// As the reference's captures show an approved run: the plan and its fields, the preview as text.
QJsonObject approvedRun(const QJsonObject &plan, const QJsonObject &further = {})
{
    return with({{u"command"_s, plan[u"argv"_s]},
                 {u"rawCommand"_s, plan[u"commandPreview"_s]},
                 {u"cwd"_s, plan[u"cwd"_s]},
                 {u"agentId"_s, plan[u"agentId"_s]},
                 {u"sessionKey"_s, plan[u"sessionKey"_s]},
                 {u"systemRunPlan"_s, plan},
                 {u"approved"_s, true},
                 {u"approvalDecision"_s, u"allow-once"_s},
                 {u"runId"_s, u"r1"_s}},
                further);
}

} // namespace

/// Which approvals `system.run` believes, through the whole host.
class RunApprovalsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void runsAnApprovedPlanOnce();
    void runsAPlanOfAShellText();
    void anApprovedPlanKeepsItsFolder();
    void aFolderSwappedAtTheLastMomentIsADenial();
    void aMadeUpPlanIsNoApproval();
    void aPlanOfAnotherConnectionIsNoApproval();
    void aPlanWithOtherVariablesIsNoApproval();
    void aPlanWithAnotherSessionIsNoApproval();
    void asksAgainWhenThePolicyHasChanged();
    void askFallbackRunsOnlyUnderFull();
    void aBusyNodeKeepsTheApproval();

private:
    [[nodiscard]] QJsonObject prepared(const QJsonObject &further = {});
    void finish(qsizetype process);
    void waitFor(const HostCall &call);

    std::unique_ptr<HostBench> m_bench;
};

void RunApprovalsTest::init()
{
    m_bench = std::make_unique<HostBench>();
}

/// The plan that prepare answers for the request.
QJsonObject RunApprovalsTest::prepared(const QJsonObject &further)
{
    QJsonObject request = params(further);
    request.remove(u"runId"_s);
    const auto call = m_bench->call(u"system.run.prepare"_s, request);
    return call->payload.value_or(QJsonObject())[u"plan"_s].toObject();
}

void RunApprovalsTest::finish(qsizetype process)
{
    QTRY_VERIFY(m_bench->processes.at(process) != nullptr);
    FakeProcess *child = m_bench->processes.at(process);
    if (child->state() == ChildProcess::State::Starting) {
        child->beStarted();
    }
    child->exit(0);
    child->closeOutput();
}

void RunApprovalsTest::waitFor(const HostCall &call)
{
    QTRY_VERIFY(call.isAnswered());
}

void RunApprovalsTest::runsAnApprovedPlanOnce()
{
    m_bench->store.setText(s_ask);
    const QJsonObject plan = prepared();
    const auto first = m_bench->call(u"system.run"_s, approvedRun(plan));
    QCOMPARE(m_bench->processes.count(), 1);
    QCOMPARE(m_bench->processes.at(0)->spec().argv, QStringList({u"rg"_s, u"a b"_s}));
    finish(0);
    waitFor(*first);
    QVERIFY(first->payload.has_value());
    const auto second = m_bench->call(u"system.run"_s, approvedRun(plan));
    QCOMPARE(second->failure->message, u"SYSTEM_RUN_DENIED: approval required"_s);
}

void RunApprovalsTest::runsAPlanOfAShellText()
{
    m_bench->store.setText(s_ask);
    const QJsonObject plan =
        prepared({{u"command"_s, QJsonArray{u"/bin/sh"_s, u"-lc"_s, u"rg x | wc -l"_s}},
                  {u"rawCommand"_s, u"rg x | wc -l"_s}});
    QCOMPARE(plan[u"commandPreview"_s], QJsonValue(u"rg x | wc -l"_s));
    m_bench->call(u"system.run"_s, approvedRun(plan));
    QCOMPARE(m_bench->processes.count(), 1);
}

void RunApprovalsTest::anApprovedPlanKeepsItsFolder()
{
    m_bench->store.setText(s_ask);
    const QJsonObject plan = prepared();
    m_bench->folders.addFolder(u"/work"_s); // another one has taken its name
    const auto call = m_bench->call(u"system.run"_s, approvedRun(plan));
    QCOMPARE(call->failure->message, u"SYSTEM_RUN_DENIED: approval cwd identity mismatch"_s);
    QCOMPARE(call->events.constFirst()[u"reason"_s], QJsonValue(u"approval-required"_s));
    const QJsonObject again = prepared();
    m_bench->call(u"system.run"_s, approvedRun(again));
    QCOMPARE(m_bench->processes.count(), 1);
    QVERIFY(m_bench->processes.at(0)->spec().folderIdentity.has_value());
}

void RunApprovalsTest::aFolderSwappedAtTheLastMomentIsADenial()
{
    m_bench->store.setText(s_ask);
    const auto call = m_bench->call(u"system.run"_s, approvedRun(prepared()));
    m_bench->processes.at(0)->failToStart({StartFailure::FolderChanged, u"another folder"_s, 0});
    waitFor(*call);
    QCOMPARE(call->trace, QStringList({u"exec.denied"_s, u"answer"_s}));
    QCOMPARE(call->failure->message, u"SYSTEM_RUN_DENIED: approval cwd changed before execution"_s);
}

void RunApprovalsTest::aMadeUpPlanIsNoApproval()
{
    m_bench->store.setText(s_ask);
    QJsonObject plan = prepared();
    m_bench->host->connectionLost(u"gateway:home"_s, 1);
    const auto call = m_bench->call(u"system.run"_s, approvedRun(plan));
    QCOMPARE(call->failure->message, u"SYSTEM_RUN_DENIED: approval required"_s);
    plan = prepared();
    plan[u"argv"_s] = QJsonArray{u"rm"_s};
    plan[u"commandText"_s] = u"rm"_s;
    const auto changed = m_bench->call(u"system.run"_s, approvedRun(plan));
    QCOMPARE(changed->failure->message, u"SYSTEM_RUN_DENIED: approval required"_s);
    QCOMPARE(m_bench->processes.count(), 0);
}

void RunApprovalsTest::aPlanOfAnotherConnectionIsNoApproval()
{
    m_bench->store.setText(s_ask);
    const QJsonObject plan = prepared();
    const auto later = m_bench->call(u"system.run"_s, approvedRun(plan), 2);
    QCOMPARE(later->failure->message, u"SYSTEM_RUN_DENIED: approval required"_s);
    const auto other = m_bench->call(u"system.run"_s, approvedRun(plan), 1, u"gateway:work"_s);
    QCOMPARE(other->failure->message, u"SYSTEM_RUN_DENIED: approval required"_s);
    QCOMPARE(m_bench->processes.count(), 0);
}

void RunApprovalsTest::aPlanWithOtherVariablesIsNoApproval()
{
    m_bench->store.setText(s_ask);
    const QJsonObject env{{u"GIT_TRACE"_s, u"1"_s}};
    const QJsonObject plan = prepared();
    const auto call = m_bench->call(u"system.run"_s, approvedRun(plan, {{u"env"_s, env}}));
    QCOMPARE(call->failure->message, u"SYSTEM_RUN_DENIED: approval required"_s);
    const QJsonObject same = prepared({{u"env"_s, env}});
    m_bench->call(u"system.run"_s, approvedRun(same, {{u"env"_s, env}}));
    QCOMPARE(m_bench->processes.count(), 1);
}

void RunApprovalsTest::aPlanWithAnotherSessionIsNoApproval()
{
    m_bench->store.setText(s_ask);
    QJsonObject plan = prepared();
    plan[u"sessionKey"_s] = u"agent:main:other"_s;
    const auto call = m_bench->call(u"system.run"_s, approvedRun(plan));
    QCOMPARE(call->failure->message, u"SYSTEM_RUN_DENIED: approval required"_s);
}

void RunApprovalsTest::asksAgainWhenThePolicyHasChanged()
{
    m_bench->store.setText(s_ask);
    const QJsonObject plan = prepared();
    m_bench->store.setText(
        R"({"version":1,"defaults":{"security":"allowlist","ask":"always"}})"_ba);
    const auto call = m_bench->call(u"system.run"_s, approvedRun(plan));
    QCOMPARE(call->failure,
             CommandFailure(
                 {u"SYSTEM_RUN_DENIED"_s,
                  u"SYSTEM_RUN_DENIED: exec approval policy changed; request approval again"_s}));
}

void RunApprovalsTest::askFallbackRunsOnlyUnderFull()
{
    const auto runs = [this](const QByteArray &document) {
        m_bench->store.setText(document);
        QJsonObject run = approvedRun(prepared(), {{u"approvalSource"_s, u"ask-fallback"_s}});
        run.remove(u"approved"_s);
        run.remove(u"approvalDecision"_s);
        return m_bench->call(u"system.run"_s, run)->failure.value_or(CommandFailure{}).message;
    };
    QCOMPARE(runs(R"({"version":1,"defaults":{"ask":"always","askFallback":"full"}})"_ba),
             QString());
    QCOMPARE(m_bench->processes.count(), 1);
    QCOMPARE(runs(s_ask), u"SYSTEM_RUN_DISABLED: security=deny"_s);
    QCOMPARE(
        runs(
            R"({"version":1,"defaults":{"security":"allowlist","ask":"always","askFallback":"full"}})"_ba),
        u"SYSTEM_RUN_DENIED: approval required"_s);
    QCOMPARE(m_bench->processes.count(), 1);
}

void RunApprovalsTest::aBusyNodeKeepsTheApproval()
{
    m_bench = std::make_unique<HostBench>(1);
    const auto running = m_bench->call(u"system.run"_s, params());
    m_bench->store.setText(s_ask);
    const QJsonObject plan = prepared();
    QCOMPARE(m_bench->call(u"system.run"_s, approvedRun(plan))->failure->code, u"UNAVAILABLE"_s);
    finish(0);
    waitFor(*running);
    m_bench->call(u"system.run"_s, approvedRun(plan));
    QCOMPARE(m_bench->processes.count(), 2);
}

QTEST_GUILESS_MAIN(RunApprovalsTest)
#include "tst_runapprovals.moc"
