// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/policy/approvedcommand.h"

#include <QtCore/QString>
#include <QtCore/QStringList>

namespace telson::core {

// Which variables a command gets. Pure functions; the environment of this process is a parameter.
// Source: node-commands.md §4.3, policy-notes.md §13 and §15, the vectors of env-sanitize.json.
// Stricter on purpose (design §5, §11.13): OPENCLAW_GATEWAY_*, CF_ACCESS_* and TELSON_* are neither
// inherited nor accepted; on Windows neither are overrides of COMSPEC, PATHEXT and PSMODULEPATH.

/// How the target system compares variable names and which of them steer the start of programs.
enum class EnvironmentRules { Posix, Windows };

/// The rules of the system that this was built for.
[[nodiscard]] EnvironmentRules nativeEnvironmentRules();

/// What became of the overrides of one request.
struct EnvironmentVerdict
{
    QStringList blockedKeys; ///< refused by name: upper case, sorted, unique
    QStringList invalidKeys; ///< not a portable name: as sent but trimmed, sorted, unique
    Environment accepted; ///< the rest, with trimmed names; values of the pager rule are empty

    [[nodiscard]] bool isClean() const
    {
        return blockedKeys.isEmpty() && invalidKeys.isEmpty();
    }
};

/// `own` without what no command may inherit. The two git protocol variables stay in cut-down form.
[[nodiscard]] Environment filteredEnvironment(const Environment &own);

/// `filteredEnvironment` plus the default PATH where `own` has none or an empty one (not on
/// Windows). Its PATH is what the node reports as `pathEnv`.
[[nodiscard]] Environment inheritedEnvironment(const Environment &own,
                                               EnvironmentRules rules = nativeEnvironmentRules());

/// Judges the overrides of a request, whatever the command.
[[nodiscard]] EnvironmentVerdict judgeOverrides(const Environment &overrides,
                                                EnvironmentRules rules = nativeEnvironmentRules());

/// What is left of the overrides for a shell wrapper: terminal and locale variables, the no-pager
/// pair. The rest is dropped in silence, as the contract wants it.
[[nodiscard]] Environment shellWrapperOverrides(const Environment &overrides);

/// The whole environment of a command: `inherited` (from `inheritedEnvironment`), the overrides
/// that apply, OPENCLAW_CLI=1. Errors: InvalidArgument with the contract's text,
/// "SYSTEM_RUN_DENIED: environment override rejected (blocked override keys: A, B; invalid
/// non-portable override keys: c)"; the wire code for it is INVALID_REQUEST.
[[nodiscard]] Result<Environment>
commandEnvironment(const Environment &inherited, const Environment &overrides, bool isShellWrapper,
                   EnvironmentRules rules = nativeEnvironmentRules());

/// The names that leading `env` wrappers of an argv assign (`env FOO=1 cmd`, also behind nice,
/// timeout and the like and in `env -S`), as written, sorted, unique.
[[nodiscard]] QStringList envAssignmentKeys(const QStringList &argv);

/// Refuses an argv whose `env` wrappers assign a blocked name.
/// Errors: InvalidArgument, "SYSTEM_RUN_DENIED: command env assignment rejected (blocked env
/// assignment keys: A, B)"; the wire code for it is INVALID_REQUEST.
[[nodiscard]] Result<void> checkEnvAssignments(const QStringList &argv,
                                               EnvironmentRules rules = nativeEnvironmentRules());

} // namespace telson::core
