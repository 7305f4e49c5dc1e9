// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/verdict.h"

#include <QtTest/QtTest>

using namespace telson::core;

class VerdictTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decidesThePlainPart_data();
    void decidesThePlainPart();
};

void VerdictTest::decidesThePlainPart_data()
{
    QTest::addColumn<Security>("security");
    QTest::addColumn<Ask>("ask");
    QTest::addColumn<InlineEval>("inlineEval");
    QTest::addColumn<Verdict>("verdict");
    const auto row = [](const char *name, Security security, Ask ask, InlineEval inlineEval,
                        Verdict verdict) {
        QTest::newRow(name) << security << ask << inlineEval << verdict;
    };
    using enum InlineEval;
    row("deny off", Security::Deny, Ask::Off, Allowed, Verdict::Deny);
    row("deny on-miss", Security::Deny, Ask::OnMiss, Allowed, Verdict::Deny);
    row("deny always", Security::Deny, Ask::Always, Allowed, Verdict::Deny);
    row("allowlist off", Security::Allowlist, Ask::Off, Allowed, Verdict::Ask);
    row("allowlist on-miss", Security::Allowlist, Ask::OnMiss, Allowed, Verdict::Ask);
    row("allowlist always", Security::Allowlist, Ask::Always, Allowed, Verdict::Ask);
    row("full off", Security::Full, Ask::Off, Allowed, Verdict::Allow);
    row("full on-miss", Security::Full, Ask::OnMiss, Allowed, Verdict::Allow);
    row("full always", Security::Full, Ask::Always, Allowed, Verdict::Ask);
    row("full off, strict inline eval", Security::Full, Ask::Off, NeedsApproval, Verdict::Ask);
    row("deny, strict inline eval", Security::Deny, Ask::Off, NeedsApproval, Verdict::Deny);
}

void VerdictTest::decidesThePlainPart()
{
    QFETCH(Security, security);
    QFETCH(Ask, ask);
    QFETCH(InlineEval, inlineEval);
    QFETCH(Verdict, verdict);
    QCOMPARE(plainVerdict({security, ask, Security::Full, true, {}}, inlineEval), verdict);
}

QTEST_GUILESS_MAIN(VerdictTest)
#include "tst_verdict.moc"
