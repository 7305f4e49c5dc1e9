// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QLockFile>

#include <filesystem>
#include <memory>

namespace telson::core {

/// Keeps other processes from changing `file` between a read and the write that follows from it: a
/// lock beside it, `<file>.lock`, until the result is destroyed. The lock of a process that has
/// died does not count. Waits at most half a second, for it is held for one write only. Errors:
/// Unavailable (another process holds it), Io.
[[nodiscard]] Result<std::unique_ptr<QLockFile>> lockBeside(const std::filesystem::path &file);

} // namespace telson::core
