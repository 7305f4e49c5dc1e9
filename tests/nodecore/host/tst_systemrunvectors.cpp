// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/hostbench.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

/// Cases whose text or reason differs on purpose; why is in nodecore/host/README.md.
bool isWordedDifferently(const QString &name)
{
    // A plan that binds a script was not made here (this node binds none yet), so it does not match.
    return name.startsWith("mode auto"_L1) || name.startsWith("strict inline"_L1)
        || name.startsWith("auto-review"_L1) || name == "approved operand hash drift"_L1;
}

} // namespace

/// Data: the family system-run of the reference's recorded answers. What needs the rules is refused
/// by this node for now; nothing may run that the reference refuses.
class SystemRunVectorsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isNeverLooserThanTheReference_data();
    void isNeverLooserThanTheReference();

private:
    static void setUp(HostBench &bench, const QJsonObject &input);
    static QJsonObject requestOf(HostBench &bench, const QJsonObject &input);
};

void SystemRunVectorsTest::isNeverLooserThanTheReference_data()
{
    QTest::addColumn<QJsonObject>("input");
    QTest::addColumn<QJsonObject>("expected");
    QFile file(QStringLiteral(TELSON_TEST_DATA "/vectors/system-run.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll().replace("${FIXTURE}", "/fixture");
    for (const QJsonValue &entry : QJsonDocument::fromJson(text).object()["cases"_L1].toArray()) {
        QTest::newRow(qPrintable(entry["name"_L1].toString()))
            << entry["input"_L1].toObject() << entry["expected"_L1].toObject();
    }
}

void SystemRunVectorsTest::setUp(HostBench &bench, const QJsonObject &input)
{
    for (const QString &folder : {u"/fixture"_s, u"/fixture/work"_s, u"/fixture/home"_s}) {
        bench.folders.addFolder(folder);
    }
    bench.folders.addLink(u"/fixture/worklink"_s, u"/fixture/work"_s);
    const QJsonObject exec = input["exec"_L1].toObject();
    bench.rules.mode = parseExecMode(exec["mode"_L1].toString()).value_or(ExecMode::Full);
    if (exec["strictInlineEval"_L1].toBool()) {
        bench.rules.inlineEval = InlineEval::NeedsApproval;
    }
    bench.store.setText(QJsonDocument(input["approvals"_L1].toObject()).toJson());
}

QJsonObject SystemRunVectorsTest::requestOf(HostBench &bench, const QJsonObject &input)
{
    QJsonObject request = input["params"_L1].toObject();
    const QJsonValue plan = request["systemRunPlan"_L1];
    if (!plan.isString() && !plan.toObject().contains("$prepare"_L1)) {
        return request;
    }
    QJsonObject prepare = request;
    prepare.remove(u"systemRunPlan"_s);
    if (input.contains("snapshotApprovals"_L1)) {
        bench.store.setText(QJsonDocument(input["snapshotApprovals"_L1].toObject()).toJson());
    }
    const auto call = bench.call(u"system.run.prepare"_s, prepare);
    bench.store.setText(QJsonDocument(input["approvals"_L1].toObject()).toJson());
    QJsonObject prepared = call->payload.value_or(QJsonObject())["plan"_L1].toObject();
    const QJsonObject changes = plan.toObject()["$prepare"_L1].toObject();
    for (auto it = changes.begin(); it != changes.end(); ++it) {
        prepared.insert(it.key(), it.value());
    }
    if (plan.isObject() && changes.isEmpty()) {
        prepared.remove(u"policySnapshot"_s); // the case is about a plan without one
    }
    if (!changes.contains("argv"_L1)) {
        request[u"command"_s] = prepared["argv"_L1];
        request[u"cwd"_s] = prepared["cwd"_L1];
    }
    request[u"systemRunPlan"_s] = prepared;
    return request;
}

void SystemRunVectorsTest::isNeverLooserThanTheReference()
{
    QFETCH(QJsonObject, input);
    QFETCH(QJsonObject, expected);
    HostBench bench;
    setUp(bench, input);
    const auto call = bench.call(u"system.run"_s, requestOf(bench, input));
    const bool runsHere = bench.processes.count() > 0;
    if (expected.contains("prepare"_L1)) {
        // Refused by the reference without a question. Here a person is asked by the gateway, and
        // the request says that one agreed.
        QVERIFY(input["params"_L1]["approved"_L1].toBool() || !runsHere);
        return;
    }
    QVERIFY2(!runsHere || expected["ran"_L1].isObject(), "runs what the reference refuses");
    const QJsonObject result = expected["result"_L1].toObject();
    if (result["ok"_L1].toBool()
        || isWordedDifferently(QString::fromUtf8(QTest::currentDataTag()))) {
        return;
    }
    const QString code = result["code"_L1].toString();
    const QString message = result["message"_L1].toString();
    QVERIFY(call->failure.has_value());
    QCOMPARE(call->failure->code, code);
    const bool isAboutRules = message.endsWith("allowlist miss"_L1)
        || message.endsWith("execution plan mismatch"_L1)
        || message.endsWith("an existing canonical cwd"_L1)
        || message.endsWith("script operand changed before execution"_L1);
    if (code == "INVALID_REQUEST"_L1 || !isAboutRules) {
        QCOMPARE(call->failure->message, message);
    }
    QCOMPARE(call->events.isEmpty(), expected["denied"_L1].isNull());
}

QTEST_GUILESS_MAIN(SystemRunVectorsTest)
#include "tst_systemrunvectors.moc"
