// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QMap>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>

namespace telson::core {

// `system.which` and `system.execApprovals.get|set` on the wire (node-commands.md §§5.1, 5.2, 7).

/// The names in the request, at most 256. Errors: InvalidArgument, "bins required" or naming the
/// field.
[[nodiscard]] Result<QStringList> decodeWhich(const QByteArray &paramsJson);

/// `found`: name to path; {"bins":{"git":"/usr/bin/git"}}.
[[nodiscard]] QByteArray encodeWhich(const QMap<QString, QString> &found);

struct ExecApprovalsSetParams
{
    QByteArray documentJson; ///< the new document, not looked into
    std::optional<QString> baseHash;
};

/// Errors: InvalidArgument, "exec approvals file required" or naming the field.
[[nodiscard]] Result<ExecApprovalsSetParams> decodeExecApprovalsSet(const QByteArray &paramsJson);

/// The answer of get and of set. The gateway refuses any other key.
struct ExecApprovalsAnswer
{
    QString path;
    bool exists = false;
    QString hash;
    QByteArray documentJson; ///< without the socket's token
    QString security; ///< `resolvedDefaults`, in the words of the wire
    QString ask;
    QString askFallback;
    bool autoAllowSkills = false;
};

/// Errors: Protocol if `documentJson` is no JSON object.
[[nodiscard]] Result<QByteArray> encodeExecApprovals(const ExecApprovalsAnswer &answer);

} // namespace telson::core
