// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QString>

#include <filesystem>

namespace telson::core {

/// Text to path and back, right on every system (UTF-16 on Windows, UTF-8 bytes elsewhere).
/// `path.string()` is not: on Windows it is the local code page.
[[nodiscard]] std::filesystem::path toPath(const QString &text);
[[nodiscard]] QString toQString(const std::filesystem::path &path);

} // namespace telson::core
