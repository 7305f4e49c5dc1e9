// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/privatefiles.h"

namespace telson::platform {

/// Owner-only files by user id and mode bits. The owner is the effective user: root is a user too,
/// so a file of somebody else is refused also where root could read it.
///
/// A last path component that is a link is followed once, if this user owns the link; a link of
/// another user, a link to a link and a link to nothing are refused. Links further up are the
/// system's.
class PosixPrivateFiles final : public core::PrivateFiles
{
public:
    [[nodiscard]] core::Result<void> makeFolder(const std::filesystem::path &folder) override;
    [[nodiscard]] core::Result<std::optional<core::PrivateFile>>
    read(const std::filesystem::path &file, qint64 maxBytes) const override;
    [[nodiscard]] core::Result<void> write(const std::filesystem::path &file,
                                           const QByteArray &bytes) override;
};

} // namespace telson::platform
