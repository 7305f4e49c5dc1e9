// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/identity/secretstore.h"

#include <QtCore/QMap>

#include <filesystem>

namespace telson::core {

class PrivateFiles;

/// Secrets in an owner-only file, secrets.json: `{"version":1,"secrets":{"<key>":"<base64>"}}`.
///
/// The file is read and written before a call returns; the answer comes later, as the seam says. A
/// file that others can read is refused (Denied, with the way out), one that can't be understood is
/// an error (Io) and stays as it is. Unavailable while another process writes it.
class FileSecretStore final : public SecretStore
{
public:
    FileSecretStore(PrivateFiles &files, std::filesystem::path file);

    void read(const QString &key, QObject *context,
              std::function<void(Result<std::optional<QByteArray>>)> done) override;
    void write(const QString &key, const QByteArray &secret, QObject *context,
               std::function<void(Result<void>)> done) override;

private:
    using Secrets = QMap<QString, QByteArray>;

    [[nodiscard]] Result<Secrets> load() const;
    [[nodiscard]] Result<void> store(const QString &key, const QByteArray &secret);

    PrivateFiles &m_files;
    std::filesystem::path m_file;
};

} // namespace telson::core
