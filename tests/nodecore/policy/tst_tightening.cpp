// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/tightening.h"
#include "tests/support/memorypolicystore.h"

#include <QtCore/QJsonDocument>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

ApprovalsDocument document(const QByteArray &json)
{
    const QJsonDocument parsed = QJsonDocument::fromJson(json);
    Q_ASSERT(parsed.isObject());
    return approvalsFromJson(parsed.object());
}

const auto s_full = R"({"defaults":{"security":"full","ask":"off"}})"_ba;
const auto s_fullAlways = R"({"defaults":{"security":"full","ask":"always"}})"_ba;
const auto s_ask = R"({"defaults":{"security":"allowlist","ask":"on-miss"}})"_ba;
const auto s_askGit =
    R"({"defaults":{"security":"allowlist","ask":"on-miss"},"agents":{"main":{"allowlist":["git"]}}})"_ba;
const auto s_askGitRg = R"({"defaults":{"security":"allowlist","ask":"on-miss"},
    "agents":{"main":{"allowlist":["git","rg"]}}})"_ba;
const auto s_allowlistOff = R"({"defaults":{"security":"allowlist","ask":"off"}})"_ba;
const auto s_always = R"({"defaults":{"security":"allowlist","ask":"always"}})"_ba;
const auto s_deny = R"({"defaults":{"security":"deny"}})"_ba;
const auto s_empty = R"({"version":1})"_ba;

} // namespace

class TighteningTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void letsOnlyTighterDocumentsThrough_data();
    void letsOnlyTighterDocumentsThrough();
    void namesAgentFieldReasonAndWayOut();
    void everyDocumentMayStayAsItIs_data();
    void everyDocumentMayStayAsItIs();
    void thousandsOfRulesAreNoWork();

private:
    static void addTightenings();
    static void addLooseningsOfTheTuple();
    static void addLooseningsOfTheRules();
    static void addAgents();
};

/// `field` is what the refusal has to name; empty = let through.
static void row(const char *name, const QByteArray &before, const QByteArray &after, ExecMode mode,
                const QString &field = {})
{
    QTest::newRow(name) << before << after << mode << field;
}

void TighteningTest::letsOnlyTighterDocumentsThrough_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<ExecMode>("mode");
    QTest::addColumn<QString>("field");
    addTightenings();
    addLooseningsOfTheTuple();
    addLooseningsOfTheRules();
    addAgents();
}

void TighteningTest::addTightenings()
{
    using enum ExecMode;
    row("full to deny", s_full, s_deny, Full);
    row("full to allowlist", s_full, s_ask, Full);
    row("full to full but always", s_full, s_fullAlways, Full);
    row("full always to allowlist always", s_fullAlways, s_always, Full);
    row("allowlist to always", s_ask, s_always, Full);
    row("allowlist to deny", s_ask, s_deny, Full);
    row("a miss is refused instead of asked", s_ask, s_allowlistOff, Full);
    row("a miss is asked instead of refused", s_allowlistOff, s_ask, Full);
    row("a rule goes", s_askGitRg, s_askGit, Full);
    row("all rules go", s_askGitRg, s_ask, Full);
    row("everything to a list", s_full, s_askGitRg, Full);
    row("nothing said to deny", s_empty, s_deny, Full);
    row("nothing said to a list", s_empty, s_askGit, Full);
    row("rules under full, as everything runs anyway", s_full,
        R"({"defaults":{"security":"full"},"agents":{"main":{"allowlist":["git"]}}})"_ba, Full);
    row("askFallback goes down", R"({"defaults":{"security":"full","askFallback":"full"}})"_ba,
        s_full, Full);
    row("askFallback goes down with security",
        R"({"defaults":{"security":"full","askFallback":"full"}})"_ba,
        R"({"defaults":{"security":"allowlist","askFallback":"full"}})"_ba, Full);
    row("skills are switched off",
        R"({"defaults":{"security":"allowlist","autoAllowSkills":true}})"_ba,
        R"({"defaults":{"security":"allowlist"}})"_ba, Full);
    row("everything to a list with skills", s_full,
        R"({"defaults":{"security":"allowlist","autoAllowSkills":true}})"_ba, Full);
    row("a rule moves from all agents to one",
        R"({"defaults":{"security":"allowlist"},"agents":{"*":{"allowlist":["git"]}}})"_ba,
        R"({"defaults":{"security":"allowlist"},"agents":{"main":{"allowlist":["git"]}}})"_ba,
        Full);
    row("the order of rules", s_askGitRg, R"({"defaults":{"security":"allowlist","ask":"on-miss"},
        "agents":{"main":{"allowlist":["rg","git"]}}})"_ba,
        Full);
}

void TighteningTest::addLooseningsOfTheTuple()
{
    using enum ExecMode;
    row("deny to allowlist", s_deny, s_ask, Full, u"security"_s);
    row("deny to full", s_deny, s_full, Full, u"security"_s);
    row("deny to full but always", s_deny, s_fullAlways, Full, u"security"_s);
    row("allowlist to full", s_ask, s_full, Full, u"security"_s);
    row("allowlist to nothing said", s_ask, s_empty, Full, u"security"_s);
    row("deny to nothing said", s_deny, s_empty, Full, u"security"_s);
    row("always to on-miss", s_always, s_ask, Full, u"ask"_s);
    row("always to off", s_always, s_allowlistOff, Full, u"ask"_s);
    row("full always to full", s_fullAlways, s_full, Full, u"ask"_s);
    row("full always to an empty list", s_fullAlways, s_ask, Full, u"ask"_s);
    row("always to on-miss with an empty list, under mode ask", s_always, s_ask, Ask, u"ask"_s);
    row("full always to full on-miss", s_fullAlways,
        R"({"defaults":{"security":"full","ask":"on-miss"}})"_ba, Full, u"ask"_s);
    row("askFallback up", s_full, R"({"defaults":{"security":"full","askFallback":"full"}})"_ba,
        Full, u"askFallback"_s);
    row("askFallback up to the list", s_ask,
        R"({"defaults":{"security":"allowlist","ask":"on-miss","askFallback":"allowlist"}})"_ba,
        Full, u"askFallback"_s);
    row("askFallback up under mode ask", s_full,
        R"({"defaults":{"security":"full","askFallback":"full"}})"_ba, Ask, u"askFallback"_s);
    row("what the mode hides today: deny to full under mode deny", s_deny, s_full, Deny,
        u"security"_s);
    row("what the mode hides today: allowlist to full under mode ask", s_ask, s_full, Ask,
        u"security"_s);
    row("what the mode hides today: always to on-miss under mode deny", s_always, s_ask, Deny,
        u"ask"_s);
}

void TighteningTest::addLooseningsOfTheRules()
{
    using enum ExecMode;
    const QString allowlist = u"allowlist"_s;
    const auto withRule = [](const char *entry) -> QByteArray {
        return QByteArray(R"({"defaults":{"security":"allowlist","ask":"on-miss"},
            "agents":{"main":{"allowlist":[)")
            + entry + "]}}}";
    };
    row("a new rule", s_ask, s_askGit, Full, allowlist);
    row("another rule", s_askGit, s_askGitRg, Full, allowlist);
    row("a rule instead of another", s_askGit, withRule(R"("rg")"), Full, allowlist);
    row("a wider pattern", withRule(R"({"pattern":"/usr/bin/git"})"),
        withRule(R"({"pattern":"/usr/bin/*"})"), Full, allowlist);
    row("arguments no longer bound", withRule(R"({"pattern":"git","argPattern":"^status$"})"),
        withRule(R"({"pattern":"git"})"), Full, allowlist);
    row("other arguments", withRule(R"({"pattern":"git","argPattern":"^status$"})"),
        withRule(R"({"pattern":"git","argPattern":".*"})"), Full, allowlist);
    row("an inactive generated rule becomes a manual one",
        withRule(R"({"pattern":"git","source":"allow-always"})"), withRule(R"({"pattern":"git"})"),
        Full, allowlist);
    row("a manual rule becomes a generated one", withRule(R"({"pattern":"git"})"),
        withRule(R"({"pattern":"git","source":"allow-always"})"), Full, allowlist);
    row("new under full, but the mode makes it a list", s_full,
        R"({"defaults":{"security":"full"},"agents":{"main":{"allowlist":["git"]}}})"_ba, Ask,
        allowlist);
    row("a list under mode ask gets a rule with the tightening", s_full, s_askGit, Ask, allowlist);
    row("a new rule that waits behind deny", s_deny,
        R"({"defaults":{"security":"deny"},"agents":{"main":{"allowlist":["git"]}}})"_ba, Full,
        allowlist);
    row("a new rule that waits behind always", s_always,
        R"({"defaults":{"security":"allowlist","ask":"always"},"agents":{"*":{"allowlist":["git"]}}})"_ba,
        Full, allowlist);
    row("skills under a list", s_ask,
        R"({"defaults":{"security":"allowlist","ask":"on-miss","autoAllowSkills":true}})"_ba, Full,
        u"autoAllowSkills"_s);
    row("skills under full, but the mode makes it a list", s_full,
        R"({"defaults":{"security":"full","autoAllowSkills":true}})"_ba, Ask, u"autoAllowSkills"_s);
}

void TighteningTest::addAgents()
{
    using enum ExecMode;
    const auto strictMain =
        R"({"defaults":{"security":"full"},"agents":{"main":{"security":"deny"}}})"_ba;
    row("an agent's own deny goes", strictMain, R"({"defaults":{"security":"full"}})"_ba, Full,
        u"security"_s);
    row("an agent's own always goes",
        R"({"defaults":{"security":"allowlist"},"agents":{"x":{"ask":"always"}}})"_ba,
        R"({"defaults":{"security":"allowlist"}})"_ba, Full, u"ask"_s);
    row("a new agent looser than the defaults", s_ask,
        R"({"defaults":{"security":"allowlist","ask":"on-miss"},"agents":{"x":{"security":"full"}}})"_ba,
        Full, u"security"_s);
    row("a new agent stricter than the defaults", s_ask,
        R"({"defaults":{"security":"allowlist","ask":"on-miss"},"agents":{"x":{"security":"deny"}}})"_ba,
        Full);
    row("the strict entry for every agent goes", R"({"agents":{"*":{"security":"deny"}}})"_ba,
        s_empty, Full, u"security"_s);
    row("an entry for every agent is looser than the defaults", s_deny,
        R"({"defaults":{"security":"deny"},"agents":{"*":{"security":"allowlist"}}})"_ba, Full,
        u"security"_s);
    row("defaults go up, all named agents stay",
        R"({"defaults":{"security":"deny"},"agents":{"main":{"security":"deny"},"*":{"security":"deny"}}})"_ba,
        R"({"defaults":{"security":"full"},"agents":{"main":{"security":"deny"},"*":{"security":"deny"}}})"_ba,
        Full);
    row("only agents that nobody has named get looser",
        R"({"defaults":{"security":"deny"},"agents":{"main":{"security":"deny"}}})"_ba,
        R"({"defaults":{"security":"full"},"agents":{"main":{"security":"deny"}}})"_ba, Full,
        u"security"_s);
    row("a rule moves from one agent to all",
        R"({"defaults":{"security":"allowlist"},"agents":{"main":{"allowlist":["git"]}}})"_ba,
        R"({"defaults":{"security":"allowlist"},"agents":{"*":{"allowlist":["git"]}}})"_ba, Full,
        u"allowlist"_s);
    row("a rule moves to all where all others may do anything: calls without an agent",
        R"({"defaults":{"security":"full"},"agents":{"main":{"security":"allowlist","allowlist":["git"]}}})"_ba,
        R"({"defaults":{"security":"full"},
            "agents":{"main":{"security":"allowlist"},"*":{"allowlist":["git"]}}})"_ba,
        Full, u"allowlist"_s);
    row("a rule moves from one agent to another",
        R"({"defaults":{"security":"allowlist"},"agents":{"a":{"allowlist":["git"]}}})"_ba,
        R"({"defaults":{"security":"allowlist"},"agents":{"b":{"allowlist":["git"]}}})"_ba, Full,
        u"allowlist"_s);
}

void TighteningTest::letsOnlyTighterDocumentsThrough()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(ExecMode, mode);
    QFETCH(QString, field);
    const Result<void> result = onlyTightens(document(before), document(after), mode);
    QCOMPARE(result.has_value(), field.isEmpty());
    if (!field.isEmpty()) {
        QCOMPARE(toString(result.error().code), toString(ErrorCode::Denied));
        QVERIFY2(result.error().message.contains(u", " + field + u": "),
                 qPrintable(result.error().message));
    }
}

void TighteningTest::namesAgentFieldReasonAndWayOut()
{
    const Result<void> result = onlyTightens(
        document(R"({"agents":{"work":{"security":"deny"}}})"_ba),
        document(R"({"agents":{"work":{"security":"allowlist"}}})"_ba), ExecMode::Full);
    QVERIFY(!result.has_value());
    const QString message = result.error().message;
    QVERIFY2(message.contains("agent 'work', security: would go from deny to allowlist"_L1),
             qPrintable(message));
    QVERIFY(message.contains("exec-approvals.json"_L1));
}

void TighteningTest::everyDocumentMayStayAsItIs_data()
{
    QTest::addColumn<QByteArray>("json");
    int number = 0;
    for (const QByteArray &json : {s_full, s_fullAlways, s_ask, s_askGit, s_askGitRg,
                                   s_allowlistOff, s_always, s_deny, s_empty}) {
        QTest::addRow("document %d", ++number) << json;
    }
}

void TighteningTest::everyDocumentMayStayAsItIs()
{
    QFETCH(QByteArray, json);
    for (const ExecMode mode :
         {ExecMode::Deny, ExecMode::Allowlist, ExecMode::Ask, ExecMode::Auto, ExecMode::Full}) {
        QVERIFY(onlyTightens(document(json), document(json), mode).has_value());
    }
}

void TighteningTest::thousandsOfRulesAreNoWork()
{
    ApprovalsDocument before = document(s_ask);
    for (int number = 0; number < 5000; ++number) {
        before.agents[u"main"_s].rules.append({QString::number(number), {}, {}});
    }
    ApprovalsDocument after = before;
    std::ranges::reverse(after.agents[u"main"_s].rules);
    QVERIFY(onlyTightens(before, after, ExecMode::Ask).has_value());
}

QTEST_GUILESS_MAIN(TighteningTest)
#include "tst_tightening.moc"
