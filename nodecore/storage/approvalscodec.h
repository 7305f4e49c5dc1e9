// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/policy/approvalsdocument.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <optional>

namespace telson::core {

// What is done with an approvals document once it is in its canonical form (approvalsnormalizer.h).

/// The document of a broken file: security deny, ask off, askFallback deny, no skills.
[[nodiscard]] QByteArray denyAllApprovals();

/// What decides, as values.
[[nodiscard]] ApprovalsDocument approvalsValues(const QByteArray &canonical);

/// The document as the gateway may see it: without the token, without a socket that has no path,
/// and without fields that its schema refuses (one unknown field would make it refuse the whole
/// answer).
[[nodiscard]] QByteArray redactedApprovals(const QByteArray &canonical);

/// The canonical text that takes the place of `current` when somebody sends `incoming`. The socket
/// stays ours; unknown fields of agents and entries (found by id) stay, for the sender could not
/// see them. Errors: InvalidArgument for what would not be a valid document, or is ambiguous: a
/// word, an entry or a version that the reference would leave out in silence is refused here.
[[nodiscard]] Result<QByteArray> replacementApprovals(const QByteArray &incoming,
                                                      const QByteArray &current);

/// SHA-256 hex of the stored text; "missing:" and that of "" without one.
[[nodiscard]] QString approvalsHash(const std::optional<QByteArray> &stored);

/// Compare-and-swap: whether who saw `baseHash` may write. Where no document exists it may be
/// absent. Errors: InvalidArgument with the messages of node-commands.md §5.2.
[[nodiscard]] Result<void> checkBaseHash(bool exists, const QString &hash,
                                         const std::optional<QString> &baseHash);

} // namespace telson::core
