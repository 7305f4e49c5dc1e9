// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "app/cli/await.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"

#include "nodecore/base/path.h"
#include "nodecore/base/privatefiles.h"
#include "nodecore/gateway/gatewayaddress.h"
#include "nodecore/service/gatewaysecrets.h"
#include "nodecore/storage/filesecretstore.h"
#include "nodecore/storage/profilepaths.h"
#include "nodecore/storage/settingsfile.h"
#include "nodecore/storage/tokenfile.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace telson::app {

namespace {

/// One call of `telson gateway …`, with what its verbs share.
class GatewayVerbs final
{
public:
    GatewayVerbs(CliContext &context, const ParsedOptions &options)
        : m_context(context),
          m_options(options),
          m_paths(core::profilePaths(context.profile)),
          m_settings(context.files, m_paths.settings),
          m_secrets(context.files, m_paths.secrets)
    {
    }

    [[nodiscard]] ExitCode add();
    [[nodiscard]] ExitCode list();
    [[nodiscard]] ExitCode use();
    [[nodiscard]] ExitCode remove();

private:
    [[nodiscard]] core::Result<QString> tokenToStore() const; ///< empty = none given
    [[nodiscard]] core::Result<void> writeSecret(const QString &key, const QByteArray &secret);
    [[nodiscard]] ExitCode finish(const core::Result<void> &result, const QString &said);

    CliContext &m_context;
    const ParsedOptions &m_options;
    core::ProfilePaths m_paths;
    core::SettingsFile m_settings;
    core::FileSecretStore m_secrets;
};

core::Result<void> GatewayVerbs::writeSecret(const QString &key, const QByteArray &secret)
{
    return await<void>(
        [&](QObject *context, auto done) { m_secrets.write(key, secret, context, done); });
}

core::Result<QString> GatewayVerbs::tokenToStore() const
{
    const QString file = m_options.values.value(u"token-file"_s);
    return file.isEmpty() ? QString() : core::readTokenFile(m_context.files, core::toPath(file));
}

ExitCode GatewayVerbs::finish(const core::Result<void> &result, const QString &said)
{
    if (!result) {
        m_context.output.error(u"telson gateway: "_s + result.error().message);
        if (result.error().code == core::ErrorCode::Denied) {
            return ExitCode::Denied;
        }
        return result.error().code == core::ErrorCode::InvalidArgument ? ExitCode::Usage
                                                                       : ExitCode::Failed;
    }
    if (m_options.json) {
        printJson(m_context.output, QJsonObject{{u"id"_s, m_options.arguments.value(1)}});
    } else {
        m_context.output.out(said);
    }
    return ExitCode::Ok;
}

ExitCode GatewayVerbs::add()
{
    const QString &id = m_options.arguments.at(1);
    const auto url = core::parseGatewayUrl(m_options.arguments.at(2));
    if (!url) {
        return finish(std::unexpected(url.error()), {});
    }
    const core::GatewaySettings gateway{.id = id,
                                        .url = url->toString(),
                                        .tlsFingerprint = m_options.values.value(u"fingerprint"_s),
                                        .sshTarget = {}};
    // The same judgement as at connect time: what could never be used is refused here already.
    const auto target = core::transportTarget(
        {.id = id, .url = *url, .tlsFingerprint = gateway.tlsFingerprint});
    if (!target) {
        return finish(std::unexpected(target.error()), {});
    }
    const auto token = tokenToStore();
    if (!token) {
        return finish(std::unexpected(token.error()), {});
    }
    const auto loaded = m_settings.load();
    if (!loaded) {
        return finish(std::unexpected(loaded.error()), {});
    }
    // The same gateway again, with a token: only the token is new.
    const bool isKnown = !token->isEmpty()
        && std::ranges::any_of(loaded->settings.gateways, [&](const core::GatewaySettings &known) {
               return known.id == id && known.url == gateway.url;
           });
    auto result = m_context.files.makeFolder(m_paths.folder);
    if (result && !isKnown) {
        result = m_settings.addGateway(gateway);
    }
    if (result && !token->isEmpty()) {
        result = writeSecret(core::sharedTokenKey(id), token->toUtf8());
    }
    if (isKnown) {
        return finish(result, u"Stored the new token of %1; it counts from the next start on."_s.arg(id));
    }
    return finish(result, u"Added %1 (%2). 'telson run' connects."_s.arg(id, gateway.url));
}

ExitCode GatewayVerbs::list()
{
    const auto loaded = m_settings.load();
    if (!loaded) {
        return finish(std::unexpected(loaded.error()), {});
    }
    QJsonArray array;
    for (const core::GatewaySettings &gateway : loaded->settings.gateways) {
        if (m_options.json) {
            array += QJsonObject{{u"id"_s, gateway.id},
                                 {u"url"_s, gateway.url},
                                 {u"enabled"_s, gateway.isEnabled},
                                 {u"tlsFingerprint"_s, gateway.tlsFingerprint.isEmpty()
                                                           ? QJsonValue()
                                                           : QJsonValue(gateway.tlsFingerprint)}};
        } else {
            m_context.output.out(u"%1 %2 %3"_s.arg(gateway.isEnabled ? u"*"_s : u" "_s,
                                                   gateway.id.leftJustified(12), gateway.url));
        }
    }
    if (m_options.json) {
        printJson(m_context.output, array);
    } else if (loaded->settings.gateways.isEmpty()) {
        m_context.output.out(u"No gateway yet: telson gateway add home wss://gateway.example"_s);
    }
    return ExitCode::Ok;
}

ExitCode GatewayVerbs::use()
{
    const QString &id = m_options.arguments.at(1);
    return finish(m_settings.useGateway(id),
                  u"%1 is the active gateway from the next start on."_s.arg(id));
}

ExitCode GatewayVerbs::remove()
{
    const QString &id = m_options.arguments.at(1);
    // An empty secret counts as none; the next gateway of that name must not get this one's token.
    auto result = m_settings.removeGateway(id).and_then(
        [&] { return writeSecret(core::sharedTokenKey(id), QByteArray()); });
    return finish(result, u"Removed %1 and its token."_s.arg(id));
}

} // namespace

ExitCode runGateway(const QStringList &arguments, CliContext &context)
{
    const CommandUsage usage{
        .name = u"gateway"_s,
        .arguments = u"add ID URL | list | use ID | remove ID"_s,
        .description = u"Says which gateways this machine belongs to. The token is read from a file that only\n"
                       "you can read and kept in the secret store; it is never an argument.\n"
                       "'add' with a known id and URL replaces the token. 'use' enables one gateway and disables the others; '*' in the list = enabled."_s,
        .examples = {u"telson gateway add home wss://gateway.example --token-file token.txt"_s,
                     u"telson gateway add desk ws://127.0.0.1:18789"_s, u"telson gateway list --json"_s,
                     u"telson gateway use home"_s, u"telson gateway remove desk"_s},
        .options = {{u"token-file"_s, u"With add: the file that holds the gateway's token."_s, u"FILE"_s},
                    {u"fingerprint"_s,
                     u"With add: SHA-256 of the gateway's TLS certificate, to trust only that one."_s,
                     u"HEX"_s}},
        .leastArguments = 1,
        .mostArguments = 3};
    const auto options = parseOptions(usage, arguments, context);
    if (!options) {
        return options.error();
    }
    GatewayVerbs verbs(context, *options);
    const QString &verb = options->arguments.constFirst();
    const qsizetype words = options->arguments.size();
    if (verb == "add"_L1 && words == 3) {
        return verbs.add();
    }
    if (verb == "list"_L1 && words == 1) {
        return verbs.list();
    }
    if (verb == "use"_L1 && words == 2) {
        return verbs.use();
    }
    if (verb == "remove"_L1 && words == 2) {
        return verbs.remove();
    }
    context.output.error(u"telson gateway: expected %1"_s.arg(usage.arguments));
    return ExitCode::Usage;
}

} // namespace telson::app
