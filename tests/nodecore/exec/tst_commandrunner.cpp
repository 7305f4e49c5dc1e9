// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/exec/commandrunner.h"
#include "tests/support/approvedcommands.h"
#include "tests/support/fakeclock.h"
#include "tests/support/fakeprocessfactory.h"

#include <QtTest/QtTest>

#include <chrono>
#include <memory>
#include <optional>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

class CommandRunnerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void answersOnceAfterStartHasReturned();
    void reportsOutputOfBothStreams();
    void reportsAFailedStart();
    void reportsASignalAndEndsTheGroup();
    void asksThenKillsAtTheDeadline();
    void answersAtOnceWhenItEndsWithinTheGrace();
    void givesTheChildrenTheGraceToo();
    void holdsTheDeadlineWhenAChildKeepsThePipe();
    void holdsTheDeadlineWhenNothingDies();
    void formatsTheTimeout_data();
    void formatsTheTimeout();
    void ignoresADeadlineAfterTheEnd();
    void waitsForOutputAfterTheEnd();
    void doesNotWaitLongForALeftRunningChild();
    void doesNotWaitForeverForABusyOne();
    void cancelsWithoutAnAnswer();
    void cancelsWhatOnlyAKillEnds();
    void cancelsAfterTheAnswerWasMade();
    void ignoresAnUnknownId();
    void runsManyAtATime();
    void killsAllWhenDestroyed();
    void leavesLeftRunningAloneWhenDestroyed();
    void letsTheCallbackDoAnything();
    void closesTheOldestOfTooManyPipes();

private:
    RunId run(RunLimits limits = {});
    FakeProcess &process(qsizetype index = 0)
    {
        return *m_factory->at(index);
    }
    void beRunning(RunLimits limits = {});

    std::unique_ptr<FakeClock> m_clock;
    std::unique_ptr<FakeProcessFactory> m_factory;
    std::unique_ptr<CommandRunner> m_runner;
    QList<RunOutcome> m_outcomes;
};

void CommandRunnerTest::init()
{
    m_outcomes.clear();
    m_runner.reset();
    m_clock = std::make_unique<FakeClock>();
    m_factory = std::make_unique<FakeProcessFactory>();
    m_runner = std::make_unique<CommandRunner>(*m_factory, *m_clock);
}

RunId CommandRunnerTest::run(RunLimits limits)
{
    return m_runner->start(approved({.argv = {u"/bin/tool"_s, u"x"_s},
                                     .folder = u"/folder"_s,
                                     .folderIdentity = FolderIdentity{1, 2},
                                     .environment = {{u"A"_s, u"1"_s}}}),
                           limits,
                           [this](const RunOutcome &outcome) { m_outcomes.append(outcome); });
}

void CommandRunnerTest::beRunning(RunLimits limits)
{
    run(limits);
    process().beStarted();
}

void CommandRunnerTest::answersOnceAfterStartHasReturned()
{
    run();
    QCOMPARE(m_runner->runningCount(), 1);
    QCOMPARE(process().spec().argv, (QStringList{u"/bin/tool"_s, u"x"_s}));
    QCOMPARE(process().spec().folder, u"/folder"_s);
    QCOMPARE(process().spec().environment, (Environment{{u"A"_s, u"1"_s}}));
    QCOMPARE(process().spec().folderIdentity, (FolderIdentity{1, 2}));
    process().beStarted();
    process().closeOutput();
    process().exit(3);
    QCOMPARE(m_outcomes.size(), 0);
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].end, RunEnd::Exited);
    QCOMPARE(m_outcomes[0].exitCode, 3);
    QCOMPARE(m_outcomes[0].error, QString());
    QCOMPARE(m_outcomes[0].leftRunning, false);
    QCOMPARE(m_runner->runningCount(), 0);
    QCOMPARE(m_factory->callsOf(0), (QStringList{u"start"_s, u"release"_s, u"destroyed"_s}));
    QCOMPARE(m_clock->alarmCount(), 0);
}

void CommandRunnerTest::reportsOutputOfBothStreams()
{
    beRunning();
    process().write(OutputChannel::StandardOutput, "\xe2\x82");
    process().write(OutputChannel::StandardError, "err\n");
    process().write(OutputChannel::StandardOutput, "\xac\xff");
    process().exit(0);
    process().closeOutput();
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].standardOutput, u"€\ufffd"_s);
    QCOMPARE(m_outcomes[0].standardError, u"err\n"_s);
}

void CommandRunnerTest::reportsAFailedStart()
{
    run({5s});
    process().failToStart({StartFailure::FolderChanged, {}, 0});
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].end, RunEnd::FailedToStart);
    QCOMPARE(m_outcomes[0].startFailure, StartFailure::FolderChanged);
    QVERIFY(!m_outcomes[0].exitCode.has_value());
    QVERIFY(m_outcomes[0].error.contains(u"/folder"_s));
    QCOMPARE(m_clock->alarmCount(), 0);
    QTRY_COMPARE(m_factory->callsOf(0).last(), u"destroyed"_s);
}

void CommandRunnerTest::reportsASignalAndEndsTheGroup()
{
    beRunning();
    process().closeOutput();
    process().dieOf(11, u"SIGSEGV"_s);
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].end, RunEnd::Signalled);
    QCOMPARE(m_outcomes[0].signal, 11);
    QCOMPARE(m_outcomes[0].exitCode, 139);
    QCOMPARE(m_outcomes[0].error, u"killed by SIGSEGV"_s);
    QVERIFY(m_factory->callsOf(0).contains(u"kill"_s));
}

void CommandRunnerTest::asksThenKillsAtTheDeadline()
{
    beRunning({2s});
    process().setIgnoresTerminate(true);
    process().write(OutputChannel::StandardOutput, "so far");
    m_clock->advance(1999ms);
    QCOMPARE(m_factory->callsOf(0), QStringList{u"start"_s});
    m_clock->advance(1ms);
    QCOMPARE(m_factory->callsOf(0), (QStringList{u"start"_s, u"terminate"_s}));
    m_clock->advance(299ms);
    QVERIFY(!m_factory->callsOf(0).contains(u"kill"_s));
    m_clock->advance(1ms);
    QVERIFY(m_factory->callsOf(0).contains(u"kill"_s));
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].end, RunEnd::TimedOut);
    QCOMPARE(m_outcomes[0].exitCode, 124);
    QCOMPARE(m_outcomes[0].error, u"timed out after 2 s"_s);
    QCOMPARE(m_outcomes[0].standardOutput, u"so far"_s);
    QCOMPARE(m_outcomes[0].leftRunning, false);
}

void CommandRunnerTest::answersAtOnceWhenItEndsWithinTheGrace()
{
    beRunning({2s});
    m_clock->advance(2s);
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].end, RunEnd::TimedOut);
    // The rest of the group goes with it.
    QVERIFY(m_factory->callsOf(0).contains(u"kill"_s));
    QCOMPARE(m_clock->alarmCount(), 0);
}

void CommandRunnerTest::givesTheChildrenTheGraceToo()
{
    beRunning({2s});
    process().setIgnoresTerminate(true);
    m_clock->advance(2s);
    process().exit(0); // the main process obeyed; its children still write
    process().write(OutputChannel::StandardOutput, "cleaned up");
    QVERIFY(!m_factory->callsOf(0).contains(u"kill"_s));
    process().closeOutput();
    QVERIFY(m_factory->callsOf(0).contains(u"kill"_s));
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].end, RunEnd::TimedOut);
    QCOMPARE(m_outcomes[0].standardOutput, u"cleaned up"_s);
}

void CommandRunnerTest::holdsTheDeadlineWhenAChildKeepsThePipe()
{
    beRunning({2s});
    process().setKeepsOutputOpen(true);
    m_clock->advance(2s);
    QCoreApplication::processEvents();
    m_clock->advance(300ms); // killed
    QCoreApplication::processEvents();
    m_clock->advance(100ms); // quiet
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].end, RunEnd::TimedOut);
    QCOMPARE(m_outcomes[0].leftRunning, true);
    QTRY_VERIFY(m_factory->at(0) == nullptr); // what was stopped keeps no pipe
}

void CommandRunnerTest::holdsTheDeadlineWhenNothingDies()
{
    beRunning({2s});
    process().setIgnoresTerminate(true);
    process().setIgnoresKill(true);
    m_clock->advance(2s + 300ms + 1s);
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].end, RunEnd::TimedOut);
    QCOMPARE(m_outcomes[0].leftRunning, true);
}

void CommandRunnerTest::formatsTheTimeout_data()
{
    QTest::addColumn<int>("milliseconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("1 ms") << 1 << u"timed out after 0.001 s"_s;
    QTest::newRow("half") << 500 << u"timed out after 0.5 s"_s;
    QTest::newRow("1.25") << 1250 << u"timed out after 1.25 s"_s;
    QTest::newRow("half an hour") << 1'800'000 << u"timed out after 1800 s"_s;
    QTest::newRow("a week") << 604'800'000 << u"timed out after 604800 s"_s;
}

void CommandRunnerTest::formatsTheTimeout()
{
    QFETCH(const int, milliseconds);
    QFETCH(const QString, text);
    beRunning({std::chrono::milliseconds(milliseconds)});
    m_clock->advance(std::chrono::milliseconds(milliseconds));
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].error, text);
}

void CommandRunnerTest::ignoresADeadlineAfterTheEnd()
{
    beRunning({2s});
    process().exit(0);
    m_clock->advance(50ms);
    process().closeOutput();
    QTRY_COMPARE(m_outcomes.size(), 1);
    m_clock->advance(10s);
    QCOMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].end, RunEnd::Exited);
}

void CommandRunnerTest::waitsForOutputAfterTheEnd()
{
    beRunning();
    process().exit(0);
    m_clock->advance(90ms);
    process().write(OutputChannel::StandardOutput, "late ");
    m_clock->advance(90ms);
    process().write(OutputChannel::StandardOutput, "text");
    process().closeOutput();
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].standardOutput, u"late text"_s);
    QCOMPARE(m_outcomes[0].leftRunning, false);
}

void CommandRunnerTest::doesNotWaitLongForALeftRunningChild()
{
    beRunning();
    process().exit(0);
    m_clock->advance(99ms);
    QCoreApplication::processEvents();
    QCOMPARE(m_outcomes.size(), 0);
    m_clock->advance(1ms);
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].end, RunEnd::Exited);
    QCOMPARE(m_outcomes[0].leftRunning, true);
    QCOMPARE(m_factory->callsOf(0), (QStringList{u"start"_s, u"release"_s}));
}

void CommandRunnerTest::doesNotWaitForeverForABusyOne()
{
    beRunning();
    process().exit(0);
    for (int i = 0; i < 5; ++i) {
        process().write(OutputChannel::StandardOutput, "x");
        m_clock->advance(50ms);
    }
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].standardOutput, u"xxxxx"_s);
    QCOMPARE(m_outcomes[0].leftRunning, true);
}

void CommandRunnerTest::cancelsWithoutAnAnswer()
{
    const RunId id = run({5s});
    process().beStarted();
    m_runner->cancel(id);
    QCOMPARE(m_runner->runningCount(), 0);
    QCOMPARE(m_factory->callsOf(0).last(), u"terminate"_s);
    QTRY_COMPARE(m_factory->callsOf(0).last(), u"destroyed"_s);
    QVERIFY(m_factory->callsOf(0).contains(u"kill"_s));
    QCOMPARE(m_outcomes.size(), 0);
    QCOMPARE(m_clock->alarmCount(), 0);
}

void CommandRunnerTest::cancelsWhatOnlyAKillEnds()
{
    const RunId id = run({2s});
    process().beStarted();
    process().setIgnoresTerminate(true);
    m_clock->advance(2s); // a cancel during the grace of a deadline
    m_runner->cancel(id);
    m_clock->advance(300ms);
    QTRY_COMPARE(m_factory->callsOf(0).last(), u"destroyed"_s);
    QCOMPARE(m_outcomes.size(), 0);
}

void CommandRunnerTest::cancelsAfterTheAnswerWasMade()
{
    const RunId id = run();
    process().beStarted();
    process().closeOutput();
    process().exit(0);
    m_runner->cancel(id); // the answer is on its way, but was not given
    QTRY_COMPARE(m_factory->callsOf(0).last(), u"destroyed"_s);
    QCoreApplication::processEvents();
    QCOMPARE(m_outcomes.size(), 0);
}

void CommandRunnerTest::ignoresAnUnknownId()
{
    const RunId id = run();
    m_runner->cancel(id + 1);
    m_runner->cancel(0);
    QCOMPARE(m_runner->runningCount(), 1);
    QCOMPARE(m_factory->callsOf(0), QStringList{u"start"_s});
}

void CommandRunnerTest::runsManyAtATime()
{
    for (int i = 0; i < 64; ++i) {
        run();
        process(i).beStarted();
    }
    QCOMPARE(m_runner->runningCount(), 64);
    for (int i = 63; i >= 0; --i) {
        process(i).closeOutput();
        process(i).exit(i);
    }
    QTRY_COMPARE(m_outcomes.size(), 64);
    QCOMPARE(m_outcomes.first().exitCode, 63);
    QCOMPARE(m_outcomes.last().exitCode, 0);
}

void CommandRunnerTest::killsAllWhenDestroyed()
{
    run();
    process(0).beStarted();
    const RunId cancelled = run();
    process(1).beStarted();
    process(1).setIgnoresTerminate(true);
    m_runner->cancel(cancelled);
    m_runner.reset();
    for (const qsizetype index : {0, 1}) {
        QVERIFY(m_factory->callsOf(index).contains(u"kill"_s));
        QCOMPARE(m_factory->callsOf(index).last(), u"destroyed"_s);
    }
    QCoreApplication::processEvents();
    m_clock->advance(10s);
    QCOMPARE(m_outcomes.size(), 0);
}

void CommandRunnerTest::leavesLeftRunningAloneWhenDestroyed()
{
    beRunning();
    process().exit(0);
    m_clock->advance(100ms);
    QTRY_COMPARE(m_outcomes.size(), 1);
    m_runner.reset();
    QVERIFY(!m_factory->callsOf(0).contains(u"kill"_s));
    QCOMPARE(m_factory->callsOf(0).last(), u"destroyed"_s);
}

void CommandRunnerTest::letsTheCallbackDoAnything()
{
    bool isCalled = false;
    m_runner->start(
        approved({.argv = {u"x"_s}, .folder = u"/"_s, .folderIdentity = {}, .environment = {}}), {},
        [this, &isCalled](const RunOutcome & /*outcome*/) {
            isCalled = true;
            run();
            m_runner.reset();
        });
    process().beStarted();
    process().closeOutput();
    process().exit(0);
    QTRY_VERIFY(isCalled);
    QCOMPARE(m_factory->callsOf(1).last(), u"destroyed"_s);
}

void CommandRunnerTest::closesTheOldestOfTooManyPipes()
{
    constexpr int count = 130;
    for (int i = 0; i < count; ++i) {
        run();
        process(i).beStarted();
        process(i).exit(0);
        m_clock->advance(100ms);
        QTRY_COMPARE(m_outcomes.size(), i + 1);
    }
    QVERIFY(m_factory->at(0) == nullptr);
    QVERIFY(m_factory->at(count - 1) != nullptr);
    QVERIFY(!m_factory->callsOf(0).contains(u"kill"_s));
}

QTEST_GUILESS_MAIN(CommandRunnerTest)
#include "tst_commandrunner.moc"
