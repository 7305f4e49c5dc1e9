// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/exec/childprocess.h"
#include "platform/posix/uniquefd.h"

#include <QtCore/QSocketNotifier>

#include <memory>
#include <sys/types.h>

namespace telson::platform {

struct SpawnedProcess;

/// A program with two pipes; contract in `childprocess.h`. The main process is kept unreaped from
/// its end until `release` or `kill`, which takes at most the run's short drain.
class PipeProcess final : public core::ChildProcess
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(PipeProcess)

public:
    PipeProcess();
    ~PipeProcess() override;

    [[nodiscard]] State state() const override
    {
        return m_state;
    }
    void start(const core::CommandSpec &spec) override;
    void terminate() override;
    void kill() override;
    void release() override;
    [[nodiscard]] bool isOutputOpen() const override;
    [[nodiscard]] qint64 processId() const override;

private:
    /// One pipe; the notifier lives as long as this, because it may be inside its own signal.
    struct Stream
    {
        UniqueFd pipe;
        std::unique_ptr<QSocketNotifier> notifier;
        bool hasBigPipe = false;
    };

    void adopt(SpawnedProcess process, UniqueFd exitWatch);
    void announceFailure(const core::StartError &error);
    void watch();
    void readFrom(core::OutputChannel channel);
    void closeStream(Stream &stream);
    void onExit();
    void reapNow();
    [[nodiscard]] bool canSignal() const;

    State m_state = State::Fresh;
    pid_t m_pid = 0;
    bool m_isReaped = false;
    bool m_isKilled = false;
    bool m_isReleased = false;
    Stream m_standardOutput;
    Stream m_standardError;
    UniqueFd m_exitWatch;
    std::unique_ptr<QSocketNotifier> m_exitNotifier;
};

} // namespace telson::platform
