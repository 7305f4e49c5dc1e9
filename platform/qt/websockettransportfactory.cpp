// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/qt/websockettransportfactory.h"

#include "platform/qt/websockettransport.h"

namespace telson::platform {

std::unique_ptr<core::Transport>
WebSocketTransportFactory::create(const core::TransportTarget &target)
{
    return std::make_unique<WebSocketTransport>(target, m_clock);
}

} // namespace telson::platform
