// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QString>

#include <optional>

namespace telson::core {

/// The folder a request names, or `defaultFolder` for none (absent, null or blank). Only the text
/// is looked at. Errors: InvalidArgument for a relative path and for a `node://` folder, none of
/// which this node publishes.
[[nodiscard]] Result<QString> requestedFolder(const std::optional<QString> &cwd,
                                              const QString &defaultFolder);

/// Whether looking at this folder could reach another machine or a device: `//server`, `\\server`,
/// the automounter's /net, /dev, /proc, /sys. Nothing of that kind is touched before an approval
/// (design §11.6).
[[nodiscard]] bool isUntouchable(const QString &folder);

} // namespace telson::core
