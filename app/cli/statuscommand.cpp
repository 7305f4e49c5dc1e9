// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "app/cli/await.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"

#include "nodecore/base/path.h"
#include "nodecore/control/controlclient.h"
#include "nodecore/control/controlsocketpath.h"
#include "nodecore/protocol/servicestatus.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

using namespace Qt::StringLiterals;

namespace telson::app {

namespace {

QString duration(qint64 milliseconds)
{
    const qint64 seconds = milliseconds / 1000;
    if (seconds < 120) {
        return u"%1 s"_s.arg(seconds);
    }
    if (seconds < 7200) {
        return u"%1 min"_s.arg(seconds / 60);
    }
    return u"%1 h"_s.arg(seconds / 3600);
}

// The words of --json are for programs.
QString stateForPeople(const QString &state)
{
    if (state == "surface-pending"_L1) {
        return u"waits for approval"_s;
    }
    if (state == "pairing-pending"_L1) {
        return u"waits for pairing"_s;
    }
    if (state == "waiting"_L1) {
        return u"not connected"_s;
    }
    return state;
}

void printStatus(Output &output, const core::ServiceStatus &status)
{
    output.out(u"Telson %1 has run for %2 (process %3)"_s.arg(
        status.version, duration(status.uptimeMs), QString::number(status.processId)));
    output.out(u"  this node   %1, device %2"_s.arg(status.displayName, status.deviceId));
    output.out(u"  profile     %1"_s.arg(status.profile));
    output.out(u"  exec mode   %1; %2 running"_s.arg(
        status.execMode, status.runningCommands == 1
                             ? u"1 command"_s
                             : u"%1 commands"_s.arg(status.runningCommands)));
    if (!status.policyProblem.isEmpty()) {
        output.out(u"  policy      every command is refused: %1"_s.arg(status.policyProblem));
    }
    if (status.gateways.isEmpty()) {
        output.out(u"  no gateway yet: telson gateway add home wss://gateway.example"_s);
    }
    for (const core::GatewayStatus &gateway : status.gateways) {
        output.out(u"  %1  %2  %3"_s.arg(gateway.id.leftJustified(10), stateForPeople(gateway.state),
                                             gateway.url));
        if (!gateway.detail.isEmpty()) {
            output.out(u"              %1"_s.arg(gateway.detail));
        }
        if (gateway.nextTryInMs >= 0) {
            output.out(u"              try %1 in %2"_s.arg(gateway.attempt + 1)
                           .arg(duration(gateway.nextTryInMs)));
        }
    }
}

core::Result<QByteArray> askService(CliContext &context)
{
    const auto socket = core::controlSocketPath(context.profile, context.runtimeFolder);
    if (!socket) {
        return std::unexpected(socket.error());
    }
    core::ControlClient client(context.clock);
    return await<QByteArray>([&](QObject *, auto done) { client.call(*socket, u"status"_s, done); });
}

} // namespace

ExitCode runStatus(const QStringList &arguments, CliContext &context)
{
    const CommandUsage usage{
        .name = u"status"_s,
        .description = u"Shows the running service: its gateways and what they wait for, the policy, and "
                       "how many commands run now."_s,
        .examples = {u"telson status"_s, u"telson status --json"_s}};
    const auto options = parseOptions(usage, arguments, context);
    if (!options) {
        return options.error();
    }
    const auto answer = askService(context);
    if (!answer && answer.error().code == core::ErrorCode::Unavailable) {
        if (options->json) {
            printJson(context.output, QJsonObject{{u"running"_s, false}});
        } else {
            context.output.error(
                u"No service runs for the profile %1. Start one with 'telson run'."_s.arg(
                    core::toQString(context.profile)));
        }
        return ExitCode::NoService;
    }
    if (!answer) {
        context.output.error(u"telson status: "_s + answer.error().message);
        return answer.error().code == core::ErrorCode::Denied ? ExitCode::Denied : ExitCode::Failed;
    }
    if (options->json) {
        printJson(context.output, QJsonDocument::fromJson(*answer).object());
        return ExitCode::Ok;
    }
    const auto status = core::decodeServiceStatus(*answer);
    if (!status) {
        context.output.error(u"telson status: "_s + status.error().message);
        return ExitCode::Failed;
    }
    printStatus(context.output, *status);
    return ExitCode::Ok;
}

} // namespace telson::app
