// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/protocol/connectparams.h"

#include <QtCore/QByteArray>

namespace telson::core {

[[nodiscard]] QByteArray encodeConnectParams(const ConnectParams &params);

/// The payload of a successful `connect`. Lenient: only `protocol` is required; limits that are
/// missing or senseless get the defaults of handshake.md §4, and an interval is kept within 1 s to
/// 10 min. Errors: Protocol, naming the field.
[[nodiscard]] Result<HelloOk> parseHelloOk(const QByteArray &payloadJson);

} // namespace telson::core
