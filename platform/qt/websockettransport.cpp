// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/qt/websockettransport.h"

#include "nodecore/protocol/framecodec.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QRandomGenerator>
#include <QtNetwork/QNetworkProxy>
#include <QtNetwork/QSslCertificate>
#include <QtNetwork/QSslConfiguration>
#include <QtNetwork/QSslError>
#include <QtNetwork/QSslSocket>
#include <QtNetwork/QTcpSocket>

#include <algorithm>
#include <array>
#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using telson::core::Result;
using telson::core::TransportClose;

namespace telson::platform {

namespace {

constexpr std::chrono::milliseconds s_goodbyeLimit = 2s;
constexpr qint64 s_readBuffer = 1024 * 1024;
constexpr qint64 s_maxRefusalBody = 4096;
constexpr qint64 s_maxWaitingPongs =
    64 * 1024; // a peer that pings without reading gets no more answers
constexpr quint16 s_plainPort = 80;
constexpr quint16 s_tlsPort = 443;

std::array<quint8, 4> randomMask()
{
    const quint32 random = QRandomGenerator::system()->generate();
    return {static_cast<quint8>(random), static_cast<quint8>(random >> 8),
            static_cast<quint8>(random >> 16), static_cast<quint8>(random >> 24)};
}

QByteArray randomKey()
{
    std::array<quint32, 4> random{};
    QRandomGenerator::system()->fillRange(random.data(), random.size());
    return QByteArray(reinterpret_cast<const char *>(random.data()), sizeof(random)).toBase64();
}

} // namespace

WebSocketTransport::WebSocketTransport(const core::TransportTarget &target, core::Clock &clock)
    : m_target(target), m_clock(clock), m_reader(core::s_maxFrameBytes)
{
}

WebSocketTransport::~WebSocketTransport()
{
    if (m_socket) {
        m_socket->disconnect(this); // its destructor may still signal
    }
}

void WebSocketTransport::open()
{
    if (m_state != State::Idle) {
        return;
    }
    m_state = State::Opening;
    // A refused connection to this machine can be reported from inside connectToHost.
    QMetaObject::invokeMethod(this, &WebSocketTransport::connectSocket, Qt::QueuedConnection);
}

void WebSocketTransport::connectSocket()
{
    if (m_state != State::Opening) {
        return;
    }
    const bool isSecure = m_target.url.scheme() == "wss"_L1;
    if (!isSecure && !m_target.pinnedSha256.isEmpty()) {
        finish(TransportClose::Cause::Tls, u"a pinned certificate needs wss://"_s);
        return;
    }
    if (isSecure) {
        makeSecureSocket();
    } else {
        m_socket = std::make_unique<QTcpSocket>();
        connect(m_socket.get(), &QTcpSocket::connected, this, &WebSocketTransport::sendUpgrade);
    }
    m_socket->setProxy(QNetworkProxy(QNetworkProxy::NoProxy));
    m_socket->setReadBufferSize(s_readBuffer);
    connect(m_socket.get(), &QTcpSocket::readyRead, this, &WebSocketTransport::onReadyRead);
    connect(m_socket.get(), &QTcpSocket::disconnected, this, &WebSocketTransport::onDisconnected);
    connect(m_socket.get(), &QTcpSocket::errorOccurred, this, &WebSocketTransport::onSocketError);
    const QString host = m_target.url.host();
    const auto port = static_cast<quint16>(m_target.url.port(isSecure ? s_tlsPort : s_plainPort));
    if (auto *secure = qobject_cast<QSslSocket *>(m_socket.get())) {
        secure->connectToHostEncrypted(host, port);
    } else {
        m_socket->connectToHost(host, port);
    }
}

void WebSocketTransport::makeSecureSocket()
{
    auto secure = std::make_unique<QSslSocket>();
    if (!m_target.pinnedSha256.isEmpty()) {
        // The pin replaces the CA and host name checks; it is compared in checkPin, before the
        // upgrade.
        secure->setPeerVerifyMode(QSslSocket::VerifyNone);
    }
    connect(secure.get(), &QSslSocket::encrypted, this, &WebSocketTransport::checkPin);
    connect(secure.get(), &QSslSocket::sslErrors, this, [this](const QList<QSslError> &errors) {
        m_tlsProblem = errors.isEmpty() ? QString() : errors.first().errorString();
    });
    m_socket = std::move(secure);
}

void WebSocketTransport::checkPin()
{
    if (!m_target.pinnedSha256.isEmpty()) {
        const auto *secure = qobject_cast<QSslSocket *>(m_socket.get());
        const QByteArray digest =
            QCryptographicHash::hash(secure->peerCertificate().toDer(), QCryptographicHash::Sha256);
        if (digest != m_target.pinnedSha256) {
            finish(TransportClose::Cause::PinMismatch,
                   u"pinned %1, shown %2"_s.arg(QString::fromLatin1(m_target.pinnedSha256.toHex()),
                                                QString::fromLatin1(digest.toHex())));
            return;
        }
    }
    sendUpgrade();
}

void WebSocketTransport::sendUpgrade()
{
    if (m_state != State::Opening) {
        return;
    }
    m_state = State::Upgrading;
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    m_socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
    m_key = randomKey();
    m_socket->write(webSocketUpgradeRequest(m_target.url, m_key));
}

void WebSocketTransport::send(const QByteArray &text)
{
    if (m_state == State::Open) {
        sendFrame(WebSocketOpcode::Text, text);
    }
}

qint64 WebSocketTransport::bytesWaiting() const
{
    if (!m_socket) {
        return 0;
    }
    const auto *secure = qobject_cast<const QSslSocket *>(m_socket.get());
    return m_socket->bytesToWrite() + (secure == nullptr ? 0 : secure->encryptedBytesToWrite());
}

void WebSocketTransport::close(int code, const QString &reason)
{
    switch (m_state) {
    case State::Open:
        m_state = State::Closing;
        m_closeAlarm = m_clock.startAlarm(
            s_goodbyeLimit, [this] { finish(TransportClose::Cause::Local, u"closed here"_s); });
        sendFrame(WebSocketOpcode::Close, encodeWebSocketClosePayload(code, reason));
        // Now, because the program may be about to end. Never waits.
        m_socket->flush();
        break;
    case State::Opening:
    case State::Upgrading:
    case State::Refused:
        finish(TransportClose::Cause::Local, u"closed here"_s);
        break;
    case State::Idle:
    case State::Closing:
    case State::Closed:
        break;
    }
}

void WebSocketTransport::onReadyRead()
{
    Q_EMIT activity();
    switch (m_state) {
    case State::Upgrading:
        readUpgradeAnswer();
        break;
    case State::Refused:
        readRefusal();
        break;
    case State::Open:
    case State::Closing:
        readMessages();
        break;
    case State::Idle:
    case State::Opening:
    case State::Closed:
        break;
    }
}

void WebSocketTransport::readUpgradeAnswer()
{
    m_answer += m_socket->readAll();
    const Result<std::optional<WebSocketUpgradeAnswer>> answer =
        parseWebSocketUpgradeAnswer(m_answer, m_key);
    if (!answer) {
        finish(TransportClose::Cause::Broken, answer.error().message);
        return;
    }
    if (!answer->has_value()) {
        return;
    }
    if ((*answer)->status != 101) {
        m_state = State::Refused;
        m_refusal = **answer;
        readRefusal();
        return;
    }
    m_reader.append(QByteArrayView(m_answer).sliced((*answer)->headBytes));
    m_answer.clear();
    m_state = State::Open;
    Q_EMIT opened();
    readMessages();
}

void WebSocketTransport::readRefusal()
{
    if (m_socket->bytesAvailable() > 0) {
        m_answer += m_socket->read(m_refusal.headBytes + s_maxRefusalBody - m_answer.size());
    }
    const qint64 wanted = std::min(m_refusal.contentLength.value_or(0), s_maxRefusalBody);
    if (m_answer.size() - m_refusal.headBytes < wanted
        && m_socket->state() == QAbstractSocket::ConnectedState) {
        return;
    }
    TransportClose close{
        TransportClose::Cause::UpgradeRefused, 1006, u"no upgrade"_s, m_refusal.status, {}};
    close.httpBody =
        m_answer.sliced(m_refusal.headBytes)
            .first(std::min<qsizetype>(m_answer.size() - m_refusal.headBytes, s_maxRefusalBody));
    finish(close);
}

void WebSocketTransport::readMessages()
{
    if (m_state != State::Open && m_state != State::Closing) {
        return;
    }
    m_reader.append(m_socket->readAll());
    while (m_state == State::Open || m_state == State::Closing) {
        const Result<std::optional<WebSocketMessage>> message = m_reader.next();
        if (!message) {
            const bool isTooLarge = message.error().code == core::ErrorCode::InvalidArgument;
            breakOff(isTooLarge ? 1009 : 1002, message.error().message);
            return;
        }
        if (!message->has_value()) {
            return;
        }
        onMessage(**message);
    }
}

void WebSocketTransport::onMessage(const WebSocketMessage &message)
{
    switch (message.opcode) {
    case WebSocketOpcode::Text:
        if (m_state == State::Open) {
            Q_EMIT textReceived(message.payload);
        }
        break;
    case WebSocketOpcode::Ping:
        if (m_state == State::Open && bytesWaiting() < s_maxWaitingPongs) {
            sendFrame(WebSocketOpcode::Pong, message.payload);
        }
        break;
    case WebSocketOpcode::Close:
        onPeerClose(message.payload);
        break;
    case WebSocketOpcode::Continuation:
    case WebSocketOpcode::Binary: // a gateway sends text only
    case WebSocketOpcode::Pong:
        break;
    }
}

void WebSocketTransport::onPeerClose(const QByteArray &payload)
{
    if (m_state == State::Closing) {
        finish(TransportClose::Cause::Local, u"closed here"_s); // the answer to our goodbye
        return;
    }
    const Result<WebSocketCloseInfo> info = parseWebSocketClosePayload(payload);
    if (!info) {
        breakOff(1002, info.error().message);
        return;
    }
    sendFrame(WebSocketOpcode::Close,
              QByteArrayView(payload).first(std::min<qsizetype>(payload.size(), 2)));
    m_socket->flush();
    finish({TransportClose::Cause::Peer, info->code, info->reason, 0, {}});
}

void WebSocketTransport::breakOff(int code, const QString &problem)
{
    if (m_state == State::Closing) {
        finish(TransportClose::Cause::Local, u"closed here"_s);
        return;
    }
    sendFrame(WebSocketOpcode::Close, encodeWebSocketClosePayload(code, {}));
    m_socket->flush();
    finish({TransportClose::Cause::Broken, code, problem, 0, {}});
}

void WebSocketTransport::onDisconnected()
{
    readMessages(); // what came last, such as the reason
    if (m_state == State::Refused) {
        readRefusal();
    } else if (m_state == State::Closing) {
        finish(TransportClose::Cause::Local, u"closed here"_s);
    } else {
        finish(TransportClose::Cause::Network, u"the connection was lost"_s);
    }
}

void WebSocketTransport::onSocketError()
{
    if (m_socket->error() == QAbstractSocket::RemoteHostClosedError) {
        return; // what was sent before is read first; then comes disconnected
    }
    if (m_state == State::Closing) {
        finish(TransportClose::Cause::Local, u"closed here"_s);
    } else if (m_socket->error() == QAbstractSocket::SslHandshakeFailedError) {
        finish(TransportClose::Cause::Tls,
               m_tlsProblem.isEmpty() ? m_socket->errorString() : m_tlsProblem);
    } else {
        finish(TransportClose::Cause::Network, m_socket->errorString());
    }
}

void WebSocketTransport::sendFrame(WebSocketOpcode opcode, QByteArrayView payload)
{
    m_socket->write(encodeWebSocketFrame(opcode, payload, randomMask()));
}

void WebSocketTransport::finish(TransportClose::Cause cause, const QString &reason)
{
    finish({cause, 1006, reason, 0, {}});
}

void WebSocketTransport::finish(const TransportClose &close)
{
    if (m_state == State::Closed) {
        return;
    }
    m_state = State::Closed;
    const TransportClose report = close; // it may live in the alarm that is destroyed here
    m_closeAlarm.reset();
    if (m_socket) {
        m_socket->disconnect(this);
        m_socket->abort();
    }
    Q_EMIT closed(report);
}

} // namespace telson::platform
