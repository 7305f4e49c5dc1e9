// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/approvedcommand.h"

#include <QtCore/QString>

namespace telson::core {

/// Why nothing was started.
enum class StartFailure {
    FolderMissing,
    FolderNotADirectory,
    FolderChanged, ///< another folder than `CommandSpec::folderIdentity` has taken the name
    FolderUnusable, ///< there, but it can't be entered
    ProgramMissing,
    ProgramNotExecutable, ///< a folder, or without execute permission
    ProgramBroken, ///< no format that the system can run
    InvalidText, ///< argv, folder or environment can't be passed on as they are
    OutOfResources, ///< no descriptors, memory or processes left
    Other,
};

/// One failed start, as a backend reports it.
struct StartError
{
    StartFailure reason = StartFailure::Other;
    QString detail; ///< what the system said, "No such file or directory"
    int osError = 0; ///< errno or GetLastError(), 0 if none

    bool operator==(const StartError &) const = default;
};

/// One sentence for the caller of a run; it names the path and the reason. The two folder texts are
/// those of node-commands.md §4.5.
[[nodiscard]] QString describe(const StartError &error, const CommandSpec &spec);

} // namespace telson::core
