// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/protocol/frame.h"
#include "nodecore/protocol/invoke.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace telson::core {

/// Largest frame that is taken, in bytes; the gateway's own limit is 25 MiB.
inline constexpr qsizetype s_maxFrameBytes = 32 * 1024 * 1024;

/// Deepest nesting of a frame; the gateway's own frames stay below 20.
inline constexpr int s_maxFrameDepth = 64;

/// One text message of the gateway (handshake.md §1). Unknown keys are ignored.
/// Errors: Protocol for text that is not JSON, is nested too deep, or lacks or mistypes a field
/// that is needed to know what the frame is; the message names the field.
[[nodiscard]] Result<IncomingFrame> parseFrame(const QByteArray &text);

/// `{"type":"req","id":…,"method":…,"params":…}`.
[[nodiscard]] QByteArray encodeRequest(const RequestFrame &request);

/// Params of `node.invoke.result`; `nodeId` is this node's device id. Text that is not UTF-8 gets
/// U+FFFD.
[[nodiscard]] QByteArray encodeInvokeResultParams(const InvokeResult &result,
                                                  const QString &nodeId);

/// Params of `node.event`; the payload goes as a string, and is left out when empty.
[[nodiscard]] QByteArray encodeNodeEventParams(const NodeEvent &event);

/// Params of `node.runnerInventory.update` for a host without workers (node-publications.md §5).
[[nodiscard]] QByteArray runnerInventoryParams();

/// `error.type` of the JSON body that came with a refused upgrade, or empty (handshake.md §6).
[[nodiscard]] QString upgradeErrorType(const QByteArray &body);

} // namespace telson::core
