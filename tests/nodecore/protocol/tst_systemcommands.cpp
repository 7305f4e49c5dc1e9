// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/systemcommands.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class SystemCommandsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhich_data();
    void readsWhich();
    void writesWhich();
    void readsExecApprovalsSet();
    void refusesExecApprovalsSetWithoutAFile_data();
    void refusesExecApprovalsSetWithoutAFile();
    void writesExecApprovalsWithExactlyTheseKeys();
    void refusesToWriteADocumentThatIsNone();
};

void SystemCommandsTest::readsWhich_data()
{
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QStringList>("bins");
    QTest::addColumn<QString>("error");
    QByteArray many = "{\"bins\":[\"x\"";
    for (int number = 0; number < 256; ++number) {
        many += ",\"x\"";
    }
    QTest::newRow("two") << R"({"bins":["git","rg"]})"_ba << QStringList({u"git"_s, u"rg"_s})
                         << QString();
    QTest::newRow("none") << "{}"_ba << QStringList() << u"bins required"_s;
    QTest::newRow("null") << R"({"bins":null})"_ba << QStringList() << u"bins required"_s;
    QTest::newRow("empty") << R"({"bins":[]})"_ba << QStringList() << u"bins required"_s;
    QTest::newRow("text") << R"({"bins":"git"})"_ba << QStringList()
                          << u"bins must be an array of strings"_s;
    QTest::newRow("number") << R"({"bins":["git",1]})"_ba << QStringList()
                            << u"bins[1] must be a string"_s;
    QTest::newRow("too many") << many + "]}" << QStringList()
                              << u"bins has 257 names, more than 256"_s;
    QTest::newRow("no object") << "[]"_ba << QStringList() << u"params must be a json object"_s;
}

void SystemCommandsTest::readsWhich()
{
    QFETCH(QByteArray, params);
    QFETCH(QStringList, bins);
    QFETCH(QString, error);
    const auto decoded = decodeWhich(params);
    QCOMPARE(decoded.has_value(), error.isEmpty());
    if (decoded.has_value()) {
        QCOMPARE(*decoded, bins);
    } else {
        QCOMPARE(decoded.error(), Error({ErrorCode::InvalidArgument, error}));
    }
}

void SystemCommandsTest::writesWhich()
{
    QCOMPARE(encodeWhich({}), R"({"bins":{}})"_ba);
    QCOMPARE(encodeWhich({{u"git"_s, u"/usr/bin/git"_s}}), R"({"bins":{"git":"/usr/bin/git"}})"_ba);
}

void SystemCommandsTest::readsExecApprovalsSet()
{
    const auto params =
        decodeExecApprovalsSet(R"({"file":{"version":1,"x":[1.0]},"baseHash":"h"})"_ba);
    QVERIFY(params.has_value());
    QCOMPARE(params->documentJson, R"({"version":1,"x":[1.0]})"_ba);
    QCOMPARE(params->baseHash, u"h"_s);
    QVERIFY(!decodeExecApprovalsSet(R"({"file":{},"baseHash":null})"_ba)->baseHash.has_value());
    QCOMPARE(decodeExecApprovalsSet(R"({"file":{},"baseHash":1})"_ba).error().message,
             u"baseHash must be a string"_s);
}

void SystemCommandsTest::refusesExecApprovalsSetWithoutAFile_data()
{
    QTest::addColumn<QByteArray>("params");
    QTest::newRow("absent") << R"({"baseHash":"h"})"_ba;
    QTest::newRow("null") << R"({"file":null,"baseHash":"h"})"_ba;
    QTest::newRow("text") << R"({"file":"{}","baseHash":"h"})"_ba;
    QTest::newRow("native form") << R"({"rules":[],"baseHash":"h"})"_ba;
}

void SystemCommandsTest::refusesExecApprovalsSetWithoutAFile()
{
    QFETCH(QByteArray, params);
    QCOMPARE(decodeExecApprovalsSet(params).error(),
             Error({ErrorCode::InvalidArgument, u"exec approvals file required"_s}));
}

void SystemCommandsTest::writesExecApprovalsWithExactlyTheseKeys()
{
    const auto json = encodeExecApprovals({u"/p/exec-approvals.json"_s, true, u"h"_s,
                                           R"({"version":1,"agents":{"main":{"x":1}}})"_ba,
                                           u"allowlist"_s, u"on-miss"_s, u"deny"_s, false});
    QVERIFY(json.has_value());
    QCOMPARE(
        *json,
        R"({"path":"/p/exec-approvals.json","exists":true,"hash":"h",)"
        R"("file":{"version":1,"agents":{"main":{"x":1}}},)"
        R"("resolvedDefaults":{"security":"allowlist","ask":"on-miss","askFallback":"deny","autoAllowSkills":false}})"_ba);
}

void SystemCommandsTest::refusesToWriteADocumentThatIsNone()
{
    for (const QByteArray &text : {""_ba, "[]"_ba, "{"_ba}) {
        QCOMPARE(
            toString(encodeExecApprovals({{}, false, {}, text, {}, {}, {}, false}).error().code),
            toString(ErrorCode::Protocol));
    }
}

QTEST_GUILESS_MAIN(SystemCommandsTest)
#include "tst_systemcommands.moc"
