// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/policysnapshot.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

EffectivePolicy policyWith(const QList<PolicyRule> &rules)
{
    return {Security::Allowlist, Ask::OnMiss, Security::Deny, false, rules};
}

PolicyRule rule(const QString &pattern, const std::optional<QString> &argPattern = {},
                const std::optional<QString> &source = {})
{
    return {pattern, argPattern, source};
}

} // namespace

class PolicySnapshotTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sortsByBytesWithAbsentFirst();
    void dropsDuplicates();
    void staysCurrentWithFurtherRules();
    void staysCurrentWhenARuleBecomesGenerated();
    void isOverWhenARuleIsGone();
    void isOverWhenAGeneratedRuleBecomesManual();
    void isOverWhenAScalarDiffers_data();
    void isOverWhenAScalarDiffers();
};

void PolicySnapshotTest::sortsByBytesWithAbsentFirst()
{
    // U+FFEE sorts after U+1F600 in UTF-16 and before it in UTF-8.
    const QString grin = QString::fromUcs4(U"\U0001F600");
    const auto snapshot = policySnapshot(
        policyWith({rule(u"a"_s, u"z"_s), rule(grin), rule(u"\uFFEE"_s),
                    rule(u"a"_s, {}, u"allow-always"_s), rule(u"a"_s), rule(u"Ls"_s, u"x"_s)}));
    const QList<PolicyRule> sorted{
        rule(u"Ls"_s, u"x"_s), rule(u"a"_s),      rule(u"a"_s, {}, u"allow-always"_s),
        rule(u"a"_s, u"z"_s),  rule(u"\uFFEE"_s), rule(grin)};
    QCOMPARE(snapshot.rules, sorted);
}

void PolicySnapshotTest::dropsDuplicates()
{
    const auto snapshot = policySnapshot(policyWith({rule(u"b"_s), rule(u"a"_s), rule(u"b"_s)}));
    QCOMPARE(snapshot.rules, QList<PolicyRule>({rule(u"a"_s), rule(u"b"_s)}));
}

void PolicySnapshotTest::staysCurrentWithFurtherRules()
{
    QVERIFY(
        isSnapshotCurrent(policyWith({rule(u"a"_s)}), policyWith({rule(u"b"_s), rule(u"a"_s)})));
    QVERIFY(isSnapshotCurrent(policyWith({}), policyWith({rule(u"b"_s)})));
}

void PolicySnapshotTest::staysCurrentWhenARuleBecomesGenerated()
{
    QVERIFY(isSnapshotCurrent(policyWith({rule(u"a"_s, u"x"_s)}),
                              policyWith({rule(u"a"_s, u"x"_s, u"allow-always"_s)})));
}

void PolicySnapshotTest::isOverWhenARuleIsGone()
{
    QVERIFY(
        !isSnapshotCurrent(policyWith({rule(u"a"_s), rule(u"b"_s)}), policyWith({rule(u"a"_s)})));
    QVERIFY(!isSnapshotCurrent(policyWith({rule(u"a"_s, u"x"_s)}), policyWith({rule(u"a"_s)})));
}

void PolicySnapshotTest::isOverWhenAGeneratedRuleBecomesManual()
{
    QVERIFY(!isSnapshotCurrent(policyWith({rule(u"a"_s, {}, u"allow-always"_s)}),
                               policyWith({rule(u"a"_s)})));
}

void PolicySnapshotTest::isOverWhenAScalarDiffers_data()
{
    QTest::addColumn<int>("field");
    QTest::newRow("security") << 0;
    QTest::newRow("ask") << 1;
    QTest::newRow("askFallback") << 2;
    QTest::newRow("autoAllowSkills") << 3;
}

void PolicySnapshotTest::isOverWhenAScalarDiffers()
{
    QFETCH(int, field);
    EffectivePolicy now = policyWith({});
    now.security = field == 0 ? Security::Full : now.security;
    now.ask = field == 1 ? Ask::Off : now.ask;
    now.askFallback = field == 2 ? Security::Allowlist : now.askFallback;
    now.autoAllowSkills = field == 3;
    QVERIFY(!isSnapshotCurrent(policyWith({}), now));
}

QTEST_GUILESS_MAIN(PolicySnapshotTest)
#include "tst_policysnapshot.moc"
