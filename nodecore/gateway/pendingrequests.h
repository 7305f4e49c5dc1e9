// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/clock.h"
#include "nodecore/base/result.h"
#include "nodecore/protocol/frame.h"

#include <QtCore/QByteArray>
#include <QtCore/QHash>
#include <QtCore/QPointer>
#include <QtCore/QString>

#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

class QObject;

namespace telson::core {

/// Why a request has no answer: the gateway refused it, or (without `refusal`) it was lost or too
/// late.
struct RequestFailure
{
    Error error;
    std::optional<GatewayError> refusal;
};
using RequestOutcome = std::expected<QByteArray, RequestFailure>;

/// A gateway's refusal as one of our errors; its code leads the message.
[[nodiscard]] Error toError(const GatewayError &refusal);

/// The requests of one connection that wait for their answer.
class PendingRequests final
{
public:
    using Done = std::function<void(const RequestOutcome &)>;

    explicit PendingRequests(Clock &clock);

    /// `done` is called once, not at all once `context` is gone: by `complete`, `failAll`, or with
    /// Timeout.
    void add(const QString &id, std::chrono::milliseconds timeout, QObject *context, Done done);

    /// False if nothing waits for this answer (any more).
    bool complete(const ResponseFrame &response);

    /// Fails all that wait at this moment with the same error.
    void failAll(const Error &error);

private:
    struct Entry
    {
        QPointer<QObject> context;
        Done done;
        std::unique_ptr<Alarm> alarm;
    };

    void finish(const QString &id, const RequestOutcome &outcome);

    Clock &m_clock;
    std::unordered_map<QString, Entry> m_entries;
};

} // namespace telson::core
