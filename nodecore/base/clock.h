// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace telson::core {

/// A wake-up that was asked for. Destroying it cancels it; after it has fired it does nothing.
class Alarm
{
public:
    Alarm() = default;
    Alarm(const Alarm &) = delete;
    Alarm &operator=(const Alarm &) = delete;
    virtual ~Alarm() = default;
};

/// Seam: where time comes in. Real: `SystemClock`; tests: `FakeClock`.
class Clock
{
public:
    Clock() = default;
    Clock(const Clock &) = delete;
    Clock &operator=(const Clock &) = delete;
    virtual ~Clock() = default;

    /// Wall time since 1970-01-01 UTC. May jump; only for stamps that leave this process.
    [[nodiscard]] virtual std::chrono::milliseconds wallTime() const = 0;

    /// Time that never goes back, from an arbitrary start. For deadlines and durations.
    [[nodiscard]] virtual std::chrono::milliseconds monotonicTime() const = 0;

    /// Calls `ring` once, from the event loop of the calling thread, after at least `delay` (never
    /// before this call has returned). Cancelled when the result is destroyed; `ring` may destroy it.
    [[nodiscard]] virtual std::unique_ptr<Alarm> startAlarm(std::chrono::milliseconds delay,
                                                            std::function<void()> ring) = 0;
};

} // namespace telson::core
