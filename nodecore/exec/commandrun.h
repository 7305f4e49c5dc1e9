// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/exec/childprocess.h"
#include "nodecore/exec/commandrunner.h"
#include "nodecore/exec/outputcapture.h"

#include <QtCore/QObject>

#include <functional>
#include <memory>
#include <optional>

namespace telson::core {

class Alarm;
class Clock;

/// One run inside `CommandRunner`, from the start until nothing of it holds its pipes any more.
/// Only the runner uses it.
class CommandRun final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CommandRun)

public:
    CommandRun(std::unique_ptr<ChildProcess> process, Clock &clock);
    ~CommandRun() override;

    void start(const CommandSpec &spec, const RunLimits &limits);

    /// Ends the group; `answered` does not come any more, `gone` does.
    void cancel();

    /// For the end of the service: kills at once what was not answered yet. No signal follows.
    void abandon();

    [[nodiscard]] bool hasExited() const
    {
        return m_status.has_value();
    }
    [[nodiscard]] bool isAnswered() const
    {
        return m_phase == Phase::Answered;
    }

Q_SIGNALS:
    /// At most once. What the command left running, if anything, is left alone from here on.
    void answered(const telson::core::RunOutcome &outcome);
    /// Once: nothing is left to watch. May come from inside the process: delete later.
    void gone();

private:
    enum class Phase {
        Starting,
        Running,
        Stopping, ///< asked to end, within the grace
        Killed,
        Draining, ///< the main process is gone, its pipes are open
        Answered,
    };
    enum class Ending { Natural, TimedOut, Cancelled };

    void onStarted();
    void onFailedToStart(const StartError &error);
    void onOutput(OutputChannel channel, QByteArrayView bytes);
    void onExited(const ExitStatus &status);
    void onOutputClosed();

    void stop(Ending ending);
    void kill();
    void drain();
    void waitForQuiet();
    void finish();
    void answer(RunOutcome outcome);
    void checkGone();
    [[nodiscard]] RunOutcome outcome() const;

    std::unique_ptr<ChildProcess> m_process;
    Clock &m_clock;
    CommandSpec m_spec;
    RunLimits m_limits;
    Phase m_phase = Phase::Starting;
    Ending m_ending = Ending::Natural;
    std::optional<ExitStatus> m_status;
    OutputCapture m_standardOutput;
    OutputCapture m_standardError;
    std::unique_ptr<Alarm> m_alarm; ///< deadline, then grace, then the longest wait after the end
    std::unique_ptr<Alarm> m_quietAlarm;
};

} // namespace telson::core
