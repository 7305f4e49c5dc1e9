// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <functional>

namespace telson::core {

class Clock;
class DeviceIdentity;
class SecretStore;
class TransportFactory;

/// What a connection needs from outside; all of it has to outlive the connection.
struct ConnectionServices
{
    const DeviceIdentity &identity;
    SecretStore &secrets;
    Clock &clock;
    TransportFactory &transports;
    std::function<double()> random; ///< evenly from 0 up to 1, spreads the waits
};

} // namespace telson::core
