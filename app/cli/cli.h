// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonValue>
#include <QtCore/QProcessEnvironment>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <filesystem>
#include <functional>

namespace telson::core {
class Clock;
class PrivateFiles;
} // namespace telson::core

namespace telson::app {

/// Exit codes of every command.
enum class ExitCode : int {
    Ok = 0,
    Failed = 1,
    Usage = 2, ///< wrong words on the line, or a settings file that can't be read as meant
    Denied = 3,
    NoService = 4,
};

/// Where a command writes. Results go to `out`, everything else to `error`.
class Output
{
public:
    Output() = default;
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;
    virtual ~Output() = default;

    virtual void out(const QString &line) = 0;
    virtual void error(const QString &line) = 0;
};

/// What every command gets: borrowed seams and the facts of this process.
struct CliContext
{
    core::PrivateFiles &files;
    core::Clock &clock;
    Output &output;
    QProcessEnvironment environment;
    std::filesystem::path profile;       ///< the profile folder
    std::filesystem::path runtimeFolder; ///< `$XDG_RUNTIME_DIR`, or empty
};

/// One command of the program, such as "gateway".
struct CliCommand
{
    QString name;
    QString summary; ///< one line for the list of commands
    /// `arguments` is what follows the name.
    std::function<ExitCode(const QStringList &arguments, CliContext &context)> run;
};

/// Every command, in the order in which help lists them.
[[nodiscard]] QList<CliCommand> allCommands();

/// Runs `telson <arguments>`, without the program's own name.
[[nodiscard]] ExitCode runCommandLine(const QStringList &arguments, CliContext &context);

/// Prints one JSON value, indented.
void printJson(Output &output, const QJsonValue &value);

} // namespace telson::app
