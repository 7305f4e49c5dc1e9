// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "app/cli/commands.h"
#include "app/cli/options.h"

#include <QtCore/QJsonObject>
#include <QtCore/QSysInfo>

using namespace Qt::StringLiterals;

namespace telson::app {

ExitCode runVersion(const QStringList &arguments, CliContext &context)
{
    const CommandUsage usage{.name = u"version"_s,
                             .description = u"Prints the version of Telson and of what it runs on."_s,
                             .examples = {u"telson version"_s, u"telson version --json"_s}};
    const auto options = parseOptions(usage, arguments, context);
    if (!options) {
        return options.error();
    }
    const QString version = QStringLiteral(TELSON_VERSION);
    const QString qt = QString::fromLatin1(qVersion());
    const QString system = QSysInfo::prettyProductName();
    if (options->json) {
        printJson(context.output,
                  QJsonObject{{u"version"_s, version}, {u"qt"_s, qt}, {u"system"_s, system}});
    } else {
        context.output.out(u"telson %1 (Qt %2, %3)"_s.arg(version, qt, system));
    }
    return ExitCode::Ok;
}

} // namespace telson::app
