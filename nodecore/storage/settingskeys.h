// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/storage/settings.h"

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <variant>

namespace telson::core {

/// The kinds of setting. `field` names the value's place in `Settings`, where the default is, too.
struct FlagSetting
{
    bool &(*field)(Settings &);
};
struct NumberSetting
{
    int &(*field)(Settings &);
    int least;
    int most;
};
/// Written as a whole number of `unit`.
struct DurationSetting
{
    std::chrono::milliseconds &(*field)(Settings &);
    std::chrono::milliseconds unit;
    std::chrono::milliseconds least;
    std::chrono::milliseconds most;
};
enum class TextShape { Line, Path };
/// One line of 1 to 4096 characters, as a path an absolute one; null where `isOptional`, which is
/// empty in `Settings`.
struct TextSetting
{
    QString &(*field)(Settings &);
    TextShape shape;
    bool isOptional;
};
struct TextListSetting
{
    QStringList &(*field)(Settings &);
    TextShape shape;
};
/// One of `words`, which are in the order of the enumeration behind.
struct WordSetting
{
    QStringList words;
    qsizetype (*index)(Settings &);
    void (*choose)(Settings &, qsizetype index);
};
/// A JSON object of objects, kept as text.
struct ObjectSetting
{
    QByteArray &(*field)(Settings &);
};

/// One setting of telson.json by its dotted key.
struct SettingKey
{
    QString name; ///< "exec.mode"
    std::variant<FlagSetting, NumberSetting, DurationSetting, TextSetting, TextListSetting,
                 WordSetting, ObjectSetting>
        kind;
    QString description; ///< one line for help
};

/// Every setting but `version` and `gateways`, in the order of the file.
[[nodiscard]] const QList<SettingKey> &settingKeys();

/// Null if there is no such setting.
[[nodiscard]] const SettingKey *findSettingKey(QStringView name);

/// Whether `name` holds settings: "exec", "mcp.http".
[[nodiscard]] bool isSettingSection(QStringView name);

/// What may be written there, to follow "expected ": "a whole number from 1 to 1024".
[[nodiscard]] QString allowedValues(const SettingKey &key);

} // namespace telson::core
