// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/connectreaction.h"

#include "nodecore/protocol/framecodec.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace telson::core {

namespace {

using Action = ConnectReaction::Action;
using std::chrono::milliseconds;

constexpr milliseconds s_longestHint = 1h; // a gateway that says more is asked again all the same
constexpr milliseconds s_rateLimitWait = 5min;
constexpr milliseconds s_startingWait = 500ms;
constexpr milliseconds s_startingLongestWait = 2s;
constexpr int s_signatureTries = 3;
constexpr int s_proxyTries = 3;

/// A row of §6 whose reaction needs no more than its code.
struct Row
{
    QLatin1StringView code;
    Action action;
    QLatin1StringView text;
};

constexpr std::array s_rows{
    Row{"AUTH_TOKEN_MISSING"_L1, Action::Pause,
        "the gateway wants a token; configure its shared token or use a new setup code"_L1},
    Row{"AUTH_BOOTSTRAP_TOKEN_INVALID"_L1, Action::Pause,
        "the setup code is used up or too old; ask for a new one"_L1},
    Row{"AUTH_PASSWORD_MISSING"_L1, Action::Pause, "the gateway wants a password; configure it"_L1},
    Row{"AUTH_PASSWORD_MISMATCH"_L1, Action::Pause,
        "the gateway refused the password; correct it"_L1},
    Row{"AUTH_TOKEN_NOT_CONFIGURED"_L1, Action::Retry,
        "the gateway has no shared token configured; its owner has to set one"_L1},
    Row{"AUTH_PASSWORD_NOT_CONFIGURED"_L1, Action::Retry,
        "the gateway has no password configured; its owner has to set one"_L1},
    Row{"AUTH_SCOPE_MISMATCH"_L1, Action::Pause,
        "the device token does not allow what this node asks for; pair it again"_L1},
    Row{"AUTH_REQUIRED"_L1, Action::Retry, "the gateway wants credentials"_L1},
    Row{"AUTH_UNAUTHORIZED"_L1, Action::Retry, "the gateway refused the credentials"_L1},
    Row{"AUTH_IDENTITY_HEADER_REQUIRED"_L1, Action::Pause,
        "the gateway is behind a proxy that has to say who connects; connect through that proxy"_L1},
    Row{"AUTH_VERIFIED_USER_REQUIRED"_L1, Action::Pause,
        "the gateway wants a user that its proxy has verified; connect through that proxy"_L1},
    Row{"AUTHENTICATED_PROFILE_UNAVAILABLE"_L1, Action::Retry,
        "the gateway can't look up its users at the moment"_L1},
    Row{"DEVICE_IDENTITY_REQUIRED"_L1, Action::Pause,
        "the gateway did not see this device's identity; this is a defect, please report it"_L1},
    Row{"PROTOCOL_MISMATCH"_L1, Action::Pause,
        "gateway and this program do not speak the same protocol version; update the older one"_L1},
    Row{"CLIENT_VERSION_MISMATCH"_L1, Action::Pause,
        "the gateway wants another version of this program"_L1},
};

/// A row of §5: what a close code means when no refusal came before it.
struct CloseRow
{
    int code;
    Action action;
    QLatin1StringView text;
};

constexpr std::array s_closeRows{
    CloseRow{1000, Action::Retry, "the gateway closed the connection"_L1},
    CloseRow{
        1002, Action::Pause,
        "gateway and this program do not speak the same protocol version; update the older one"_L1},
    CloseRow{1008, Action::Retry, "the gateway ended the connection"_L1},
    CloseRow{1009, Action::Retry, "the gateway found a message too large"_L1},
    CloseRow{1011, Action::Retry, "the gateway had an internal error"_L1},
    CloseRow{1012, Action::Retry, "the gateway restarts"_L1},
    CloseRow{1013, Action::Retry, "the gateway is starting"_L1},
    CloseRow{4000, Action::Retry, "the gateway went silent"_L1},
    CloseRow{4001, Action::Retry, "the gateway withdrew this connection"_L1},
};

/// People paste the id into a shell, so only a plain one is shown.
bool isPlainId(const QString &id)
{
    return !id.isEmpty() && id.size() <= 64 && id.front() != u'-'
        && std::ranges::all_of(id, [](QChar character) {
               return character == u'-'
                   || (character.unicode() < 128 && character.isLetterOrNumber());
           });
}

ConnectReaction pairingReaction(const GatewayErrorDetails &details)
{
    ConnectReaction reaction;
    reaction.action = Action::PollPairing;
    QString why = u"the gateway's owner has to approve this device"_s;
    if (details.reason == "metadata-upgrade"_L1) {
        why = u"this device's system has changed and the gateway's owner has to approve it again"_s;
    } else if (details.reason == "role-upgrade"_L1 || details.reason == "scope-upgrade"_L1) {
        why = u"the gateway's owner has to approve more rights for this device"_s;
    }
    QString command = u"openclaw devices list, then openclaw devices approve <requestId>"_s;
    if (isPlainId(details.requestId)) {
        reaction.requestId = details.requestId;
        command = u"openclaw devices approve "_s + details.requestId;
    }
    reaction.text = why + u": "_s + command;
    return reaction;
}

ConnectReaction tokenMismatchReaction(const ConnectFailure &failure)
{
    ConnectReaction reaction;
    const bool canRetry = failure.refusal->details.canRetryWithDeviceToken && failure.hasDeviceToken
        && failure.isTrustedForTokenRetry && !failure.hasRetriedWithDeviceToken;
    reaction.action = canRetry ? Action::RetryWithDeviceToken : Action::Pause;
    reaction.text = u"the gateway refused the shared token; give the right one with 'telson gateway add' and "
                    "its id and URL, and start the service again"_s;
    return reaction;
}

ConnectReaction deviceTokenMismatchReaction(const ConnectFailure &failure)
{
    ConnectReaction reaction;
    reaction.marksTokenSuspect = failure.sentDeviceToken;
    if (failure.hasOtherCredential) {
        reaction.text =
            u"the gateway refused this device's token; trying with the configured credential"_s;
        return reaction;
    }
    reaction.action = Action::Pause;
    reaction.text =
        u"the gateway refused this device's token; it is kept but not used any more: pair "
        "this device again, or configure the shared token"_s;
    return reaction;
}

ConnectReaction signatureReaction(const ConnectFailure &failure, bool isExpired)
{
    ConnectReaction reaction;
    if (failure.signatureRefusals <= s_signatureTries) {
        reaction.text = u"the gateway refused the signature; trying again with a fresh challenge"_s;
    } else if (isExpired) {
        reaction.action = Action::Pause;
        reaction.text =
            u"the gateway finds this node's signature too old again and again, although it carries "
            "the gateway's own time: a clock is wrong"_s;
    } else {
        reaction.text =
            u"the gateway refuses this node's signature again and again: the clock or the device "
            "identity has a problem"_s;
    }
    return reaction;
}

ConnectReaction uncodedReaction(const GatewayError &error)
{
    ConnectReaction reaction;
    if (error.code == "UNAVAILABLE"_L1) {
        // It says itself when it will be ready: waiting for the whole back-off would only be
        // slower.
        reaction.atLeast = s_startingWait;
        reaction.atMost = s_startingLongestWait;
        reaction.text = u"the gateway is not ready yet"_s;
    } else if (error.code == "INVALID_REQUEST"_L1) {
        reaction.text =
            u"the gateway did not understand this program; one of the two needs an update"_s;
    } else {
        reaction.text = u"the gateway refused the connection"_s;
    }
    return reaction;
}

ConnectReaction reactionToCode(const ConnectFailure &failure)
{
    const QString &code = failure.refusal->details.code;
    const auto row = std::ranges::find(s_rows, code, &Row::code);
    if (row != s_rows.end()) {
        ConnectReaction reaction;
        reaction.action = row->action;
        reaction.text = row->text;
        return reaction;
    }
    if (code == "PAIRING_REQUIRED"_L1) {
        return pairingReaction(failure.refusal->details);
    }
    if (code == "AUTH_TOKEN_MISMATCH"_L1) {
        return tokenMismatchReaction(failure);
    }
    if (code == "AUTH_DEVICE_TOKEN_MISMATCH"_L1) {
        return deviceTokenMismatchReaction(failure);
    }
    ConnectReaction reaction;
    if (code == "AUTH_RATE_LIMITED"_L1) {
        reaction.atLeast =
            std::min(failure.refusal->retryAfter.value_or(s_rateLimitWait), s_longestHint);
        reaction.text = u"the gateway saw too many failed tries and wants a pause"_s;
    } else if (code.startsWith("AUTH_TAILSCALE_"_L1)) {
        reaction.action = Action::Pause;
        reaction.text = u"the gateway wants a Tailscale user; connect through its tailnet"_s;
    } else if (code.startsWith("DEVICE_AUTH_"_L1)) {
        return signatureReaction(failure, code == "DEVICE_AUTH_SIGNATURE_EXPIRED"_L1);
    } else {
        return uncodedReaction(*failure.refusal);
    }
    return reaction;
}

ConnectReaction reactionToRefusal(const ConnectFailure &failure)
{
    const GatewayError &error = *failure.refusal;
    ConnectReaction reaction = reactionToCode(failure);
    reaction.code = error.details.code.isEmpty() ? error.code : error.details.code;
    if (!error.message.isEmpty() && reaction.action != Action::PollPairing) {
        reaction.text += u" (it says: %1)"_s.arg(error.message);
    }
    if (error.retryAfter.has_value()) {
        reaction.atLeast = std::max(reaction.atLeast, std::min(*error.retryAfter, s_longestHint));
    }
    return reaction;
}

ConnectReaction reactionToPeerClose(const TransportClose &close)
{
    ConnectReaction reaction;
    reaction.code = u"CLOSED_%1"_s.arg(close.code);
    const auto row = std::ranges::find(s_closeRows, close.code, &CloseRow::code);
    if (row != s_closeRows.end()) {
        reaction.action = row->action;
        reaction.text = row->text;
    } else {
        reaction.text = u"the gateway closed the connection with code %1"_s.arg(close.code);
    }
    if (close.code == 1013) {
        reaction.atLeast = s_startingWait;
        reaction.atMost = s_startingLongestWait;
    }
    if (!close.reason.isEmpty()) {
        reaction.text += u" (it says: %1)"_s.arg(close.reason);
    }
    return reaction;
}

ConnectReaction reactionToUpgradeRefusal(const ConnectFailure &failure)
{
    ConnectReaction reaction;
    reaction.code = u"HTTP_%1"_s.arg(failure.close.httpStatus);
    reaction.text =
        u"what answers at this address is no gateway, or one that can't be reached now (HTTP %1)"_s
            .arg(failure.close.httpStatus);
    if (failure.proxyRefusals >= s_proxyTries) {
        reaction.action = Action::Pause;
        reaction.text =
            u"the proxy before the gateway wants to know who connects; set up its access first"_s;
    }
    return reaction;
}

ConnectReaction failed(QString code, QString text)
{
    ConnectReaction reaction;
    reaction.code = std::move(code);
    reaction.text = std::move(text);
    return reaction;
}

} // namespace

ConnectReaction reactionTo(const ConnectFailure &failure)
{
    if (failure.refusal.has_value()) {
        return reactionToRefusal(failure);
    }
    const TransportClose &close = failure.close;
    switch (close.cause) {
    case TransportClose::Cause::Peer:
        return reactionToPeerClose(close);
    case TransportClose::Cause::UpgradeRefused:
        return reactionToUpgradeRefusal(failure);
    case TransportClose::Cause::Tls:
        return failed(u"TLS"_s, u"no secure connection: %1"_s.arg(close.reason));
    case TransportClose::Cause::PinMismatch:
        return failed(
            u"TLS_PIN_MISMATCH"_s,
            u"the gateway shows another certificate than the pinned one; nothing was sent: %1"_s
                .arg(close.reason));
    case TransportClose::Cause::Broken:
        return failed(u"PROTOCOL"_s, u"the gateway broke the protocol: %1"_s.arg(close.reason));
    case TransportClose::Cause::Local:
        return failed(failure.localCode, close.reason);
    case TransportClose::Cause::Network:
        break;
    }
    return failed(u"NETWORK"_s, u"the gateway can't be reached: %1"_s.arg(close.reason));
}

} // namespace telson::core
