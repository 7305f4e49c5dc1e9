// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/folderprobe.h"

namespace telson::platform {

/// realpath(3) and stat(2).
class PosixFolderProbe final : public core::FolderProbe
{
public:
    [[nodiscard]] core::Result<core::ProbedFolder> probe(const QString &path) const override;
};

} // namespace telson::platform
