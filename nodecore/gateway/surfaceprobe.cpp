// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/surfaceprobe.h"

#include "nodecore/gateway/gatewaysession.h"
#include "nodecore/protocol/framecodec.h"

#include <QtCore/QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace telson::core {

namespace {

constexpr std::chrono::milliseconds s_firstWait = 250ms;
constexpr std::chrono::milliseconds s_longestWait = 5s;
constexpr std::chrono::milliseconds s_answerLimit = 30s;

/// The gateway names the command in its message: "run `openclaw nodes approve <id>`". Not a
/// promise, so nothing depends on it, and only plain ids are taken because people paste them into a
/// shell.
QString requestIdIn(const QString &message)
{
    static const QRegularExpression s_command(
        u"openclaw nodes approve ([A-Za-z0-9][A-Za-z0-9-]{0,63})(?![A-Za-z0-9-])"_s);
    return s_command.match(message).captured(1);
}

} // namespace

SurfaceProbe::SurfaceProbe(GatewaySession &session, Clock &clock)
    : m_session(session), m_clock(clock), m_wait(s_firstWait)
{
}

void SurfaceProbe::ask()
{
    if (m_isAsking) {
        m_asksAgain = true;
        return;
    }
    m_isAsking = true;
    m_asksAgain = false;
    m_alarm.reset();
    m_session.request(u"node.runnerInventory.update"_s, runnerInventoryParams(), s_answerLimit,
                      this, [this](const RequestOutcome &outcome) { onAnswer(outcome); });
}

void SurfaceProbe::onAnswer(const RequestOutcome &outcome)
{
    m_isAsking = false;
    if (!outcome.has_value() && !m_session.isUp()) {
        return;
    }
    if (m_asksAgain) {
        m_wait = s_firstWait;
        ask();
        return;
    }
    const bool isUnavailable =
        !outcome.has_value() && outcome.error().error.code == ErrorCode::Unavailable;
    const bool isLate = !outcome.has_value() && outcome.error().error.code == ErrorCode::Timeout;
    if (!isUnavailable && !isLate) {
        m_wait = s_firstWait;
        Q_EMIT settled();
        return;
    }
    // PAIRING_CHANGED says that the decision came while the question was on its way.
    const std::optional<GatewayError> &refusal = outcome.error().refusal;
    if (refusal.has_value() && refusal->details.code != "PAIRING_CHANGED"_L1) {
        Q_EMIT pending(requestIdIn(refusal->message));
    }
    askLater();
}

void SurfaceProbe::askLater()
{
    m_alarm = m_clock.startAlarm(m_wait, [this] { ask(); });
    m_wait = std::min(2 * m_wait, s_longestWait);
}

} // namespace telson::core
