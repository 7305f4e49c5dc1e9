// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QByteArrayView>
#include <QtCore/QString>

namespace telson::core {

/// Keeps the beginning and the end of one output stream, in bounded memory however long it gets:
/// at most `s_headBytes` + 2 * `s_tailBytes`.
class OutputCapture final
{
public:
    /// Together more than any text of `s_maxOutputUnits` needs at three bytes a unit.
    static constexpr qsizetype s_headBytes = qsizetype{96} * 1024;
    static constexpr qsizetype s_tailBytes = qsizetype{96} * 1024;

    void append(QByteArrayView bytes);
    void clear();

    [[nodiscard]] qint64 totalBytes() const
    {
        return m_totalBytes;
    }

    /// Whether every byte is still there; `head` followed by `tail` is then the whole stream.
    [[nodiscard]] bool isWhole() const
    {
        return m_head.size() + m_tail.size() == m_totalBytes;
    }
    [[nodiscard]] const QByteArray &head() const
    {
        return m_head;
    }
    /// The end of what did not fit into `head`; begins at an even place of the stream.
    [[nodiscard]] const QByteArray &tail() const
    {
        return m_tail;
    }

private:
    void appendTail(QByteArrayView bytes);

    QByteArray m_head;
    QByteArray m_tail;
    qint64 m_totalBytes = 0;
};

/// The size that both texts of a run keep within together, in UTF-16 units (design §7).
inline constexpr qsizetype s_maxOutputUnits = 60'000;

struct OutputTexts
{
    QString standardOutput;
    QString standardError;
};

/// Both streams as text, together at most `maxUnits`. A stream that is too long keeps its beginning
/// and its end around a line such as "[… 241,203 bytes left out …]" with the exact number; each may
/// use half of the room, and what the other leaves free.
[[nodiscard]] OutputTexts cappedTexts(const OutputCapture &standardOutput,
                                      const OutputCapture &standardError,
                                      qsizetype maxUnits = s_maxOutputUnits);

} // namespace telson::core
