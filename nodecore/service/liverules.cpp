// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/service/liverules.h"

#include "nodecore/base/log.h"
#include "nodecore/base/path.h"
#include "nodecore/storage/settingsfile.h"

#include <QtCore/QFileInfo>

#include <algorithm>
#include <utility>

namespace telson::core {

namespace {

LocalRules rulesOf(const Settings &settings)
{
    return {.mode = settings.exec.mode,
            .inlineEval =
                settings.exec.strictInlineEval ? InlineEval::NeedsApproval : InlineEval::Allowed};
}

} // namespace

LiveRules::LiveRules(const SettingsFile &file, std::filesystem::path path, const Settings &settings)
    : m_file(file), m_path(std::move(path)), m_rules(rulesOf(settings))
{
    (void)hasChanged();
}

bool LiveRules::hasChanged()
{
    const QFileInfo info(toQString(m_path));
    const QDateTime time = info.lastModified();
    const qint64 size = info.exists() ? info.size() : -1;
    if (time == std::exchange(m_seenTime, time)) {
        return size != std::exchange(m_seenSize, size);
    }
    m_seenSize = size;
    return true;
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
