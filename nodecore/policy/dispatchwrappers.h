// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>

namespace telson::core {

/// The name by which a program is known, whatever folder and spelling it was called with: base
/// name, lower case, without one of .exe, .cmd, .bat, .com. "C:\x\Bash.EXE" and "/bin/bash" give
/// "bash".
[[nodiscard]] QString programName(const QString &token);

/// A command without the launchers in front of it.
struct UnwrappedCommand
{
    QStringList argv; ///< what the innermost launcher starts
    bool hasEnvironmentPrelude = false; ///< an `env` with options or assignments was on the way
};

/// Looks through at most four launchers: env, nice, nohup, timeout, stdbuf, time, flock,
/// caffeinate, sandbox-exec, busybox and toybox with a shell, command, builtin, exec. Stops at the
/// first one that it does not understand whole, so that an odd form is judged as it stands. Source:
/// policy-notes.md §5; forms that the reference calls blocked keep their launcher, but an `env`
/// prelude is looked through, because what follows still decides which variables may be set.
[[nodiscard]] UnwrappedCommand unwrapDispatch(const QStringList &argv);

/// Whether the name is one of the shells of policy-notes.md §6.
[[nodiscard]] bool isShellName(QStringView programName);

} // namespace telson::core
