// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/exec/starterror.h"
#include "nodecore/policy/approvedcommand.h"

#include <QtCore/QByteArrayView>
#include <QtCore/QObject>
#include <QtCore/QString>

namespace telson::core {

enum class OutputChannel { StandardOutput, StandardError };

/// How the main process of a run ended.
struct ExitStatus
{
    int exitCode = 0; ///< as given to exit(), 0 where `signal` is set
    int signal = 0; ///< the signal that ended it, 0 if it ended by itself
    QString signalName; ///< "SIGKILL"; empty if `signal` is 0

    bool operator==(const ExitStatus &) const = default;
};

/// Seam: one program with its two output pipes, an empty standard input, and a session and process
/// group of its own. Real: `PipeProcess`; tests: `FakeProcess`.
///
/// States move forward only:
///   Fresh --start--> Starting --> Running --> Exited --> Finished
///                            \--> Failed
/// - `start` is legal once, in Fresh. Exactly one of `started` and `failedToStart` follows, after
///   `start` has returned. After `failedToStart` nothing comes.
/// - `outputReceived` comes between `started` and `outputClosed`, any number of times, also after
///   `exited`: a process left running may hold the pipes.
/// - `exited` and `outputClosed` come once each, in any order. Finished = both have come.
/// - Between `exited` and `release` or `kill` the process id stays taken, so that a late `kill`
///   can't hit a stranger.
/// - Destroying it kills the group unless it was released, reaps the main process and closes the
///   pipes; no signal comes from a destructor. Inside one of its signals use `deleteLater`.
class ChildProcess : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ChildProcess)

public:
    enum class State { Fresh, Starting, Running, Exited, Finished, Failed };

    ChildProcess() = default;
    ~ChildProcess() override = default;

    [[nodiscard]] virtual State state() const = 0;

    /// Starts `spec.argv` in `spec.folder` with exactly `spec.environment`. A first word without a
    /// separator is looked up in that environment's PATH.
    virtual void start(const CommandSpec &spec) = 0;

    /// Asks the whole group to end (SIGTERM). Ignored in Fresh, Failed and after `release`.
    virtual void terminate() = 0;

    /// Ends the whole group and what is left in the session, also when the main process is gone
    /// already. Ignored in Fresh, Failed and after `release`.
    virtual void kill() = 0;

    /// The run is over for its owner: the main process is reaped once it has exited, what it left
    /// running is left alone, and output is read to nowhere (no more `outputReceived`) until it
    /// closes. Legal from Running on; `exited` and `outputClosed` still come.
    virtual void release() = 0;

    [[nodiscard]] virtual bool isOutputOpen() const = 0;

    /// The id of the main process and of its group; 0 before `started`.
    [[nodiscard]] virtual qint64 processId() const = 0;

Q_SIGNALS:
    void started();
    void failedToStart(const telson::core::StartError &error);
    /// `bytes` are valid during the call only: connect directly.
    void outputReceived(telson::core::OutputChannel channel, QByteArrayView bytes);
    void exited(const telson::core::ExitStatus &status);
    void outputClosed();
};

} // namespace telson::core
