// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/exec/textdecoding.h"

#include <algorithm>

namespace telson::core {

namespace {

constexpr qsizetype s_maxBytesPerUnit = 3; // a character of the Basic Multilingual Plane in UTF-8

uchar byteAt(QByteArrayView bytes, qsizetype index)
{
    return static_cast<uchar>(bytes.at(index));
}

bool isContinuation(uchar byte)
{
    return (byte & 0xc0U) == 0x80U;
}

/// One character of the source, or one byte or unit that is none.
struct Element
{
    qsizetype length = 1; ///< bytes
    char32_t character = QChar::ReplacementCharacter;

    [[nodiscard]] qsizetype units() const
    {
        return QChar::requiresSurrogates(character) ? 2 : 1;
    }
};

/// The well-formed sequences of Unicode, table 3-7.
Element utf8Element(QByteArrayView bytes, qsizetype at)
{
    const uchar first = byteAt(bytes, at);
    if (first < 0x80U) {
        return {1, first};
    }
    const qsizetype length = first < 0xc2U ? 0
        : first < 0xe0U                    ? 2
        : first < 0xf0U                    ? 3
        : first < 0xf5U                    ? 4
                                           : 0;
    if (length == 0 || at + length > bytes.size()) {
        return {};
    }
    const uchar second = byteAt(bytes, at + 1);
    const uchar lowest = first == 0xe0U ? 0xa0U : first == 0xf0U ? 0x90U : 0x80U;
    const uchar highest = first == 0xedU ? 0x9fU : first == 0xf4U ? 0x8fU : 0xbfU;
    if (second < lowest || second > highest) {
        return {};
    }
    char32_t character = first & (0xffU >> (length + 1));
    for (qsizetype i = 1; i < length; ++i) {
        const uchar next = byteAt(bytes, at + i);
        if (!isContinuation(next)) {
            return {};
        }
        character = (character << 6U) | (next & 0x3fU);
    }
    return {length, character};
}

char16_t utf16Unit(QByteArrayView bytes, qsizetype at, TextEncoding encoding)
{
    const uchar first = byteAt(bytes, at);
    const uchar second = byteAt(bytes, at + 1);
    return encoding == TextEncoding::Utf16LittleEndian ? char16_t(second << 8 | first)
                                                       : char16_t(first << 8 | second);
}

Element utf16Element(QByteArrayView bytes, qsizetype at, TextEncoding encoding)
{
    if (at + 2 > bytes.size()) {
        return {};
    }
    const char16_t unit = utf16Unit(bytes, at, encoding);
    if (!QChar::isSurrogate(unit)) {
        return {2, unit};
    }
    if (QChar::isHighSurrogate(unit) && at + 4 <= bytes.size()) {
        const char16_t low = utf16Unit(bytes, at + 2, encoding);
        if (QChar::isLowSurrogate(low)) {
            return {4, QChar::surrogateToUcs4(unit, low)};
        }
    }
    return {2, QChar::ReplacementCharacter};
}

Element elementAt(QByteArrayView bytes, qsizetype at, TextEncoding encoding)
{
    return encoding == TextEncoding::Utf8 ? utf8Element(bytes, at)
                                          : utf16Element(bytes, at, encoding);
}

/// The first place from `at` on that is not inside a character. Only a character that begins within
/// the few bytes before it can reach over it.
qsizetype characterBorder(QByteArrayView bytes, qsizetype at, TextEncoding encoding)
{
    const qsizetype step = encoding == TextEncoding::Utf8 ? 1 : 2;
    const qsizetype reach = encoding == TextEncoding::Utf8 ? 3 : 2;
    for (qsizetype back = step; back <= reach && at - back >= 0; back += step) {
        const Element element = elementAt(bytes, at - back, encoding);
        if (element.length > back) {
            return at - back + element.length;
        }
    }
    return at;
}

/// Where the stream's first whole character begins in `bytes`, which may begin inside one.
qsizetype skipBrokenStart(QByteArrayView bytes, TextEncoding encoding)
{
    if (encoding == TextEncoding::Utf8) {
        qsizetype at = 0;
        while (at < std::min<qsizetype>(3, bytes.size()) && isContinuation(byteAt(bytes, at))) {
            ++at;
        }
        return at;
    }
    const bool startsLow =
        bytes.size() >= 2 && QChar::isLowSurrogate(utf16Unit(bytes, 0, encoding));
    return startsLow ? 2 : 0;
}

} // namespace

StreamStart detectEncoding(QByteArrayView bytes)
{
    if (bytes.startsWith("\xef\xbb\xbf")) {
        return {TextEncoding::Utf8, 3};
    }
    if (bytes.startsWith("\xff\xfe")) {
        return {TextEncoding::Utf16LittleEndian, 2};
    }
    if (bytes.startsWith("\xfe\xff")) {
        return {TextEncoding::Utf16BigEndian, 2};
    }
    return {};
}

DecodedText decodeFront(QByteArrayView bytes, TextEncoding encoding, qsizetype maxUnits)
{
    QString text(std::min(maxUnits, bytes.size()), Qt::Uninitialized);
    QChar *const begin = text.data();
    qsizetype units = 0;
    qsizetype at = 0;
    while (at < bytes.size()) {
        const Element element = elementAt(bytes, at, encoding);
        if (units + element.units() > maxUnits) {
            break;
        }
        if (element.units() == 2) {
            begin[units++] = QChar(QChar::highSurrogate(element.character));
            begin[units++] = QChar(QChar::lowSurrogate(element.character));
        } else {
            begin[units++] = QChar(static_cast<char16_t>(element.character));
        }
        at += element.length;
    }
    text.truncate(units);
    return {text, at};
}

DecodedText decodeBack(QByteArrayView bytes, TextEncoding encoding, qsizetype maxUnits)
{
    // More bytes than these are more units than fit.
    const qsizetype window = std::min(bytes.size(), (maxUnits + 1) * s_maxBytesPerUnit);
    qsizetype start = bytes.size() - window;
    start -= encoding == TextEncoding::Utf8 ? 0 : start % 2;
    start = start == 0 ? skipBrokenStart(bytes, encoding) : characterBorder(bytes, start, encoding);

    qsizetype units = 0;
    for (qsizetype at = start; at < bytes.size();) {
        const Element element = elementAt(bytes, at, encoding);
        units += element.units();
        at += element.length;
    }
    while (units > maxUnits) {
        const Element element = elementAt(bytes, start, encoding);
        units -= element.units();
        start += element.length;
    }
    return decodeFront(bytes.sliced(start), encoding, maxUnits);
}

} // namespace telson::core
