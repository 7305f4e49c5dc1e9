// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/approvalsdocument.h"
#include "tests/support/memorypolicystore.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

ApprovalsDocument document(const QByteArray &json)
{
    return approvalsFromJson(QJsonDocument::fromJson(json).object());
}

} // namespace

/// Data: the kinds host-resolve and effective of the reference's recorded answers.
class ApprovalsDocumentTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void resolvesLikeTheReference_data();
    void resolvesLikeTheReference();
    void combinesLikeTheReference_data();
    void combinesLikeTheReference();
    void anEmptyDocumentLeavesItToTheMode_data();
    void anEmptyDocumentLeavesItToTheMode();
    void theModeCapsTheDocument();
    void theDocumentCapsTheMode();
    void theCallersWishOnlyTightens();
    void askFallbackStaysBelowSecurity();
    void joinsTheRulesOfEveryAgentAndOfThisOne();
    void aCallWithoutAnAgentGetsTheStricterOfMainAndNobody();
    void ignoresSpaceAroundAnAgentId();
    void denyAllDeniesUnderEveryMode();

private:
    static void addVectors(const QString &kind);
};

void ApprovalsDocumentTest::addVectors(const QString &kind)
{
    QTest::addColumn<QJsonObject>("input");
    QTest::addColumn<QJsonObject>("expected");
    QFile file(QStringLiteral(TELSON_TEST_DATA "/vectors/policy-combine.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray cases = QJsonDocument::fromJson(file.readAll()).object()["cases"_L1].toArray();
    for (const QJsonValue &entry : cases) {
        const QJsonObject input = entry["input"_L1].toObject();
        // Overrides fill gaps in the reference; here the caller's wish caps the document.
        if (input["kind"_L1] == kind && input["overrides"_L1].toObject().isEmpty()) {
            QTest::newRow(qPrintable(entry["name"_L1].toString()))
                << input << entry["expected"_L1].toObject();
        }
    }
}

void ApprovalsDocumentTest::resolvesLikeTheReference_data()
{
    addVectors(u"host-resolve"_s);
}

void ApprovalsDocumentTest::resolvesLikeTheReference()
{
    QFETCH(QJsonObject, input);
    QFETCH(QJsonObject, expected);
    const ApprovalsDocument file = approvalsFromJson(input["file"_L1].toObject());
    const QJsonObject agent = expected["agent"_L1].toObject();
    const EffectivePolicy policy =
        effectivePolicy(file, ExecMode::Full, input["agentId"_L1].toString());
    if (input["agentId"_L1].isNull()) {
        QVERIFY(policy.security <= *parseSecurity(agent["security"_L1].toString()));
        QVERIFY(policy.ask >= *parseAsk(agent["ask"_L1].toString()));
        return;
    }
    QCOMPARE(toString(policy.security), agent["security"_L1].toString());
    QCOMPARE(toString(policy.ask), agent["ask"_L1].toString());
    QCOMPARE(policy.autoAllowSkills, agent["autoAllowSkills"_L1].toBool());
    QCOMPARE(policy.rules.size(), expected["allowlist"_L1].toArray().size());
}

void ApprovalsDocumentTest::combinesLikeTheReference_data()
{
    addVectors(u"effective"_s);
}

void ApprovalsDocumentTest::combinesLikeTheReference()
{
    QFETCH(QJsonObject, input);
    QFETCH(QJsonObject, expected);
    const QJsonObject wish = input["requested"_L1].toObject();
    const std::optional<ExecMode> mode = parseExecMode(wish["mode"_L1].toString());
    const EffectivePolicy policy = effectivePolicy(
        approvalsFromJson(input["file"_L1].toObject()), mode.value_or(ExecMode::Full),
        input["agentId"_L1].toString(),
        {parseSecurity(wish["security"_L1].toString()), parseAsk(wish["ask"_L1].toString())});
    const auto effective = [&expected](QLatin1StringView field) {
        return expected[field].toObject()["effective"_L1].toString();
    };
    QCOMPARE(toString(policy.security), effective("security"_L1));
    QCOMPARE(toString(policy.ask), effective("ask"_L1));
    QCOMPARE(toString(policy.askFallback), effective("askFallback"_L1));
}

void ApprovalsDocumentTest::anEmptyDocumentLeavesItToTheMode_data()
{
    QTest::addColumn<ExecMode>("mode");
    QTest::addColumn<Security>("security");
    QTest::addColumn<Ask>("ask");
    QTest::newRow("deny") << ExecMode::Deny << Security::Deny << Ask::Off;
    QTest::newRow("allowlist") << ExecMode::Allowlist << Security::Allowlist << Ask::Off;
    QTest::newRow("ask") << ExecMode::Ask << Security::Allowlist << Ask::OnMiss;
    QTest::newRow("auto") << ExecMode::Auto << Security::Allowlist << Ask::OnMiss;
    QTest::newRow("full") << ExecMode::Full << Security::Full << Ask::Off;
}

void ApprovalsDocumentTest::anEmptyDocumentLeavesItToTheMode()
{
    QFETCH(ExecMode, mode);
    QFETCH(Security, security);
    QFETCH(Ask, ask);
    const EffectivePolicy policy = effectivePolicy({}, mode, u"main"_s);
    QCOMPARE(toString(policy.security), toString(security));
    QCOMPARE(toString(policy.ask), toString(ask));
    QCOMPARE(toString(policy.askFallback), toString(Security::Deny));
    QVERIFY(!policy.autoAllowSkills);
}

void ApprovalsDocumentTest::theModeCapsTheDocument()
{
    const auto full = document(R"({"defaults":{"security":"full","ask":"off"}})"_ba);
    QCOMPARE(toString(effectivePolicy(full, ExecMode::Ask, u"main"_s).security),
             toString(Security::Allowlist));
    QCOMPARE(toString(effectivePolicy(full, ExecMode::Ask, u"main"_s).ask), toString(Ask::OnMiss));
}

void ApprovalsDocumentTest::theDocumentCapsTheMode()
{
    const auto strict = document(R"({"defaults":{"security":"allowlist","ask":"always"}})"_ba);
    QCOMPARE(toString(effectivePolicy(strict, ExecMode::Full, u"main"_s).security),
             toString(Security::Allowlist));
    QCOMPARE(toString(effectivePolicy(strict, ExecMode::Full, u"main"_s).ask),
             toString(Ask::Always));
}

void ApprovalsDocumentTest::theCallersWishOnlyTightens()
{
    const auto allowlist = document(R"({"defaults":{"security":"allowlist","ask":"on-miss"}})"_ba);
    const auto loose =
        effectivePolicy(allowlist, ExecMode::Full, u"main"_s, {Security::Full, Ask::Off});
    QCOMPARE(toString(loose.security), toString(Security::Allowlist));
    QCOMPARE(toString(loose.ask), toString(Ask::OnMiss));
    const auto strict =
        effectivePolicy(allowlist, ExecMode::Full, u"main"_s, {Security::Deny, Ask::Always});
    QCOMPARE(toString(strict.security), toString(Security::Deny));
    QCOMPARE(toString(strict.ask), toString(Ask::Always));
}

void ApprovalsDocumentTest::askFallbackStaysBelowSecurity()
{
    const auto lax = document(R"({"defaults":{"security":"allowlist","askFallback":"full"}})"_ba);
    QCOMPARE(toString(effectivePolicy(lax, ExecMode::Full, u"main"_s).askFallback),
             toString(Security::Allowlist));
}

void ApprovalsDocumentTest::joinsTheRulesOfEveryAgentAndOfThisOne()
{
    const auto file = document(R"({"agents":{"*":{"allowlist":["a"]},"main":{"allowlist":["b"]},
        "other":{"allowlist":["c"]}}})"_ba);
    const auto patterns = [&file](const QString &agent) {
        QStringList names;
        for (const PolicyRule &rule : effectivePolicy(file, ExecMode::Full, agent).rules) {
            names.append(rule.pattern);
        }
        return names;
    };
    QCOMPARE(patterns(u"main"_s), QStringList({u"a"_s, u"b"_s}));
    QCOMPARE(patterns(u"other"_s), QStringList({u"a"_s, u"c"_s}));
    QCOMPARE(patterns(u"nobody"_s), QStringList(u"a"_s));
    QCOMPARE(patterns(u"*"_s), QStringList(u"a"_s));
}

void ApprovalsDocumentTest::aCallWithoutAnAgentGetsTheStricterOfMainAndNobody()
{
    const auto mainIsLoose = document(
        R"({"defaults":{"security":"deny"},"agents":{"main":{"security":"full","allowlist":["b"]}}})"_ba);
    QCOMPARE(toString(effectivePolicy(mainIsLoose, ExecMode::Full, QString()).security),
             toString(Security::Deny));
    QVERIFY(effectivePolicy(mainIsLoose, ExecMode::Full, QString()).rules.isEmpty());
    const auto mainIsStrict =
        document(R"({"defaults":{"security":"full"},"agents":{"main":{"ask":"always"}}})"_ba);
    QCOMPARE(toString(effectivePolicy(mainIsStrict, ExecMode::Full, u"  "_s).ask),
             toString(Ask::Always));
}

void ApprovalsDocumentTest::ignoresSpaceAroundAnAgentId()
{
    const auto file = document(R"({"agents":{"work":{"security":"deny"}}})"_ba);
    QCOMPARE(toString(effectivePolicy(file, ExecMode::Full, u" work "_s).security),
             toString(Security::Deny));
}

void ApprovalsDocumentTest::denyAllDeniesUnderEveryMode()
{
    for (const ExecMode mode :
         {ExecMode::Deny, ExecMode::Allowlist, ExecMode::Ask, ExecMode::Auto, ExecMode::Full}) {
        const auto policy = effectivePolicy(ApprovalsDocument::denyAll(), mode, u"main"_s);
        QCOMPARE(toString(policy.security), toString(Security::Deny));
        QCOMPARE(toString(policy.askFallback), toString(Security::Deny));
    }
}

QTEST_GUILESS_MAIN(ApprovalsDocumentTest)
#include "tst_approvalsdocument.moc"
