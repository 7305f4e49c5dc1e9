// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/gateway/transport.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QPointer>

#include <memory>

/// A transport whose far end is the test.
class FakeTransport final : public telson::core::Transport
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FakeTransport)

public:
    explicit FakeTransport(telson::core::TransportTarget where) : target(std::move(where))
    {
    }

    void open() override;
    void send(const QByteArray &text) override;
    [[nodiscard]] qint64 bytesWaiting() const override
    {
        return waiting;
    }
    void close(int code, const QString &reason) override;

    // What the far end does.
    void accept();
    void receive(const QByteArray &text);
    void ping();
    void fail(const telson::core::TransportClose &close);

    /// The last text that was sent, parsed.
    [[nodiscard]] QJsonObject lastSent() const;

    telson::core::TransportTarget target;
    QList<QByteArray> sent;
    int closeCode = 0; ///< of our own close, 0 = none
    QString closeReason;
    qint64 waiting = 0;

private:
    enum class State { Idle, Opening, Open, Closed };
    State m_state = State::Idle;
};

class FakeTransportFactory final : public telson::core::TransportFactory
{
public:
    [[nodiscard]] std::unique_ptr<telson::core::Transport>
    create(const telson::core::TransportTarget &target) override;

    QPointer<FakeTransport> last;
    int made = 0;
};
