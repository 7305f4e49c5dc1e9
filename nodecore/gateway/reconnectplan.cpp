// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/reconnectplan.h"

#include "nodecore/protocol/framecodec.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace telson::core {

namespace {

constexpr std::chrono::milliseconds s_soon = 250ms;
constexpr std::chrono::milliseconds s_pairingPoll = 10s;
constexpr std::chrono::milliseconds s_slowestPairingPoll = 30s;
constexpr int s_forbidden = 403;

bool isSignatureRefusal(const ConnectFailure &failure)
{
    return failure.refusal.has_value()
        && failure.refusal->details.code.startsWith("DEVICE_AUTH_"_L1);
}

bool isProxyRefusal(const ConnectFailure &failure)
{
    return !failure.refusal.has_value()
        && failure.close.cause == TransportClose::Cause::UpgradeRefused
        && failure.close.httpStatus == s_forbidden
        && upgradeErrorType(failure.close.httpBody) == "proxy_attribution_required"_L1;
}

} // namespace

ReconnectPlan::ReconnectPlan(std::function<double()> random) : m_backoff(std::move(random))
{
}

ReconnectPlan::Step ReconnectPlan::stepAfter(ConnectFailure failure)
{
    count(failure);
    Step step{reactionTo(failure), 0ms};
    m_sendsBothTokens = step.reaction.action == ConnectReaction::Action::RetryWithDeviceToken;
    m_hasRetriedWithDeviceToken = m_hasRetriedWithDeviceToken || m_sendsBothTokens;
    m_pairingPolls =
        step.reaction.action == ConnectReaction::Action::PollPairing ? m_pairingPolls + 1 : 0;
    step.wait = waitFor(step.reaction);
    return step;
}

void ReconnectPlan::reset()
{
    m_backoff.reset();
    m_sendsBothTokens = false;
    m_hasRetriedWithDeviceToken = false;
    m_signatureRefusals = 0;
    m_proxyRefusals = 0;
    m_pairingPolls = 0;
}

void ReconnectPlan::count(ConnectFailure &failure)
{
    m_signatureRefusals = isSignatureRefusal(failure) ? m_signatureRefusals + 1 : 0;
    m_proxyRefusals = isProxyRefusal(failure) ? m_proxyRefusals + 1 : 0;
    failure.signatureRefusals = m_signatureRefusals;
    failure.proxyRefusals = m_proxyRefusals;
    failure.hasRetriedWithDeviceToken = m_hasRetriedWithDeviceToken;
}

std::chrono::milliseconds ReconnectPlan::waitFor(const ConnectReaction &reaction)
{
    switch (reaction.action) {
    case ConnectReaction::Action::RetryWithDeviceToken:
        return s_soon;
    case ConnectReaction::Action::PollPairing: {
        const std::chrono::milliseconds poll =
            std::min(m_pairingPolls * s_pairingPoll, s_slowestPairingPoll);
        return m_backoff.spreadUp(std::max(poll, reaction.atLeast));
    }
    case ConnectReaction::Action::Retry:
    case ConnectReaction::Action::Pause:
        break;
    }
    const std::chrono::milliseconds wait = std::min(m_backoff.next(), reaction.atMost);
    return wait < reaction.atLeast ? m_backoff.spreadUp(reaction.atLeast) : wait;
}

} // namespace telson::core
