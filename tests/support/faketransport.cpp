// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/faketransport.h"

#include <QtCore/QJsonDocument>

using telson::core::TransportClose;

void FakeTransport::open()
{
    m_state = State::Opening;
}

void FakeTransport::send(const QByteArray &text)
{
    if (m_state == State::Open) {
        sent.append(text);
    }
}

void FakeTransport::close(int code, const QString &reason)
{
    if (m_state == State::Closed) {
        return;
    }
    closeCode = code;
    closeReason = reason;
    fail({TransportClose::Cause::Local, 1006, QString(), 0, {}});
}

void FakeTransport::accept()
{
    m_state = State::Open;
    Q_EMIT activity();
    Q_EMIT opened();
}

void FakeTransport::receive(const QByteArray &text)
{
    Q_EMIT activity();
    Q_EMIT textReceived(text);
}

void FakeTransport::ping()
{
    Q_EMIT activity();
}

void FakeTransport::fail(const TransportClose &close)
{
    if (m_state != State::Closed) {
        m_state = State::Closed;
        Q_EMIT closed(close);
    }
}

QJsonObject FakeTransport::lastSent() const
{
    return sent.isEmpty() ? QJsonObject() : QJsonDocument::fromJson(sent.last()).object();
}

std::unique_ptr<telson::core::Transport>
FakeTransportFactory::create(const telson::core::TransportTarget &target)
{
    auto transport = std::make_unique<FakeTransport>(target);
    last = transport.get();
    ++made;
    return transport;
}
