// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/approvalscodec.h"
#include "nodecore/storage/approvalsnormalizer.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QRegularExpression>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

/// The reference takes the last of two keys; here neither counts (stricter).
constexpr auto s_repeatedKey = R"({"version":1,"version":2})";

/// Made ids differ each time; the recorded answers have "$uuid" there.
QString withoutIds(const QByteArray &json)
{
    static const QRegularExpression id(
        u"\"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\""_s);
    return QString::fromUtf8(json).replace(id, u"\"$uuid\""_s);
}

QByteArray toJson(const QJsonValue &value)
{
    return QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
}

QJsonObject toObject(const QString &json)
{
    return QJsonDocument::fromJson(json.toUtf8()).object();
}

} // namespace

/// Data: the family approvals-file of the reference's recorded answers, without the kinds that
/// `policy` answers.
class ApprovalsVectorsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersLikeTheReference_data();
    void answersLikeTheReference();

private:
    static void comparePersisted(const QJsonObject &input, const QJsonObject &expected);
    static void compareIncoming(const QJsonObject &input, const QJsonObject &expected);
    static void compareRedacted(const QJsonObject &input, const QJsonObject &expected);
    static void compareSocket(const QJsonObject &input, const QJsonObject &expected);
    static void compareBaseHash(const QJsonObject &input, const QJsonObject &expected);
};

void ApprovalsVectorsTest::answersLikeTheReference_data()
{
    QTest::addColumn<QJsonObject>("input");
    QTest::addColumn<QJsonObject>("expected");
    const QStringList kinds{u"persisted"_s, u"incoming"_s, u"redact"_s, u"merge-socket"_s,
                            u"base-hash"_s};
    QFile file(QStringLiteral(TELSON_TEST_DATA "/vectors/approvals-file.json"));
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.errorString()));
    const QJsonArray cases = QJsonDocument::fromJson(file.readAll()).object()["cases"_L1].toArray();
    qsizetype count = 0;
    for (const QJsonValue &value : cases) {
        const QJsonObject one = value.toObject();
        if (kinds.contains(one["input"_L1]["kind"_L1].toString())) {
            ++count;
            QTest::newRow(one["name"_L1].toString().toUtf8().constData())
                << one["input"_L1].toObject() << one["expected"_L1].toObject();
        }
    }
    QCOMPARE(count, 124);
}

void ApprovalsVectorsTest::answersLikeTheReference()
{
    QFETCH(const QJsonObject, input);
    QFETCH(const QJsonObject, expected);
    const QString kind = input["kind"_L1].toString();
    if (kind == "persisted"_L1) {
        comparePersisted(input, expected);
    } else if (kind == "incoming"_L1) {
        compareIncoming(input, expected);
    } else if (kind == "redact"_L1) {
        compareRedacted(input, expected);
    } else if (kind == "merge-socket"_L1) {
        compareSocket(input, expected);
    } else {
        compareBaseHash(input, expected);
    }
}

void ApprovalsVectorsTest::comparePersisted(const QJsonObject &input, const QJsonObject &expected)
{
    const QJsonObject snapshot = expected["snapshot"_L1].toObject();
    if (input["raw"_L1].isNull()) {
        QCOMPARE(approvalsHash(std::nullopt), snapshot["hash"_L1].toString());
        return;
    }
    const QByteArray raw = input["raw"_L1].toString().toUtf8();
    QCOMPARE(approvalsHash(raw), snapshot["hash"_L1].toString());
    const Result<NormalApprovals> normal = normalizeStoredApprovals(raw);
    QCOMPARE(normal.has_value(), expected["ok"_L1].toBool());
    if (raw == s_repeatedKey) {
        return; // refused by both, for another reason
    }
    if (!normal) {
        // Ours goes on to say where.
        QVERIFY2(normal.error().message.startsWith(expected["error"_L1].toString()),
                 qPrintable(normal.error().message));
        QCOMPARE(toObject(QString::fromUtf8(denyAllApprovals())), snapshot["file"_L1].toObject());
        return;
    }
    QCOMPARE(withoutIds(normal->json), expected["serialized"_L1].toString());
    QVERIFY(normal->ignored.isEmpty());
}

void ApprovalsVectorsTest::compareIncoming(const QJsonObject &input, const QJsonObject &expected)
{
    const Result<NormalApprovals> normal =
        normalizeIncomingApprovals(input["file"_L1].toString().toUtf8());
    if (input["file"_L1].toString() == QLatin1StringView(s_repeatedKey)) {
        QVERIFY(!normal);
        return;
    }
    QCOMPARE(normal.has_value(), !expected["throws"_L1].toBool());
    if (normal) {
        QCOMPARE(withoutIds(normal->json), expected["serialized"_L1].toString());
    }
}

void ApprovalsVectorsTest::compareRedacted(const QJsonObject &input, const QJsonObject &expected)
{
    const QByteArray document = toJson(input["snapshot"_L1]["file"_L1]);
    QCOMPARE(toObject(QString::fromUtf8(redactedApprovals(document))),
             expected["file"_L1].toObject());
}

void ApprovalsVectorsTest::compareSocket(const QJsonObject &input, const QJsonObject &expected)
{
    const QJsonObject socket = input["current"_L1]["socket"_L1].toObject();
    const Result<QByteArray> merged =
        replacementApprovals(toJson(input["incoming"_L1]), toJson(input["current"_L1]));
    QVERIFY(merged.has_value());
    // Stricter on purpose where the sender names a socket: ours stays (node-commands.md §5.2), so
    // that nobody can plant a token that he knows.
    QCOMPARE(toObject(QString::fromUtf8(*merged))["socket"_L1].toObject(), socket);
    const QJsonObject theirs = input["incoming"_L1]["socket"_L1].toObject();
    if (theirs["path"_L1].toString().trimmed().isEmpty()) {
        QCOMPARE(expected["socket"_L1].toObject(), socket);
    }
}

void ApprovalsVectorsTest::compareBaseHash(const QJsonObject &input, const QJsonObject &expected)
{
    const QJsonObject snapshot = input["snapshot"_L1].toObject();
    const QJsonValue base = input["baseHash"_L1];
    const Result<void> checked =
        checkBaseHash(snapshot["exists"_L1].toBool(), snapshot["hash"_L1].toString(),
                      base.isNull() ? std::nullopt : std::optional(base.toString()));
    QCOMPARE(checked.has_value(), expected["ok"_L1].toBool());
    if (!checked) {
        QCOMPARE(u"INVALID_REQUEST: "_s + checked.error().message, expected["error"_L1].toString());
        QCOMPARE(toString(checked.error().code), toString(ErrorCode::InvalidArgument));
    }
}

QTEST_GUILESS_MAIN(ApprovalsVectorsTest)
#include "tst_approvalsvectors.moc"
