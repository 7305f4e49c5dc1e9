// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/exec/outputcapture.h"

#include "nodecore/exec/textdecoding.h"

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

constexpr qsizetype s_markerRoom = 64; // more units than the longest marker has

QString grouped(qint64 number)
{
    QString digits = QString::number(number);
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3) {
        digits.insert(at, u',');
    }
    return digits;
}

QString joined(const QString &front, qint64 leftOut, const QString &back)
{
    QString text = front;
    if (!front.isEmpty() && !front.endsWith(u'\n')) {
        text += u'\n';
    }
    text += u"[… %1 bytes left out …]"_s.arg(grouped(leftOut));
    if (!back.startsWith(u'\n')) {
        text += u'\n';
    }
    return text + back;
}

/// One stream on its way to a text of limited size.
class StreamText final
{
public:
    explicit StreamText(const OutputCapture &capture)
        : m_capture(capture), m_start(detectEncoding(capture.head()))
    {
        if (capture.isWhole()) {
            const QByteArray bytes = capture.head() + capture.tail();
            m_whole = decodeFront(QByteArrayView(bytes).sliced(m_start.markLength),
                                  m_start.encoding, bytes.size())
                          .text;
        }
    }

    /// More than anybody's room if bytes are gone already.
    [[nodiscard]] qsizetype wantedUnits(qsizetype limit) const
    {
        return m_whole ? m_whole->size() : limit + 1;
    }

    [[nodiscard]] QString within(qsizetype room) const
    {
        if (wantedUnits(room) <= room) {
            return m_whole.value_or(QString());
        }
        const qsizetype units = std::max<qsizetype>(0, room - s_markerRoom);
        const QByteArray bytes =
            m_capture.isWhole() ? m_capture.head() + m_capture.tail() : m_capture.head();
        const QByteArrayView front = QByteArrayView(bytes).sliced(m_start.markLength);
        const DecodedText head = decodeFront(front, m_start.encoding, units / 2);
        const QByteArrayView back =
            m_capture.isWhole() ? front.sliced(head.byteCount) : QByteArrayView(m_capture.tail());
        const DecodedText tail = decodeBack(back, m_start.encoding, units - units / 2);
        const qint64 leftOut =
            m_capture.totalBytes() - m_start.markLength - head.byteCount - tail.byteCount;
        return joined(head.text, leftOut, tail.text);
    }

private:
    const OutputCapture &m_capture;
    StreamStart m_start;
    std::optional<QString> m_whole;
};

} // namespace

void OutputCapture::append(QByteArrayView bytes)
{
    m_totalBytes += bytes.size();
    const qsizetype toHead = std::min(bytes.size(), s_headBytes - m_head.size());
    m_head.append(bytes.first(toHead));
    if (toHead < bytes.size()) {
        appendTail(bytes.sliced(toHead));
    }
}

void OutputCapture::appendTail(QByteArrayView bytes)
{
    if (m_tail.isEmpty()) {
        m_tail.reserve(2 * s_tailBytes);
    }
    // Letting it grow to twice the size first makes moving the rest to the front rare.
    const qsizetype size = m_tail.size() + bytes.size();
    if (size > 2 * s_tailBytes) {
        // An even number, so that UTF-16 stays aligned.
        const qsizetype surplus = (size - s_tailBytes) / 2 * 2;
        const qsizetype fromTail = std::min(surplus, m_tail.size());
        m_tail.remove(0, fromTail);
        bytes = bytes.sliced(surplus - fromTail);
    }
    m_tail.append(bytes);
}

void OutputCapture::clear()
{
    *this = OutputCapture();
}

OutputTexts cappedTexts(const OutputCapture &standardOutput, const OutputCapture &standardError,
                        qsizetype maxUnits)
{
    const StreamText out(standardOutput);
    const StreamText err(standardError);
    const qsizetype half = maxUnits / 2;
    const qsizetype outWanted = out.wantedUnits(maxUnits);
    const qsizetype errWanted = err.wantedUnits(maxUnits);
    return {out.within(maxUnits - std::min(errWanted, maxUnits - half)),
            err.within(maxUnits - std::min(outWanted, half))};
}

} // namespace telson::core
