// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/gateway/transport.h"

namespace telson::core {
class Clock;
}

namespace telson::platform {

/// Makes `WebSocketTransport`s.
class WebSocketTransportFactory final : public telson::core::TransportFactory
{
public:
    /// `clock` has to outlive the transports.
    explicit WebSocketTransportFactory(telson::core::Clock &clock) : m_clock(clock)
    {
    }

    [[nodiscard]] std::unique_ptr<telson::core::Transport>
    create(const telson::core::TransportTarget &target) override;

private:
    telson::core::Clock &m_clock;
};

} // namespace telson::platform
