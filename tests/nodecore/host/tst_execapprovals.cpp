// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/hostbench.h"

#include <QtCore/QJsonArray>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

const auto s_ask =
    R"({"version":1,"defaults":{"security":"allowlist","ask":"on-miss"},"agents":{"main":{"allowlist":[{"id":"1","pattern":"git"}]}}})"_ba;

QJsonObject askWithout(const QString &field, const QJsonValue &value)
{
    QJsonObject defaults{{u"security"_s, u"allowlist"_s}, {u"ask"_s, u"on-miss"_s}};
    defaults[field] = value;
    return {{u"version"_s, 1}, {u"defaults"_s, defaults}};
}

} // namespace

class ExecApprovalsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void answersTheDocument();
    void answersWithoutADocument();
    void theDefaultsAreTheEffectiveOnes();
    void aBrokenDocumentIsShownAsDeny();

    void replacesByATighterDocument();
    void refusesALooserDocument();
    void refusesUnderTheModeToo();
    void comparesBeforeItSwaps_data();
    void comparesBeforeItSwaps();
    void refusesWithoutAFile();
    void refusesWhileTheDocumentIsBroken();
    void reportsAFailingDisk();

private:
    [[nodiscard]] std::shared_ptr<HostCall> set(const QJsonObject &file);

    std::unique_ptr<HostBench> m_bench;
};

void ExecApprovalsTest::init()
{
    m_bench = std::make_unique<HostBench>();
    m_bench->store.setText(s_ask);
}

std::shared_ptr<HostCall> ExecApprovalsTest::set(const QJsonObject &file)
{
    return m_bench->call(u"system.execApprovals.set"_s,
                         {{u"file"_s, file}, {u"baseHash"_s, m_bench->store.current().hash}});
}

void ExecApprovalsTest::answersTheDocument()
{
    const auto call =
        m_bench->call(u"system.execApprovals.get"_s, {{u"includeResolvedDefaults"_s, true}});
    QVERIFY(call->payload.has_value());
    QCOMPARE(call->payload->keys(),
             QStringList({u"exists"_s, u"file"_s, u"hash"_s, u"path"_s, u"resolvedDefaults"_s}));
    QCOMPARE((*call->payload)[u"exists"_s], QJsonValue(true));
    QCOMPARE((*call->payload)[u"hash"_s], QJsonValue(m_bench->store.current().hash));
    QCOMPARE((*call->payload)[u"file"_s][u"agents"_s][u"main"_s][u"allowlist"_s][0][u"pattern"_s],
             QJsonValue(u"git"_s));
}

void ExecApprovalsTest::answersWithoutADocument()
{
    m_bench->store.setText({});
    const auto call = m_bench->call(u"system.execApprovals.get"_s, {});
    QCOMPARE((*call->payload)[u"exists"_s], QJsonValue(false));
    QCOMPARE(
        (*call->payload)[u"hash"_s],
        QJsonValue(u"missing:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"_s));
    QCOMPARE((*call->payload)[u"file"_s], QJsonValue(QJsonObject{{u"version"_s, 1}}));
}

void ExecApprovalsTest::theDefaultsAreTheEffectiveOnes()
{
    m_bench->store.setText(
        R"({"version":1,"defaults":{"askFallback":"full"},"agents":{"*":{"security":"deny"}}})"_ba);
    m_bench->rules.mode = ExecMode::Ask;
    const auto call = m_bench->call(u"system.execApprovals.get"_s, {});
    const QJsonObject expected{{u"security"_s, u"allowlist"_s},
                               {u"ask"_s, u"on-miss"_s},
                               {u"askFallback"_s, u"allowlist"_s},
                               {u"autoAllowSkills"_s, false}};
    QCOMPARE((*call->payload)[u"resolvedDefaults"_s].toObject(), expected);
}

void ExecApprovalsTest::aBrokenDocumentIsShownAsDeny()
{
    m_bench->store.setBroken(u"defaults.security: unknown word"_s);
    const auto call = m_bench->call(u"system.execApprovals.get"_s, {});
    QCOMPARE((*call->payload)[u"resolvedDefaults"_s][u"security"_s], QJsonValue(u"deny"_s));
    QCOMPARE((*call->payload)[u"file"_s][u"defaults"_s][u"security"_s], QJsonValue(u"deny"_s));
    QCOMPARE((*call->payload)[u"hash"_s], QJsonValue(m_bench->store.current().hash));
}

void ExecApprovalsTest::replacesByATighterDocument()
{
    const auto call = set(askWithout(u"ask"_s, u"always"_s));
    QVERIFY(call->payload.has_value());
    QCOMPARE((*call->payload)[u"file"_s][u"defaults"_s][u"ask"_s], QJsonValue(u"always"_s));
    QCOMPARE((*call->payload)[u"hash"_s], QJsonValue(m_bench->store.current().hash));
    QCOMPARE(toString(m_bench->broker->policy(u"main"_s).ask), toString(Ask::Always));
}

void ExecApprovalsTest::refusesALooserDocument()
{
    const auto call = set(askWithout(u"security"_s, u"full"_s));
    QCOMPARE(call->failure->code, u"INVALID_REQUEST"_s);
    const QString message = call->failure->message;
    QVERIFY2(message.startsWith(
                 "INVALID_REQUEST: exec approvals can only be tightened from a gateway"_L1),
             qPrintable(message));
    QVERIFY(message.contains("security: would go from allowlist to full"_L1));
    QCOMPARE(m_bench->store.text(), s_ask);
}

void ExecApprovalsTest::refusesUnderTheModeToo()
{
    m_bench->store.setText(R"({"version":1})"_ba);
    m_bench->rules.mode = ExecMode::Ask;
    const QJsonObject rules{{u"main"_s, QJsonObject{{u"allowlist"_s, QJsonArray{u"git"_s}}}}};
    const auto call = set({{u"version"_s, 1}, {u"agents"_s, rules}});
    QVERIFY(call->failure->message.contains("allowlist: the entry 'git' is new"_L1));
}

void ExecApprovalsTest::comparesBeforeItSwaps_data()
{
    QTest::addColumn<QJsonValue>("baseHash");
    QTest::addColumn<QString>("message");
    QTest::newRow("absent")
        << QJsonValue()
        << u"INVALID_REQUEST: exec approvals base hash required; reload and retry"_s;
    QTest::newRow("stale") << QJsonValue(u"0000"_s)
                           << u"INVALID_REQUEST: exec approvals changed; reload and retry"_s;
}

void ExecApprovalsTest::comparesBeforeItSwaps()
{
    QFETCH(QJsonValue, baseHash);
    QFETCH(QString, message);
    const auto call =
        m_bench->call(u"system.execApprovals.set"_s,
                      {{u"file"_s, QJsonObject{{u"version"_s, 1}}}, {u"baseHash"_s, baseHash}});
    QCOMPARE(call->failure, CommandFailure({u"INVALID_REQUEST"_s, message}));
}

void ExecApprovalsTest::refusesWithoutAFile()
{
    const auto call = m_bench->call(u"system.execApprovals.set"_s, {});
    QCOMPARE(
        call->failure,
        CommandFailure({u"INVALID_REQUEST"_s, u"INVALID_REQUEST: exec approvals file required"_s}));
}

void ExecApprovalsTest::refusesWhileTheDocumentIsBroken()
{
    m_bench->store.setBroken(u"line 1"_s);
    const auto call = set({{u"version"_s, 1}});
    QCOMPARE(call->failure->code, u"INVALID_REQUEST"_s);
}

void ExecApprovalsTest::reportsAFailingDisk()
{
    m_bench->store.failNextWrite();
    const auto call = set(askWithout(u"security"_s, u"deny"_s));
    QCOMPARE(call->failure, CommandFailure({u"UNAVAILABLE"_s, u"no space left on device"_s}));
}

QTEST_GUILESS_MAIN(ExecApprovalsTest)
#include "tst_execapprovals.moc"
