// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/exec/starterror.h"
#include "nodecore/policy/approvedcommand.h"

#include <QtCore/QString>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace telson::core {

class Clock;
class ProcessFactory;

/// How a run came to its end.
enum class RunEnd {
    Exited, ///< by itself, with `exitCode`
    Signalled, ///< killed from elsewhere; `exitCode` is 128 + `signal`
    TimedOut, ///< by our deadline; `exitCode` is 124
    FailedToStart, ///< nothing ran; `error` names the path and the reason
};

/// What a run left behind. Texts are decoded and capped (head, a marker with the exact count of
/// bytes left out, tail), with no U+FFFD that the source did not contain.
struct RunOutcome
{
    RunEnd end = RunEnd::FailedToStart;
    std::optional<int> exitCode; ///< none if nothing ran
    int signal = 0;
    std::optional<StartFailure>
        startFailure; ///< set with FailedToStart; FolderChanged = not the approved one
    QString error; ///< empty, or "killed by SIGKILL", "timed out after 2 s", a start error
    QString standardOutput;
    QString standardError;
    bool leftRunning = false; ///< something it started still holds its output open
};

struct RunLimits
{
    std::optional<std::chrono::milliseconds> timeout; ///< none = no limit
};

using RunId = quint64;

/// Runs approved commands, many at a time: empty standard input, own session and process group,
/// deadline, output limits. Ends the whole group on timeout and cancel (SIGTERM, 300 ms, SIGKILL).
class CommandRunner final
{
public:
    CommandRunner(ProcessFactory &factory, Clock &clock);
    ~CommandRunner(); ///< cancels all
    CommandRunner(const CommandRunner &) = delete;
    CommandRunner &operator=(const CommandRunner &) = delete;

    /// `done` is called once, after `start` has returned, and never after `cancel`.
    RunId start(ApprovedCommand command, RunLimits limits, std::function<void(RunOutcome)> done);

    /// Kills the group; `done` is not called. An unknown id is ignored.
    void cancel(RunId id);
    void cancelAll();

    [[nodiscard]] qsizetype runningCount() const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace telson::core
