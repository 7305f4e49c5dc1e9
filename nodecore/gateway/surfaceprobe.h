// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/clock.h"
#include "nodecore/gateway/pendingrequests.h"

#include <QtCore/QObject>
#include <QtCore/QString>

#include <chrono>
#include <memory>

namespace telson::core {

class GatewaySession;

/// Finds out whether the gateway's owner has approved this node's commands: hello-ok does not say
/// it (handshake.md §8). Publishes the runner inventory, and again (250 ms, doubling to 5 s) while
/// the gateway answers UNAVAILABLE; any other answer ends it.
class SurfaceProbe final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SurfaceProbe)

public:
    SurfaceProbe(GatewaySession &session, Clock &clock);

    /// Asks now, unless an answer is awaited. Also for `node.pair.resolved`, and for a `node.event`
    /// that was refused.
    void ask();

Q_SIGNALS:
    /// The commands wait for approval. `requestId` is what `openclaw nodes approve` takes, empty if
    /// the gateway did not say it.
    void pending(const QString &requestId);

    /// They do not (any more).
    void settled();

private:
    void onAnswer(const RequestOutcome &outcome);
    void askLater();

    GatewaySession &m_session;
    Clock &m_clock;
    bool m_isAsking = false;
    bool m_asksAgain = false; // `ask` was called while an answer was awaited
    std::chrono::milliseconds m_wait;
    std::unique_ptr<Alarm> m_alarm;
};

} // namespace telson::core
