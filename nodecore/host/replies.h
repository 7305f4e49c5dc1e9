// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/host/commandhandler.h"

#include <QtCore/QString>

#include <optional>

namespace telson::core {

/// {"INVALID_REQUEST", text}. `text` goes out as it is.
[[nodiscard]] CommandFailure invalidRequest(const QString &text);

/// {"SYSTEM_RUN_DENIED", text}.
[[nodiscard]] CommandFailure runDenied(const QString &text);

/// A caller's id without the white space around it; empty for none. For comparing and looking up;
/// what is echoed stays as it was sent.
[[nodiscard]] QString normalizedId(const std::optional<QString> &id);

} // namespace telson::core
