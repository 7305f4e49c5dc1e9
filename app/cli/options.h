// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "app/cli/cli.h"

#include <QtCore/QCommandLineOption>
#include <QtCore/QCommandLineParser>

#include <optional>

namespace telson::app {

/// What one command understands: its usage, options and examples. Every command has --help; commands
/// with `hasJson` have --json.
struct CommandUsage
{
    QString name;           ///< "gateway add"
    QString arguments = {}; ///< "ID URL", shown behind the name
    QString description = {}; ///< one or two sentences
    QStringList examples = {};
    QList<QCommandLineOption> options = {};
    int leastArguments = 0;
    int mostArguments = 0;
    bool hasJson = true;
};

/// The parsed line of one command.
struct ParsedOptions
{
    QStringList arguments;
    QHash<QString, QString> values; ///< options given with a value, by long name
    QStringList flags;              ///< options given without one
    bool json = false;
};

/// Parses, or prints help (exit code Ok) or what is wrong with the line (exit code Usage) and returns
/// that code.
[[nodiscard]] std::expected<ParsedOptions, ExitCode> parseOptions(const CommandUsage &usage,
                                                                  const QStringList &arguments,
                                                                  CliContext &context);

} // namespace telson::app
