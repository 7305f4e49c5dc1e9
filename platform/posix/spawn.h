// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "platform/posix/uniquefd.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace telson::platform {

// The native core of `PipeProcess`: the system and the standard library only.

/// Device and inode of a folder.
struct FolderId
{
    std::uint64_t device = 0;
    std::uint64_t inode = 0;

    bool operator==(const FolderId &) const = default;
};

/// What to start. Texts are bytes without NUL.
struct SpawnRequest
{
    std::vector<std::string> argv; ///< at least one; passed on as it is
    std::string folder; ///< absolute
    std::optional<FolderId> folderId; ///< compared with the folder that is entered
    std::vector<std::string> environment; ///< "NAME=value", the whole of it
    std::optional<std::string> searchPath; ///< for a program without a slash: "/usr/bin:/bin"
};

enum class SpawnProblem {
    FolderMissing,
    FolderNotADirectory,
    FolderChanged,
    FolderUnusable,
    ProgramMissing,
    ProgramNotExecutable,
    ProgramBroken, ///< also a script whose interpreter is missing
    OutOfResources,
    Other,
};

struct SpawnFailure
{
    SpawnProblem problem = SpawnProblem::Other;
    int error = 0; ///< errno, 0 if none
};

/// A started program. The caller reaps it (`childexit.h`).
struct SpawnedProcess
{
    pid_t pid = 0; ///< also the id of its session and process group
    UniqueFd standardOutput; ///< reading ends, non-blocking
    UniqueFd standardError;
};

/// Starts a program in a session of its own: standard input at its end, every other descriptor
/// closed, signals as at login. Works also where this process has no descriptors 0 to 2.
/// Nothing is left behind after a failure. Blocks until the program is loaded.
[[nodiscard]] std::expected<SpawnedProcess, SpawnFailure> spawnPiped(const SpawnRequest &request);

} // namespace telson::platform
