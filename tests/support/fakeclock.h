// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/clock.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

/// Time that stands still until a test moves it.
class FakeClock final : public telson::core::Clock
{
public:
    /// Starts at 2023-11-14T22:13:20Z; the monotonic time starts at one hour.
    FakeClock();
    ~FakeClock() override;

    [[nodiscard]] std::chrono::milliseconds wallTime() const override;
    [[nodiscard]] std::chrono::milliseconds monotonicTime() const override;
    [[nodiscard]] std::unique_ptr<telson::core::Alarm>
    startAlarm(std::chrono::milliseconds delay, std::function<void()> ring) override;

    /// Moves both times and rings what falls due on the way, in order; alarms that are set
    /// meanwhile count too. `advance(0ms)` rings what is due now.
    void advance(std::chrono::milliseconds duration);

    /// Makes the wall time jump; nothing rings.
    void setWallTime(std::chrono::milliseconds time);

    [[nodiscard]] std::size_t alarmCount() const;

    /// How long until the next alarm rings, if one is set.
    [[nodiscard]] std::optional<std::chrono::milliseconds> nextAlarmIn() const;

private:
    struct State;
    class PendingAlarm;

    std::shared_ptr<State> m_state; // shared with the alarms, which may outlive the clock
};
