// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/policy/approvalsdocument.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <functional>
#include <optional>

namespace telson::core {

/// The approvals document as it is stored now.
struct StoredPolicy
{
    ApprovalsDocument document;  ///< `denyAll()` while `broken`
    std::optional<Error> broken; ///< where and why it can't be read; never a value from it
    QString path;                ///< for people
    bool exists = false;
    QString hash;            ///< SHA-256 hex of the stored text; "missing:" + that of "" without a file
    QByteArray redactedJson; ///< the document without `socket.token`, for `system.execApprovals.get`
};

/// Seam: where the approvals document lives. Real: `FilePolicyStore`; tests: `MemoryPolicyStore`.
class PolicyStore
{
public:
    /// Says whether a remote writer may replace `before` by `after`.
    using Guard = std::function<Result<void>(const ApprovalsDocument &before,
                                             const ApprovalsDocument &after)>;

    PolicyStore() = default;
    PolicyStore(const PolicyStore &) = delete;
    PolicyStore &operator=(const PolicyStore &) = delete;
    virtual ~PolicyStore() = default;

    /// Reads again if the file has changed since the last call.
    [[nodiscard]] virtual StoredPolicy current() = 0;

    /// Compare-and-swap. `documentJson` is the new document as sent; it is validated and normalised,
    /// unknown keys survive, the `socket` block stays ours. `guard` is asked after validation.
    /// Errors, with the messages of node-commands.md §5.2: InvalidArgument ("exec approvals base hash
    /// required; reload and retry", "exec approvals changed; reload and retry", a broken new
    /// document), Denied (the guard's, or the stored document is broken), Io.
    [[nodiscard]] virtual Result<StoredPolicy> replace(const QByteArray &documentJson,
                                                       const std::optional<QString> &baseHash,
                                                       const Guard &guard) = 0;
};

} // namespace telson::core
