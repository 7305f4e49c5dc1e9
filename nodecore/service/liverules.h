// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/approval/approvalbroker.h"

#include <QtCore/QByteArray>

#include <filesystem>
#include <optional>

namespace telson::core {

class PrivateFiles;
class SettingsFile;
struct Settings;

/// The settings that take part in the policy, fresh at each decision: when telson.json changes while
/// the service runs, what tightens counts at once. What loosens waits for the next start, which is a
/// person's act (design §11.2); so does everything while the file can't be read.
class LiveRules final
{
public:
    /// `files` and `file` outlive this; `path` is where the file is, `settings` what it said when the
    /// service started.
    LiveRules(const PrivateFiles &files, const SettingsFile &file, std::filesystem::path path,
              const Settings &settings);

    [[nodiscard]] LocalRules current();

private:
    [[nodiscard]] bool hasChanged();

    const PrivateFiles &m_files;
    const SettingsFile &m_file;
    std::filesystem::path m_path;
    LocalRules m_rules;
    std::optional<QByteArray> m_seen; ///< what the file held; nothing if it could not be read
};

} // namespace telson::core
