// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/requestfields.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class RequestFieldsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEachType();
    void takesNullAndAbsentAsNothing();
    void namesAFieldOfTheWrongType_data();
    void namesAFieldOfTheWrongType();
    void refusesWhatIsNoObject_data();
    void refusesWhatIsNoObject();
    void innerObjectsOutliveTheOuterOne();
};

void RequestFieldsTest::readsEachType()
{
    const auto fields =
        RequestFields::parse(R"({"t":"ä\u0000b","l":["a",""],"m":{"b":"2","a":"1"},"f":true,
        "n":1.5,"o":{"x":1},"a":[{"t":"1"},{"t":"2"}],"unknown":[[1]]})"_ba);
    QVERIFY(fields.has_value());
    QCOMPARE(**fields->text("t"_L1), u"ä\0b"_s);
    QCOMPARE(**fields->texts("l"_L1), QStringList({u"a"_s, QString()}));
    QCOMPARE((*fields->textMap("m"_L1))->keys(), QStringList({u"a"_s, u"b"_s}));
    QCOMPARE(**fields->flag("f"_L1), true);
    QCOMPARE(**fields->number("n"_L1), 1.5);
    QCOMPARE(**(*fields->object("o"_L1))->number("x"_L1), 1.0);
    QCOMPARE((*fields->objects("a"_L1))->size(), 2);
    QCOMPARE(fields->json("o"_L1), R"({"x":1})"_ba);
    QVERIFY(fields->has("unknown"_L1));
}

void RequestFieldsTest::takesNullAndAbsentAsNothing()
{
    const auto fields = RequestFields::parse(R"({"x":null})"_ba);
    QVERIFY(fields.has_value());
    for (const QLatin1StringView name : {"x"_L1, "y"_L1}) {
        QVERIFY(!fields->has(name));
        QVERIFY(!fields->text(name)->has_value());
        QVERIFY(!fields->texts(name)->has_value());
        QVERIFY(!fields->textMap(name)->has_value());
        QVERIFY(!fields->flag(name)->has_value());
        QVERIFY(!fields->number(name)->has_value());
        QVERIFY(!fields->object(name)->has_value());
        QVERIFY(!fields->objects(name)->has_value());
        QVERIFY(fields->json(name).isEmpty());
    }
}

void RequestFieldsTest::namesAFieldOfTheWrongType_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("message");
    QTest::newRow("text") << R"({"text":1})"_ba << u"text must be a string"_s;
    QTest::newRow("element") << R"({"texts":["a",1]})"_ba << u"texts[1] must be a string"_s;
    QTest::newRow("null element") << R"({"texts":[null]})"_ba << u"texts[0] must be a string"_s;
    QTest::newRow("list") << R"({"texts":"a"})"_ba << u"texts must be an array of strings"_s;
    QTest::newRow("map value") << R"({"map":{"A":null}})"_ba << u"map.A must be a string"_s;
    QTest::newRow("map") << R"({"map":[]})"_ba << u"map must be an object of strings"_s;
    QTest::newRow("flag") << R"({"flag":"true"})"_ba << u"flag must be true or false"_s;
    QTest::newRow("number") << R"({"number":"1"})"_ba << u"number must be a number"_s;
    QTest::newRow("object") << R"({"object":[]})"_ba << u"object must be an object"_s;
    QTest::newRow("inner text") << R"({"object":{"text":1}})"_ba
                                << u"object.text must be a string"_s;
    QTest::newRow("objects") << R"({"objects":{}})"_ba << u"objects must be an array of objects"_s;
    QTest::newRow("object in a list")
        << R"({"objects":[{},1]})"_ba << u"objects[1] must be an object"_s;
    QTest::newRow("text in a list")
        << R"({"objects":[{},{"text":1}]})"_ba << u"objects[1].text must be a string"_s;
}

void RequestFieldsTest::namesAFieldOfTheWrongType()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, message);
    const auto fields = RequestFields::parse(json);
    QVERIFY(fields.has_value());
    QStringList messages;
    const auto note = [&messages](const auto &result) {
        if (!result.has_value()) {
            QCOMPARE(toString(result.error().code), toString(ErrorCode::InvalidArgument));
            messages.append(result.error().message);
        }
    };
    note(fields->text("text"_L1));
    note(fields->texts("texts"_L1));
    note(fields->textMap("map"_L1));
    note(fields->flag("flag"_L1));
    note(fields->number("number"_L1));
    note(fields->object("object"_L1));
    note(fields->objects("objects"_L1));
    if (const auto object = fields->object("object"_L1);
        object.has_value() && object->has_value()) {
        note((*object)->text("text"_L1));
    }
    if (const auto objects = fields->objects("objects"_L1);
        objects.has_value() && objects->has_value()) {
        note((*objects)->last().text("text"_L1));
    }
    QCOMPARE(messages, QStringList(message));
}

void RequestFieldsTest::refusesWhatIsNoObject_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("nothing") << ""_ba;
    QTest::newRow("array") << "[]"_ba;
    QTest::newRow("null") << "null"_ba;
    QTest::newRow("torn") << R"({"a":)"_ba;
    QTest::newRow("two") << "{}{}"_ba;
    QTest::newRow("not utf-8") << "{\"a\":\"\xFF\"}"_ba;
    QTest::newRow("half a character") << R"({"a":"\ud800"})"_ba;
    QTest::newRow("deep") << "{\"a\":"_ba + QByteArray(100, '[') + QByteArray(100, ']') + "}";
    QTest::newRow("long") << "{\"a\":\""_ba + QByteArray(17 * 1024 * 1024, 'x') + "\"}";
}

void RequestFieldsTest::refusesWhatIsNoObject()
{
    QFETCH(QByteArray, json);
    const auto fields = RequestFields::parse(json);
    QVERIFY(!fields.has_value());
    QCOMPARE(toString(fields.error().code), toString(ErrorCode::InvalidArgument));
}

void RequestFieldsTest::innerObjectsOutliveTheOuterOne()
{
    std::optional<RequestFields> inner;
    {
        const auto outer = RequestFields::parse(R"({"o":{"t":"x"}})"_ba);
        inner = **outer->object("o"_L1);
    }
    QCOMPARE(**inner->text("t"_L1), u"x"_s);
}

QTEST_GUILESS_MAIN(RequestFieldsTest)
#include "tst_requestfields.moc"
