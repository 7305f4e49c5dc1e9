// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace telson::core {

/// One gateway as `telson status` shows it.
struct GatewayStatus
{
    QString id;
    QString url;
    QString state;  ///< a word of `ConnectionState`, "surface-pending"
    QString detail; ///< for people: what is going on and the way out; may be empty
    QString requestId; ///< of a pending pairing, else empty
    QString serverVersion;
    QString lastError; ///< details.code of the last refusal, else empty
    int attempt = 0;
    qint64 nextTryInMs = -1; ///< -1 = none planned

    bool operator==(const GatewayStatus &) const = default;
};

/// What the service answers to the control method "status".
struct ServiceStatus
{
    QString version;
    QString profile;
    QString deviceId;
    QString displayName;
    QString execMode;
    QStringList commands;
    qint64 processId = 0;
    qint64 uptimeMs = 0;
    qint64 runningCommands = 0;
    QString policyProblem; ///< empty, or where and why the approvals document can't be used
    QList<GatewayStatus> gateways;

    bool operator==(const ServiceStatus &) const = default;
};

[[nodiscard]] QByteArray encodeServiceStatus(const ServiceStatus &status);

/// Unknown keys are ignored. Errors: Protocol, naming the field.
[[nodiscard]] Result<ServiceStatus> decodeServiceStatus(const QByteArray &json);

} // namespace telson::core
