// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/exec/childprocess.h"
#include "platform/factory.h"
#include "tests/support/fakeprocessfactory.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

#include <memory>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

/// What childapp's scenes look like from outside, for a process that is none.
void playScene(FakeProcess &process)
{
    const CommandSpec &spec = process.spec();
    if (spec.argv.first().contains("missing"_L1)) {
        process.failToStart({StartFailure::ProgramMissing, u"No such file or directory"_s, 2});
        return;
    }
    if (spec.folder.contains("missing"_L1)) {
        process.failToStart({StartFailure::FolderMissing, u"No such file or directory"_s, 2});
        return;
    }
    const QString scene = spec.argv.value(1);
    process.setIgnoresTerminate(scene == "ignore-term"_L1);
    process.beStarted();
    if (scene == "echo"_L1 || scene == "err"_L1) {
        process.write(scene == "echo"_L1 ? OutputChannel::StandardOutput
                                         : OutputChannel::StandardError,
                      spec.argv.sliced(2).join(u' ').toUtf8() + '\n');
    } else if (scene == "hang"_L1 || scene == "ignore-term"_L1) {
        process.write(OutputChannel::StandardOutput, "ready\n");
        return;
    } else if (scene == "hold-pipe"_L1) {
        process.write(OutputChannel::StandardOutput, "4243\n");
        process.exit(spec.argv.value(2).toInt());
        return;
    } else if (scene == "signal"_L1) {
        process.closeOutput();
        process.dieOf(9, u"SIGKILL"_s);
        return;
    }
    process.closeOutput();
    process.exit(scene == "exit"_L1 ? spec.argv.value(2).toInt() : 0);
}

/// Writes down what one process says.
class Recorder final : public QObject
{
public:
    explicit Recorder(ChildProcess &process)
    {
        connect(&process, &ChildProcess::started, this, [this] { m_events.append(u"started"_s); });
        connect(&process, &ChildProcess::failedToStart, this, [this](const StartError &error) {
            m_events.append(u"failed"_s);
            m_error = error;
        });
        connect(&process, &ChildProcess::outputReceived, this,
                [this](OutputChannel channel, QByteArrayView bytes) {
                    m_events.append(u"output"_s);
                    (channel == OutputChannel::StandardOutput ? m_output : m_errors).append(bytes);
                });
        connect(&process, &ChildProcess::exited, this, [this](const ExitStatus &status) {
            m_events.append(u"exited"_s);
            m_status = status;
        });
        connect(&process, &ChildProcess::outputClosed, this,
                [this] { m_events.append(u"closed"_s); });
    }

    QStringList m_events;
    QByteArray m_output;
    QByteArray m_errors;
    StartError m_error;
    ExitStatus m_status;
};

} // namespace

/// One test for every implementation of the seam.
class ChildProcessContractTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysStartedThenOutputThenItsEnd_data()
    {
        implementations();
    }
    void saysStartedThenOutputThenItsEnd();
    void keepsTheStreamsApart_data()
    {
        implementations();
    }
    void keepsTheStreamsApart();
    void tellsExitCodesFromSignals_data()
    {
        implementations();
    }
    void tellsExitCodesFromSignals();
    void saysNothingBeforeStartReturns_data()
    {
        implementations();
    }
    void saysNothingBeforeStartReturns();
    void saysOnlyThatItFailedToStart_data()
    {
        implementations();
    }
    void saysOnlyThatItFailedToStart();
    void endsWhenAsked_data()
    {
        implementations();
    }
    void endsWhenAsked();
    void endsWhenKilledThoughItIgnoresBeingAsked_data()
    {
        implementations();
    }
    void endsWhenKilledThoughItIgnoresBeingAsked();
    void endsWhenKilledBeforeItSaysStarted_data()
    {
        implementations();
    }
    void endsWhenKilledBeforeItSaysStarted();
    void closesAfterItsEndWhatAChildHolds_data()
    {
        implementations();
    }
    void closesAfterItsEndWhatAChildHolds();
    void ignoresSignalsWithoutAProcess_data()
    {
        implementations();
    }
    void ignoresSignalsWithoutAProcess();
    void isQuietWhenDestroyed_data()
    {
        implementations();
    }
    void isQuietWhenDestroyed();

private:
    static void implementations();
    [[nodiscard]] std::unique_ptr<ChildProcess> create();
    [[nodiscard]] CommandSpec scene(const QStringList &words) const;

    std::unique_ptr<ProcessFactory> m_factory;
    QTemporaryDir m_folder;
};

void ChildProcessContractTest::implementations()
{
    QTest::addColumn<bool>("isFake");
    QTest::newRow("PipeProcess") << false;
    QTest::newRow("FakeProcess") << true;
}

std::unique_ptr<ChildProcess> ChildProcessContractTest::create()
{
    QFETCH(const bool, isFake);
    if (isFake) {
        m_factory = std::make_unique<FakeProcessFactory>(playScene);
    } else {
        m_factory = telson::platform::makeProcessFactory();
    }
    return m_factory->createPipeProcess();
}

CommandSpec ChildProcessContractTest::scene(const QStringList &words) const
{
    return {.argv = QStringList{QStringLiteral(TELSON_CHILDAPP)} + words,
            .folder = m_folder.path(),
            .folderIdentity = std::nullopt,
            .environment = {}};
}

void ChildProcessContractTest::saysStartedThenOutputThenItsEnd()
{
    const auto process = create();
    Recorder seen(*process);
    QCOMPARE(process->state(), ChildProcess::State::Fresh);
    QCOMPARE(process->processId(), 0);
    process->start(scene({u"echo"_s, u"hello"_s}));
    QCOMPARE(process->state(), ChildProcess::State::Starting);
    QTRY_COMPARE(process->state(), ChildProcess::State::Finished);
    QCOMPARE(seen.m_output, "hello\n");
    QCOMPARE(seen.m_events.value(0), u"started"_s);
    QCOMPARE(seen.m_events.count(u"started"_s), 1);
    QCOMPARE(seen.m_events.count(u"exited"_s), 1);
    QCOMPARE(seen.m_events.count(u"closed"_s), 1);
    QVERIFY(seen.m_events.lastIndexOf(u"output"_s) < seen.m_events.indexOf(u"closed"_s));
    QVERIFY(process->processId() > 0);
    QVERIFY(!process->isOutputOpen());
}

void ChildProcessContractTest::keepsTheStreamsApart()
{
    const auto process = create();
    Recorder seen(*process);
    process->start(scene({u"err"_s, u"oops"_s}));
    QTRY_COMPARE(process->state(), ChildProcess::State::Finished);
    QCOMPARE(seen.m_output, "");
    QCOMPARE(seen.m_errors, "oops\n");
}

void ChildProcessContractTest::tellsExitCodesFromSignals()
{
    auto process = create();
    Recorder seen(*process);
    process->start(scene({u"exit"_s, u"7"_s}));
    QTRY_COMPARE(process->state(), ChildProcess::State::Finished);
    QCOMPARE(seen.m_status, (ExitStatus{7, 0, QString()}));

    process = create();
    Recorder seenSignal(*process);
    process->start(scene({u"signal"_s, u"9"_s}));
    QTRY_COMPARE(process->state(), ChildProcess::State::Finished);
    QCOMPARE(seenSignal.m_status, (ExitStatus{0, 9, u"SIGKILL"_s}));
}

void ChildProcessContractTest::saysNothingBeforeStartReturns()
{
    for (const QString &folder : {m_folder.path(), u"/missing/folder"_s}) {
        const auto process = create();
        Recorder seen(*process);
        CommandSpec spec = scene({u"exit"_s, u"0"_s});
        spec.folder = folder;
        process->start(spec);
        QCOMPARE(seen.m_events, QStringList{});
        QTRY_VERIFY(!seen.m_events.isEmpty());
    }
}

void ChildProcessContractTest::saysOnlyThatItFailedToStart()
{
    auto process = create();
    Recorder seenProgram(*process);
    CommandSpec spec = scene({});
    spec.argv = {m_folder.filePath(u"missing"_s)};
    process->start(spec);
    QTRY_COMPARE(process->state(), ChildProcess::State::Failed);
    QCOMPARE(seenProgram.m_error.reason, StartFailure::ProgramMissing);

    process = create();
    Recorder seenFolder(*process);
    spec = scene({u"exit"_s, u"0"_s});
    spec.folder = m_folder.filePath(u"missing"_s);
    process->start(spec);
    QTRY_COMPARE(process->state(), ChildProcess::State::Failed);
    QCOMPARE(seenFolder.m_error.reason, StartFailure::FolderMissing);
    QCoreApplication::processEvents();
    QCOMPARE(seenProgram.m_events, QStringList{u"failed"_s});
    QCOMPARE(seenFolder.m_events, QStringList{u"failed"_s});
    QVERIFY(!process->isOutputOpen());
}

void ChildProcessContractTest::endsWhenAsked()
{
    const auto process = create();
    Recorder seen(*process);
    process->start(scene({u"hang"_s}));
    QTRY_COMPARE(seen.m_output, "ready\n");
    QCOMPARE(process->state(), ChildProcess::State::Running);
    process->terminate();
    QTRY_COMPARE(process->state(), ChildProcess::State::Finished);
    QCOMPARE(seen.m_status, (ExitStatus{0, 15, u"SIGTERM"_s}));
}

void ChildProcessContractTest::endsWhenKilledThoughItIgnoresBeingAsked()
{
    const auto process = create();
    Recorder seen(*process);
    process->start(scene({u"ignore-term"_s}));
    QTRY_COMPARE(seen.m_output, "ready\n");
    process->terminate();
    process->kill();
    QTRY_COMPARE(process->state(), ChildProcess::State::Finished);
    QCOMPARE(seen.m_status, (ExitStatus{0, 9, u"SIGKILL"_s}));
}

void ChildProcessContractTest::endsWhenKilledBeforeItSaysStarted()
{
    const auto process = create();
    Recorder seen(*process);
    process->start(scene({u"hang"_s}));
    process->kill();
    QTRY_COMPARE(process->state(), ChildProcess::State::Finished);
    QCOMPARE(seen.m_events.value(0), u"started"_s);
    QCOMPARE(seen.m_status.signal, 9);
}

void ChildProcessContractTest::closesAfterItsEndWhatAChildHolds()
{
    const auto process = create();
    Recorder seen(*process);
    process->start(scene({u"hold-pipe"_s, u"3"_s}));
    QTRY_VERIFY(seen.m_events.contains(u"exited"_s));
    QCOMPARE(process->state(), ChildProcess::State::Exited);
    QCOMPARE(seen.m_status.exitCode, 3);
    QVERIFY(process->isOutputOpen());
    process->kill();
    QTRY_COMPARE(process->state(), ChildProcess::State::Finished);
    QCOMPARE(seen.m_events.last(), u"closed"_s);
    QCOMPARE(seen.m_events.count(u"exited"_s), 1);
}

void ChildProcessContractTest::ignoresSignalsWithoutAProcess()
{
    const auto fresh = create();
    fresh->terminate();
    fresh->kill();
    QCOMPARE(fresh->state(), ChildProcess::State::Fresh);

    CommandSpec spec = scene({u"exit"_s, u"0"_s});
    spec.folder = m_folder.filePath(u"missing"_s);
    fresh->start(spec);
    QTRY_COMPARE(fresh->state(), ChildProcess::State::Failed);
    fresh->terminate();
    fresh->kill();
    QCOMPARE(fresh->state(), ChildProcess::State::Failed);

    const auto over = create();
    over->start(scene({u"exit"_s, u"0"_s}));
    QTRY_COMPARE(over->state(), ChildProcess::State::Finished);
    over->release();
    over->terminate();
    over->kill();
    QCOMPARE(over->state(), ChildProcess::State::Finished);
}

void ChildProcessContractTest::isQuietWhenDestroyed()
{
    auto process = create();
    Recorder seen(*process);
    process->start(scene({u"hang"_s}));
    QTRY_COMPARE(seen.m_output, "ready\n");
    const QStringList before = seen.m_events;
    process.reset();
    QCoreApplication::processEvents();
    QCOMPARE(seen.m_events, before);
}

QTEST_GUILESS_MAIN(ChildProcessContractTest)
#include "tst_childprocesscontract.moc"
