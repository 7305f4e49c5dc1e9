// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/clock.h"

namespace telson::core {

/// The operating system's clocks and Qt's timers.
class SystemClock final : public Clock
{
public:
    [[nodiscard]] std::chrono::milliseconds wallTime() const override;
    [[nodiscard]] std::chrono::milliseconds monotonicTime() const override;
    [[nodiscard]] std::unique_ptr<Alarm> startAlarm(std::chrono::milliseconds delay,
                                                    std::function<void()> ring) override;
};

} // namespace telson::core
