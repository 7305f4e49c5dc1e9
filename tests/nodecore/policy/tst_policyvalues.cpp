// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/policyvalues.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class PolicyValuesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsItsOwnWords();
    void refusesOtherWords_data();
    void refusesOtherWords();
};

void PolicyValuesTest::readsItsOwnWords()
{
    for (const Security value : {Security::Deny, Security::Allowlist, Security::Full}) {
        QVERIFY(parseSecurity(toString(value)) == value);
    }
    for (const Ask value : {Ask::Off, Ask::OnMiss, Ask::Always}) {
        QVERIFY(parseAsk(toString(value)) == value);
    }
    for (const ExecMode value :
         {ExecMode::Deny, ExecMode::Allowlist, ExecMode::Ask, ExecMode::Auto, ExecMode::Full}) {
        QVERIFY(parseExecMode(toString(value)) == value);
    }
    QCOMPARE(toString(Ask::OnMiss), u"on-miss"_s);
}

void PolicyValuesTest::refusesOtherWords_data()
{
    QTest::addColumn<QString>("word");
    for (const char *word :
         {"", " ", "Deny", "FULL", " full", "full ", "on_miss", "onmiss", "yes"}) {
        QTest::newRow(word) << QString::fromLatin1(word);
    }
}

void PolicyValuesTest::refusesOtherWords()
{
    QFETCH(QString, word);
    QVERIFY(!parseSecurity(word).has_value());
    QVERIFY(!parseAsk(word).has_value());
    QVERIFY(!parseExecMode(word).has_value());
}

QTEST_GUILESS_MAIN(PolicyValuesTest)
#include "tst_policyvalues.moc"
