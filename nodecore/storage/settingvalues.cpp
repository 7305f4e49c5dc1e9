// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/settingvalues.h"

#include "nodecore/base/path.h"
#include "nodecore/storage/jsontext.h"
#include "nodecore/storage/settingskeys.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using Json = nlohmann::ordered_json;

constexpr qsizetype s_maxText = 4096;
constexpr std::size_t s_maxItems = 256;

QString textOf(const Json &json)
{
    const auto *text = json.get_ptr<const Json::string_t *>();
    return text == nullptr ? QString() : QString::fromStdString(*text);
}

QByteArray dumped(const Json &json)
{
    return QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::optional<qint64> wholeNumber(const Json &json)
{
    if (const auto *number = json.get_ptr<const Json::number_unsigned_t *>()) {
        return *number <= static_cast<quint64>(std::numeric_limits<qint64>::max())
            ? std::optional<qint64>(static_cast<qint64>(*number))
            : std::nullopt;
    }
    if (const auto *number = json.get_ptr<const Json::number_integer_t *>()) {
        return *number;
    }
    return std::nullopt;
}

std::optional<qint64> wholeNumber(const Json &json, qint64 least, qint64 most)
{
    const std::optional<qint64> number = wholeNumber(json);
    return number && *number >= least && *number <= most ? number : std::nullopt;
}

std::optional<QString> oneLine(const Json &json, TextShape shape)
{
    if (!json.is_string()) {
        return std::nullopt;
    }
    const QString text = textOf(json);
    const bool isLine = !text.isEmpty() && text.size() <= s_maxText
        && std::ranges::none_of(
            text, [](QChar character) { return character.category() == QChar::Other_Control; });
    if (!isLine || (shape == TextShape::Path && !toPath(text).is_absolute())) {
        return std::nullopt;
    }
    return text;
}

/// Puts one JSON value into its place; false if it may not stand there.
struct Reader
{
    const Json &json;
    Settings &settings;

    bool operator()(const FlagSetting &kind) const
    {
        const auto *flag = json.get_ptr<const Json::boolean_t *>();
        if (flag != nullptr) {
            kind.field(settings) = *flag;
        }
        return flag != nullptr;
    }
    bool operator()(const NumberSetting &kind) const
    {
        const std::optional<qint64> number = wholeNumber(json, kind.least, kind.most);
        if (number) {
            kind.field(settings) = static_cast<int>(*number);
        }
        return number.has_value();
    }
    bool operator()(const DurationSetting &kind) const
    {
        const std::optional<qint64> number =
            wholeNumber(json, kind.least / kind.unit, kind.most / kind.unit);
        if (number) {
            kind.field(settings) = *number * kind.unit;
        }
        return number.has_value();
    }
    bool operator()(const TextSetting &kind) const
    {
        if (json.is_null() && kind.isOptional) {
            kind.field(settings).clear();
            return true;
        }
        const std::optional<QString> text = oneLine(json, kind.shape);
        if (text) {
            kind.field(settings) = *text;
        }
        return text.has_value();
    }
    bool operator()(const TextListSetting &kind) const
    {
        if (!json.is_array() || json.size() > s_maxItems) {
            return false;
        }
        QStringList list;
        for (const Json &item : json) {
            const std::optional<QString> text = oneLine(item, kind.shape);
            if (!text) {
                return false;
            }
            list.append(*text);
        }
        kind.field(settings) = list;
        return true;
    }
    bool operator()(const WordSetting &kind) const
    {
        const qsizetype index = json.is_string() ? kind.words.indexOf(textOf(json)) : -1;
        if (index >= 0) {
            kind.choose(settings, index);
        }
        return index >= 0;
    }
    bool operator()(const ObjectSetting &kind) const
    {
        const bool fits = json.is_object()
            && std::ranges::all_of(json, [](const Json &member) { return member.is_object(); });
        if (fits) {
            kind.field(settings) = dumped(json);
        }
        return fits;
    }
};

struct Writer
{
    Settings &settings; // only read; the table names places, not values

    Json operator()(const FlagSetting &kind) const
    {
        return kind.field(settings);
    }
    Json operator()(const NumberSetting &kind) const
    {
        return kind.field(settings);
    }
    Json operator()(const DurationSetting &kind) const
    {
        return kind.field(settings) / kind.unit;
    }
    Json operator()(const TextSetting &kind) const
    {
        const QString &text = kind.field(settings);
        return text.isEmpty() && kind.isOptional ? Json() : Json(text.toStdString());
    }
    Json operator()(const TextListSetting &kind) const
    {
        Json list = Json::array();
        for (const QString &item : std::as_const(kind.field(settings))) {
            list.push_back(item.toStdString());
        }
        return list;
    }
    Json operator()(const WordSetting &kind) const
    {
        return kind.words.value(kind.index(settings)).toStdString();
    }
    Json operator()(const ObjectSetting &kind) const
    {
        return Json::parse(kind.field(settings).toStdString(), nullptr, false);
    }
};

Result<void> read(const SettingKey &key, const Json &json, Settings &settings)
{
    if (std::visit(Reader(json, settings), key.kind)) {
        return {};
    }
    return fail(ErrorCode::InvalidArgument, u"%1: expected %2"_s.arg(key.name, allowedValues(key)));
}

} // namespace

Result<void> applySetting(const SettingKey &key, const QByteArray &json, Settings &settings)
{
    return read(key, Json::parse(json.cbegin(), json.cend(), nullptr, false), settings);
}

QByteArray encodeSetting(const SettingKey &key, const Settings &settings)
{
    Settings copy = settings;
    return dumped(std::visit(Writer(copy), key.kind));
}

Result<QByteArray> parseSettingText(const SettingKey &key, const QString &text)
{
    const std::string bytes = text.toStdString();
    const bool isText = std::holds_alternative<TextSetting>(key.kind)
        || std::holds_alternative<WordSetting>(key.kind);
    Json value = isText && text != "null"_L1 ? Json(bytes) : Json();
    if (!isText && checkJsonText(text.toUtf8()).has_value()) {
        value = Json::parse(bytes, nullptr, false);
    }
    Settings scratch;
    return read(key, value, scratch).transform([&value] { return dumped(value); });
}

QList<SettingHelp> describeSettings()
{
    QList<SettingHelp> help;
    const Settings defaults;
    for (const SettingKey &key : settingKeys()) {
        help.append({key.name, allowedValues(key), encodeSetting(key, defaults), key.description});
    }
    return help;
}

} // namespace telson::core
