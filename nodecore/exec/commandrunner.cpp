// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/exec/commandrunner.h"

#include "nodecore/exec/commandrun.h"
#include "nodecore/exec/processfactory.h"

#include <QtCore/QMetaObject>
#include <QtCore/QObject>

#include <map>
#include <utility>
#include <vector>

namespace telson::core {

namespace {

// Answered runs whose pipes something still holds. Beyond this the oldest pipes are closed, so that
// descriptors last.
constexpr qsizetype s_maxLeftRunning = 128;

} // namespace

class CommandRunner::Impl final : public QObject
{
    Q_DISABLE_COPY_MOVE(Impl)

public:
    Impl(ProcessFactory &factory, Clock &clock) : m_factory(factory), m_clock(clock)
    {
    }

    ~Impl() override
    {
        // All are killed before the first is waited for.
        for (auto &[id, run] : m_runs) {
            run->abandon();
        }
    }

    RunId start(const ApprovedCommand &command, const RunLimits &limits,
                std::function<void(RunOutcome)> done)
    {
        const RunId id = ++m_lastId;
        auto run = std::make_unique<CommandRun>(m_factory.createPipeProcess(), m_clock);
        connect(run.get(), &CommandRun::answered, this, [this, id](const RunOutcome &outcome) {
            // Later: `done` may do anything, and this comes from inside the process.
            QMetaObject::invokeMethod(
                this, [this, id, outcome] { deliver(id, outcome); }, Qt::QueuedConnection);
        });
        connect(run.get(), &CommandRun::gone, this, [this, id] { retire(id); });
        m_waiting.emplace(id, std::move(done));
        CommandRun &started = *run;
        m_runs.emplace(id, std::move(run));
        started.start(command.spec(), limits);
        return id;
    }

    void cancel(RunId id)
    {
        if (m_waiting.erase(id) == 0) {
            return;
        }
        const auto run = m_runs.find(id);
        if (run != m_runs.end()) {
            run->second->cancel();
        }
    }

    void cancelAll()
    {
        while (!m_waiting.empty()) {
            cancel(m_waiting.begin()->first);
        }
    }

    [[nodiscard]] qsizetype runningCount() const
    {
        return std::ssize(m_waiting);
    }

private:
    void deliver(RunId id, const RunOutcome &outcome)
    {
        const auto waiting = m_waiting.extract(id);
        const bool wasStopped = waiting.empty() || outcome.end == RunEnd::TimedOut;
        const auto run = m_runs.find(id);
        if (wasStopped && run != m_runs.end() && run->second->hasExited()) {
            // Only what ended by itself may leave something running whose pipe is kept open.
            m_runs.erase(run);
        }
        closeOldPipes();
        if (!waiting.empty()) {
            waiting.mapped()(outcome); // last: it may destroy the runner
        }
    }

    void retire(RunId id)
    {
        const auto run = m_runs.find(id);
        if (run == m_runs.end()) {
            return;
        }
        // It is inside its own signal.
        m_retired.push_back(std::move(run->second));
        m_runs.erase(run);
        if (m_retired.size() == 1) {
            QMetaObject::invokeMethod(this, [this] { m_retired.clear(); }, Qt::QueuedConnection);
        }
    }

    void closeOldPipes()
    {
        auto surplus = std::ssize(m_runs) - std::ssize(m_waiting) - s_maxLeftRunning;
        for (auto run = m_runs.begin(); run != m_runs.end() && surplus > 0;) {
            const bool isLeft = run->second->isAnswered() && !m_waiting.contains(run->first);
            surplus -= isLeft ? 1 : 0;
            run = isLeft ? m_runs.erase(run) : std::next(run);
        }
    }

    ProcessFactory &m_factory;
    Clock &m_clock;
    RunId m_lastId = 0;
    std::map<RunId, std::function<void(RunOutcome)>> m_waiting; // not answered, not cancelled
    std::map<RunId, std::unique_ptr<CommandRun>> m_runs; // until their pipes are closed
    std::vector<std::unique_ptr<CommandRun>> m_retired;
};

CommandRunner::CommandRunner(ProcessFactory &factory, Clock &clock)
    : m_impl(std::make_unique<Impl>(factory, clock))
{
}

CommandRunner::~CommandRunner() = default;

RunId CommandRunner::start(ApprovedCommand command, RunLimits limits,
                           std::function<void(RunOutcome)> done)
{
    return m_impl->start(command, limits, std::move(done));
}

void CommandRunner::cancel(RunId id)
{
    m_impl->cancel(id);
}

void CommandRunner::cancelAll()
{
    m_impl->cancelAll();
}

qsizetype CommandRunner::runningCount() const
{
    return m_impl->runningCount();
}

} // namespace telson::core
