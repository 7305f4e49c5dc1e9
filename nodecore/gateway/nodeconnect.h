// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/gateway/gatewayendpoint.h"
#include "nodecore/protocol/connectparams.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <chrono>

namespace telson::core {

class DeviceIdentity;

/// The role of this side of a gateway connection.
inline constexpr QStringView s_nodeRole = u"node";

/// Larger frames are refused before hello (handshake.md §1), in bytes.
inline constexpr qsizetype s_maxConnectFrame = 65'536;

/// The one `connect` request of a node: id `node-host`, mode `node`, signed (v3) over the
/// challenge's nonce and time. A path list that would make it too large is left out. Errors:
/// InvalidArgument if it is too large all the same.
[[nodiscard]] Result<QByteArray> connectFrame(const QString &id, const NodeDescription &description,
                                              const ConnectAuth &auth,
                                              const DeviceIdentity &identity, const QString &nonce,
                                              std::chrono::milliseconds signedAt);

} // namespace telson::core
