// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/systemclock.h"

#include <QtTest/QtTest>

using namespace std::chrono_literals;
using namespace telson::core;

class SystemClockTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void monotonicTimeNeverGoesBack();
    void alarmRingsOnceAndNotBeforeTheCallHasReturned();
    void aDestroyedAlarmDoesNotRing();
    void anAlarmMayDestroyItselfWhenItRings();
};

void SystemClockTest::monotonicTimeNeverGoesBack()
{
    SystemClock clock;
    auto before = clock.monotonicTime();
    for (int i = 0; i < 1000; ++i) {
        const auto now = clock.monotonicTime();
        QVERIFY(now >= before);
        before = now;
    }
    QVERIFY(clock.wallTime() > 1'700'000'000'000ms);
}

void SystemClockTest::alarmRingsOnceAndNotBeforeTheCallHasReturned()
{
    SystemClock clock;
    int rings = 0;
    const auto alarm = clock.startAlarm(0ms, [&rings] { ++rings; });
    QCOMPARE(rings, 0);
    QTRY_COMPARE(rings, 1);
    QCoreApplication::processEvents();
    QCOMPARE(rings, 1);
}

void SystemClockTest::aDestroyedAlarmDoesNotRing()
{
    SystemClock clock;
    bool cancelledRang = false;
    bool laterRang = false;
    auto alarm = clock.startAlarm(1ms, [&cancelledRang] { cancelledRang = true; });
    alarm.reset();
    const auto later = clock.startAlarm(20ms, [&laterRang] { laterRang = true; });
    QTRY_VERIFY(laterRang);
    QVERIFY(!cancelledRang);
}

void SystemClockTest::anAlarmMayDestroyItselfWhenItRings()
{
    SystemClock clock;
    std::unique_ptr<Alarm> alarm;
    bool rang = false;
    alarm = clock.startAlarm(0ms, [&] {
        alarm.reset();
        rang = true;
    });
    QTRY_VERIFY(rang);
}

QTEST_GUILESS_MAIN(SystemClockTest)
#include "tst_systemclock.moc"
