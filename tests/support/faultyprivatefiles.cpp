// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/faultyprivatefiles.h"

#include "nodecore/base/path.h"

using telson::core::PrivateFile;
using telson::core::Result;

FaultyPrivateFiles::FaultyPrivateFiles(telson::core::PrivateFiles &real) : m_real(real)
{
}

Result<void> FaultyPrivateFiles::makeFolder(const std::filesystem::path &folder)
{
    return folderError ? Result<void>(std::unexpected(*folderError)) : m_real.makeFolder(folder);
}

Result<std::optional<PrivateFile>> FaultyPrivateFiles::read(const std::filesystem::path &file,
                                                            qint64 maxBytes) const
{
    if (beforeRead) {
        beforeRead();
    }
    if (readError) {
        return std::unexpected(*readError);
    }
    return m_real.read(file, maxBytes);
}

Result<void> FaultyPrivateFiles::write(const std::filesystem::path &file, const QByteArray &bytes)
{
    if (writeError) {
        return std::unexpected(*writeError);
    }
    written.append(telson::core::toQString(file.filename()));
    return m_real.write(file, bytes);
}
