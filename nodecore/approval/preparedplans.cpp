// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/approval/preparedplans.h"

#include "nodecore/base/clock.h"

#include <QtCore/QCryptographicHash>

namespace telson::core {

namespace {

void addText(QCryptographicHash &hash, const QString &text)
{
    const QByteArray bytes = text.toUtf8();
    hash.addData(QByteArray::number(bytes.size()));
    hash.addData(QByteArrayView(":"));
    hash.addData(bytes);
}

void addCount(QCryptographicHash &hash, qsizetype count)
{
    hash.addData(QByteArray::number(count));
    hash.addData(QByteArrayView(";"));
}

} // namespace

QByteArray PlanBinding::digest() const
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    addCount(hash, argv.size());
    for (const QString &argument : argv) {
        addText(hash, argument);
    }
    addText(hash, folder);
    addText(hash, agentId);
    addText(hash, sessionKey);
    addCount(hash, overrides.size());
    for (auto it = overrides.cbegin(); it != overrides.cend(); ++it) {
        addText(hash, it.key());
        addText(hash, it.value());
    }
    return hash.result();
}

PreparedPlans::PreparedPlans(const Clock &clock) : m_clock(clock)
{
}

void PreparedPlans::add(const Requester &requester, const PlanBinding &binding,
                        const PreparedPlan &plan)
{
    QList<Entry> &entries = m_plans[requester];
    dropExpired(entries);
    while (entries.size() >= s_maxPlansPerConnection) {
        entries.removeFirst();
    }
    entries.append({binding.digest(), plan, m_clock.monotonicTime() + s_lifetime,
                    m_clock.wallTime() + s_lifetime});
}

std::optional<PreparedPlan> PreparedPlans::take(const Requester &requester,
                                                const PlanBinding &binding)
{
    const auto found = m_plans.find(requester);
    if (found == m_plans.end()) {
        return std::nullopt;
    }
    QList<Entry> &entries = found.value();
    dropExpired(entries);
    const QByteArray digest = binding.digest();
    for (qsizetype at = entries.size() - 1; at >= 0; --at) {
        if (entries.at(at).digest == digest) {
            return entries.takeAt(at).plan;
        }
    }
    return std::nullopt;
}

void PreparedPlans::forget(const Requester &requester)
{
    m_plans.remove(requester);
}

void PreparedPlans::dropExpired(QList<Entry> &entries) const
{
    // The monotonic clock may stand still while the machine sleeps, the other one may be set back:
    // whichever says "over" first is believed.
    const auto monotonic = m_clock.monotonicTime();
    const auto wall = m_clock.wallTime();
    entries.removeIf([monotonic, wall](const Entry &entry) {
        return entry.monotonicExpiry <= monotonic || entry.wallExpiry <= wall;
    });
}

} // namespace telson::core
