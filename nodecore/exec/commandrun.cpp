// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/exec/commandrun.h"

#include "nodecore/base/clock.h"

#include <algorithm>
#include <chrono>
#include <utility>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace telson::core {

namespace {

constexpr auto s_grace = 300ms; // node-commands.md §4.5
constexpr auto s_quiet = 100ms; // no output for so long after the end: it is complete
constexpr auto s_longestDrain = 250ms; // the answer never waits longer for a left-running process
constexpr auto s_longestDying = 1000ms; // a process that hangs in the kernel survives SIGKILL
constexpr auto s_longestAlarm = std::chrono::milliseconds(24h * 20); // what timers can hold
constexpr int s_timedOutCode = 124; // as of timeout(1)
constexpr int s_signalBase = 128; // as of a shell

QString seconds(std::chrono::milliseconds duration)
{
    return QString::number(static_cast<double>(duration.count()) / 1000.0, 'g', 12) + " s"_L1;
}

} // namespace

CommandRun::CommandRun(std::unique_ptr<ChildProcess> process, Clock &clock)
    : m_process(std::move(process)), m_clock(clock)
{
    connect(m_process.get(), &ChildProcess::started, this, &CommandRun::onStarted);
    connect(m_process.get(), &ChildProcess::failedToStart, this, &CommandRun::onFailedToStart);
    connect(m_process.get(), &ChildProcess::outputReceived, this, &CommandRun::onOutput);
    connect(m_process.get(), &ChildProcess::exited, this, &CommandRun::onExited);
    connect(m_process.get(), &ChildProcess::outputClosed, this, &CommandRun::onOutputClosed);
}

CommandRun::~CommandRun() = default;

void CommandRun::start(const CommandSpec &spec, const RunLimits &limits)
{
    m_spec = spec;
    m_limits = limits;
    if (limits.timeout) {
        const auto delay =
            std::clamp<std::chrono::milliseconds>(*limits.timeout, 0ms, s_longestAlarm);
        m_alarm = m_clock.startAlarm(delay, [this] { stop(Ending::TimedOut); });
    }
    m_process->start(spec);
}

void CommandRun::cancel()
{
    if (m_phase == Phase::Stopping || m_phase == Phase::Killed) {
        m_ending = Ending::Cancelled;
    } else if (m_phase != Phase::Answered) {
        stop(Ending::Cancelled);
    }
}

void CommandRun::abandon()
{
    m_alarm.reset();
    m_quietAlarm.reset();
    disconnect(m_process.get(), nullptr, this, nullptr);
    if (m_phase != Phase::Answered) {
        m_process->kill();
    }
}

void CommandRun::onStarted()
{
    // A deadline or a cancel may have come first.
    if (m_phase == Phase::Starting) {
        m_phase = Phase::Running;
    }
}

void CommandRun::onFailedToStart(const StartError &error)
{
    m_alarm.reset();
    RunOutcome outcome;
    outcome.end = RunEnd::FailedToStart;
    outcome.startFailure = error.reason;
    outcome.error = describe(error, m_spec);
    answer(std::move(outcome));
    Q_EMIT gone();
}

void CommandRun::onOutput(OutputChannel channel, QByteArrayView bytes)
{
    if (m_phase == Phase::Answered) {
        return;
    }
    (channel == OutputChannel::StandardOutput ? m_standardOutput : m_standardError).append(bytes);
    if (m_phase == Phase::Draining) {
        waitForQuiet();
    }
}

void CommandRun::onExited(const ExitStatus &status)
{
    m_status = status;
    switch (m_phase) {
    case Phase::Starting:
    case Phase::Running:
        m_alarm.reset();
        if (status.signal != 0) {
            // Somebody wanted an end of this: what it started ends too.
            m_process->kill();
        }
        drain();
        break;
    case Phase::Stopping:
        // While the pipes are open its children are using the grace; otherwise nobody is left.
        if (!m_process->isOutputOpen()) {
            kill();
        }
        break;
    case Phase::Killed:
        drain();
        break;
    case Phase::Draining:
        break;
    case Phase::Answered:
        checkGone();
        break;
    }
}

void CommandRun::onOutputClosed()
{
    if (m_phase == Phase::Answered) {
        checkGone();
    } else if (m_phase == Phase::Stopping && m_status) {
        kill();
    } else if (m_status) {
        finish();
    }
}

void CommandRun::stop(Ending ending)
{
    m_ending = ending;
    m_phase = Phase::Stopping;
    m_quietAlarm.reset();
    m_process->terminate();
    m_alarm = m_clock.startAlarm(s_grace, [this] { kill(); });
}

void CommandRun::kill()
{
    m_phase = Phase::Killed;
    m_alarm = m_clock.startAlarm(s_longestDying, [this] { finish(); });
    m_process->kill();
    if (m_status) {
        drain();
    }
}

void CommandRun::drain()
{
    if (!m_process->isOutputOpen()) {
        finish();
        return;
    }
    m_phase = Phase::Draining;
    m_alarm = m_clock.startAlarm(s_longestDrain, [this] { finish(); });
    waitForQuiet();
}

void CommandRun::waitForQuiet()
{
    m_quietAlarm = m_clock.startAlarm(s_quiet, [this] { finish(); });
}

void CommandRun::finish()
{
    RunOutcome result = outcome();
    m_process->release();
    answer(std::move(result));
    checkGone();
}

RunOutcome CommandRun::outcome() const
{
    RunOutcome outcome;
    if (m_ending == Ending::TimedOut) {
        outcome.end = RunEnd::TimedOut;
        outcome.exitCode = s_timedOutCode;
        outcome.error = u"timed out after %1"_s.arg(seconds(m_limits.timeout.value_or(0ms)));
    } else if (m_status && m_status->signal != 0) {
        outcome.end = RunEnd::Signalled;
        outcome.signal = m_status->signal;
        outcome.exitCode = s_signalBase + m_status->signal;
        outcome.error = u"killed by %1"_s.arg(m_status->signalName);
    } else {
        outcome.end = RunEnd::Exited;
        outcome.exitCode = m_status.value_or(ExitStatus{}).exitCode;
    }
    outcome.leftRunning = m_process->isOutputOpen() || !m_status;
    OutputTexts texts = cappedTexts(m_standardOutput, m_standardError);
    outcome.standardOutput = std::move(texts.standardOutput);
    outcome.standardError = std::move(texts.standardError);
    return outcome;
}

void CommandRun::answer(RunOutcome outcome)
{
    m_phase = Phase::Answered;
    m_alarm.reset();
    m_quietAlarm.reset();
    m_standardOutput.clear();
    m_standardError.clear();
    if (m_ending != Ending::Cancelled) {
        Q_EMIT answered(outcome);
    }
}

void CommandRun::checkGone()
{
    if (m_process->state() == ChildProcess::State::Finished) {
        Q_EMIT gone();
    }
}

} // namespace telson::core
