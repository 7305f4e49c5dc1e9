// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "app/cli/cli.h"

#include "app/cli/commands.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace telson::app {

namespace {

void printOverview(Output &output)
{
    QString text = u"Usage: telson COMMAND [OPTIONS]\n\n"
                   "Telson runs the commands that an OpenClaw gateway's agents send to this machine,\n"
                   "as far as your policy lets them.\n\nCommands:\n"_s;
    const QList<CliCommand> commands = allCommands();
    for (const CliCommand &command : commands) {
        text += u"  "_s + command.name.leftJustified(10) + command.summary + u'\n';
    }
    text += u"\n'telson COMMAND --help' tells more. To begin:\n"
            "  telson gateway add home wss://gateway.example\n"
            "  telson run\n"
            "\nExit codes: 0 ok, 1 failed, 2 usage, 3 denied, 4 no service runs."_s;
    output.out(text);
}

} // namespace

QList<CliCommand> allCommands()
{
    return {
        {u"run"_s, u"Run the service in the foreground."_s, runRun},
        {u"status"_s, u"Show the running service and its gateways."_s, runStatus},
        {u"gateway"_s, u"Add, list, choose and remove gateways."_s, runGateway},
        {u"config"_s, u"Read and change settings."_s, runConfig},
        {u"version"_s, u"Print the version."_s, runVersion},
        {u"help"_s, u"Print this overview, or the help of one command."_s, runHelp},
    };
}

ExitCode runHelp(const QStringList &arguments, CliContext &context)
{
    if (arguments.isEmpty() || arguments.constFirst().startsWith(u'-')) {
        printOverview(context.output);
        return ExitCode::Ok;
    }
    return runCommandLine(QStringList(arguments) + QStringList{u"--help"_s}, context);
}

ExitCode runCommandLine(const QStringList &arguments, CliContext &context)
{
    if (arguments.isEmpty()) {
        printOverview(context.output);
        return ExitCode::Usage;
    }
    QString name = arguments.constFirst();
    if (name == "--help"_L1 || name == "-h"_L1) {
        name = u"help"_s;
    } else if (name == "--version"_L1) {
        name = u"version"_s;
    }
    const QList<CliCommand> commands = allCommands();
    const auto command = std::ranges::find(commands, name, &CliCommand::name);
    if (command == commands.cend()) {
        context.output.error(u"telson: there is no command '%1'."_s.arg(name));
        context.output.error(u"Try 'telson help'."_s);
        return ExitCode::Usage;
    }
    return command->run(arguments.mid(1), context);
}

void printJson(Output &output, const QJsonValue &value)
{
    const QJsonDocument document =
        value.isArray() ? QJsonDocument(value.toArray()) : QJsonDocument(value.toObject());
    output.out(QString::fromUtf8(document.toJson(QJsonDocument::Indented)).trimmed());
}

} // namespace telson::app
