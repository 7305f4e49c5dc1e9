// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/approval/approvalbroker.h"

#include <QtCore/QDateTime>

#include <filesystem>

namespace telson::core {

class SettingsFile;
struct Settings;

/// The settings that take part in the policy, fresh at each decision: when telson.json changes while
/// the service runs, what tightens counts at once. What loosens waits for the next start, which is a
/// person's act (design §11.2); so does everything while the file can't be read.
class LiveRules final
{
public:
    /// `file` outlives this; `path` is where it is, `settings` what it said when the service started.
    LiveRules(const SettingsFile &file, std::filesystem::path path, const Settings &settings);

    [[nodiscard]] LocalRules current();

private:
    [[nodiscard]] bool hasChanged();

    const SettingsFile &m_file;
    std::filesystem::path m_path;
    LocalRules m_rules;
    QDateTime m_seenTime;
    qint64 m_seenSize = -1;
};

} // namespace telson::core
