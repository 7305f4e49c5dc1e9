// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "app/cli/serviceprogram.h"

#include "nodecore/base/clock.h"
#include "nodecore/base/log.h"
#include "nodecore/base/path.h"
#include "nodecore/base/privatefiles.h"
#include "nodecore/control/controlserver.h"
#include "nodecore/control/controlsocketpath.h"
#include "nodecore/exec/processfactory.h"
#include "nodecore/gateway/gatewayaddress.h"
#include "nodecore/gateway/transport.h"
#include "nodecore/identity/openidentity.h"
#include "nodecore/policy/folderprobe.h"
#include "nodecore/service/gatewaysecrets.h"
#include "nodecore/service/liverules.h"
#include "nodecore/storage/filepolicystore.h"
#include "nodecore/storage/filesecretstore.h"
#include "nodecore/storage/identityfile.h"
#include "nodecore/storage/tokenfile.h"
#include "platform/factory.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QLocale>
#include <QtCore/QSysInfo>
#include <QtCore/QUuid>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace telson::app {

namespace {

// Long enough for the talk after a hello to be over.
constexpr auto s_trimAfter = 3s;

core::Environment toEnvironment(const QProcessEnvironment &environment)
{
    core::Environment values;
    const QStringList names = environment.keys();
    for (const QString &name : names) {
        values.insert(name, environment.value(name));
    }
    return values;
}

core::GatewayEndpoint toEndpoint(const core::GatewaySettings &gateway)
{
    return {.id = gateway.id,
            .url = QUrl(gateway.url),
            .tlsFingerprint = gateway.tlsFingerprint,
            .trustCa = gateway.trustCa};
}

// A gateway that is named by its URL alone still needs a name for its tokens and its door.
QString idFromUrl(const QUrl &url)
{
    QString id = u"url-"_s;
    const QString host = url.host().toLower();
    for (const QChar character : host) {
        const bool isPlain = (character >= u'a' && character <= u'z') || character.isDigit();
        id += isPlain ? character : u'-';
    }
    return id.left(24) + u'-' + QString::number(url.port(url.scheme() == "wss"_L1 ? 443 : 80));
}

} // namespace

ServiceProgram::ServiceProgram(CliContext &context, RunOptions options)
    : m_context(context), m_options(std::move(options)), m_paths(core::profilePaths(context.profile))
{
}

ServiceProgram::~ServiceProgram() = default;

ExitCode ServiceProgram::run()
{
    if (const auto failed = openProfile()) {
        return *failed;
    }
    if (const auto failed = chooseGateways()) {
        return *failed;
    }
    m_transports = platform::makeTransportFactory(m_context.clock);
    m_processes = platform::makeProcessFactory();
    m_folders = platform::makeFolderProbe();
    auto termination = platform::watchTermination([this] { end(ExitCode::Ok); });
    if (!termination) {
        complain(termination.error().message);
        return ExitCode::Failed;
    }
    m_termination = std::move(*termination);
    openKey();
    QCoreApplication::exec();
    if (m_service) {
        m_service->stop();
        core::logInfo(core::LogRoom::Service, u"stopped");
    }
    return m_ended.value_or(ExitCode::Ok);
}

void ServiceProgram::complain(const QString &what)
{
    m_context.output.error(u"telson run: "_s + what);
}

void ServiceProgram::end(ExitCode code)
{
    if (!m_ended) {
        m_ended = code;
    }
    // Not from inside a signal of something that is about to be taken apart.
    QMetaObject::invokeMethod(qApp, &QCoreApplication::quit, Qt::QueuedConnection);
}

std::optional<ExitCode> ServiceProgram::openProfile()
{
    for (const auto &folder : {m_paths.folder, m_paths.log.parent_path()}) {
        if (const auto made = m_context.files.makeFolder(folder); !made) {
            complain(made.error().message);
            return ExitCode::Failed;
        }
    }
    m_lock = std::make_unique<QLockFile>(core::toQString(m_paths.lock));
    m_lock->setStaleLockTime(0ms); // held for days; only the end of its process ends it
    if (!m_lock->tryLock()) {
        qint64 process = 0;
        m_lock->getLockInfo(&process, nullptr, nullptr);
        complain(u"a service already runs for this profile (process %1, %2); 'telson status' shows it"_s
                     .arg(process)
                     .arg(core::toQString(m_paths.folder)));
        return ExitCode::Failed;
    }
    m_settingsFile = std::make_unique<core::SettingsFile>(m_context.files, m_paths.settings);
    const auto loaded = m_settingsFile->load();
    if (!loaded) {
        complain(loaded.error().message);
        return loaded.error().code == core::ErrorCode::InvalidArgument ? ExitCode::Usage
                                                                       : ExitCode::Failed;
    }
    core::startLogging({.file = m_paths.log});
    for (const QString &warning : loaded->warnings) {
        core::logWarn(core::LogRoom::Storage, warning);
    }
    m_settings = loaded->settings;
    m_rules = std::make_unique<core::LiveRules>(m_context.files, *m_settingsFile, m_paths.settings,
                                                m_settings);
    m_secrets = std::make_unique<core::FileSecretStore>(m_context.files, m_paths.secrets);
    m_policies = std::make_unique<core::FilePolicyStore>(m_context.files, m_paths.approvals);
    return std::nullopt;
}

std::optional<ExitCode> ServiceProgram::chooseGateways()
{
    for (const core::GatewaySettings &gateway : std::as_const(m_settings.gateways)) {
        const bool isMeant = m_options.gateway.isEmpty()
            ? gateway.isEnabled
            : gateway.id == m_options.gateway || gateway.url == m_options.gateway;
        if (isMeant) {
            m_gateways += {.endpoint = toEndpoint(gateway), .credentials = {}};
        }
    }
    if (m_gateways.isEmpty() && m_options.gateway.contains("://"_L1)) {
        const auto url = core::parseGatewayUrl(m_options.gateway);
        if (!url) {
            complain(url.error().message);
            return ExitCode::Usage;
        }
        m_gateways += {.endpoint = {.id = idFromUrl(*url), .url = *url, .tlsFingerprint = {}},
                       .credentials = {}};
    }
    if (m_gateways.isEmpty() && m_options.gateway.isEmpty() && !m_settings.gateways.isEmpty()) {
        complain(u"no gateway is enabled; choose one: telson gateway use %1"_s.arg(
            m_settings.gateways.constFirst().id));
        return ExitCode::Usage;
    }
    if (m_gateways.isEmpty()) {
        complain(m_options.gateway.isEmpty()
                     ? u"there is no gateway to connect to yet; add yours:\n"
                       "  telson gateway add home wss://gateway.example --token-file token.txt"_s
                     : u"there is no gateway '%1'; 'telson gateway list' shows them"_s.arg(
                           m_options.gateway));
        return ExitCode::Usage;
    }
    const bool allowInsecure =
        m_context.environment.value(u"OPENCLAW_ALLOW_INSECURE_PRIVATE_WS"_s) == "1"_L1;
    core::GatewayCredentials given{
        .sharedToken = m_context.environment.value(u"OPENCLAW_GATEWAY_TOKEN"_s),
        .password = m_context.environment.value(u"OPENCLAW_GATEWAY_PASSWORD"_s)};
    if (!m_options.tokenFile.isEmpty()) {
        const auto token = core::readTokenFile(m_context.files, core::toPath(m_options.tokenFile));
        if (!token) {
            complain(token.error().message);
            return token.error().code == core::ErrorCode::Denied ? ExitCode::Denied : ExitCode::Failed;
        }
        given.sharedToken = *token;
    }
    // A credential goes to one gateway only: the others would learn it.
    if (m_gateways.size() > 1 && !(given.sharedToken.isEmpty() && given.password.isEmpty())) {
        complain(u"a token or password was given for this run, and %1 gateways are enabled; say which one "
                 "it belongs to with --gateway"_s.arg(m_gateways.size()));
        return ExitCode::Usage;
    }
    for (core::GatewayToServe &gateway : m_gateways) {
        gateway.endpoint.allowInsecurePrivate = allowInsecure;
        gateway.credentials = given;
    }
    return std::nullopt;
}

void ServiceProgram::openKey()
{
    const auto stored = core::readIdentityFile(m_context.files, m_paths.identity);
    if (!stored) {
        complain(stored.error().message);
        end(ExitCode::Failed);
        return;
    }
    const bool isNew = !stored->has_value();
    m_instanceId = isNew ? QUuid::createUuid().toString(QUuid::WithoutBraces) : (*stored)->instanceId;
    core::openIdentity(
        *m_secrets, isNew ? QString() : (*stored)->deviceId, this,
        [this, isNew](core::Result<core::DeviceIdentity> identity) {
            if (!identity) {
                complain(identity.error().message);
                end(ExitCode::Failed);
                return;
            }
            if (isNew) {
                const auto written = core::writeIdentityFile(
                    m_context.files, m_paths.identity,
                    {.deviceId = identity->deviceId(),
                     .publicKey = identity->publicKey(),
                     .instanceId = m_instanceId,
                     .createdAt = m_context.clock.wallTime()});
                if (!written) {
                    complain(written.error().message);
                    end(ExitCode::Failed);
                    return;
                }
            }
            m_identity = *std::move(identity);
            readTokens(0);
        });
}

void ServiceProgram::readTokens(qsizetype index)
{
    if (index == m_gateways.size()) {
        startService();
        return;
    }
    core::GatewayToServe &gateway = m_gateways[index];
    if (!gateway.credentials.sharedToken.isEmpty()) {
        readTokens(index + 1);
        return;
    }
    m_secrets->read(core::sharedTokenKey(gateway.endpoint.id), this,
                    [this, index](core::Result<std::optional<QByteArray>> token) {
                        if (!token) {
                            complain(token.error().message);
                            end(ExitCode::Failed);
                            return;
                        }
                        m_gateways[index].credentials.sharedToken =
                            QString::fromUtf8(token->value_or(QByteArray()));
                        readTokens(index + 1);
                    });
}

core::ServiceOptions ServiceProgram::serviceOptions() const
{
    QString name = m_options.displayName;
    if (name.isEmpty()) {
        name = m_settings.node.displayName.isEmpty() ? QSysInfo::machineHostName()
                                                     : m_settings.node.displayName;
    }
    const platform::SystemNames system = platform::systemNames();
    const QString version = QStringLiteral(TELSON_VERSION);
    return {.profile = core::toQString(m_paths.folder),
            .node = {.displayName = name,
                     .version = version,
                     .platform = system.platform,
                     .deviceFamily = system.deviceFamily,
                     .instanceId = m_instanceId,
                     .modelIdentifier = QSysInfo::prettyProductName(),
                     .caps = {},
                     .commands = {},
                     .pathEnv = {},
                     .locale = QLocale::system().bcp47Name(),
                     .userAgent = u"telson/"_s + version},
            .environment = toEnvironment(m_context.environment),
            .defaultFolder = QDir::homePath(),
            .rules = [this] { return m_rules->current(); },
            .maxConcurrent = m_settings.exec.maxConcurrent,
            .gateways = m_gateways};
}

void ServiceProgram::startService()
{
    m_service = std::make_unique<core::NodeService>(
        core::ServiceSeams{.clock = m_context.clock,
                           .secrets = *m_secrets,
                           .policies = *m_policies,
                           .processes = *m_processes,
                           .folders = *m_folders,
                           .transports = *m_transports},
        serviceOptions(), *std::move(m_identity));
    connect(m_service.get(), &core::NodeService::statusChanged, this, &ServiceProgram::onStatusChanged);

    m_control = std::make_unique<core::ControlServer>(QHash<QString, core::ControlServer::Method>{
        {u"status"_s, [this] { return core::encodeServiceStatus(m_service->status()); }}});
    const auto socket = core::controlSocketPath(m_context.profile, m_context.runtimeFolder);
    const auto listening =
        socket.and_then([this](const auto &path) { return m_control->listen(path, m_context.files); });
    if (!listening) {
        // The node works without it; only 'telson status' is blind.
        core::logError(core::LogRoom::Control, listening.error().message);
    }
    core::logInfo(core::LogRoom::Service, u"started",
                  {{u"version", QStringLiteral(TELSON_VERSION)},
                   {u"device", m_service->status().deviceId},
                   {u"mode", toString(m_settings.exec.mode)}});
    m_service->start();
}

void ServiceProgram::onStatusChanged()
{
    if (m_service->isConnected()) {
        m_trim = m_context.clock.startAlarm(s_trimAfter, [] { platform::trimWorkingSet(); });
    }
}

} // namespace telson::app
