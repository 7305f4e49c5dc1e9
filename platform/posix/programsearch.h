// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "platform/posix/uniquefd.h"

#include <expected>
#include <string>

namespace telson::platform {

/// Looks a bare program name up as a shell in `folder` would, but in `searchPath` and not in this
/// process's own PATH: the first regular file that may be executed. Empty and relative entries are
/// relative to `folder`, and so is then the result.
/// Errors (errno): EACCES if there are only files that may not be executed, else ENOENT.
[[nodiscard]] std::expected<std::string, int>
searchProgram(const std::string &name, const std::string &searchPath, const UniqueFd &folder);

} // namespace telson::platform
