// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QByteArrayView>
#include <QtCore/QString>

namespace telson::core {

// From the bytes of a program's output to text. Every byte that is not part of a valid character is
// one U+FFFD (in UTF-16: every lone surrogate and a last odd byte); nothing else is added, NUL
// stays.

enum class TextEncoding { Utf8, Utf16LittleEndian, Utf16BigEndian };

/// What the first bytes of a stream say. Without a byte order mark it is UTF-8.
struct StreamStart
{
    TextEncoding encoding = TextEncoding::Utf8;
    qsizetype markLength = 0; ///< bytes of the byte order mark, which is no text

    bool operator==(const StreamStart &) const = default;
};

/// `bytes` is the start of the stream; three of them are enough.
[[nodiscard]] StreamStart detectEncoding(QByteArrayView bytes);

/// A piece of text and how many bytes it was made from.
struct DecodedText
{
    QString text;
    qsizetype byteCount = 0;

    bool operator==(const DecodedText &) const = default;
};

/// The characters from the front of `bytes` that fit into `maxUnits` UTF-16 units. A character that
/// would not fit whole is left out.
[[nodiscard]] DecodedText decodeFront(QByteArrayView bytes, TextEncoding encoding,
                                      qsizetype maxUnits);

/// The characters up to the end of `bytes` that fit. `bytes` may begin inside a character, which is
/// then no part of the text; in UTF-16 it begins at a code unit.
[[nodiscard]] DecodedText decodeBack(QByteArrayView bytes, TextEncoding encoding,
                                     qsizetype maxUnits);

} // namespace telson::core
