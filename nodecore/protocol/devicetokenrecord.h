// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace telson::core {

/// A token that a gateway issued to this device, as it is kept in the secret store.
struct DeviceTokenRecord
{
    QString token;
    QStringList scopes; ///< granted with it
    bool isSuspect = false; ///< the gateway refused it: kept, but not used until a new one comes

    bool operator==(const DeviceTokenRecord &) const = default;
};

/// `{"version":1,"token":…,"scopes":[…],"suspect":false}`.
[[nodiscard]] QByteArray encodeDeviceTokenRecord(const DeviceTokenRecord &record);

/// Errors: Protocol, naming the field, never showing a value.
[[nodiscard]] Result<DeviceTokenRecord> parseDeviceTokenRecord(const QByteArray &json);

} // namespace telson::core
