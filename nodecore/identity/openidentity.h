// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/identity/deviceidentity.h"

#include <QtCore/QString>

#include <functional>

class QObject;

namespace telson::core {

class SecretStore;

/// Where the private key is kept.
inline constexpr QStringView s_privateKeySecret = u"identity/private-key";

/// Reads this installation's key, or makes one where there has never been one: it is written, read
/// back and compared before it is handed out. `knownDeviceId` is the id that this profile has used
/// before (empty = none); a key that is missing or another then is an error and nothing is written.
/// A store that can't be read is an error too: no failure ever leads to a new identity.
///
/// `done` is called once, after the call has returned, on the caller's thread, and not at all once
/// `context` is gone. Errors: those of the store; Unavailable if the key is lost; Protocol if what
/// is stored is no key or not this device's.
void openIdentity(SecretStore &secrets, const QString &knownDeviceId, QObject *context,
                  std::function<void(Result<DeviceIdentity>)> done);

} // namespace telson::core
