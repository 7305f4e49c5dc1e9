// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/exec/outputcapture.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

OutputCapture captured(const QByteArray &bytes, qsizetype chunk = 4096)
{
    OutputCapture capture;
    for (qsizetype at = 0; at < bytes.size(); at += chunk) {
        capture.append(QByteArrayView(bytes).sliced(at).first(qMin(chunk, bytes.size() - at)));
    }
    return capture;
}

/// "0\n1\n2\n…", at least so many bytes.
QByteArray numbers(qsizetype size)
{
    QByteArray bytes;
    for (int i = 0; bytes.size() < size; ++i) {
        bytes += QByteArray::number(i) + '\n';
    }
    return bytes;
}

struct Pieces
{
    QString head;
    qint64 leftOut = -1;
    QString tail;
};

Pieces split(const QString &text)
{
    static const QRegularExpression s_marker(u"^\\[… ([0-9,]+) bytes left out …\\]\\n"_s,
                                             QRegularExpression::MultilineOption);
    const auto match = s_marker.match(text);
    if (!match.hasMatch()) {
        return {text, -1, {}};
    }
    return {text.first(match.capturedStart()), match.captured(1).remove(u',').toLongLong(),
            text.sliced(match.capturedEnd())};
}

} // namespace

class OutputCaptureTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsWhatFits_data();
    void keepsWhatFits();
    void countsEveryByteLeftOut_data();
    void countsEveryByteLeftOut();
    void doesNotDependOnTheChunks_data();
    void doesNotDependOnTheChunks();
    void putsTheMarkerOnALineOfItsOwn();
    void neverPushesOutTheOtherStream_data();
    void neverPushesOutTheOtherStream();
    void inventsNoReplacementAtTheCapBorders();
    void stopsAtAByteOrderMark();
    void decodesALongUtf16Stream();
    void staysSmall();
};

void OutputCaptureTest::keepsWhatFits_data()
{
    QTest::addColumn<qsizetype>("size");
    QTest::newRow("nothing") << qsizetype(0);
    QTest::newRow("one byte") << qsizetype(1);
    QTest::newRow("one below") << s_maxOutputUnits - 1;
    QTest::newRow("all") << s_maxOutputUnits;
}

void OutputCaptureTest::keepsWhatFits()
{
    QFETCH(const qsizetype, size);
    const OutputTexts texts = cappedTexts(captured(QByteArray(size, 'x')), {});
    QCOMPARE(texts.standardOutput, QString(size, u'x'));
    QCOMPARE(texts.standardError, QString());

    // Three bytes a unit reach into the second buffer and are whole all the same.
    const QString wide(size, u'€');
    QCOMPARE(cappedTexts(captured(wide.toUtf8()), {}).standardOutput, wide);
}

void OutputCaptureTest::countsEveryByteLeftOut_data()
{
    QTest::addColumn<qsizetype>("size");
    for (const qsizetype size :
         {s_maxOutputUnits + 1, qsizetype(98'304), qsizetype(98'305), qsizetype(196'608),
          qsizetype(294'912), qsizetype(294'913), qsizetype(300'000), qsizetype(2'000'001)}) {
        QTest::addRow("%lld bytes", static_cast<long long>(size)) << size;
    }
}

void OutputCaptureTest::countsEveryByteLeftOut()
{
    QFETCH(const qsizetype, size);
    const QByteArray bytes = numbers(size);
    const QString text = cappedTexts(captured(bytes), {}).standardOutput;
    const Pieces pieces = split(text);
    QVERIFY(text.size() <= s_maxOutputUnits);
    QVERIFY(text.size() > s_maxOutputUnits - 100);
    QVERIFY(pieces.leftOut > 0);
    const QByteArray head = pieces.head.toUtf8();
    const QByteArray tail = pieces.tail.toUtf8();
    // The head may have got a line break before the marker.
    QVERIFY(bytes.startsWith(head) || bytes.startsWith(head.chopped(1)));
    QVERIFY(bytes.endsWith(tail));
    const qint64 headBytes =
        bytes.startsWith(head) && bytes.at(head.size() - 1) == '\n' ? head.size() : head.size() - 1;
    const bool addedBreak = headBytes + pieces.leftOut + tail.size() == bytes.size() - 1;
    QCOMPARE(headBytes + pieces.leftOut + tail.size() + (addedBreak ? 1 : 0), bytes.size());
}

void OutputCaptureTest::doesNotDependOnTheChunks_data()
{
    QTest::addColumn<qsizetype>("chunk");
    for (const qsizetype chunk : {1, 7, 1000, 65'536, 98'305, 200'001, 10'000'000}) {
        QTest::addRow("%lld bytes", static_cast<long long>(chunk)) << chunk;
    }
}

void OutputCaptureTest::doesNotDependOnTheChunks()
{
    QFETCH(const qsizetype, chunk);
    const QByteArray bytes = u"ä€😀 text\n"_s.toUtf8().repeated(30'000);
    const QString expected = cappedTexts(captured(bytes), {}).standardOutput;
    QVERIFY(!expected.contains(QChar(QChar::ReplacementCharacter)));
    QCOMPARE(cappedTexts(captured(bytes, chunk), {}).standardOutput, expected);
}

void OutputCaptureTest::putsTheMarkerOnALineOfItsOwn()
{
    const QString text = cappedTexts(captured(QByteArray(301'203, 'x')), {}).standardOutput;
    QCOMPARE(text.count(u'\n'), 2);
    QVERIFY(text.contains(u"x\n[… 241,267 bytes left out …]\nx"_s));
}

void OutputCaptureTest::neverPushesOutTheOtherStream_data()
{
    QTest::addColumn<qsizetype>("outSize");
    QTest::addColumn<qsizetype>("errSize");
    QTest::addColumn<bool>("keepsOut");
    QTest::addColumn<bool>("keepsErr");
    QTest::newRow("long out") << qsizetype(1'000'000) << qsizetype(500) << false << true;
    QTest::newRow("long err") << qsizetype(500) << qsizetype(1'000'000) << true << false;
    QTest::newRow("half err") << qsizetype(1'000'000) << qsizetype(30'000) << false << true;
    QTest::newRow("both long") << qsizetype(1'000'000) << qsizetype(1'000'000) << false << false;
    QTest::newRow("both just too long") << qsizetype(30'001) << qsizetype(30'001) << false << false;
    QTest::newRow("both fit") << qsizetype(20'000) << qsizetype(40'000) << true << true;
}

void OutputCaptureTest::neverPushesOutTheOtherStream()
{
    QFETCH(const qsizetype, outSize);
    QFETCH(const qsizetype, errSize);
    QFETCH(const bool, keepsOut);
    QFETCH(const bool, keepsErr);
    const OutputTexts texts =
        cappedTexts(captured(QByteArray(outSize, 'o')), captured(QByteArray(errSize, 'e')));
    QVERIFY(texts.standardOutput.size() + texts.standardError.size() <= s_maxOutputUnits);
    QCOMPARE(texts.standardOutput.size() == outSize, keepsOut);
    QCOMPARE(texts.standardError.size() == errSize, keepsErr);
    QCOMPARE(split(texts.standardOutput).leftOut < 0, keepsOut);
    QCOMPARE(split(texts.standardError).leftOut < 0, keepsErr);
    if (!keepsOut || !keepsErr) {
        // The room is used, not only kept within.
        QVERIFY(texts.standardOutput.size() + texts.standardError.size() > s_maxOutputUnits - 150);
    }
}

void OutputCaptureTest::inventsNoReplacementAtTheCapBorders()
{
    // Whatever the offset of the characters to the borders.
    for (qsizetype offset = 0; offset < 8; ++offset) {
        const QByteArray bytes = QByteArray(offset, 'x') + u"😀€ä"_s.toUtf8().repeated(60'000);
        const QString text = cappedTexts(captured(bytes), {}).standardOutput;
        QVERIFY(!text.contains(QChar(QChar::ReplacementCharacter)));
        QVERIFY(text.isValidUtf16());
        const Pieces pieces = split(text);
        QCOMPARE(pieces.head.chopped(1).toUtf8().size() + pieces.leftOut
                     + pieces.tail.toUtf8().size(),
                 bytes.size());
    }
}

void OutputCaptureTest::stopsAtAByteOrderMark()
{
    QCOMPARE(cappedTexts(captured("\xef\xbb\xbfhi"), {}).standardOutput, u"hi"_s);
    QCOMPARE(cappedTexts(captured(QByteArray("\xff\xfeh\0i\0", 6)), {}).standardOutput, u"hi"_s);
    // Written byte by byte it is the same mark.
    QCOMPARE(cappedTexts(captured("\xef\xbb\xbfhi", 1), {}).standardOutput, u"hi"_s);
}

void OutputCaptureTest::decodesALongUtf16Stream()
{
    QByteArray bytes("\xff\xfe");
    for (int i = 0; i < 200'000; ++i) {
        bytes += QByteArray("a\0\x3d\xd8\x00\xde", 6); // "a😀"
    }
    for (const qsizetype chunk : {997, 65'536, 1'000'000}) {
        const QString text = cappedTexts(captured(bytes, chunk), {}).standardOutput;
        QVERIFY(text.isValidUtf16());
        QVERIFY(!text.contains(QChar(QChar::ReplacementCharacter)));
        const Pieces pieces = split(text);
        QCOMPARE((pieces.head.size() - 1) * 2 + pieces.leftOut + pieces.tail.size() * 2 + 2,
                 bytes.size());
    }
}

void OutputCaptureTest::staysSmall()
{
    OutputCapture capture;
    const QByteArray chunk(65'536, 'x');
    for (int i = 0; i < 1000; ++i) {
        capture.append(chunk);
        QVERIFY(capture.head().capacity() + capture.tail().capacity() <= 512 * 1024);
    }
    QCOMPARE(capture.totalBytes(), 65'536'000);
    QVERIFY(!capture.isWhole());
    capture.clear();
    QCOMPARE(capture.totalBytes(), 0);
    QVERIFY(capture.isWhole());
}

QTEST_GUILESS_MAIN(OutputCaptureTest)
#include "tst_outputcapture.moc"
