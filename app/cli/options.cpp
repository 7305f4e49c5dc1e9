// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "app/cli/options.h"

using namespace Qt::StringLiterals;

namespace telson::app {

namespace {

QString helpText(const CommandUsage &usage, const QList<QCommandLineOption> &options)
{
    QString text = u"Usage: telson "_s + usage.name;
    if (!options.isEmpty()) {
        text += u" [OPTIONS]"_s;
    }
    if (!usage.arguments.isEmpty()) {
        text += u' ' + usage.arguments;
    }
    text += u"\n\n"_s + usage.description + u"\n\nOptions:\n"_s;
    for (const QCommandLineOption &option : options) {
        QString left = u"  --"_s + option.names().constFirst();
        if (!option.valueName().isEmpty()) {
            left += u' ' + option.valueName();
        }
        text += left.leftJustified(28) + u' ' + option.description() + u'\n';
    }
    if (!usage.examples.isEmpty()) {
        text += u"\nExamples:\n"_s;
        for (const QString &example : usage.examples) {
            text += u"  "_s + example + u'\n';
        }
    }
    return text.chopped(1);
}

ExitCode wrongLine(const CommandUsage &usage, const QString &what, CliContext &context)
{
    context.output.error(u"telson %1: %2"_s.arg(usage.name, what));
    context.output.error(u"Try 'telson %1 --help'."_s.arg(usage.name));
    return ExitCode::Usage;
}

} // namespace

std::expected<ParsedOptions, ExitCode> parseOptions(const CommandUsage &usage,
                                                    const QStringList &arguments,
                                                    CliContext &context)
{
    QList<QCommandLineOption> options = usage.options;
    if (usage.hasJson) {
        options += QCommandLineOption(u"json"_s, u"Print the result as JSON."_s);
    }
    options += QCommandLineOption(QStringList{u"help"_s, u"h"_s}, u"Print this help."_s);

    QCommandLineParser parser;
    parser.addOptions(options);
    // The parser wants a program name in front.
    if (!parser.parse(QStringList{u"telson"_s} + arguments)) {
        return std::unexpected(wrongLine(usage, parser.errorText(), context));
    }
    if (parser.isSet(u"help"_s)) {
        context.output.out(helpText(usage, options));
        return std::unexpected(ExitCode::Ok);
    }
    ParsedOptions parsed;
    parsed.arguments = parser.positionalArguments();
    parsed.json = usage.hasJson && parser.isSet(u"json"_s);
    for (const QCommandLineOption &option : std::as_const(usage.options)) {
        const QString name = option.names().constFirst();
        if (!parser.isSet(name)) {
            continue;
        }
        if (option.valueName().isEmpty()) {
            parsed.flags += name;
        } else {
            parsed.values.insert(name, parser.value(name));
        }
    }
    if (parsed.arguments.size() < usage.leastArguments) {
        return std::unexpected(
            wrongLine(usage, u"missing: %1"_s.arg(usage.arguments), context));
    }
    if (parsed.arguments.size() > usage.mostArguments) {
        return std::unexpected(wrongLine(
            usage, u"'%1' is one word too many"_s.arg(parsed.arguments.at(usage.mostArguments)), context));
    }
    return parsed;
}

} // namespace telson::app
