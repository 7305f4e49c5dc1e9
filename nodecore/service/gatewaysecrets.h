// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QString>

namespace telson::core {

/// Where the shared token of a gateway is kept in the secret store. An empty secret counts as none.
[[nodiscard]] inline QString sharedTokenKey(const QString &gatewayId)
{
    return QStringLiteral("gateway/") + gatewayId + QStringLiteral("/shared-token");
}

} // namespace telson::core
