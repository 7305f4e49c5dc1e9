// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/exec/textdecoding.h"

#include <QtTest/QtTest>

#include <limits>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

constexpr qsizetype s_noLimit = std::numeric_limits<int>::max();

/// As many replacement characters.
QString bad(qsizetype count)
{
    return QString(count, QChar(QChar::ReplacementCharacter));
}

} // namespace

class TextDecodingTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void makesOneReplacementOfEachInvalidByte_data();
    void makesOneReplacementOfEachInvalidByte();
    void agreesWithQtOnEveryCharacter();
    void detectsAByteOrderMarkAtTheStart_data();
    void detectsAByteOrderMarkAtTheStart();
    void decodesUtf16_data();
    void decodesUtf16();
    void neverSplitsACharacterAtTheFront_data();
    void neverSplitsACharacterAtTheFront();
    void neverSplitsACharacterAtTheBack_data();
    void neverSplitsACharacterAtTheBack();
    void givesTheSameEndWhereverTheBytesBegin();
};

void TextDecodingTest::makesOneReplacementOfEachInvalidByte_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, const char *hex, const QString &text) {
        QTest::newRow(name) << QByteArray::fromHex(hex) << text;
    };
    row("nothing", "", u""_s);
    row("NUL stays", "610062", QString(u"a"_s + QChar(0) + u'b'));
    row("two bytes", "c3a4", u"ä"_s);
    row("three bytes", "e282ac", u"€"_s);
    row("four bytes", "f09f9880", u"😀"_s);
    row("a mark inside is a character", "61efbbbf62", QString(u"a"_s + QChar(0xfeff) + u'b'));
    row("lone continuation", "61 80 62", QString(u'a' + bad(1) + u'b'));
    row("ff fe inside", "61 ff fe 62", QString(u'a' + bad(2) + u'b'));
    row("cut short by text", "e2 82 41", QString(bad(2) + u'A'));
    row("cut short by the end", "41 f0 9f 98", QString(u'A' + bad(3)));
    row("overlong slash", "c0 af", bad(2));
    row("overlong three", "e0 80 af", bad(3));
    row("overlong four", "f0 80 80 af", bad(4));
    row("surrogate", "ed a0 80", bad(3));
    row("above the last character", "f4 90 80 80", bad(4));
    row("f5", "f5 80", bad(2));
    row("replacement in the source", "ef bf bd", bad(1));
    row("latin 1", "66fc72", QString(u'f' + bad(1) + u'r'));
}

void TextDecodingTest::makesOneReplacementOfEachInvalidByte()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, text);
    QCOMPARE(decodeFront(bytes, TextEncoding::Utf8, s_noLimit), (DecodedText{text, bytes.size()}));
}

void TextDecodingTest::agreesWithQtOnEveryCharacter()
{
    QString all;
    for (char32_t c = 1; c <= 0x10ffff; c += c < 0x3000 ? 1 : 97) {
        if (!QChar::isSurrogate(c)) {
            all += QString::fromUcs4(&c, 1);
        }
    }
    const QByteArray bytes = all.toUtf8();
    QCOMPARE(decodeFront(bytes, TextEncoding::Utf8, s_noLimit).text, all);
}

void TextDecodingTest::detectsAByteOrderMarkAtTheStart_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<TextEncoding>("encoding");
    QTest::addColumn<qsizetype>("markLength");
    const auto row = [](const char *name, const char *hex, TextEncoding encoding,
                        qsizetype length) {
        QTest::newRow(name) << QByteArray::fromHex(hex) << encoding << length;
    };
    row("nothing", "", TextEncoding::Utf8, 0);
    row("text", "616263", TextEncoding::Utf8, 0);
    row("UTF-8", "efbbbf61", TextEncoding::Utf8, 3);
    row("part of a mark", "efbb", TextEncoding::Utf8, 0);
    row("UTF-16LE", "fffe6100", TextEncoding::Utf16LittleEndian, 2);
    row("UTF-16BE", "feff0061", TextEncoding::Utf16BigEndian, 2);
    row("not at the start", "61fffe", TextEncoding::Utf8, 0);
}

void TextDecodingTest::detectsAByteOrderMarkAtTheStart()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const TextEncoding, encoding);
    QFETCH(const qsizetype, markLength);
    QCOMPARE(detectEncoding(bytes), (StreamStart{encoding, markLength}));
}

void TextDecodingTest::decodesUtf16_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<TextEncoding>("encoding");
    QTest::addColumn<QString>("text");
    const auto little = TextEncoding::Utf16LittleEndian;
    const auto big = TextEncoding::Utf16BigEndian;
    QTest::newRow("little") << QByteArray::fromHex("6100ac20") << little << u"a€"_s;
    QTest::newRow("big") << QByteArray::fromHex("006120ac") << big << u"a€"_s;
    QTest::newRow("pair") << QByteArray::fromHex("3dd800de") << little << u"😀"_s;
    QTest::newRow("lone high") << QByteArray::fromHex("3dd86100") << little
                               << QString(bad(1) + u'a');
    QTest::newRow("lone low") << QByteArray::fromHex("00de6100") << little
                              << QString(bad(1) + u'a');
    QTest::newRow("odd byte at the end")
        << QByteArray::fromHex("610062") << little << QString(u'a' + bad(1));
}

void TextDecodingTest::decodesUtf16()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const TextEncoding, encoding);
    QFETCH(const QString, text);
    QCOMPARE(decodeFront(bytes, encoding, s_noLimit), (DecodedText{text, bytes.size()}));
}

void TextDecodingTest::neverSplitsACharacterAtTheFront_data()
{
    QTest::addColumn<qsizetype>("maxUnits");
    QTest::addColumn<QString>("text");
    QTest::addColumn<qsizetype>("byteCount");
    QTest::newRow("0") << qsizetype(0) << u""_s << qsizetype(0);
    QTest::newRow("1") << qsizetype(1) << u"a"_s << qsizetype(1);
    QTest::newRow("2, inside the emoji") << qsizetype(2) << u"a"_s << qsizetype(1);
    QTest::newRow("3") << qsizetype(3) << u"a😀"_s << qsizetype(5);
    QTest::newRow("4") << qsizetype(4) << u"a😀€"_s << qsizetype(8);
    QTest::newRow("more than there is") << qsizetype(9) << u"a😀€"_s << qsizetype(8);
}

void TextDecodingTest::neverSplitsACharacterAtTheFront()
{
    QFETCH(const qsizetype, maxUnits);
    QFETCH(const QString, text);
    QFETCH(const qsizetype, byteCount);
    const QByteArray bytes = u"a😀€"_s.toUtf8();
    QCOMPARE(decodeFront(bytes, TextEncoding::Utf8, maxUnits), (DecodedText{text, byteCount}));
}

void TextDecodingTest::neverSplitsACharacterAtTheBack_data()
{
    QTest::addColumn<qsizetype>("maxUnits");
    QTest::addColumn<QString>("text");
    QTest::addColumn<qsizetype>("byteCount");
    QTest::newRow("0") << qsizetype(0) << u""_s << qsizetype(0);
    QTest::newRow("1") << qsizetype(1) << u"a"_s << qsizetype(1);
    QTest::newRow("2, inside the emoji") << qsizetype(2) << u"a"_s << qsizetype(1);
    QTest::newRow("3") << qsizetype(3) << u"😀a"_s << qsizetype(5);
    QTest::newRow("4") << qsizetype(4) << u"€😀a"_s << qsizetype(8);
}

void TextDecodingTest::neverSplitsACharacterAtTheBack()
{
    QFETCH(const qsizetype, maxUnits);
    QFETCH(const QString, text);
    QFETCH(const qsizetype, byteCount);
    const QByteArray bytes = u"xxxxxxxxxxxxxxxxxxxx€😀a"_s.toUtf8();
    QCOMPARE(decodeBack(bytes, TextEncoding::Utf8, maxUnits), (DecodedText{text, byteCount}));
    for (const auto encoding : {TextEncoding::Utf16LittleEndian, TextEncoding::Utf16BigEndian}) {
        QByteArray wide;
        for (const QChar c : u"xxxxxxxxxxxxxxxxxxxx€😀a"_s) {
            const bool isLittle = encoding == TextEncoding::Utf16LittleEndian;
            wide += static_cast<char>(isLittle ? c.cell() : c.row());
            wide += static_cast<char>(isLittle ? c.row() : c.cell());
        }
        QCOMPARE(decodeBack(wide, encoding, maxUnits).text, text);
    }
}

void TextDecodingTest::givesTheSameEndWhereverTheBytesBegin()
{
    // A buffer that lost its beginning may start anywhere inside "€"; the end is the same.
    const QByteArray bytes = u"€€€€€€€€€€€€"_s.toUtf8();
    for (qsizetype cut = 0; cut < 9; ++cut) {
        QCOMPARE(decodeBack(bytes.sliced(cut), TextEncoding::Utf8, 5).text, u"€€€€€"_s);
    }
    QCOMPARE(decodeBack(bytes.sliced(1), TextEncoding::Utf8, 100).text, QString(11, u'€'));
    QCOMPARE(decodeBack(bytes.sliced(1), TextEncoding::Utf8, 100).byteCount, 33);
}

QTEST_GUILESS_MAIN(TextDecodingTest)
#include "tst_textdecoding.moc"
