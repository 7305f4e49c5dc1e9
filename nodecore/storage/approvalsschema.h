// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>

namespace telson::core {

/// Whether a stored approvals document may be relied on: JSON, version 1, every known field of the
/// right type and every policy word exact; unknown fields are let through (policy notes §11).
/// Errors: InvalidArgument, such as "agents entry #1.allowlist[0].pattern: expected a string":
/// agents are counted in the order of the text, names and values are never shown.
[[nodiscard]] Result<void> checkApprovals(const QByteArray &json);

} // namespace telson::core
