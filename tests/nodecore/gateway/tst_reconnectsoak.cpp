// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/connectionbench.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

/// A gateway that is away for a month must cost nothing.
class ReconnectSoakTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void staysFlatOverTenThousandCycles();
};

void ReconnectSoakTest::staysFlatOverTenThousandCycles()
{
    ConnectionBench bench;
    bench.start();
    std::size_t alarms = 0;
    for (int cycle = 0; cycle < 10'000; ++cycle) {
        if (cycle % 10 == 9) {
            bench.acceptAndChallenge();
            bench.sayHello();
            QVERIFY(bench.connection->status().state == ConnectionState::Connected);
        }
        const QPointer<FakeTransport> transport = bench.transports.last;
        bench.refuseSocket();
        QVERIFY(transport.isNull()); // gone, not collected
        if (cycle == 100) {
            alarms = bench.clock.alarmCount();
        } else if (cycle > 100) {
            QCOMPARE(bench.clock.alarmCount(), alarms);
        }
        QVERIFY(*bench.clock.nextAlarmIn() <= 36s);
        bench.clock.advance(*bench.clock.nextAlarmIn());
    }
    QCOMPARE(bench.transports.made, 10'001);
}

QTEST_GUILESS_MAIN(ReconnectSoakTest)
#include "tst_reconnectsoak.moc"
