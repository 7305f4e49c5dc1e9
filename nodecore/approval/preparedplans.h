// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/approvalsdocument.h"
#include "nodecore/policy/approvedcommand.h"

#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <compare>
#include <optional>

namespace telson::core {

class Clock;

/// One connection of one door: "gateway:home", 3. A plan counts for the one it was prepared for.
struct Requester
{
    QString door;
    quint64 connection = 0;

    auto operator<=>(const Requester &) const = default;
};

/// What an approval is bound to (design §11.3).
struct PlanBinding
{
    QStringList argv;
    QString folder; ///< canonical
    QString agentId; ///< trimmed; empty = none
    QString sessionKey; ///< trimmed; empty = none
    Environment overrides; ///< all of them, as the caller sent them

    /// SHA-256 over all fields, each text with its length in front.
    [[nodiscard]] QByteArray digest() const;
};

/// What was true when the plan was made.
struct PreparedPlan
{
    EffectivePolicy snapshot;
    FolderIdentity folderIdentity;
};

/// The plans that this process has prepared and nobody has used. In memory only, at most
/// `s_maxPlansPerConnection` for each connection (the oldest goes), each for `s_lifetime`.
class PreparedPlans final
{
public:
    /// An approval of the gateway lives 30 minutes; the rest is for the way.
    static constexpr std::chrono::minutes s_lifetime{32};
    static constexpr qsizetype s_maxPlansPerConnection = 256;

    explicit PreparedPlans(const Clock &clock);

    void add(const Requester &requester, const PlanBinding &binding, const PreparedPlan &plan);

    /// The newest plan with that binding, once: it is gone afterwards.
    [[nodiscard]] std::optional<PreparedPlan> take(const Requester &requester,
                                                   const PlanBinding &binding);

    void forget(const Requester &requester);

private:
    struct Entry
    {
        QByteArray digest;
        PreparedPlan plan;
        std::chrono::milliseconds monotonicExpiry;
        std::chrono::milliseconds wallExpiry;
    };
    void dropExpired(QList<Entry> &entries) const;

    const Clock &m_clock;
    QMap<Requester, QList<Entry>> m_plans; // oldest first
};

} // namespace telson::core
