// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/approval/preparedplans.h"
#include "tests/support/fakeclock.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

namespace {

const Requester s_home{u"gateway:home"_s, 1};

PlanBinding binding()
{
    return {{u"rg"_s, u"x"_s}, u"/work"_s, u"main"_s, u"agent:main:x"_s, {{u"A"_s, u"1"_s}}};
}

PreparedPlan planWithInode(std::uint64_t inode)
{
    return {{}, {1, inode}};
}

} // namespace

class PreparedPlansTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void handsAPlanOutOnce();
    void handsTheNewestOfEqualPlansOutFirst();
    void everyFieldIsBound_data();
    void everyFieldIsBound();
    void bordersBetweenTextsAreBound();
    void plansBelongToTheirConnection();
    void plansEnd();
    void plansEndWhenOnlyTheWallTimePasses();
    void theOldestPlanMakesRoom();
    void forgetsAConnection();
};

void PreparedPlansTest::handsAPlanOutOnce()
{
    const FakeClock clock;
    PreparedPlans plans(clock);
    plans.add(s_home, binding(), planWithInode(7));
    const auto plan = plans.take(s_home, binding());
    QVERIFY(plan.has_value());
    QCOMPARE(plan->folderIdentity.inode, 7u);
    QVERIFY(!plans.take(s_home, binding()).has_value());
}

void PreparedPlansTest::handsTheNewestOfEqualPlansOutFirst()
{
    const FakeClock clock;
    PreparedPlans plans(clock);
    plans.add(s_home, binding(), planWithInode(1));
    plans.add(s_home, binding(), planWithInode(2));
    QCOMPARE(plans.take(s_home, binding())->folderIdentity.inode, 2u);
    QCOMPARE(plans.take(s_home, binding())->folderIdentity.inode, 1u);
}

void PreparedPlansTest::everyFieldIsBound_data()
{
    QTest::addColumn<int>("field");
    QTest::newRow("argv") << 0;
    QTest::newRow("folder") << 1;
    QTest::newRow("agent") << 2;
    QTest::newRow("session") << 3;
    QTest::newRow("value of a variable") << 4;
    QTest::newRow("name of a variable") << 5;
    QTest::newRow("one variable more") << 6;
    QTest::newRow("one argument more") << 7;
}

void PreparedPlansTest::everyFieldIsBound()
{
    QFETCH(int, field);
    PlanBinding other = binding();
    switch (field) {
    case 0:
        other.argv[1] = u"y"_s;
        break;
    case 1:
        other.folder = u"/other"_s;
        break;
    case 2:
        other.agentId = u"other"_s;
        break;
    case 3:
        other.sessionKey.clear();
        break;
    case 4:
        other.overrides[u"A"_s] = u"2"_s;
        break;
    case 5:
        other.overrides = {{u"B"_s, u"1"_s}};
        break;
    case 6:
        other.overrides.insert(u"B"_s, QString());
        break;
    default:
        other.argv.append(QString());
        break;
    }
    const FakeClock clock;
    PreparedPlans plans(clock);
    plans.add(s_home, binding(), planWithInode(1));
    QVERIFY(!plans.take(s_home, other).has_value());
    QVERIFY(plans.take(s_home, binding()).has_value());
}

void PreparedPlansTest::bordersBetweenTextsAreBound()
{
    PlanBinding one;
    one.argv = {u"a"_s, u"b"_s};
    PlanBinding other;
    other.argv = {u"a1:b"_s};
    QVERIFY(one.digest() != other.digest());
    one = {};
    one.argv = {u"a"_s};
    one.folder = u"b"_s;
    other = {};
    other.argv = {u"a"_s, u"b"_s};
    QVERIFY(one.digest() != other.digest());
}

void PreparedPlansTest::plansBelongToTheirConnection()
{
    const FakeClock clock;
    PreparedPlans plans(clock);
    plans.add(s_home, binding(), planWithInode(1));
    QVERIFY(!plans.take({u"gateway:home"_s, 2}, binding()).has_value());
    QVERIFY(!plans.take({u"gateway:work"_s, 1}, binding()).has_value());
    QVERIFY(plans.take(s_home, binding()).has_value());
}

void PreparedPlansTest::plansEnd()
{
    FakeClock clock;
    PreparedPlans plans(clock);
    plans.add(s_home, binding(), planWithInode(1));
    plans.add(s_home, binding(), planWithInode(2));
    clock.advance(PreparedPlans::s_lifetime - 1ms);
    QVERIFY(plans.take(s_home, binding()).has_value());
    clock.advance(1ms);
    QVERIFY(!plans.take(s_home, binding()).has_value());
}

void PreparedPlansTest::plansEndWhenOnlyTheWallTimePasses()
{
    FakeClock clock; // as after an hour of sleep
    PreparedPlans plans(clock);
    plans.add(s_home, binding(), planWithInode(1));
    clock.setWallTime(clock.wallTime() + 1h);
    QVERIFY(!plans.take(s_home, binding()).has_value());
}

void PreparedPlansTest::theOldestPlanMakesRoom()
{
    const FakeClock clock;
    PreparedPlans plans(clock);
    const auto numbered = [](qsizetype number) {
        PlanBinding plan = binding();
        plan.argv[1] = QString::number(number);
        return plan;
    };
    for (qsizetype number = 0; number <= PreparedPlans::s_maxPlansPerConnection; ++number) {
        plans.add(s_home, numbered(number), planWithInode(1));
    }
    QVERIFY(!plans.take(s_home, numbered(0)).has_value());
    QVERIFY(plans.take(s_home, numbered(1)).has_value());
    QVERIFY(plans.take(s_home, numbered(PreparedPlans::s_maxPlansPerConnection)).has_value());
}

void PreparedPlansTest::forgetsAConnection()
{
    const FakeClock clock;
    PreparedPlans plans(clock);
    plans.add(s_home, binding(), planWithInode(1));
    plans.add({u"gateway:home"_s, 2}, binding(), planWithInode(2));
    plans.forget(s_home);
    QVERIFY(!plans.take(s_home, binding()).has_value());
    QVERIFY(plans.take({u"gateway:home"_s, 2}, binding()).has_value());
}

QTEST_GUILESS_MAIN(PreparedPlansTest)
#include "tst_preparedplans.moc"
