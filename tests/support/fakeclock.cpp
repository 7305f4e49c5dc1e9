// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/fakeclock.h"

#include <QtCore/QtTypes>

#include <algorithm>
#include <map>
#include <utility>

using namespace std::chrono_literals;
using std::chrono::milliseconds;

struct FakeClock::State
{
    milliseconds wall = 1'700'000'000'000ms;
    milliseconds monotonic = 1h;
    // By due time, then by the order in which they were set.
    std::map<std::pair<milliseconds, quint64>, std::function<void()>> alarms;
    quint64 lastNumber = 0;
};

class FakeClock::PendingAlarm final : public telson::core::Alarm
{
public:
    PendingAlarm(std::weak_ptr<State> state, std::pair<milliseconds, quint64> key)
        : m_state(std::move(state)), m_key(key)
    {
    }

    ~PendingAlarm() override
    {
        if (const std::shared_ptr<State> state = m_state.lock()) {
            state->alarms.erase(m_key);
        }
    }

private:
    std::weak_ptr<State> m_state;
    std::pair<milliseconds, quint64> m_key;
};

FakeClock::FakeClock() : m_state(std::make_shared<State>())
{
}

FakeClock::~FakeClock() = default;

milliseconds FakeClock::wallTime() const
{
    return m_state->wall;
}

milliseconds FakeClock::monotonicTime() const
{
    return m_state->monotonic;
}

std::unique_ptr<telson::core::Alarm> FakeClock::startAlarm(milliseconds delay,
                                                           std::function<void()> ring)
{
    const std::pair key(m_state->monotonic + std::max(delay, 0ms), ++m_state->lastNumber);
    m_state->alarms.emplace(key, std::move(ring));
    return std::make_unique<PendingAlarm>(m_state, key);
}

void FakeClock::advance(milliseconds duration)
{
    const milliseconds end = m_state->monotonic + duration;
    while (!m_state->alarms.empty() && m_state->alarms.begin()->first.first <= end) {
        const auto first = m_state->alarms.begin();
        m_state->wall += first->first.first - m_state->monotonic;
        m_state->monotonic = first->first.first;
        const std::function<void()> ring = std::move(first->second);
        m_state->alarms.erase(first);
        ring();
    }
    m_state->wall += end - m_state->monotonic;
    m_state->monotonic = end;
}

void FakeClock::setWallTime(milliseconds time)
{
    m_state->wall = time;
}

std::size_t FakeClock::alarmCount() const
{
    return m_state->alarms.size();
}

std::optional<milliseconds> FakeClock::nextAlarmIn() const
{
    if (m_state->alarms.empty()) {
        return std::nullopt;
    }
    return m_state->alarms.begin()->first.first - m_state->monotonic;
}
