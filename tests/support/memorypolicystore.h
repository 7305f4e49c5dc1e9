// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/policystore.h"

#include <QtCore/QByteArray>
#include <QtCore/QJsonObject>
#include <QtCore/QString>

#include <optional>

/// The parts of an approvals document that decide; other fields and odd values are passed over.
[[nodiscard]] telson::core::ApprovalsDocument approvalsFromJson(const QJsonObject &json);

/// An approvals document in memory. Its hash is that of the text, as with a real one.
class MemoryPolicyStore final : public telson::core::PolicyStore
{
public:
    [[nodiscard]] telson::core::StoredPolicy current() override;
    [[nodiscard]] telson::core::Result<telson::core::StoredPolicy>
    replace(const QByteArray &documentJson, const std::optional<QString> &baseHash,
            const Guard &guard) override;

    /// Text as a person would write it into the file; empty = no file.
    void setText(const QByteArray &text);
    /// From now on the document can't be read.
    void setBroken(const QString &reason);
    /// The next `replace` that is not refused fails like a full disk.
    void failNextWrite();

    [[nodiscard]] QByteArray text() const
    {
        return m_text;
    }

private:
    QByteArray m_text;
    std::optional<telson::core::Error> m_broken;
    bool m_failsNextWrite = false;
};
