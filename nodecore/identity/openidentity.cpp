// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/identity/openidentity.h"

#include "nodecore/identity/secretstore.h"

#include <QtCore/QObject>

#include <memory>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using Done = std::function<void(Result<DeviceIdentity>)>;

Result<DeviceIdentity> parseStored(QByteArray &secret, const QString &knownDeviceId)
{
    Result<DeviceIdentity> identity = DeviceIdentity::fromSecret(secret);
    wipe(secret);
    if (!identity) {
        return fail(
            ErrorCode::Protocol,
            u"the stored device key can't be used (%1); restore it from a backup, nothing was changed"_s
                .arg(identity.error().message));
    }
    if (!knownDeviceId.isEmpty() && identity->deviceId() != knownDeviceId) {
        return fail(
            ErrorCode::Protocol,
            u"the stored device key belongs to device %1, this profile to device %2; nothing was changed"_s
                .arg(identity->deviceId(), knownDeviceId));
    }
    return identity;
}

/// What was written has to come back before a gateway sees the new identity.
void readBack(SecretStore &secrets, const QString &deviceId, QObject *context, Done done)
{
    secrets.read(
        s_privateKeySecret.toString(), context,
        [deviceId, done = std::move(done)](Result<std::optional<QByteArray>> read) {
            if (!read) {
                done(std::unexpected(read.error()));
            } else if (!read->has_value()) {
                done(fail(ErrorCode::Io, u"the secret store did not keep the new device key"_s));
            } else {
                done(parseStored(**read, deviceId));
            }
        });
}

void makeIdentity(SecretStore &secrets, QObject *context, Done done)
{
    const DeviceIdentity identity = DeviceIdentity::generate();
    QByteArray secret = identity.toSecret();
    secrets.write(s_privateKeySecret.toString(), secret, context,
                  [&secrets, context, deviceId = identity.deviceId(),
                   done = std::move(done)](const Result<void> &written) {
                      if (!written) {
                          done(std::unexpected(written.error()));
                          return;
                      }
                      readBack(secrets, deviceId, context, done);
                  });
    wipe(secret);
}

} // namespace

void openIdentity(SecretStore &secrets, const QString &knownDeviceId, QObject *context, Done done)
{
    secrets.read(
        s_privateKeySecret.toString(), context,
        [&secrets, knownDeviceId, context,
         done = std::move(done)](Result<std::optional<QByteArray>> read) {
            if (!read) {
                done(std::unexpected(read.error()));
            } else if (read->has_value()) {
                done(parseStored(**read, knownDeviceId));
            } else if (!knownDeviceId.isEmpty()) {
                done(fail(
                    ErrorCode::Unavailable,
                    u"the private key of device %1 is not in the secret store; restore it, or "
                    "remove identity.json to become a new device that has to be paired again"_s.arg(
                        knownDeviceId)));
            } else {
                makeIdentity(secrets, context, done);
            }
        });
}

} // namespace telson::core
