// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <filesystem>

namespace telson::core {

/// Where the control socket of one profile lies: `<runtime folder>/telson/<12 hex>.sock`, where the
/// hex digits tell profiles apart. `runtimeFolder` is `$XDG_RUNTIME_DIR`; if empty, the profile's own
/// folder takes its place (`<profile>/control.sock`). Never an abstract name.
/// Errors: InvalidArgument when the path is longer than a socket address can hold.
[[nodiscard]] Result<std::filesystem::path> controlSocketPath(const std::filesystem::path &profile,
                                                              const std::filesystem::path &runtimeFolder);

} // namespace telson::core
