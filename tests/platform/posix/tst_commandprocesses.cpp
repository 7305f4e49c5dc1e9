// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/systemclock.h"
#include "nodecore/exec/commandrunner.h"
#include "platform/posix/platformprocessfactory.h"
#include "tests/support/approvedcommands.h"

#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include <cerrno>
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

namespace {

/// Whether the process is there and is no zombie.
bool isAlive(qint64 pid)
{
    QFile stat(u"/proc/%1/stat"_s.arg(pid));
    if (!stat.open(QIODevice::ReadOnly)) {
        return false;
    }
    const QByteArray text = stat.readAll();
    const QByteArray state = text.sliced(text.lastIndexOf(')') + 2, 1);
    return state != "Z" && state != "X";
}

qsizetype openDescriptors()
{
    return QDir(u"/proc/self/fd"_s).entryList(QDir::Files | QDir::System).size();
}

bool hasChildren()
{
    siginfo_t info = {};
    return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

} // namespace

/// The runner with real processes and the real clock: what no double can show.
class CommandProcessesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void runsACommand();
    void failsToStartInAFileForAFolder();
    void endsTheWholeGroupAtTheDeadline_data();
    void endsTheWholeGroupAtTheDeadline();
    void holdsTheDeadlineAgainstAnotherSession();
    void keepsNoPipeOfWhatLeftTheSession();
    void endsTheWholeGroupOnCancel();
    void endsTheWholeGroupAtItsOwnEnd();
    void endsTheRestOfACommandThatWasKilled();
    void leavesRunningWhatANormalEndLeaves();
    void neverBlocksOrBreaksWhatIsLeftRunning();
    void reportsInvalidBytesAsTheyCome();
    void capsAFloodWithoutKeepingIt();
    void leavesNoDescriptorsAndNoZombies();
    void runsManyAtATime();

private:
    RunId start(const QStringList &words, RunLimits limits = {});
    RunOutcome run(const QStringList &words, RunLimits limits = {});

    std::unique_ptr<SystemClock> m_clock;
    std::unique_ptr<telson::platform::PlatformProcessFactory> m_factory;
    std::unique_ptr<CommandRunner> m_runner;
    std::unique_ptr<QTemporaryDir> m_folder;
    QList<RunOutcome> m_outcomes;
};

void CommandProcessesTest::init()
{
    m_outcomes.clear();
    m_folder = std::make_unique<QTemporaryDir>();
    m_clock = std::make_unique<SystemClock>();
    m_factory = std::make_unique<telson::platform::PlatformProcessFactory>();
    m_runner = std::make_unique<CommandRunner>(*m_factory, *m_clock);
}

void CommandProcessesTest::cleanup()
{
    m_runner.reset();
    QVERIFY(!hasChildren());
}

RunId CommandProcessesTest::start(const QStringList &words, RunLimits limits)
{
    const CommandSpec spec{.argv = QStringList{QStringLiteral(TELSON_CHILDAPP)} + words,
                           .folder = m_folder->path(),
                           .folderIdentity = std::nullopt,
                           .environment = {}};
    return m_runner->start(approved(spec), limits,
                           [this](const RunOutcome &outcome) { m_outcomes.append(outcome); });
}

RunOutcome CommandProcessesTest::run(const QStringList &words, RunLimits limits)
{
    const qsizetype before = m_outcomes.size();
    start(words, limits);
    (void)QTest::qWaitFor([&] { return m_outcomes.size() > before; }, 20'000);
    return m_outcomes.size() > before ? m_outcomes.last() : RunOutcome{};
}

void CommandProcessesTest::runsACommand()
{
    const RunOutcome outcome = run({u"echo"_s, u"hi"_s});
    QCOMPARE(outcome.end, RunEnd::Exited);
    QCOMPARE(outcome.exitCode, 0);
    QCOMPARE(outcome.standardOutput, u"hi\n"_s);
    QCOMPARE(outcome.leftRunning, false);
}

void CommandProcessesTest::failsToStartInAFileForAFolder()
{
    m_runner->start(approved({.argv = {u"/bin/true"_s},
                              .folder = u"/etc/passwd"_s,
                              .folderIdentity = std::nullopt,
                              .environment = {}}),
                    {}, [this](const RunOutcome &outcome) { m_outcomes.append(outcome); });
    QTRY_COMPARE(m_outcomes.size(), 1);
    QCOMPARE(m_outcomes[0].end, RunEnd::FailedToStart);
    QCOMPARE(m_outcomes[0].error,
             u"node exec working directory is not a directory on the node host: /etc/passwd "
             "(os reported: Not a directory)"_s);
}

void CommandProcessesTest::endsTheWholeGroupAtTheDeadline_data()
{
    QTest::addColumn<QString>("scene");
    QTest::newRow("a child that ignores SIGTERM") << u"fork"_s;
    QTest::newRow("one without our pipes") << u"fork-detached"_s;
    QTest::newRow("one in another group of the session") << u"fork-group"_s;
}

void CommandProcessesTest::endsTheWholeGroupAtTheDeadline()
{
    QFETCH(const QString, scene);
    const RunOutcome outcome = run({scene}, {200ms});
    QCOMPARE(outcome.end, RunEnd::TimedOut);
    QCOMPARE(outcome.exitCode, 124);
    QCOMPARE(outcome.error, u"timed out after 0.2 s"_s);
    QCOMPARE(outcome.leftRunning, false);
    const qint64 child = outcome.standardOutput.trimmed().toLongLong();
    QVERIFY(child > 0);
    QTRY_VERIFY(!isAlive(child));
}

void CommandProcessesTest::holdsTheDeadlineAgainstAnotherSession()
{
    // What leaves the session is not found yet; it must not hold the answer back either.
    const RunOutcome outcome = run({u"fork-session"_s}, {100ms});
    QCOMPARE(outcome.end, RunEnd::TimedOut);
    QCOMPARE(outcome.leftRunning, true);
    const pid_t child = outcome.standardOutput.trimmed().toInt();
    QVERIFY(child > 1);
    ::kill(child, SIGKILL);
}

void CommandProcessesTest::keepsNoPipeOfWhatLeftTheSession()
{
    (void)run({u"exit"_s, u"0"_s});
    const qsizetype before = openDescriptors();
    const RunOutcome outcome = run({u"fork-session"_s}, {100ms});
    QTRY_COMPARE(openDescriptors(), before);
    const pid_t child = outcome.standardOutput.trimmed().toInt();
    QVERIFY(child > 1);
    ::kill(child, SIGKILL);
}

void CommandProcessesTest::endsTheWholeGroupOnCancel()
{
    const RunId id = start({u"fork"_s});
    const auto session = [] {
        // The only way to the child's id without its output: it is not reported after a cancel.
        QList<qint64> pids;
        const auto entries = QDir(u"/proc"_s).entryList(QDir::Dirs);
        for (const QString &entry : entries) {
            QFile command(u"/proc/%1/cmdline"_s.arg(entry));
            if (entry.toLongLong() > 0 && command.open(QIODevice::ReadOnly)
                && command.readAll()
                    == QByteArray(TELSON_CHILDAPP "\0fork\0", sizeof(TELSON_CHILDAPP "\0fork"))
                && isAlive(entry.toLongLong())) {
                pids.append(entry.toLongLong());
            }
        }
        return pids;
    };
    QTRY_COMPARE(session().size(), 2);
    m_runner->cancel(id);
    QTRY_COMPARE(session().size(), 0);
    QTRY_VERIFY(!hasChildren());
    QCOMPARE(m_outcomes.size(), 0);
}

void CommandProcessesTest::endsTheWholeGroupAtItsOwnEnd()
{
    start({u"ignore-term"_s});
    start({u"fork"_s});
    start({u"hang"_s});
    QTest::qWait(0);
    m_runner.reset();
    QVERIFY(!hasChildren());
    QCoreApplication::processEvents();
    QCOMPARE(m_outcomes.size(), 0);
}

void CommandProcessesTest::endsTheRestOfACommandThatWasKilled()
{
    const RunOutcome outcome = run({u"signal"_s, u"9"_s});
    QCOMPARE(outcome.end, RunEnd::Signalled);
    QCOMPARE(outcome.signal, 9);
    QCOMPARE(outcome.exitCode, 137);
    QCOMPARE(outcome.error, u"killed by SIGKILL"_s);
}

void CommandProcessesTest::leavesRunningWhatANormalEndLeaves()
{
    const RunOutcome outcome = run({u"hold-pipe"_s, u"4"_s});
    QCOMPARE(outcome.end, RunEnd::Exited);
    QCOMPARE(outcome.exitCode, 4);
    QCOMPARE(outcome.leftRunning, true);
    const pid_t child = outcome.standardOutput.trimmed().toInt();
    QVERIFY(isAlive(child));
    QVERIFY(!hasChildren()); // the main process is reaped all the same
    m_runner.reset();
    QVERIFY(isAlive(child));
    ::kill(child, SIGKILL);
}

void CommandProcessesTest::neverBlocksOrBreaksWhatIsLeftRunning()
{
    // 400 KiB: more than a pipe holds, over a longer time than the answer waits.
    const QString done = m_folder->filePath(u"done"_s);
    const RunOutcome outcome = run({u"hold-pipe-writing"_s, done, u"400"_s});
    QCOMPARE(outcome.leftRunning, true);
    QVERIFY(!QFile::exists(done));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(done), 20'000);
}

void CommandProcessesTest::reportsInvalidBytesAsTheyCome()
{
    const RunOutcome outcome =
        run({u"bytes"_s, u"e2"_s, u"82"_s, u"ac00"_s, u"ff41"_s, u"f09f98"_s, u"80e282"_s});
    QCOMPARE(outcome.standardOutput, QString(u"€"_s + QChar(0) + u"\ufffdA😀\ufffd\ufffd"_s));
}

void CommandProcessesTest::capsAFloodWithoutKeepingIt()
{
    rusage before = {};
    rusage after = {};
    ::getrusage(RUSAGE_SELF, &before);
    QElapsedTimer timer;
    timer.start();
    const RunOutcome outcome = run({u"flood"_s, u"50000000"_s, u"both"_s});
    qInfo("2 x 50 MB in %lld ms", static_cast<long long>(timer.elapsed()));
    ::getrusage(RUSAGE_SELF, &after);
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY(outcome.standardOutput.size() + outcome.standardError.size() <= 60'000);
    QVERIFY(outcome.standardOutput.contains(u" bytes left out …]"_s));
    QVERIFY(outcome.standardError.contains(u" bytes left out …]"_s));
    const long grown = after.ru_maxrss - before.ru_maxrss; // KiB
    QVERIFY2(grown < 10'000, qPrintable(u"grew by %1 KiB"_s.arg(grown)));
}

void CommandProcessesTest::leavesNoDescriptorsAndNoZombies()
{
    (void)run({u"exit"_s, u"0"_s});
    QTRY_VERIFY(!hasChildren());
    const qsizetype before = openDescriptors();
    for (int i = 0; i < 100; ++i) {
        QCOMPARE(run({u"exit"_s, QString::number(i)}).exitCode, i);
    }
    for (int i = 0; i < 60; ++i) {
        m_runner->cancel(start({u"hang"_s}));
    }
    const qsizetype answered = m_outcomes.size();
    for (int i = 0; i < 40; ++i) {
        m_runner->start(approved({.argv = {u"/no/such/program"_s},
                                  .folder = u"/"_s,
                                  .folderIdentity = std::nullopt,
                                  .environment = {}}),
                        {}, [this](const RunOutcome &outcome) { m_outcomes.append(outcome); });
    }
    QTRY_COMPARE(m_outcomes.size(), answered + 40);
    QTRY_COMPARE(openDescriptors(), before);
    QTRY_VERIFY(!hasChildren());
}

void CommandProcessesTest::runsManyAtATime()
{
    for (int i = 0; i < 64; ++i) {
        start({u"flood"_s, u"300000"_s, i % 2 == 0 ? u"out"_s : u"err"_s});
    }
    QTRY_COMPARE_WITH_TIMEOUT(m_outcomes.size(), 64, 30'000);
    for (const RunOutcome &outcome : std::as_const(m_outcomes)) {
        QCOMPARE(outcome.exitCode, 0);
        const QString text = outcome.standardOutput + outcome.standardError;
        QVERIFY(text.contains(u"[… 240,"_s));
    }
}

QTEST_GUILESS_MAIN(CommandProcessesTest)
#include "tst_commandprocesses.moc"
