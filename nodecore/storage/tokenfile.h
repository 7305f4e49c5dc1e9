// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QString>

#include <filesystem>

namespace telson::core {

class PrivateFiles;

/// The token or password of `--token-file`: one line of UTF-8, at most 16 KiB; a newline at its end
/// is not part of it. Errors: Denied (others can read or write the file, it belongs to somebody
/// else, it is not a regular file), Unavailable (no such file), InvalidArgument (empty, more than
/// one line, control characters, too long), Io. Messages name the file, never what it holds.
[[nodiscard]] Result<QString> readTokenFile(const PrivateFiles &files,
                                            const std::filesystem::path &file);

} // namespace telson::core
