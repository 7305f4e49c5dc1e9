// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "app/cli/cli.h"

namespace telson::app {

// One function a command; each has a .cpp of its own.
[[nodiscard]] ExitCode runRun(const QStringList &arguments, CliContext &context);
[[nodiscard]] ExitCode runStatus(const QStringList &arguments, CliContext &context);
[[nodiscard]] ExitCode runGateway(const QStringList &arguments, CliContext &context);
[[nodiscard]] ExitCode runConfig(const QStringList &arguments, CliContext &context);
[[nodiscard]] ExitCode runVersion(const QStringList &arguments, CliContext &context);
[[nodiscard]] ExitCode runHelp(const QStringList &arguments, CliContext &context);

} // namespace telson::app
