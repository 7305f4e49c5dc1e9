// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QUrl>

#include <array>
#include <optional>

namespace telson::platform {

// The client's half of RFC 6455, without extensions and subprotocols.

enum class WebSocketOpcode : quint8 {
    Continuation = 0x0,
    Text = 0x1,
    Binary = 0x2,
    Close = 0x8,
    Ping = 0x9,
    Pong = 0xA,
};

/// A whole message, or one control frame.
struct WebSocketMessage
{
    WebSocketOpcode opcode = WebSocketOpcode::Text; ///< never Continuation
    QByteArray payload;
};

/// The payload of a close frame. Code 1005 if the frame is empty.
struct WebSocketCloseInfo
{
    int code = 1005;
    QString reason;
};

/// The HTTP request that asks for the upgrade; `key` is 16 random bytes in base64.
[[nodiscard]] QByteArray webSocketUpgradeRequest(const QUrl &url, const QByteArray &key);

/// The HTTP answer to it.
struct WebSocketUpgradeAnswer
{
    int status = 0; ///< 101 = upgraded
    qsizetype headBytes = 0;
    std::optional<qint64> contentLength;
};

/// Nothing if the head is not complete yet.
/// Errors: Protocol for what is no HTTP, a head over 16 KiB, or a 101 that RFC 6455 §4.1 refuses.
[[nodiscard]] telson::core::Result<std::optional<WebSocketUpgradeAnswer>>
parseWebSocketUpgradeAnswer(QByteArrayView bytes, const QByteArray &key);

/// One unfragmented frame, masked as a client has to.
[[nodiscard]] QByteArray encodeWebSocketFrame(WebSocketOpcode opcode, QByteArrayView payload,
                                              const std::array<quint8, 4> &mask);

/// A reason that is too long for a frame is cut.
[[nodiscard]] QByteArray encodeWebSocketClosePayload(int code, const QString &reason);

/// Errors: Protocol.
[[nodiscard]] telson::core::Result<WebSocketCloseInfo>
parseWebSocketClosePayload(const QByteArray &payload);

/// Takes a server's bytes as they come and gives its messages. After an error it is of no more use.
class WebSocketReader final
{
public:
    /// `maxMessage`: bytes of the largest message that is taken.
    explicit WebSocketReader(qsizetype maxMessage);

    void append(QByteArrayView bytes);

    /// The next message, or nothing until more bytes come. Whether text is UTF-8 is not checked.
    /// Errors: Protocol, InvalidArgument for a message that is too large (before its bytes are
    /// taken).
    [[nodiscard]] telson::core::Result<std::optional<WebSocketMessage>> next();

private:
    struct Header
    {
        bool isFinal = false;
        WebSocketOpcode opcode = WebSocketOpcode::Text;
        qsizetype headerBytes = 0;
        qsizetype payloadBytes = 0;
    };

    [[nodiscard]] telson::core::Result<std::optional<Header>> peekHeader() const;
    [[nodiscard]] telson::core::Result<void> checkOrder(const Header &header) const;

    qsizetype m_maxMessage;
    QByteArray m_bytes;
    QByteArray m_message; // fragments so far
    std::optional<WebSocketOpcode> m_messageOpcode; // of the message that is being put together
};

} // namespace telson::platform
