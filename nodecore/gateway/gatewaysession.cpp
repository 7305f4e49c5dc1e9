// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/gatewaysession.h"

#include "nodecore/base/clock.h"
#include "nodecore/base/log.h"
#include "nodecore/gateway/nodeconnect.h"
#include "nodecore/identity/deviceidentity.h"
#include "nodecore/protocol/connectcodec.h"
#include "nodecore/protocol/framecodec.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace telson::core {

namespace {

constexpr std::chrono::milliseconds s_stageLimit = 15s; // each of: open, challenge, hello
constexpr qsizetype s_maxHandshakeFrame = 4 * 1024 * 1024; // a hello is about 20 kB
constexpr qsizetype s_maxUnacknowledged = 1024;

} // namespace

GatewaySession::GatewaySession(const TransportTarget &target, const NodeDescription &description,
                               ConnectAuth auth, const ConnectionServices &services)
    : m_target(target), m_description(description), m_auth(std::move(auth)),
      m_identity(services.identity), m_clock(services.clock),
      m_transport(services.transports.create(target)), m_requests(services.clock)
{
    connect(m_transport.get(), &Transport::opened, this, &GatewaySession::onOpened);
    connect(m_transport.get(), &Transport::textReceived, this, &GatewaySession::onText);
    connect(m_transport.get(), &Transport::closed, this, &GatewaySession::onSocketClosed);
    connect(m_transport.get(), &Transport::activity, this,
            [this] { m_lastActivity = m_clock.monotonicTime(); });
}

GatewaySession::~GatewaySession() = default;

std::optional<std::chrono::milliseconds> GatewaySession::clockDifference() const
{
    return m_clockDifference;
}

void GatewaySession::open()
{
    if (m_stage != Stage::Idle) {
        return;
    }
    m_stage = Stage::Opening;
    limitStage(s_stageLimit, 1000, u"CONNECT_TIMEOUT"_s,
               u"the gateway can't be reached: no connection within 15 s"_s);
    m_transport->open();
}

void GatewaySession::close(int code, const QString &reason)
{
    if (m_stage == Stage::Ended) {
        return;
    }
    m_stage = Stage::Ended;
    m_alarm.reset();
    m_invokes.clear();
    m_transport->close(code, reason);
    m_requests.failAll({ErrorCode::Unavailable, u"the connection to the gateway was closed"_s, 0});
}

void GatewaySession::onOpened()
{
    if (m_stage != Stage::Opening) {
        return;
    }
    m_stage = Stage::Challenge;
    limitStage(s_stageLimit, 1008, u"CHALLENGE_TIMEOUT"_s,
               u"the gateway sent no challenge within 15 s"_s);
    Q_EMIT handshaking();
}

void GatewaySession::onText(const QByteArray &text)
{
    if (m_stage == Stage::Ended) {
        return; // late
    }
    if (m_stage != Stage::Up && text.size() > s_maxHandshakeFrame) {
        endLocally(1009, u"PROTOCOL"_s, u"the gateway sent too large a message before hello"_s);
        return;
    }
    const Result<IncomingFrame> frame = parseFrame(text);
    if (!frame) {
        logWarn(LogRoom::Gateway, u"frame ignored",
                {{u"problem", frame.error().message}, {u"bytes", qint64(text.size())}});
        if (m_stage != Stage::Up) {
            endLocally(1008, u"PROTOCOL"_s,
                       u"the gateway broke the protocol: "_s + frame.error().message);
        }
        return;
    }
    if (m_stage == Stage::Up) {
        onFrame(*frame);
    } else {
        onHandshakeFrame(*frame);
    }
}

void GatewaySession::onSocketClosed(const TransportClose &close)
{
    m_isClosed = true;
    if (m_stage != Stage::Ended) {
        end({std::nullopt, close, {}});
    }
    Q_EMIT socketClosed();
}

void GatewaySession::onHandshakeFrame(const IncomingFrame &frame)
{
    if (const auto *challenge = std::get_if<ChallengeEvent>(&frame);
        challenge && m_stage == Stage::Challenge) {
        onChallenge(*challenge);
    } else if (const auto *response = std::get_if<ResponseFrame>(&frame);
               response && m_stage == Stage::Hello && response->id == m_connectId) {
        onConnectAnswer(*response);
    } else {
        logDebug(LogRoom::Gateway, u"frame before hello ignored");
    }
}

void GatewaySession::onChallenge(const ChallengeEvent &challenge)
{
    if (!challenge.time) {
        endLocally(1008, u"CHALLENGE_TIME_INVALID"_s,
                   u"the gateway's clock can't be read (%1), so nothing was signed"_s.arg(
                       challenge.time.error().message));
        return;
    }
    m_clockDifference = m_clock.wallTime() - *challenge.time;
    m_connectId = nextId();
    const Result<QByteArray> frame = connectFrame(m_connectId, m_description, m_auth, m_identity,
                                                  challenge.nonce, *challenge.time);
    if (!frame) {
        endLocally(1000, u"CONNECT_TOO_LARGE"_s, frame.error().message);
        return;
    }
    m_stage = Stage::Hello;
    limitStage(s_stageLimit, 4000, u"HELLO_TIMEOUT"_s,
               u"the gateway did not answer connect within 15 s"_s);
    m_transport->send(*frame);
}

void GatewaySession::onConnectAnswer(const ResponseFrame &response)
{
    if (!response.outcome.has_value()) {
        m_stage = Stage::Ended;
        m_transport->close(1000, {});
        end({response.outcome.error(), {}, {}});
        return;
    }
    const Result<HelloOk> hello = parseHelloOk(*response.outcome);
    if (!hello) {
        endLocally(1002, u"PROTOCOL"_s,
                   u"the gateway broke the protocol: "_s + hello.error().message);
        return;
    }
    m_stage = Stage::Up;
    m_maxPayload = hello->maxPayload;
    m_maxBufferedBytes = hello->maxBufferedBytes;
    m_silenceLimit = 2 * hello->tickInterval;
    m_lastActivity = m_clock.monotonicTime();
    watchSilence(m_silenceLimit);
    Q_EMIT established(*hello);
}

void GatewaySession::onFrame(const IncomingFrame &frame)
{
    if (const auto *response = std::get_if<ResponseFrame>(&frame)) {
        onResponse(*response);
    } else if (const auto *invoke = std::get_if<InvokeRequest>(&frame)) {
        onInvoke(*invoke);
    } else if (const auto *invalid = std::get_if<InvalidInvoke>(&frame)) {
        logWarn(LogRoom::Gateway, u"invoke refused", {{u"problem", invalid->problem}});
        const InvokeFailure failure{u"INVALID_REQUEST"_s,
                                    u"INVALID_REQUEST: "_s + invalid->problem};
        trySend(nextId(), u"node.invoke.result"_s,
                encodeInvokeResultParams({invalid->id, failure}, m_identity.deviceId()));
    } else if (const auto *cancel = std::get_if<InvokeCancel>(&frame)) {
        onCancel(cancel->invokeId);
    } else if (const auto *resolved = std::get_if<PairResolved>(&frame)) {
        Q_EMIT pairResolved(resolved->isApproved);
    } else if (const auto *shutdown = std::get_if<ShutdownEvent>(&frame)) {
        Q_EMIT shutdownAnnounced(shutdown->reason);
    }
    // Everything else is of no use to a node (node-publications.md §9).
}

void GatewaySession::onInvoke(const InvokeRequest &request)
{
    if (request.nodeId != m_identity.deviceId()) {
        logWarn(LogRoom::Gateway, u"invoke for another node refused",
                {{u"command", request.command}});
        const InvokeFailure failure{u"INVALID_REQUEST"_s,
                                    u"INVALID_REQUEST: nodeId is another node's"_s};
        trySend(nextId(), u"node.invoke.result"_s,
                encodeInvokeResultParams({request.id, failure}, m_identity.deviceId()));
        return;
    }
    onCancel(request.id); // an id that still runs starts over
    m_invokes.insert(request.id);
    Q_EMIT invokeReceived(request);
}

void GatewaySession::onCancel(const QString &id)
{
    if (m_invokes.remove(id)) {
        Q_EMIT invokeCancelled(id);
    }
}

void GatewaySession::onResponse(const ResponseFrame &response)
{
    if (m_requests.complete(response)) {
        return;
    }
    const Unacknowledged sent = m_unacknowledged.take(response.id);
    if (sent.what.isEmpty() || response.outcome.has_value()) {
        return;
    }
    const GatewayError &error = response.outcome.error();
    logWarn(LogRoom::Gateway,
            sent.isEvent ? u"the gateway refused an event" : u"the gateway refused a result",
            {{u"what", sent.what}, {u"code", error.code}, {u"message", error.message}});
    if (sent.isEvent) {
        Q_EMIT eventRefused(error);
    }
}

void GatewaySession::sendResult(const InvokeResult &result)
{
    if (m_stage != Stage::Up || !m_invokes.remove(result.id)) {
        logInfo(LogRoom::Gateway, u"result dropped: nobody waits for it any more",
                {{u"invoke", result.id}});
        return;
    }
    static const QString s_method = u"node.invoke.result"_s;
    const QByteArray params = encodeInvokeResultParams(result, m_identity.deviceId());
    QString id = nextId();
    if (!trySend(id, s_method, params)) {
        logError(
            LogRoom::Gateway, u"result too large for the gateway: replaced by an error",
            {{u"invoke", result.id}, {u"bytes", qint64(params.size())}, {u"limit", m_maxPayload}});
        const InvokeFailure failure{
            u"UNAVAILABLE"_s,
            u"the result (%1 bytes) is larger than the gateway takes"_s.arg(params.size())};
        id = nextId();
        trySend(id, s_method,
                encodeInvokeResultParams({result.id, failure}, m_identity.deviceId()));
    }
    if (m_unacknowledged.size() < s_maxUnacknowledged) {
        m_unacknowledged.insert(id, {false, result.id});
    }
}

void GatewaySession::sendEvent(const NodeEvent &event)
{
    const QString id = nextId();
    if (m_stage != Stage::Up || !trySend(id, u"node.event"_s, encodeNodeEventParams(event))) {
        logInfo(LogRoom::Gateway, u"event dropped: not connected, or too large",
                {{u"event", event.name}});
    } else if (m_unacknowledged.size() < s_maxUnacknowledged) {
        m_unacknowledged.insert(id, {true, event.name});
    }
}

void GatewaySession::request(const QString &method, const QByteArray &paramsJson,
                             std::chrono::milliseconds timeout, QObject *context,
                             PendingRequests::Done done)
{
    const QString id = nextId();
    if (m_stage == Stage::Up && trySend(id, method, paramsJson)) {
        m_requests.add(id, timeout, context, std::move(done));
        return;
    }
    const Error error = m_stage == Stage::Up
        ? Error{ErrorCode::InvalidArgument, u"%1: too large for the gateway"_s.arg(method), 0}
        : Error{ErrorCode::Unavailable, u"%1: not connected to the gateway"_s.arg(method), 0};
    QMetaObject::invokeMethod(
        context,
        [done = std::move(done), error] { done(std::unexpected(RequestFailure{error, {}})); },
        Qt::QueuedConnection);
}

bool GatewaySession::trySend(const QString &id, const QString &method, const QByteArray &paramsJson)
{
    const QByteArray frame = encodeRequest({id, method, paramsJson});
    if (frame.size() > m_maxPayload
        || m_transport->bytesWaiting() + frame.size() > m_maxBufferedBytes) {
        return false;
    }
    m_transport->send(frame);
    return true;
}

void GatewaySession::limitStage(std::chrono::milliseconds limit, int closeCode,
                                const QString &localCode, const QString &reason)
{
    m_alarm = m_clock.startAlarm(
        limit, [this, closeCode, localCode, reason] { endLocally(closeCode, localCode, reason); });
}

void GatewaySession::watchSilence(std::chrono::milliseconds limit)
{
    m_alarm = m_clock.startAlarm(limit, [this] { onSilence(); });
}

void GatewaySession::onSilence()
{
    // One alarm for the longest silence possible, moved on by what came meanwhile: a frame costs
    // nothing.
    const std::chrono::milliseconds silent = m_clock.monotonicTime() - m_lastActivity;
    if (silent < m_silenceLimit) {
        watchSilence(m_silenceLimit - silent);
        return;
    }
    endLocally(4000, u"TICK_TIMEOUT"_s, u"tick timeout"_s);
}

void GatewaySession::endLocally(int closeCode, const QString &localCode, const QString &reason)
{
    m_stage = Stage::Ended; // first, because the transport may say "closed" at once
    m_transport->close(closeCode, reason);
    end({std::nullopt, {TransportClose::Cause::Local, closeCode, reason, 0, {}}, localCode});
}

void GatewaySession::end(const SessionEnd &end)
{
    m_stage = Stage::Ended;
    // The alarm may be the one that rings; it is destroyed with its closure, so nothing of it is
    // used after.
    m_alarm.reset();
    m_invokes.clear();
    const QString why = end.close.reason.isEmpty() ? u"closed by the gateway"_s : end.close.reason;
    m_requests.failAll(
        {ErrorCode::Unavailable, u"the connection to the gateway was lost: "_s + why, 0});
    Q_EMIT ended(end);
}

QString GatewaySession::nextId()
{
    return QString::number(++m_lastId);
}

} // namespace telson::core
