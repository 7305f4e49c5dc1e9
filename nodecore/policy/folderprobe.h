// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/policy/approvedcommand.h"

#include <QtCore/QString>

namespace telson::core {

/// An existing folder.
struct ProbedFolder
{
    QString path; ///< absolute, no link, "." or ".." in it
    FolderIdentity identity;

    bool operator==(const ProbedFolder &) const = default;
};

/// Seam: looks at a working folder. Real: `PosixFolderProbe`; tests: `FakeFolderProbe`.
/// Opens nothing and starts nothing, but may touch a network path: callers check the text first.
class FolderProbe
{
public:
    FolderProbe() = default;
    FolderProbe(const FolderProbe &) = delete;
    FolderProbe &operator=(const FolderProbe &) = delete;
    virtual ~FolderProbe() = default;

    /// Where `path` leads to and what is there. Errors: InvalidArgument (not absolute, or something
    /// other than a folder), Unavailable (missing, or not for this user). `message` is the reason
    /// as the system words it, without the path: "no such file or directory".
    [[nodiscard]] virtual Result<ProbedFolder> probe(const QString &path) const = 0;
};

} // namespace telson::core
