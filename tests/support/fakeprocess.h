// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/exec/childprocess.h"

#include <QtCore/QByteArray>
#include <QtCore/QStringList>

#include <functional>
#include <memory>

/// A process that does what a test says, within the contract of `childprocess.h`. Left alone it
/// ends at SIGTERM and SIGKILL and does nothing else.
class FakeProcess final : public telson::core::ChildProcess
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FakeProcess)

public:
    /// What was asked of it, in order: "start", "terminate", "kill", "release", "destroyed". Shared
    /// with the test, which may outlive it.
    using Calls = std::shared_ptr<QStringList>;

    FakeProcess(Calls calls, std::function<void(FakeProcess &)> script);
    ~FakeProcess() override;

    // The seam.
    [[nodiscard]] State state() const override
    {
        return m_state;
    }
    void start(const telson::core::CommandSpec &spec) override;
    void terminate() override;
    void kill() override;
    void release() override;
    [[nodiscard]] bool isOutputOpen() const override
    {
        return m_isOutputOpen;
    }
    [[nodiscard]] qint64 processId() const override;

    // The test's side.
    [[nodiscard]] const telson::core::CommandSpec &spec() const;
    void setIgnoresTerminate(bool ignores);
    void setIgnoresKill(bool ignores);
    /// What survives a kill holds the pipes on.
    void setKeepsOutputOpen(bool keeps);
    void beStarted();
    void failToStart(const telson::core::StartError &error);
    void write(telson::core::OutputChannel channel, const QByteArray &bytes);
    void exit(int exitCode);
    void dieOf(int signal, const QString &signalName);
    void closeOutput();

private:
    void end(const telson::core::ExitStatus &status);
    void endLater(const telson::core::ExitStatus &status);
    [[nodiscard]] bool canSignal() const;

    Calls m_calls;
    std::function<void(FakeProcess &)> m_script;
    telson::core::CommandSpec m_spec;
    State m_state = State::Fresh;
    bool m_isOutputOpen = false;
    bool m_isReleased = false;
    bool m_ignoresTerminate = false;
    bool m_ignoresKill = false;
    bool m_keepsOutputOpen = false;
};
