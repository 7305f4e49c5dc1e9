// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QString>

#include <optional>

namespace telson::core {

/// The first regular executable file of that name in `searchPath`, the value of a PATH variable.
/// Relative and empty entries are passed over: what they mean depends on a folder that nobody
/// named. Nothing for a name that is empty, holds a separator or a NUL, or is not found.
[[nodiscard]] std::optional<QString> findExecutable(const QString &name, const QString &searchPath);

} // namespace telson::core
