// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>

#include <filesystem>
#include <optional>

namespace telson::core {

/// What a file that only its owner may read and write looked like.
struct PrivateFile
{
    QByteArray bytes;
    bool isReadableByOthers = false; ///< no fault for settings, one for secrets
};

/// Seam: files and folders that only this user may read and write. Real: one per OS in `platform`.
/// Every write is atomic and durable: after a crash the file holds the old or the new bytes.
class PrivateFiles
{
public:
    PrivateFiles() = default;
    PrivateFiles(const PrivateFiles &) = delete;
    PrivateFiles &operator=(const PrivateFiles &) = delete;
    virtual ~PrivateFiles() = default;

    /// Makes the folder (and missing parents) with owner-only access; an existing one must belong to
    /// this user and is tightened to owner-only. Errors: Denied (another owner), Io.
    [[nodiscard]] virtual Result<void> makeFolder(const std::filesystem::path &folder) = 0;

    /// The file's bytes, or nothing if there is no such file.
    /// Errors: Denied (another owner, others may write it, or not a regular file),
    /// InvalidArgument (over `maxBytes`), Io. The message names the path and the way out.
    [[nodiscard]] virtual Result<std::optional<PrivateFile>> read(const std::filesystem::path &file,
                                                                  qint64 maxBytes) const = 0;

    /// Replaces the file: temporary file, fsync, rename, fsync of the folder; mode 0600 / user ACL.
    /// A last path component that is a link is followed to a file of this user, so that dotfile
    /// managers keep working. Errors: Denied, Io.
    [[nodiscard]] virtual Result<void> write(const std::filesystem::path &file,
                                             const QByteArray &bytes) = 0;
};

} // namespace telson::core
