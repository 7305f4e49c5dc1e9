// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/qt/websocketcodec.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QtEndian>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;
using telson::core::ErrorCode;
using telson::core::fail;
using telson::core::Result;

namespace telson::platform {

namespace {

constexpr qsizetype s_maxHead = 16 * 1024;
constexpr qsizetype s_maxControlPayload = 125;
constexpr qsizetype s_lengthIn16Bits = 126; // values of the 7-bit length field
constexpr qsizetype s_lengthIn64Bits = 127;
constexpr int s_switchingProtocols = 101;

bool isControl(WebSocketOpcode opcode)
{
    return (static_cast<quint8>(opcode) & 0x8) != 0;
}

bool isKnown(quint8 opcode)
{
    return opcode <= 0x2 || (opcode >= 0x8 && opcode <= 0xA);
}

QByteArray acceptFor(const QByteArray &key)
{
    // RFC 6455 §1.3
    return QCryptographicHash::hash(QByteArray(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"),
                                    QCryptographicHash::Sha1)
        .toBase64();
}

/// The values of a header, joined by commas.
QByteArray headerValue(const QList<QByteArray> &lines, QByteArrayView name)
{
    QByteArray value;
    for (const QByteArray &line : lines) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && line.first(colon).trimmed().compare(name, Qt::CaseInsensitive) == 0) {
            value += value.isEmpty() ? line.sliced(colon + 1).trimmed()
                                     : ',' + line.sliced(colon + 1).trimmed();
        }
    }
    return value;
}

bool hasToken(const QByteArray &value, QByteArrayView token)
{
    const QList<QByteArray> tokens = value.split(',');
    return std::ranges::any_of(tokens, [token](const QByteArray &one) {
        return one.trimmed().compare(token, Qt::CaseInsensitive) == 0;
    });
}

Result<void> checkUpgrade(const QList<QByteArray> &lines, const QByteArray &key)
{
    if (!hasToken(headerValue(lines, "upgrade"), "websocket")
        || !hasToken(headerValue(lines, "connection"), "upgrade")) {
        return fail(ErrorCode::Protocol, u"websocket: 101 without an upgrade to websocket"_s);
    }
    if (headerValue(lines, "sec-websocket-accept") != acceptFor(key)) {
        return fail(ErrorCode::Protocol, u"websocket: wrong Sec-WebSocket-Accept"_s);
    }
    if (!headerValue(lines, "sec-websocket-extensions").isEmpty()
        || !headerValue(lines, "sec-websocket-protocol").isEmpty()) {
        return fail(ErrorCode::Protocol,
                    u"websocket: an extension or protocol that was not asked for"_s);
    }
    return {};
}

} // namespace

QByteArray webSocketUpgradeRequest(const QUrl &url, const QByteArray &key)
{
    QByteArray host = url.host(QUrl::FullyEncoded).toLatin1();
    if (host.contains(':')) {
        host = '[' + host + ']';
    }
    if (url.port() != -1) {
        host += ':' + QByteArray::number(url.port());
    }
    QByteArray path = url.path(QUrl::FullyEncoded).toLatin1();
    if (path.isEmpty()) {
        path = "/"_ba;
    }
    return "GET " + path + " HTTP/1.1\r\nHost: " + host
        + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + key
        + "\r\nSec-WebSocket-Version: 13\r\n\r\n";
}

Result<std::optional<WebSocketUpgradeAnswer>> parseWebSocketUpgradeAnswer(QByteArrayView bytes,
                                                                          const QByteArray &key)
{
    const qsizetype end = bytes.indexOf(QByteArrayView("\r\n\r\n"));
    if (std::max(end, qsizetype(0)) > s_maxHead || (end < 0 && bytes.size() > s_maxHead)) {
        return fail(ErrorCode::Protocol, u"websocket: too long an answer to the upgrade"_s);
    }
    if (end < 0) {
        return std::nullopt;
    }
    QList<QByteArray> lines = bytes.first(end).toByteArray().split('\n');
    const QList<QByteArray> statusLine = lines.takeFirst().trimmed().split(' ');
    WebSocketUpgradeAnswer answer;
    answer.headBytes = end + 4;
    bool isNumber = false;
    answer.status = statusLine.value(1).toInt(&isNumber);
    if (!statusLine.first().startsWith("HTTP/1.") || !isNumber) {
        return fail(ErrorCode::Protocol, u"websocket: the answer to the upgrade is no HTTP"_s);
    }
    const qint64 length = headerValue(lines, "content-length").toLongLong(&isNumber);
    if (isNumber && length >= 0) {
        answer.contentLength = length;
    }
    if (answer.status == s_switchingProtocols) {
        if (const Result<void> upgrade = checkUpgrade(lines, key); !upgrade) {
            return std::unexpected(upgrade.error());
        }
    }
    return answer;
}

QByteArray encodeWebSocketFrame(WebSocketOpcode opcode, QByteArrayView payload,
                                const std::array<quint8, 4> &mask)
{
    constexpr quint8 final = 0x80;
    constexpr quint8 masked = 0x80;
    std::array<quint8, 10> header{static_cast<quint8>(final | static_cast<quint8>(opcode))};
    qsizetype headerBytes = 2;
    if (payload.size() < s_lengthIn16Bits) {
        header[1] = static_cast<quint8>(masked | payload.size());
    } else if (payload.size() <= 0xFFFF) {
        header[1] = static_cast<quint8>(masked | s_lengthIn16Bits);
        qToBigEndian(static_cast<quint16>(payload.size()), &header[2]);
        headerBytes += 2;
    } else {
        header[1] = static_cast<quint8>(masked | s_lengthIn64Bits);
        qToBigEndian(static_cast<quint64>(payload.size()), &header[2]);
        headerBytes += 8;
    }
    const qsizetype start = headerBytes + static_cast<qsizetype>(mask.size());
    QByteArray frame(start + payload.size(), Qt::Uninitialized);
    std::copy_n(header.begin(), headerBytes, frame.begin());
    std::copy(mask.begin(), mask.end(), frame.begin() + headerBytes);
    char *target = frame.data() + start;
    for (qsizetype i = 0; i < payload.size(); ++i) {
        target[i] = static_cast<char>(payload[i] ^ mask[static_cast<std::size_t>(i & 3)]);
    }
    return frame;
}

QByteArray encodeWebSocketClosePayload(int code, const QString &reason)
{
    QByteArray payload(2, Qt::Uninitialized);
    qToBigEndian(static_cast<quint16>(code), payload.data());
    QString shortened = reason;
    while (shortened.toUtf8().size() > s_maxControlPayload - 2) {
        shortened.chop(1);
    }
    return payload + shortened.toUtf8();
}

Result<WebSocketCloseInfo> parseWebSocketClosePayload(const QByteArray &payload)
{
    if (payload.isEmpty()) {
        return WebSocketCloseInfo{};
    }
    if (payload.size() == 1) {
        return fail(ErrorCode::Protocol, u"websocket: half a close code"_s);
    }
    return WebSocketCloseInfo{qFromBigEndian<quint16>(payload.constData()),
                              QString::fromUtf8(payload.sliced(2))};
}

WebSocketReader::WebSocketReader(qsizetype maxMessage) : m_maxMessage(maxMessage)
{
}

void WebSocketReader::append(QByteArrayView bytes)
{
    m_bytes.append(bytes);
}

Result<std::optional<WebSocketReader::Header>> WebSocketReader::peekHeader() const
{
    if (m_bytes.size() < 2) {
        return std::nullopt;
    }
    const auto first = static_cast<quint8>(m_bytes[0]);
    const auto second = static_cast<quint8>(m_bytes[1]);
    if ((first & 0x70) != 0 || !isKnown(first & 0x0F)) {
        return fail(ErrorCode::Protocol, u"websocket: reserved bits or an unknown opcode"_s);
    }
    if ((second & 0x80) != 0) {
        return fail(ErrorCode::Protocol, u"websocket: a masked frame from the server"_s);
    }
    Header header{(first & 0x80) != 0, static_cast<WebSocketOpcode>(first & 0x0F), 2,
                  second & 0x7F};
    if (header.payloadBytes == s_lengthIn16Bits) {
        header.headerBytes += 2;
    } else if (header.payloadBytes == s_lengthIn64Bits) {
        header.headerBytes += 8;
    }
    if (m_bytes.size() < header.headerBytes) {
        return std::nullopt;
    }
    quint64 length = static_cast<quint64>(header.payloadBytes);
    if (header.headerBytes == 4) {
        length = qFromBigEndian<quint16>(m_bytes.constData() + 2);
    } else if (header.headerBytes == 10) {
        length = qFromBigEndian<quint64>(m_bytes.constData() + 2);
    }
    if (length > static_cast<quint64>(m_maxMessage - m_message.size())) {
        return fail(ErrorCode::InvalidArgument,
                    u"websocket: a message of more than %1 bytes"_s.arg(m_maxMessage));
    }
    header.payloadBytes = static_cast<qsizetype>(length);
    return header;
}

Result<void> WebSocketReader::checkOrder(const Header &header) const
{
    if (isControl(header.opcode)) {
        if (!header.isFinal || header.payloadBytes > s_maxControlPayload) {
            return fail(ErrorCode::Protocol,
                        u"websocket: a control frame that is too long or in parts"_s);
        }
    } else if ((header.opcode == WebSocketOpcode::Continuation) != m_messageOpcode.has_value()) {
        return fail(ErrorCode::Protocol, u"websocket: message parts out of order"_s);
    }
    return {};
}

Result<std::optional<WebSocketMessage>> WebSocketReader::next()
{
    for (;;) {
        const Result<std::optional<Header>> header = peekHeader();
        if (!header) {
            return std::unexpected(header.error());
        }
        if (!header->has_value()) {
            return std::nullopt;
        }
        if (const Result<void> order = checkOrder(**header); !order) {
            return std::unexpected(order.error());
        }
        const Header &frame = **header;
        if (m_bytes.size() - frame.headerBytes < frame.payloadBytes) {
            return std::nullopt;
        }
        QByteArray payload = m_bytes.sliced(frame.headerBytes, frame.payloadBytes);
        m_bytes.remove(0, frame.headerBytes + frame.payloadBytes);
        if (isControl(frame.opcode)) {
            return WebSocketMessage{frame.opcode, std::move(payload)};
        }
        const WebSocketOpcode opcode = m_messageOpcode.value_or(frame.opcode);
        if (frame.isFinal) {
            // The usual message has one part and is not copied once more.
            QByteArray whole = m_message.isEmpty() ? std::move(payload) : m_message + payload;
            m_message.clear();
            m_messageOpcode.reset();
            return WebSocketMessage{opcode, std::move(whole)};
        }
        m_message += payload;
        m_messageOpcode = opcode;
    }
}

} // namespace telson::platform
