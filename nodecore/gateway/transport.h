// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QUrl>

#include <memory>

namespace telson::core {

/// Where a transport goes.
struct TransportTarget
{
    QUrl url; ///< ws or wss
    QByteArray
        pinnedSha256; ///< 32 bytes: the leaf certificate's digest, instead of CA checks; or empty
};

/// Why a transport is closed.
struct TransportClose
{
    enum class Cause {
        Peer, ///< a close frame came: `code`, `reason`
        Local, ///< `close` was called
        Network, ///< refused, reset, end of stream, name not found
        Tls, ///< the certificate or the TLS handshake was not accepted
        PinMismatch, ///< another leaf certificate than the pinned one
        UpgradeRefused, ///< an HTTP answer that is no upgrade: `httpStatus`, `httpBody`
        Broken, ///< the peer broke the WebSocket protocol, or sent too large a message
    };
    Cause cause = Cause::Network;
    int code = 1006; ///< WebSocket close code
    QString reason; ///< of the close frame, or what happened, for people
    int httpStatus = 0;
    QByteArray httpBody; ///< at most 4 KiB
};

/// Seam: one WebSocket to a gateway. Real: `WebSocketTransport`; tests: `FakeTransport`.
///
/// Idle -> Opening -> Open -> Closed. `open` is called once, in Idle. `opened` comes once at most,
/// `closed` exactly once after `open` and nothing follows it; no signal comes from inside `open` or
/// `send`. Pings are answered. With a pin no byte of the upgrade, and so no credential, leaves
/// before the certificate is compared. Destroying it in any state drops the connection without a
/// signal.
class Transport : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Transport)

public:
    Transport() = default;
    ~Transport() override = default;

    virtual void open() = 0;

    /// One text message, UTF-8. Sent in order. Only in Open; else it is dropped.
    virtual void send(const QByteArray &text) = 0;

    /// Bytes that `send` took and the system has not.
    [[nodiscard]] virtual qint64 bytesWaiting() const = 0;

    /// Says goodbye and closes: `closed` with cause Local follows within two seconds, whatever the
    /// peer does (perhaps from inside this call), and no message any more. In Opening it gives up;
    /// when closing or closed it does nothing.
    virtual void close(int code, const QString &reason) = 0;

Q_SIGNALS:
    void opened();
    void textReceived(const QByteArray &text);
    void
    activity(); ///< the peer is alive: some bytes came, perhaps of a ping; before what they carry
    void closed(const telson::core::TransportClose &close);
};

/// Seam: makes transports.
class TransportFactory
{
public:
    TransportFactory() = default;
    TransportFactory(const TransportFactory &) = delete;
    TransportFactory &operator=(const TransportFactory &) = delete;
    virtual ~TransportFactory() = default;

    [[nodiscard]] virtual std::unique_ptr<Transport> create(const TransportTarget &target) = 0;
};

} // namespace telson::core
