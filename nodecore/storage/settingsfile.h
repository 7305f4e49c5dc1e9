// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/storage/settings.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QStringList>

#include <filesystem>
#include <functional>
#include <optional>

namespace telson::core {

class PrivateFiles;

struct LoadedSettings
{
    Settings settings;
    QStringList warnings; ///< "<file>: unknown key exec.mod"
    bool exists = false;
};

/// One setting as `telson config get` shows it.
struct SettingValue
{
    QString key;
    QByteArray json; ///< the value in force, the default where the file has none
};

/// telson.json on disk. Each change reads the file, changes only what it is about (unknown keys and
/// the order of keys stay), checks the result and writes it atomically, under a lock against other
/// processes. A file that can't be understood is never written.
///
/// Errors of all: InvalidArgument for what the file says wrong, as "<file>: exec.mode: expected one
/// of …"; Denied and Io as in `PrivateFiles`; of changes also Unavailable while another process
/// writes.
class SettingsFile final
{
public:
    SettingsFile(PrivateFiles &files, std::filesystem::path file);

    /// The defaults if there is no file.
    [[nodiscard]] Result<LoadedSettings> load() const;

    /// Every setting, `gateways` first (a JSON array).
    [[nodiscard]] Result<QList<SettingValue>> values() const;

    /// `key` is dotted, `text` as in `parseSettingText`. InvalidArgument also for an unknown key.
    [[nodiscard]] Result<void> setValue(const QString &key, const QString &text);

    /// Takes the key out of the file, so that the default holds.
    [[nodiscard]] Result<void> resetValue(const QString &key);

    /// InvalidArgument also if the id is taken or the gateway is not as `checkGateway` wants it.
    [[nodiscard]] Result<void> addGateway(const GatewaySettings &gateway);

    /// Makes one gateway the active one: enables it and disables every other. InvalidArgument if
    /// unknown.
    [[nodiscard]] Result<void> useGateway(const QString &id);

    /// Its tokens in the secret store stay. InvalidArgument if unknown.
    [[nodiscard]] Result<void> removeGateway(const QString &id);

private:
    /// Turns the text of a valid file into its new text.
    using Edit = std::function<Result<QByteArray>(const QByteArray &json)>;

    [[nodiscard]] Result<std::optional<QByteArray>> readText() const;
    [[nodiscard]] Result<void> change(const Edit &edit);

    PrivateFiles &m_files;
    std::filesystem::path m_file;
};

} // namespace telson::core
