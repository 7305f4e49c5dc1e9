// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/systemclock.h"

#include <QtCore/QTimer>

#include <utility>

namespace telson::core {

namespace {

class TimerAlarm final : public Alarm
{
public:
    TimerAlarm(std::chrono::milliseconds delay, std::function<void()> ring)
    {
        m_timer.setSingleShot(true);
        // A coarse timer may ring 5 % early, which no deadline may.
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [ring = std::move(ring)] {
            // A copy, because `ring` may destroy this alarm and with it the lambda that runs.
            const auto call = ring;
            call();
        });
        m_timer.start(delay);
    }

private:
    QTimer m_timer;
};

} // namespace

std::chrono::milliseconds SystemClock::wallTime() const
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch());
}

std::chrono::milliseconds SystemClock::monotonicTime() const
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch());
}

std::unique_ptr<Alarm> SystemClock::startAlarm(std::chrono::milliseconds delay,
                                               std::function<void()> ring)
{
    return std::make_unique<TimerAlarm>(delay, std::move(ring));
}

} // namespace telson::core
