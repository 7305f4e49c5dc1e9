// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/connectionstatus.h"

using namespace Qt::StringLiterals;

namespace telson::core {

QString toString(ConnectionState state)
{
    switch (state) {
    case ConnectionState::Stopped:
        return u"stopped"_s;
    case ConnectionState::Connecting:
        return u"connecting"_s;
    case ConnectionState::Handshaking:
        return u"handshaking"_s;
    case ConnectionState::Connected:
        return u"connected"_s;
    case ConnectionState::PairingPending:
        return u"pairing-pending"_s;
    case ConnectionState::SurfacePending:
        return u"surface-pending"_s;
    case ConnectionState::Waiting:
        return u"waiting"_s;
    case ConnectionState::Paused:
        return u"paused"_s;
    }
    return u"unknown"_s;
}

} // namespace telson::core
