// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/policystore.h"

#include <filesystem>

namespace telson::core {

class PrivateFiles;

/// The approvals document in exec-approvals.json.
///
/// Each `current()` reads the file, so an edit from outside counts at once; a file that can't be
/// read or understood denies everything and is never written. `replace` holds a lock beside the
/// file from reading to writing (Unavailable while another process does), and keeps the former text
/// as `exec-approvals.json.bak` where somebody else wrote it or it is of an older form.
class FilePolicyStore final : public PolicyStore
{
public:
    FilePolicyStore(PrivateFiles &files, std::filesystem::path file);

    [[nodiscard]] StoredPolicy current() override;
    [[nodiscard]] Result<StoredPolicy> replace(const QByteArray &documentJson,
                                               const std::optional<QString> &baseHash,
                                               const Guard &guard) override;

    /// The last document that could be understood since this object was made, for display while the
    /// file is broken; nothing is decided by it.
    [[nodiscard]] std::optional<ApprovalsDocument> lastGood() const
    {
        return m_lastGood;
    }

private:
    void reload();
    void take(const std::optional<QByteArray> &raw);
    void refuse(const Error &error, const QString &hash);
    [[nodiscard]] Result<void> backUp();
    [[nodiscard]] Result<void> store(const QByteArray &canonical, const Guard &guard);

    PrivateFiles &m_files;
    std::filesystem::path m_file;
    bool m_isLoaded = false;
    bool m_hasSeenFile = false;
    std::optional<QByteArray> m_raw; ///< as read; nothing without a file
    QByteArray m_canonical;
    StoredPolicy m_current;
    std::optional<ApprovalsDocument> m_lastGood;
};

} // namespace telson::core
