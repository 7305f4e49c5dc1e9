// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/jsontext.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class JsonTextTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptsJson_data();
    void acceptsJson();
    void saysWhereItIsNot_data();
    void saysWhereItIsNot();
};

void JsonTextTest::acceptsJson_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("object") << "{\"a\":[1,2.5,null,true,\"x\"]}"_ba;
    QTest::newRow("with space around") << " \n{}\t "_ba;
    QTest::newRow("a number") << "5"_ba;
    QTest::newRow("64 levels") << QByteArray(64, '[') + QByteArray(64, ']');
    QTest::newRow("brackets in a text") << "\""_ba + QByteArray(100, '[') + "\"";
}

void JsonTextTest::acceptsJson()
{
    QFETCH(const QByteArray, text);
    QVERIFY(checkJsonText(text).has_value());
}

void JsonTextTest::saysWhereItIsNot_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("nothing") << QByteArray() << u"invalid JSON syntax (line 1, column 1)"_s;
    QTest::newRow("a comma too many")
        << "{\n  \"a\": 1,\n}\n"_ba << u"invalid JSON syntax (line 3, column 1)"_s;
    QTest::newRow("a comment") << "{ // x\n}"_ba << u"invalid JSON syntax (line 1, column 3)"_s;
    QTest::newRow("two documents") << "{} {}"_ba << u"invalid JSON syntax (line 1, column 4)"_s;
    QTest::newRow("bytes that are not UTF-8")
        << "{\"a\":\"\xff\"}"_ba << u"invalid JSON syntax (line 1, column 7)"_s;
    QTest::newRow("a byte order mark")
        << "\xEF\xBB\xBF{}"_ba
        << u"invalid JSON syntax (it starts with a byte order mark; save it as UTF-8 without one)"_s;
    QTest::newRow("a key twice") << R"({"a":1,"b":{"a":1},"a":2})"_ba
                                 << u"a key stands twice in one object"_s;
    QTest::newRow("a key twice, spelt otherwise")
        << R"([{"a":1,"\u0061":2}])"_ba << u"a key stands twice in one object"_s;
    QTest::newRow("65 levels") << QByteArray(65, '[') + QByteArray(65, ']')
                               << u"nested deeper than 64 levels"_s;
    QTest::newRow("a bomb of brackets")
        << QByteArray(1'000'000, '[') << u"nested deeper than 64 levels"_s;
}

void JsonTextTest::saysWhereItIsNot()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, message);
    const Result<void> checked = checkJsonText(text);
    QVERIFY(!checked);
    QCOMPARE(checked.error().message, message);
    QCOMPARE(toString(checked.error().code), toString(ErrorCode::InvalidArgument));
}

QTEST_GUILESS_MAIN(JsonTextTest)
#include "tst_jsontext.moc"
