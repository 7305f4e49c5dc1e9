// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/settingsfile.h"

#include "nodecore/base/path.h"
#include "nodecore/base/privatefiles.h"
#include "nodecore/storage/filelock.h"
#include "nodecore/storage/gatewaysettings.h"
#include "nodecore/storage/settingscodec.h"
#include "nodecore/storage/settingsedit.h"
#include "nodecore/storage/settingskeys.h"
#include "nodecore/storage/settingvalues.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

constexpr qint64 s_maxBytes = qint64{1024} * 1024;

std::unexpected<Error> unknownKey(const QString &key)
{
    QStringList near;
    for (const SettingKey &known : settingKeys()) {
        if (known.name.startsWith(key + u'.')) {
            near.append(known.name);
        }
    }
    const QString hint = near.isEmpty() ? u"telson help config lists the keys"_s
                                        : u"it holds "_s + near.join(u", "_s);
    return fail(ErrorCode::InvalidArgument, u"no setting '%1'; %2"_s.arg(key, hint));
}

} // namespace

SettingsFile::SettingsFile(PrivateFiles &files, std::filesystem::path file)
    : m_files(files), m_file(std::move(file))
{
}

Result<std::optional<QByteArray>> SettingsFile::readText() const
{
    return m_files.read(m_file, s_maxBytes).transform([](std::optional<PrivateFile> file) {
        return file ? std::optional(std::move(file->bytes)) : std::nullopt;
    });
}

Result<LoadedSettings> SettingsFile::load() const
{
    const Result<std::optional<QByteArray>> text = readText();
    if (!text) {
        return std::unexpected(text.error());
    }
    if (!text->has_value()) {
        return LoadedSettings();
    }
    const QString name = toQString(m_file);
    Result<DecodedSettings> decoded = decodeSettings(**text);
    if (!decoded) {
        return fail(decoded.error().code, u"%1: %2"_s.arg(name, decoded.error().message));
    }
    LoadedSettings loaded{std::move(decoded->settings), std::move(decoded->warnings), true};
    for (QString &warning : loaded.warnings) {
        warning = u"%1: %2"_s.arg(name, warning);
    }
    return loaded;
}

Result<QList<SettingValue>> SettingsFile::values() const
{
    return load().transform([](const LoadedSettings &loaded) {
        QList<SettingValue> values{{u"gateways"_s, encodeGateways(loaded.settings.gateways)}};
        for (const SettingKey &key : settingKeys()) {
            values.append({key.name, encodeSetting(key, loaded.settings)});
        }
        return values;
    });
}

Result<void> SettingsFile::change(const Edit &edit)
{
    if (const Result<void> made = m_files.makeFolder(m_file.parent_path()); !made) {
        return made;
    }
    const auto lock = lockBeside(m_file);
    if (!lock) {
        return std::unexpected(lock.error());
    }
    // Only a file that can be understood as a whole is changed; what is wrong in it is reported
    // first.
    if (const Result<LoadedSettings> before = load(); !before) {
        return std::unexpected(before.error());
    }
    const Result<std::optional<QByteArray>> text = readText();
    if (!text) {
        return std::unexpected(text.error());
    }
    const Result<QByteArray> edited = edit(text->value_or(QByteArrayLiteral("{\"version\":1}")));
    if (!edited) {
        return std::unexpected(edited.error());
    }
    if (const Result<DecodedSettings> after = decodeSettings(*edited); !after) {
        return std::unexpected(after.error());
    }
    return text->value_or(QByteArray()) == *edited ? Result<void>()
                                                   : m_files.write(m_file, *edited);
}

Result<void> SettingsFile::setValue(const QString &key, const QString &text)
{
    const SettingKey *setting = findSettingKey(key);
    if (setting == nullptr) {
        return unknownKey(key);
    }
    const Result<QByteArray> value = parseSettingText(*setting, text);
    if (!value) {
        return std::unexpected(value.error());
    }
    return change([&](const QByteArray &json) { return editedMember(json, key, *value); });
}

Result<void> SettingsFile::resetValue(const QString &key)
{
    if (findSettingKey(key) == nullptr) {
        return unknownKey(key);
    }
    return change([&](const QByteArray &json) { return editedMember(json, key, std::nullopt); });
}

Result<void> SettingsFile::addGateway(const GatewaySettings &gateway)
{
    if (const Result<void> checked = checkGateway(gateway); !checked) {
        return checked;
    }
    const Result<LoadedSettings> loaded = load();
    if (loaded
        && std::ranges::contains(loaded->settings.gateways, gateway.id, &GatewaySettings::id)) {
        return fail(ErrorCode::InvalidArgument,
                    u"there is a gateway '%1' already; remove it first or choose another id"_s.arg(
                        gateway.id));
    }
    return change([&](const QByteArray &json) -> Result<QByteArray> {
        return withGateway(json, encodeGateway(gateway));
    });
}

Result<void> SettingsFile::useGateway(const QString &id)
{
    return change([&](const QByteArray &json) { return withOnlyGateway(json, id); });
}

Result<void> SettingsFile::removeGateway(const QString &id)
{
    return change([&](const QByteArray &json) { return withoutGateway(json, id); });
}

} // namespace telson::core
