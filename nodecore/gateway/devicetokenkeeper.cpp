// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/devicetokenkeeper.h"

#include "nodecore/base/log.h"
#include "nodecore/identity/secretstore.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

DeviceTokenKeeper::DeviceTokenKeeper(SecretStore &secrets, const QString &origin,
                                     const QString &deviceId, const QString &role)
    : m_secrets(secrets), m_key(u"device-token/"_s + role + u'/' + deviceId + u'/' + origin)
{
}

void DeviceTokenKeeper::load(QObject *context, std::function<void(Result<void>)> done)
{
    m_secrets.read(m_key, context,
                   [this, done = std::move(done)](const Result<std::optional<QByteArray>> &read) {
                       if (!read) {
                           done(std::unexpected(read.error()));
                           return;
                       }
                       m_isLoaded = true;
                       if (read->has_value()) {
                           const Result<DeviceTokenRecord> record = parseDeviceTokenRecord(**read);
                           if (record) {
                               m_record = *record;
                           } else {
                               logError(LogRoom::Gateway, u"a stored device token can't be used",
                                        {{u"key", m_key}, {u"problem", record.error().message}});
                           }
                       }
                       done({});
                   });
}

QString DeviceTokenKeeper::usableToken() const
{
    return m_record.has_value() && !m_record->isSuspect ? m_record->token : QString();
}

void DeviceTokenKeeper::accept(const QString &token, const QStringList &scopes)
{
    if (m_record.has_value() && m_record->token == token) {
        if (!m_record->isSuspect) {
            return;
        }
        m_record->isSuspect = false;
    } else {
        m_record = DeviceTokenRecord{token, scopes, false};
    }
    store();
}

void DeviceTokenKeeper::markSuspect()
{
    if (m_record.has_value() && !m_record->isSuspect) {
        logWarn(LogRoom::Gateway, u"the gateway refused the device token: kept, not used any more",
                {{u"key", m_key}});
        m_record->isSuspect = true;
        store();
    }
}

void DeviceTokenKeeper::store()
{
    m_secrets.write(
        m_key, encodeDeviceTokenRecord(*m_record), this, [this](const Result<void> &written) {
            if (!written) {
                logError(LogRoom::Gateway,
                         u"the device token could not be stored; after a restart the device "
                         "may have to be paired again",
                         {{u"key", m_key}, {u"problem", written.error().message}});
            }
        });
}

} // namespace telson::core
