// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/privatefiles.h"

#include <QtCore/QStringList>

#include <functional>

/// Private files on disk whose device can be told to fail, and which remembers what was written.
class FaultyPrivateFiles final : public telson::core::PrivateFiles
{
public:
    explicit FaultyPrivateFiles(telson::core::PrivateFiles &real);

    telson::core::Result<void> makeFolder(const std::filesystem::path &folder) override;
    telson::core::Result<std::optional<telson::core::PrivateFile>>
    read(const std::filesystem::path &file, qint64 maxBytes) const override;
    telson::core::Result<void> write(const std::filesystem::path &file,
                                     const QByteArray &bytes) override;

    std::optional<telson::core::Error> folderError; ///< answered by every makeFolder while set
    std::optional<telson::core::Error> readError; ///< answered by every read while set
    std::optional<telson::core::Error> writeError; ///< answered by every write while set
    std::function<void()> beforeRead; ///< called first, for what happens meanwhile
    QStringList written; ///< file names, in order

private:
    telson::core::PrivateFiles &m_real;
};
