// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/gateway/backoff.h"
#include "nodecore/gateway/connectreaction.h"

#include <chrono>
#include <functional>

namespace telson::core {

/// Remembers the failures since the last hello and says what comes next, and when.
class ReconnectPlan final
{
public:
    struct Step
    {
        ConnectReaction reaction;
        std::chrono::milliseconds wait{0}; ///< until the next try; of no meaning with Pause
    };

    /// `random` answers evenly from 0 up to 1.
    explicit ReconnectPlan(std::function<double()> random);

    /// The counters in `failure` are filled in here.
    [[nodiscard]] Step stepAfter(ConnectFailure failure);

    /// Whether the next try sends the device token beside the shared one.
    [[nodiscard]] bool sendsBothTokens() const
    {
        return m_sendsBothTokens;
    }

    /// A hello-ok came, or a person wants a fresh start: everything is forgotten.
    void reset();

private:
    void count(ConnectFailure &failure);
    std::chrono::milliseconds waitFor(const ConnectReaction &reaction);

    Backoff m_backoff;
    bool m_sendsBothTokens = false;
    bool m_hasRetriedWithDeviceToken = false;
    int m_signatureRefusals = 0;
    int m_proxyRefusals = 0;
    int m_pairingPolls = 0;
};

} // namespace telson::core
