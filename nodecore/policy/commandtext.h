// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>

namespace telson::core {

// How a command is written for people and compared between node and gateway. Never for running it.
// Source: node-commands.md §3, policy-notes.md §6 and §10.

/// One line: tokens joined by a space; an empty one is "", one with white space or a double quote
/// is wrapped in double quotes with inner ones as \". ["/bin/sh","-lc","echo hi"] gives
/// `/bin/sh -lc "echo hi"`.
[[nodiscard]] QString formatCommand(const QStringList &argv);

/// Whether a shell will read part of the argv, behind launchers too and with a script file as well.
[[nodiscard]] bool usesShell(const QStringList &argv);

/// The text that may stand for the whole argv when it is shown: what a shell is given by -c or /c,
/// trimmed, where nothing else in the argv changes its meaning (no environment prelude, no
/// positional arguments, no start-up files). `sh -lc` counts only if `rawCommand` says the same, as
/// the gateway does. Nothing for any other argv.
[[nodiscard]] std::optional<QString> commandPreview(const QStringList &argv,
                                                    const std::optional<QString> &rawCommand);

/// Whether the caller's text is the formatted argv or its preview.
[[nodiscard]] bool rawCommandMatches(const QStringList &argv, const QString &rawCommand);

/// Why an argv is refused on every door, or nothing: `/approve` and `openclaw channels login`, as
/// the argv itself or as the first words of a shell's text (design §7).
[[nodiscard]] std::optional<QString> refusedOnEveryDoor(const QStringList &argv);

} // namespace telson::core
