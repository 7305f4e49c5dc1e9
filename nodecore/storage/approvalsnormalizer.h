// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QStringList>

namespace telson::core {

/// An approvals document in its canonical form: JSON with two spaces of indent and a newline;
/// `version`, `socket`, `defaults` and `agents` always there; `agents.default` merged into
/// `agents.main`; entries are objects with an `id`; unknown fields kept inside agents and entries
/// only (policy notes §11).
struct NormalApprovals
{
    QByteArray json;
    /// Where something with a meaning was left out because it makes no sense, such as
    /// "defaults.security" for an unknown word. Empty for a stored document.
    QStringList ignored;
};

/// A stored document. Errors: as in `checkApprovals`.
[[nodiscard]] Result<NormalApprovals> normalizeStoredApprovals(const QByteArray &json);

/// A document as somebody sends it, read with the reference's leniency.
/// Errors: InvalidArgument for what has no reading at all.
[[nodiscard]] Result<NormalApprovals> normalizeIncomingApprovals(const QByteArray &json);

} // namespace telson::core
