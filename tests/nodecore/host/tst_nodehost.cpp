// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/nodehost.h"

#include "nodecore/approval/approvalbroker.h"
#include "tests/support/fakeclock.h"
#include "tests/support/fakefolderprobe.h"
#include "tests/support/memorypolicystore.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

/// Keeps calls open until the test answers them.
class EchoHandler final : public CommandHandler
{
public:
    struct Open
    {
        CommandCall call;
        std::function<void(CommandEvent)> emitEvent;
        std::function<void(CommandReply)> done;
    };

    EchoHandler(QString name, std::shared_ptr<QList<Open>> open,
                std::shared_ptr<QStringList> cancelled)
        : m_name(std::move(name)), m_open(std::move(open)), m_cancelled(std::move(cancelled))
    {
    }

    [[nodiscard]] QString command() const override
    {
        return m_name;
    }

    void handle(const CommandCall &call, std::function<void(CommandEvent)> emitEvent,
                std::function<void(CommandReply)> done) override
    {
        m_open->append({call, std::move(emitEvent), std::move(done)});
    }

    void cancel(const QString &callId) override
    {
        m_cancelled->append(callId);
    }

private:
    QString m_name;
    std::shared_ptr<QList<Open>> m_open; // the test looks at them as well
    std::shared_ptr<QStringList> m_cancelled;
};

} // namespace

class NodeHostTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void namesItsCommandsSorted();
    void refusesAnUnknownCommand();
    void passesACallOn();
    void passesEventsAndTheAnswerBack();
    void answersOnlyOnce();
    void aCancelledCallGetsNothing();
    void cancellingIsForTheDoorThatAsked();
    void ignoresACancelOfNothing();
    void anIdThatStillRunsEndsTheEarlierCall();
    void aLateAnswerIsNotTakenForTheNextCall();
    void losingAConnectionEndsItsCalls();
    void losingAConnectionForgetsItsPlans();
    void endsAllCallsWhenDestroyed();

private:
    void start(const QString &id, quint64 connection = 1, const QString &door = u"gateway:home"_s,
               const QString &command = u"b.echo"_s);

    FakeClock m_clock;
    FakeFolderProbe m_folders;
    MemoryPolicyStore m_store;
    std::unique_ptr<ApprovalBroker> m_broker;
    std::shared_ptr<QList<EchoHandler::Open>> m_open;
    std::shared_ptr<QStringList> m_cancelled;
    std::unique_ptr<NodeHost> m_host;
    QStringList m_trace; // "<id> event", "<id> answer" and "<id> <failure>"
};

void NodeHostTest::init()
{
    m_trace.clear();
    m_broker = std::make_unique<ApprovalBroker>(m_store, m_folders, m_clock,
                                                [] { return LocalRules{ExecMode::Ask}; });
    m_open = std::make_shared<QList<EchoHandler::Open>>();
    m_cancelled = std::make_shared<QStringList>();
    std::vector<std::unique_ptr<CommandHandler>> handlers;
    handlers.push_back(std::make_unique<EchoHandler>(u"b.echo"_s, m_open, m_cancelled));
    handlers.push_back(std::make_unique<EchoHandler>(u"a.echo"_s, m_open, m_cancelled));
    m_host = std::make_unique<NodeHost>(*m_broker, std::move(handlers));
}

void NodeHostTest::start(const QString &id, quint64 connection, const QString &door,
                         const QString &command)
{
    m_host->handle(
        {id, command, "{}"_ba, {}, door, connection},
        [this, id](const CommandEvent &) { m_trace.append(id + u" event"_s); },
        [this, id](const CommandReply &reply) {
            const auto *failure = std::get_if<CommandFailure>(&reply);
            m_trace.append(id + u' '
                           + (failure == nullptr
                                  ? u"answer"_s
                                  : QString(failure->code + u": "_s + failure->message)));
        });
}

void NodeHostTest::namesItsCommandsSorted()
{
    QCOMPARE(m_host->commands(), QStringList({u"a.echo"_s, u"b.echo"_s}));
}

void NodeHostTest::refusesAnUnknownCommand()
{
    start(u"1"_s, 1, u"gateway:home"_s, u"camera.snap"_s);
    QCOMPARE(m_trace, QStringList(u"1 UNAVAILABLE: command not supported"_s));
    QCOMPARE(m_host->runningCount(), 0);
}

void NodeHostTest::passesACallOn()
{
    start(u"1"_s, 7, u"gateway:home"_s, u"a.echo"_s);
    QCOMPARE(m_open->size(), 1);
    QCOMPARE(m_open->constFirst().call.command, u"a.echo"_s);
    QCOMPARE(m_open->constFirst().call.door, u"gateway:home"_s);
    QCOMPARE(m_open->constFirst().call.connection, 7u);
    QCOMPARE(m_host->runningCount(), 1);
}

void NodeHostTest::passesEventsAndTheAnswerBack()
{
    start(u"1"_s);
    m_open->constFirst().emitEvent({});
    m_open->constFirst().done(CommandPayload{});
    QCOMPARE(m_trace, QStringList({u"1 event"_s, u"1 answer"_s}));
    QCOMPARE(m_host->runningCount(), 0);
}

void NodeHostTest::answersOnlyOnce()
{
    start(u"1"_s);
    m_open->constFirst().done(CommandPayload{});
    m_open->constFirst().done(CommandPayload{});
    m_open->constFirst().emitEvent({});
    QCOMPARE(m_trace, QStringList(u"1 answer"_s));
}

void NodeHostTest::aCancelledCallGetsNothing()
{
    start(u"1"_s);
    m_host->cancel(u"gateway:home"_s, u"1"_s);
    QCOMPARE(*m_cancelled, QStringList(m_open->constFirst().call.id));
    m_open->constFirst().emitEvent({});
    m_open->constFirst().done(CommandPayload{});
    QVERIFY(m_trace.isEmpty());
}

void NodeHostTest::cancellingIsForTheDoorThatAsked()
{
    start(u"1"_s);
    m_host->cancel(u"gateway:other"_s, u"1"_s);
    QVERIFY(m_cancelled->isEmpty());
    start(u"1"_s, 1, u"gateway:other"_s);
    QVERIFY(m_cancelled->isEmpty());
    QCOMPARE(m_host->runningCount(), 2);
}

void NodeHostTest::ignoresACancelOfNothing()
{
    m_host->cancel(u"gateway:home"_s, u"1"_s);
    start(u"1"_s);
    m_open->constFirst().done(CommandPayload{});
    m_host->cancel(u"gateway:home"_s, u"1"_s);
    QVERIFY(m_cancelled->isEmpty());
}

void NodeHostTest::anIdThatStillRunsEndsTheEarlierCall()
{
    start(u"1"_s);
    start(u"1"_s);
    QCOMPARE(*m_cancelled, QStringList(m_open->constFirst().call.id));
    QCOMPARE(m_host->runningCount(), 1);
    m_open->at(1).done(CommandPayload{});
    QCOMPARE(m_trace, QStringList(u"1 answer"_s));
}

void NodeHostTest::aLateAnswerIsNotTakenForTheNextCall()
{
    start(u"1"_s);
    start(u"1"_s);
    m_open->constFirst().done(CommandFailure{u"X"_s, u"late"_s});
    QVERIFY(m_trace.isEmpty());
    QCOMPARE(m_host->runningCount(), 1);
}

void NodeHostTest::losingAConnectionEndsItsCalls()
{
    start(u"1"_s, 1);
    start(u"2"_s, 2);
    start(u"3"_s, 1, u"gateway:other"_s);
    m_host->connectionLost(u"gateway:home"_s, 1);
    QCOMPARE(*m_cancelled, QStringList(m_open->constFirst().call.id));
    QCOMPARE(m_host->runningCount(), 2);
}

void NodeHostTest::losingAConnectionForgetsItsPlans()
{
    m_folders.addFolder(u"/work"_s);
    const Requester requester{u"gateway:home"_s, 1};
    RunRequest run;
    run.requester = requester;
    run.command = {{u"rg"_s}, u"/work"_s, {}, {}};
    run.claim = ApprovalClaim::Explicit;
    const PreparedPlan plan{m_broker->policy(QString()), m_folders.probe(u"/work"_s)->identity};
    m_broker->remember(requester, {{u"rg"_s}, u"/work"_s, {}, {}, {}}, plan);
    m_broker->remember(requester, {{u"rg"_s}, u"/work"_s, {}, {}, {}}, plan);
    QVERIFY(std::holds_alternative<ApprovedCommand>(m_broker->decide(run)));
    m_host->connectionLost(u"gateway:home"_s, 1);
    QVERIFY(std::holds_alternative<RunRefusal>(m_broker->decide(run)));
}

void NodeHostTest::endsAllCallsWhenDestroyed()
{
    start(u"1"_s);
    start(u"2"_s);
    m_host.reset();
    QCOMPARE(m_cancelled->size(), 2);
    QVERIFY(m_trace.isEmpty());
}

QTEST_GUILESS_MAIN(NodeHostTest)
#include "tst_nodehost.moc"
