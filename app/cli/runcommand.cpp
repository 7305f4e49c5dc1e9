// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/serviceprogram.h"

using namespace Qt::StringLiterals;

namespace telson::app {

ExitCode runRun(const QStringList &arguments, CliContext &context)
{
    const CommandUsage usage{
        .name = u"run"_s,
        .description =
            u"Runs the service in the foreground: connects to every enabled gateway and serves its\n"
            "agents' commands as far as the policy lets them. Ctrl+C ends it and whatever runs.\n"
            "\n"
            "Credentials come from the secret store (see 'telson gateway add'), from --token-file, or\n"
            "from OPENCLAW_GATEWAY_TOKEN and OPENCLAW_GATEWAY_PASSWORD."_s,
        .examples = {u"telson run"_s, u"telson run --gateway home"_s,
                     u"telson run --gateway ws://127.0.0.1:18789 --token-file token.txt"_s},
        .options = {{u"gateway"_s, u"Serve only this gateway: its id, or a URL."_s, u"ID|URL"_s},
                    {u"display-name"_s, u"The name this machine has at the gateway."_s, u"NAME"_s},
                    {u"token-file"_s, u"Read the gateway's token from this file."_s, u"FILE"_s}},
        .hasJson = false};
    const auto options = parseOptions(usage, arguments, context);
    if (!options) {
        return options.error();
    }
    ServiceProgram program(context, {.gateway = options->values.value(u"gateway"_s),
                                     .displayName = options->values.value(u"display-name"_s),
                                     .tokenFile = options->values.value(u"token-file"_s)});
    return program.run();
}

} // namespace telson::app
