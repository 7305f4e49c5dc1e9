// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/approval/approvalbroker.h"
#include "nodecore/policy/policysnapshot.h"
#include "tests/support/fakeclock.h"
#include "tests/support/fakefolderprobe.h"
#include "tests/support/memorypolicystore.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

namespace {

const auto s_ask = R"({"version":1,"defaults":{"security":"allowlist","ask":"on-miss"}})"_ba;
const auto s_full = R"({"version":1,"defaults":{"security":"full","ask":"off"}})"_ba;
const auto s_deny = R"({"version":1,"defaults":{"security":"deny"}})"_ba;
const QString s_approvalRequired = u"SYSTEM_RUN_DENIED: approval required"_s;
const QString s_policyChanged =
    u"SYSTEM_RUN_DENIED: exec approval policy changed; request approval again"_s;

} // namespace

class ApprovalBrokerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void runsUnderFull();
    void refusesUnderDeny();
    void refusesWhatNeedsAnAnswer();
    void refusesUnderABrokenDocument();
    void asksForEverythingUnderStrictInlineEval();
    void theModeCountsAtOnce();

    void runsAnApprovedPlanOnce();
    void aPlanBindsTheFolder();
    void doesNotBelieveAnApprovalOfAPlanMadeElsewhere();
    void doesNotBelieveAnApprovalOnAnotherConnection();
    void doesNotBelieveAnApprovalAfterItsEnd();
    void doesNotBelieveAnApprovalWithOtherVariables();
    void refusesAnApprovedPlanWhenThePolicyHasChanged();
    void refusesAnApprovedPlanUnderDeny();
    void believesAClaimedSnapshotOnlyIfItTightens();
    void refusesAnApprovedPlanWhenTheFolderHasChanged_data();
    void refusesAnApprovedPlanWhenTheFolderHasChanged();
    void anApprovalOutlivesFurtherRules();

    void aReviewElsewhereIsNoApproval();
    void askFallbackNeedsAPlanOfThisNode();
    void askFallbackIsCappedWithoutAPlanToo();

private:
    [[nodiscard]] RunRequest request(ApprovalClaim claim = ApprovalClaim::None) const;
    void prepare();
    [[nodiscard]] QString messageOf(const RunRequest &request);

    LocalRules m_rules;
    std::unique_ptr<FakeClock> m_clock;
    std::unique_ptr<FakeFolderProbe> m_folders;
    std::unique_ptr<MemoryPolicyStore> m_store;
    std::unique_ptr<ApprovalBroker> m_broker;
};

void ApprovalBrokerTest::init()
{
    m_rules = {ExecMode::Full, InlineEval::Allowed};
    m_clock = std::make_unique<FakeClock>();
    m_folders = std::make_unique<FakeFolderProbe>();
    m_folders->addFolder(u"/work"_s);
    m_store = std::make_unique<MemoryPolicyStore>();
    m_store->setText(s_ask);
    m_broker = std::make_unique<ApprovalBroker>(*m_store, *m_folders, *m_clock,
                                                [this] { return m_rules; });
}

RunRequest ApprovalBrokerTest::request(ApprovalClaim claim) const
{
    RunRequest request;
    request.requester = {u"gateway:home"_s, 1};
    request.command = {{u"rg"_s, u"x"_s}, u"/work"_s, {}, {{u"PATH"_s, u"/bin"_s}}};
    request.agentId = u"main"_s;
    request.sessionKey = u"agent:main:x"_s;
    request.claim = claim;
    return request;
}

void ApprovalBrokerTest::prepare()
{
    m_broker->remember(
        {u"gateway:home"_s, 1}, {{u"rg"_s, u"x"_s}, u"/work"_s, u"main"_s, u"agent:main:x"_s, {}},
        {policySnapshot(m_broker->policy(u"main"_s)), m_folders->probe(u"/work"_s)->identity});
}

/// Empty if the command may run.
QString ApprovalBrokerTest::messageOf(const RunRequest &request)
{
    const RunDecision decision = m_broker->decide(request);
    const auto *refusal = std::get_if<RunRefusal>(&decision);
    return refusal == nullptr ? QString() : refusal->message;
}

void ApprovalBrokerTest::runsUnderFull()
{
    m_store->setText(s_full);
    const RunDecision decision = m_broker->decide(request());
    const auto *command = std::get_if<ApprovedCommand>(&decision);
    QVERIFY(command != nullptr);
    QCOMPARE(command->spec().argv, QStringList({u"rg"_s, u"x"_s}));
    QCOMPARE(command->spec().folder, u"/work"_s);
    QCOMPARE(command->digest(), request().command.digest());
    QVERIFY(m_folders->probed().isEmpty());
}

void ApprovalBrokerTest::refusesUnderDeny()
{
    m_store->setText(s_deny);
    const RunDecision decision = m_broker->decide(request());
    QCOMPARE(std::get<RunRefusal>(decision),
             RunRefusal({u"security=deny"_s, u"SYSTEM_RUN_DISABLED: security=deny"_s}));
}

void ApprovalBrokerTest::refusesWhatNeedsAnAnswer()
{
    const RunDecision decision = m_broker->decide(request());
    QCOMPARE(std::get<RunRefusal>(decision),
             RunRefusal({u"approval-required"_s, s_approvalRequired}));
}

void ApprovalBrokerTest::refusesUnderABrokenDocument()
{
    m_store->setText(s_full);
    m_store->setBroken(u"line 3: expected a string"_s);
    QCOMPARE(messageOf(request()), u"SYSTEM_RUN_DISABLED: security=deny"_s);
}

void ApprovalBrokerTest::asksForEverythingUnderStrictInlineEval()
{
    m_store->setText(s_full);
    m_rules.inlineEval = InlineEval::NeedsApproval;
    QCOMPARE(messageOf(request()), s_approvalRequired);
}

void ApprovalBrokerTest::theModeCountsAtOnce()
{
    m_store->setText(s_full);
    QCOMPARE(messageOf(request()), QString());
    m_rules.mode = ExecMode::Ask;
    QCOMPARE(messageOf(request()), s_approvalRequired);
    m_rules.mode = ExecMode::Deny;
    QCOMPARE(messageOf(request()), u"SYSTEM_RUN_DISABLED: security=deny"_s);
}

void ApprovalBrokerTest::runsAnApprovedPlanOnce()
{
    prepare();
    QCOMPARE(messageOf(request(ApprovalClaim::Explicit)), QString());
    QCOMPARE(messageOf(request(ApprovalClaim::Explicit)), s_approvalRequired);
}

void ApprovalBrokerTest::aPlanBindsTheFolder()
{
    prepare();
    const RunDecision decision = m_broker->decide(request(ApprovalClaim::Explicit));
    QCOMPARE(std::get<ApprovedCommand>(decision).spec().folderIdentity,
             m_folders->probe(u"/work"_s)->identity);
}

void ApprovalBrokerTest::doesNotBelieveAnApprovalOfAPlanMadeElsewhere()
{
    RunRequest made = request(ApprovalClaim::Explicit);
    made.claimedSnapshot = policySnapshot(m_broker->policy(u"main"_s));
    QCOMPARE(messageOf(made), s_approvalRequired);
}

void ApprovalBrokerTest::doesNotBelieveAnApprovalOnAnotherConnection()
{
    prepare();
    RunRequest later = request(ApprovalClaim::Explicit);
    later.requester.connection = 2;
    QCOMPARE(messageOf(later), s_approvalRequired);
    m_broker->forget({u"gateway:home"_s, 1});
    QCOMPARE(messageOf(request(ApprovalClaim::Explicit)), s_approvalRequired);
}

void ApprovalBrokerTest::doesNotBelieveAnApprovalAfterItsEnd()
{
    prepare();
    m_clock->advance(PreparedPlans::s_lifetime);
    QCOMPARE(messageOf(request(ApprovalClaim::Explicit)), s_approvalRequired);
}

void ApprovalBrokerTest::doesNotBelieveAnApprovalWithOtherVariables()
{
    prepare();
    RunRequest other = request(ApprovalClaim::Explicit);
    other.overrides.insert(u"FOO"_s, u"1"_s);
    QCOMPARE(messageOf(other), s_approvalRequired);
}

void ApprovalBrokerTest::refusesAnApprovedPlanWhenThePolicyHasChanged()
{
    prepare();
    m_store->setText(R"({"version":1,"defaults":{"security":"allowlist","ask":"always"}})"_ba);
    QCOMPARE(messageOf(request(ApprovalClaim::Explicit)), s_policyChanged);
    m_store->setText(s_ask);
    QCOMPARE(messageOf(request(ApprovalClaim::Explicit)), s_approvalRequired);
}

void ApprovalBrokerTest::refusesAnApprovedPlanUnderDeny()
{
    m_store->setText(s_deny);
    prepare();
    QCOMPARE(messageOf(request(ApprovalClaim::Explicit)), u"SYSTEM_RUN_DISABLED: security=deny"_s);
}

void ApprovalBrokerTest::believesAClaimedSnapshotOnlyIfItTightens()
{
    m_store->setText(s_full);
    RunRequest claim = request(ApprovalClaim::Explicit);
    claim.claimedSnapshot =
        EffectivePolicy{Security::Allowlist, Ask::OnMiss, Security::Deny, false, {}};
    QCOMPARE(messageOf(claim), s_policyChanged);
    claim.claim = ApprovalClaim::None;
    QCOMPARE(messageOf(claim), QString());
}

void ApprovalBrokerTest::refusesAnApprovedPlanWhenTheFolderHasChanged_data()
{
    QTest::addColumn<int>("change");
    QTest::addColumn<QString>("message");
    QTest::newRow("another folder of that name")
        << 0 << u"SYSTEM_RUN_DENIED: approval cwd identity mismatch"_s;
    QTest::newRow("gone") << 1
                          << u"SYSTEM_RUN_DENIED: approval requires an existing canonical cwd"_s;
    QTest::newRow("a file") << 2 << u"SYSTEM_RUN_DENIED: approval requires cwd to be a directory"_s;
    QTest::newRow("a link") << 3 << u"SYSTEM_RUN_DENIED: approval cwd changed before execution"_s;
}

void ApprovalBrokerTest::refusesAnApprovedPlanWhenTheFolderHasChanged()
{
    QFETCH(int, change);
    QFETCH(QString, message);
    prepare();
    switch (change) {
    case 0:
        m_folders->addFolder(u"/work"_s);
        break;
    case 1:
        m_folders->remove(u"/work"_s);
        break;
    case 2:
        m_folders->addFile(u"/work"_s);
        break;
    default:
        m_folders->addFolder(u"/other"_s);
        m_folders->addLink(u"/work"_s, u"/other"_s);
        break;
    }
    QCOMPARE(messageOf(request(ApprovalClaim::Explicit)), message);
}

void ApprovalBrokerTest::anApprovalOutlivesFurtherRules()
{
    prepare();
    m_store->setText(R"({"version":1,"defaults":{"security":"allowlist","ask":"on-miss"},
        "agents":{"main":{"allowlist":["ls"]}}})"_ba);
    QCOMPARE(messageOf(request(ApprovalClaim::Explicit)), QString());
}

void ApprovalBrokerTest::aReviewElsewhereIsNoApproval()
{
    prepare();
    QCOMPARE(messageOf(request(ApprovalClaim::AutoReview)),
             u"SYSTEM_RUN_DENIED: explicit approval required"_s);
}

void ApprovalBrokerTest::askFallbackNeedsAPlanOfThisNode()
{
    m_store->setText(
        R"({"version":1,"defaults":{"security":"full","ask":"always","askFallback":"full"}})"_ba);
    QCOMPARE(messageOf(request(ApprovalClaim::AskFallback)), s_approvalRequired);
    prepare();
    QCOMPARE(messageOf(request(ApprovalClaim::AskFallback)), QString());
    QCOMPARE(messageOf(request(ApprovalClaim::AskFallback)), s_approvalRequired);
    m_store->setText(
        R"({"version":1,"defaults":{"security":"full","ask":"always","askFallback":"allowlist"}})"_ba);
    prepare();
    QCOMPARE(messageOf(request(ApprovalClaim::AskFallback)), s_approvalRequired);
}

void ApprovalBrokerTest::askFallbackIsCappedWithoutAPlanToo()
{
    // Full would run it; a caller who says that nobody could be asked gets the fallback.
    m_store->setText(s_full);
    QCOMPARE(messageOf(request(ApprovalClaim::AskFallback)),
             u"SYSTEM_RUN_DISABLED: security=deny"_s);
}

QTEST_GUILESS_MAIN(ApprovalBrokerTest)
#include "tst_approvalbroker.moc"
