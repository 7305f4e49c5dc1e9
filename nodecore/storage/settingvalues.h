// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/storage/settings.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>

namespace telson::core {

struct SettingKey;

/// Puts one value, as JSON text, into its place.
/// Errors: InvalidArgument, "exec.mode: expected one of deny, …"; `settings` is as before then.
[[nodiscard]] Result<void> applySetting(const SettingKey &key, const QByteArray &json,
                                        Settings &settings);

/// One value as JSON text: `"ask"`, `1800000`, `null`, `["cut","uniq"]`.
[[nodiscard]] QByteArray encodeSetting(const SettingKey &key, const Settings &settings);

/// What a person typed as the value of `key`, as JSON text: words and texts without quotes, lists
/// and objects as JSON, "null" for none. Errors: InvalidArgument, naming the key and what it
/// expects.
[[nodiscard]] Result<QByteArray> parseSettingText(const SettingKey &key, const QString &text);

/// One setting for `telson help config`.
struct SettingHelp
{
    QString key;
    QString allowed; ///< "true or false"
    QByteArray defaultJson;
    QString description;
};
[[nodiscard]] QList<SettingHelp> describeSettings();

} // namespace telson::core
