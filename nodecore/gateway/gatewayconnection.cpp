// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/gatewayconnection.h"

#include "nodecore/base/clock.h"
#include "nodecore/base/log.h"
#include "nodecore/gateway/devicetokenkeeper.h"
#include "nodecore/gateway/gatewayaddress.h"
#include "nodecore/gateway/gatewaysession.h"
#include "nodecore/gateway/nodeconnect.h"
#include "nodecore/gateway/reconnectplan.h"
#include "nodecore/gateway/surfaceprobe.h"
#include "nodecore/identity/deviceidentity.h"

#include <algorithm>
#include <bit>
#include <utility>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace telson::core {

namespace {

/// "this machine's clock is 131 s behind the gateway's", or nothing worth saying.
QString clockText(const std::optional<std::chrono::milliseconds> &difference)
{
    if (!difference.has_value()) {
        return {};
    }
    const auto seconds = std::chrono::round<std::chrono::seconds>(*difference).count();
    if (seconds == 0) {
        return u"; this machine's clock agrees with the gateway's challenge (0 s apart)"_s;
    }
    return u"; this machine's clock is %1 s %2 the gateway's"_s.arg(
        QString::number(seconds < 0 ? -seconds : seconds),
        seconds < 0 ? u"behind"_s : u"ahead of"_s);
}

} // namespace

GatewayConnection::GatewayConnection(GatewayEndpoint endpoint, NodeDescription description,
                                     GatewayCredentials credentials, ConnectionServices services)
    : m_endpoint(std::move(endpoint)), m_description(std::move(description)),
      m_credentials(std::move(credentials)), m_services(std::move(services)),
      m_plan(std::make_unique<ReconnectPlan>(m_services.random))
{
}

GatewayConnection::~GatewayConnection() = default;

const ConnectionStatus &GatewayConnection::status() const
{
    return m_status;
}

const GatewayEndpoint &GatewayConnection::endpoint() const
{
    return m_endpoint;
}

void GatewayConnection::start()
{
    if (m_status.state != ConnectionState::Stopped) {
        return;
    }
    m_plan->reset();
    const Result<TransportTarget> target = transportTarget(m_endpoint);
    if (!target) {
        pauseFor(u"ENDPOINT_INVALID"_s, target.error().message);
        return;
    }
    m_target = *target;
    m_tokens =
        std::make_unique<DeviceTokenKeeper>(m_services.secrets, gatewayOrigin(m_target.url),
                                            m_services.identity.deviceId(), s_nodeRole.toString());
    tryNow();
}

void GatewayConnection::stop()
{
    if (m_status.state == ConnectionState::Stopped) {
        return;
    }
    m_alarm.reset();
    ++m_tries;
    const bool wasUp = std::exchange(m_isUp, false);
    if (m_session) {
        m_session->close(1000, u"node stopped"_s);
    }
    retireSession();
    changeStatus({});
    if (wasUp) {
        Q_EMIT disconnected();
    }
}

void GatewayConnection::retryNow()
{
    const bool rests = m_alarm != nullptr || m_status.state == ConnectionState::Paused;
    if (!rests || m_tokens == nullptr) {
        return; // without a token keeper the endpoint itself is wrong
    }
    m_plan->reset();
    tryNow();
}

void GatewayConnection::sendResult(const InvokeResult &result)
{
    if (m_isUp) {
        m_session->sendResult(result);
    } else {
        logInfo(LogRoom::Gateway, u"result dropped: not connected", {{u"invoke", result.id}});
    }
}

void GatewayConnection::sendEvent(const NodeEvent &event)
{
    if (m_isUp) {
        m_session->sendEvent(event);
    } else {
        logInfo(LogRoom::Gateway, u"event dropped: not connected", {{u"event", event.name}});
    }
}

void GatewayConnection::request(const QString &method, const QByteArray &paramsJson,
                                std::chrono::milliseconds timeout, QObject *context,
                                std::function<void(Result<QByteArray>)> done)
{
    if (!m_isUp) {
        const Error error{ErrorCode::Unavailable, u"%1: not connected to the gateway"_s.arg(method),
                          0};
        QMetaObject::invokeMethod(
            context, [done = std::move(done), error] { done(std::unexpected(error)); },
            Qt::QueuedConnection);
        return;
    }
    m_session->request(method, paramsJson, timeout, context,
                       [done = std::move(done)](const RequestOutcome &outcome) {
                           if (outcome.has_value()) {
                               done(*outcome);
                           } else {
                               done(std::unexpected(outcome.error().error));
                           }
                       });
}

void GatewayConnection::tryNow()
{
    m_alarm.reset();
    const quint64 number = ++m_tries;
    ConnectionStatus status = m_status;
    if (status.state != ConnectionState::PairingPending) {
        status.state = ConnectionState::Connecting;
        status.requestId.clear(); // `detail` stays: why the last try failed, until one succeeds
    }
    ++status.attempt;
    status.nextTryAt.reset();
    changeStatus(std::move(status));
    if (number != m_tries) {
        return; // a listener has stopped it
    }
    if (m_tokens->isLoaded()) {
        openSession();
        return;
    }
    m_tokens->load(this, [this, number](const Result<void> &loaded) {
        if (number != m_tries) {
            return;
        }
        const bool hasOther =
            !m_credentials.sharedToken.isEmpty() || !m_credentials.password.isEmpty();
        if (!loaded && !hasOther) {
            onTokenUnreadable(loaded.error());
            return;
        }
        if (!loaded) {
            logWarn(LogRoom::Gateway, u"the stored device token can't be read",
                    {{u"gateway", m_endpoint.id}, {u"problem", loaded.error().message}});
        }
        openSession();
    });
}

void GatewayConnection::openSession()
{
    const ConnectAuth auth = chooseAuth();
    m_sentDeviceToken = !auth.deviceToken.isEmpty();
    m_session = std::make_unique<GatewaySession>(m_target, m_description, auth, m_services);
    GatewaySession *session = m_session.get();
    connect(session, &GatewaySession::handshaking, this, [this] {
        ConnectionStatus status = m_status;
        if (status.state == ConnectionState::Connecting) {
            status.state = ConnectionState::Handshaking;
        }
        changeStatus(std::move(status));
    });
    connect(session, &GatewaySession::established, this, &GatewayConnection::onEstablished);
    connect(session, &GatewaySession::ended, this, &GatewayConnection::onEnded);
    connect(session, &GatewaySession::invokeReceived, this, &GatewayConnection::invokeReceived);
    connect(session, &GatewaySession::invokeCancelled, this, &GatewayConnection::invokeCancelled);
    connect(session, &GatewaySession::shutdownAnnounced, this, [this](const QString &reason) {
        logInfo(LogRoom::Gateway, u"the gateway announces its stop",
                {{u"gateway", m_endpoint.id}, {u"reason", reason}});
    });
    session->open();
}

ConnectAuth GatewayConnection::chooseAuth() const
{
    // handshake.md §7: what a person configured comes first, then what the gateway issued.
    ConnectAuth auth;
    auth.password = m_credentials.password;
    auth.token = m_credentials.sharedToken;
    if (auth.token.isEmpty() || m_plan->sendsBothTokens()) {
        auth.deviceToken = m_tokens->usableToken();
    }
    return auth;
}

void GatewayConnection::onEstablished(const HelloOk &hello)
{
    m_plan->reset();
    m_isUp = true;
    ++m_connections;
    if (!hello.deviceToken.isEmpty()) {
        m_tokens->accept(hello.deviceToken, hello.scopes);
    }
    logInfo(LogRoom::Gateway, u"connected",
            {{u"gateway", m_endpoint.id},
             {u"version", hello.serverVersion},
             {u"protocol", hello.protocol}});
    ConnectionStatus status;
    status.state = ConnectionState::Connected;
    status.serverVersion = hello.serverVersion;
    status.connId = hello.connId;
    status.protocol = hello.protocol;
    const quint64 number = m_connections;
    changeStatus(std::move(status));
    if (m_isUp && number == m_connections) {
        startProbe();
        Q_EMIT connected(number);
    }
}

void GatewayConnection::startProbe()
{
    m_probe = std::make_unique<SurfaceProbe>(*m_session, m_services.clock);
    SurfaceProbe *probe = m_probe.get();
    connect(probe, &SurfaceProbe::pending, this, &GatewayConnection::onSurfacePending);
    connect(probe, &SurfaceProbe::settled, this, &GatewayConnection::onSurfaceSettled);
    connect(m_session.get(), &GatewaySession::pairResolved, probe, &SurfaceProbe::ask);
    connect(m_session.get(), &GatewaySession::eventRefused, probe,
            [probe](const GatewayError &error) {
                if (error.code == "UNAVAILABLE"_L1) {
                    probe->ask();
                }
            });
    probe->ask();
}

void GatewayConnection::onSurfacePending(const QString &requestId)
{
    ConnectionStatus status = m_status;
    status.state = ConnectionState::SurfacePending;
    status.requestId = requestId;
    status.detail = u"waiting for approval of this node's commands: "_s
        + (requestId.isEmpty()
               ? u"openclaw nodes pending, then openclaw nodes approve <requestId>"_s
               : u"openclaw nodes approve "_s + requestId);
    changeStatus(std::move(status));
}

void GatewayConnection::onSurfaceSettled()
{
    ConnectionStatus status = m_status;
    status.state = ConnectionState::Connected;
    status.requestId.clear();
    status.detail.clear();
    changeStatus(std::move(status));
}

QString GatewayConnection::withoutCredentials(QString text) const
{
    for (const QString &secret :
         {m_credentials.sharedToken, m_credentials.password, m_tokens->usableToken()}) {
        if (!secret.isEmpty()) {
            text.replace(secret, u"***"_s);
        }
    }
    return text;
}

void GatewayConnection::onEnded(const SessionEnd &end)
{
    const bool wasUp = std::exchange(m_isUp, false);
    const std::optional<std::chrono::milliseconds> clockDifference = m_session->clockDifference();
    retireSession();

    ConnectFailure failure;
    failure.refusal = end.refusal;
    failure.close = end.close;
    // A server that repeats what it was sent must not get a credential into the log or the status.
    if (failure.refusal) {
        failure.refusal->message = withoutCredentials(failure.refusal->message);
    }
    failure.close.reason = withoutCredentials(failure.close.reason);
    failure.localCode = end.localCode;
    failure.sentDeviceToken = m_sentDeviceToken;
    failure.hasDeviceToken = !m_tokens->usableToken().isEmpty();
    failure.hasOtherCredential =
        !m_credentials.sharedToken.isEmpty() || !m_credentials.password.isEmpty();
    failure.isTrustedForTokenRetry = isTrustedForTokenRetry(m_target);
    const ReconnectPlan::Step step = m_plan->stepAfter(failure);
    const ConnectReaction &reaction = step.reaction;
    if (reaction.marksTokenSuspect) {
        m_tokens->markSuspect();
    }
    ConnectionStatus status = m_status;
    status.detail = reaction.text;
    if (reaction.code.startsWith("DEVICE_AUTH_"_L1)) {
        status.detail += clockText(clockDifference);
    }
    status.lastError = reaction.code;
    status.requestId.clear();
    status.nextTryAt.reset();
    logFailure(reaction.code, status.detail);
    if (reaction.action == ConnectReaction::Action::Pause) {
        status.state = ConnectionState::Paused;
    } else {
        status.state = ConnectionState::Waiting;
        if (reaction.action == ConnectReaction::Action::PollPairing) {
            status.state = ConnectionState::PairingPending;
            status.requestId = reaction.requestId;
        }
        waitFor(step.wait);
        status.nextTryAt = m_services.clock.monotonicTime() + step.wait;
    }
    changeStatus(std::move(status));
    if (wasUp) {
        Q_EMIT disconnected();
    }
}

void GatewayConnection::onTokenUnreadable(const Error &error)
{
    ConnectFailure failure;
    failure.close.cause = TransportClose::Cause::Local;
    failure.close.reason = u"the stored device token can't be read: "_s + error.message;
    failure.localCode = u"TOKEN_UNREADABLE"_s;
    const ReconnectPlan::Step step = m_plan->stepAfter(failure);
    logFailure(failure.localCode, failure.close.reason);
    ConnectionStatus status = m_status;
    status.state = ConnectionState::Waiting;
    status.detail = failure.close.reason;
    status.lastError = failure.localCode;
    waitFor(step.wait);
    status.nextTryAt = m_services.clock.monotonicTime() + step.wait;
    changeStatus(std::move(status));
}

void GatewayConnection::pauseFor(const QString &code, const QString &text)
{
    logFailure(code, text);
    ConnectionStatus status = m_status;
    status.state = ConnectionState::Paused;
    status.detail = text;
    status.lastError = code;
    changeStatus(std::move(status));
}

void GatewayConnection::waitFor(std::chrono::milliseconds wait)
{
    m_alarm = m_services.clock.startAlarm(wait, [this] { tryNow(); });
}

void GatewayConnection::retireSession()
{
    m_probe.reset();
    if (!m_session) {
        return;
    }
    GatewaySession *session = m_session.get();
    disconnect(session, nullptr, this, nullptr);
    if (session->isClosed()) {
        m_session.release()->deleteLater(); // it is inside its own signal
        return;
    }
    m_retired.push_back(std::move(m_session));
    connect(session, &GatewaySession::socketClosed, this, [this, session] {
        const auto found =
            std::ranges::find(m_retired, session, &std::unique_ptr<GatewaySession>::get);
        if (found != m_retired.end()) {
            found->release()->deleteLater();
            m_retired.erase(found);
        }
    });
}

void GatewayConnection::logFailure(const QString &code, const QString &text)
{
    // A gateway that is away for a month must not fill the log: new reasons, then ever fewer lines.
    const bool isNews =
        code != m_status.lastError || std::has_single_bit(static_cast<unsigned>(m_status.attempt));
    log(LogRoom::Gateway, isNews ? LogLevel::Info : LogLevel::Debug, u"not connected",
        {{u"gateway", m_endpoint.id},
         {u"code", code},
         {u"attempt", m_status.attempt},
         {u"detail", text}});
}

void GatewayConnection::changeStatus(ConnectionStatus status)
{
    if (status != m_status) {
        m_status = std::move(status);
        Q_EMIT statusChanged();
    }
}

} // namespace telson::core
