// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/pendingrequests.h"

#include <QtCore/QObject>

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

ErrorCode errorCodeOf(const QString &code)
{
    if (code == "UNAVAILABLE"_L1) {
        return ErrorCode::Unavailable;
    }
    if (code == "INVALID_REQUEST"_L1) {
        return ErrorCode::InvalidArgument;
    }
    if (code == "FORBIDDEN"_L1 || code == "NOT_PAIRED"_L1) {
        return ErrorCode::Denied;
    }
    return code == "AGENT_TIMEOUT"_L1 ? ErrorCode::Timeout : ErrorCode::Protocol;
}

} // namespace

Error toError(const GatewayError &refusal)
{
    return {errorCodeOf(refusal.code), refusal.code + u": "_s + refusal.message, 0};
}

PendingRequests::PendingRequests(Clock &clock) : m_clock(clock)
{
}

void PendingRequests::add(const QString &id, std::chrono::milliseconds timeout, QObject *context,
                          Done done)
{
    std::unique_ptr<Alarm> alarm = m_clock.startAlarm(timeout, [this, id, timeout] {
        const QString text = u"the gateway did not answer within %1 ms"_s.arg(timeout.count());
        finish(id, std::unexpected(RequestFailure{{ErrorCode::Timeout, text, 0}, std::nullopt}));
    });
    m_entries.insert_or_assign(id, Entry{context, std::move(done), std::move(alarm)});
}

bool PendingRequests::complete(const ResponseFrame &response)
{
    if (!m_entries.contains(response.id)) {
        return false;
    }
    if (response.outcome.has_value()) {
        finish(response.id, *response.outcome);
    } else {
        const GatewayError &refusal = response.outcome.error();
        finish(response.id, std::unexpected(RequestFailure{toError(refusal), refusal}));
    }
    return true;
}

void PendingRequests::failAll(const Error &error)
{
    const std::unordered_map<QString, Entry> entries = std::exchange(m_entries, {});
    for (const auto &[id, entry] : entries) {
        if (!entry.context.isNull()) {
            entry.done(std::unexpected(RequestFailure{error, std::nullopt}));
        }
    }
}

void PendingRequests::finish(const QString &id, const RequestOutcome &outcome)
{
    // Out of the table first: `done` may ask again, and an alarm may be destroyed while it rings.
    const auto node = m_entries.extract(id);
    if (!node.empty() && !node.mapped().context.isNull()) {
        node.mapped().done(outcome);
    }
}

} // namespace telson::core
