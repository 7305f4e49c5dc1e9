// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QProcessEnvironment>
#include <QtCore/QString>

#include <filesystem>

namespace telson::core {

/// Which system's custom the profile folder follows. A value, so that each is tested on each.
enum class ProfileLayout { Linux, MacOs, Windows };

/// The profile folder: `$TELSON_HOME`, else on Linux `$XDG_CONFIG_HOME/telson` (`~/.config/telson`
/// where that is unset or not absolute), on macOS `~/Library/Application Support/Telson`, on
/// Windows
/// `%LOCALAPPDATA%\Telson`, which does not roam. A relative `$TELSON_HOME` counts from the current
/// folder.
[[nodiscard]] std::filesystem::path profileFolder(const QProcessEnvironment &environment,
                                                  const QString &home,
                                                  ProfileLayout layout = ProfileLayout::Linux);

/// The files of a profile.
struct ProfilePaths
{
    std::filesystem::path folder;
    std::filesystem::path settings; ///< telson.json
    std::filesystem::path approvals; ///< exec-approvals.json
    std::filesystem::path identity; ///< identity.json
    std::filesystem::path secrets; ///< secrets.json, with `secrets.backend` "file"
    std::filesystem::path log; ///< logs/telson.log
    std::filesystem::path lock; ///< service.lock, held by the one service of this profile
};
[[nodiscard]] ProfilePaths profilePaths(const std::filesystem::path &folder);

} // namespace telson::core
