// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/service/liverules.h"

#include "nodecore/base/log.h"
#include "nodecore/base/privatefiles.h"
#include "nodecore/storage/settingsfile.h"

#include <algorithm>
#include <utility>

namespace telson::core {

namespace {

constexpr qint64 s_maxBytes = qint64{4} * 1024 * 1024;

LocalRules rulesOf(const Settings &settings)
{
    return {.mode = settings.exec.mode,
            .inlineEval =
                settings.exec.strictInlineEval ? InlineEval::NeedsApproval : InlineEval::Allowed};
}

} // namespace

LiveRules::LiveRules(const PrivateFiles &files, const SettingsFile &file,
                     std::filesystem::path path, const Settings &settings)
    : m_files(files), m_file(file), m_path(std::move(path)), m_rules(rulesOf(settings))
{
    (void)hasChanged();
}

// The bytes are compared, not the file's times: two edits within one tick of the clock look the same.
bool LiveRules::hasChanged()
{
    const auto read = m_files.read(m_path, s_maxBytes);
    std::optional<QByteArray> now;
    if (read) {
        now = read->has_value() ? (*read)->bytes : QByteArray();
    }
    return now != std::exchange(m_seen, now);
}

LocalRules LiveRules::current()
{
    if (!hasChanged()) {
        return m_rules;
    }
    const auto loaded = m_file.load();
    if (!loaded) {
        logError(LogRoom::Service, u"the settings can't be read, the last good ones stay",
                 {{u"reason", loaded.error().message}});
        return m_rules;
    }
    const LocalRules next = rulesOf(loaded->settings);
    // The order of the words is from tight to loose; "auto" adds a reviewer, so it is looser than "ask".
    if (next.mode > m_rules.mode || next.inlineEval < m_rules.inlineEval) {
        logWarn(LogRoom::Service, u"a looser exec.mode takes effect when the service starts again",
                {{u"now", toString(m_rules.mode)}, {u"then", toString(next.mode)}});
    }
    m_rules.mode = std::min(m_rules.mode, next.mode);
    m_rules.inlineEval = std::max(m_rules.inlineEval, next.inlineEval);
    return m_rules;
}

} // namespace telson::core
