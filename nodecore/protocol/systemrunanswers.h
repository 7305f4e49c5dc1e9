// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/protocol/systemrun.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <optional>

namespace telson::core {

// What `system.run.prepare` and `system.run` send back (node-commands.md §§3, 4.5, 4.6).

/// The answer to prepare.
struct PreparedRun
{
    SystemRunPlan plan;
    QString security; ///< effective policy, words of `PlanPolicy`
    QString ask;
};
[[nodiscard]] QByteArray encodePreparedRun(const PreparedRun &prepared);

/// How a run ended. `success` on the wire: exit code 0, no timeout, no error.
struct SystemRunResult
{
    std::optional<int> exitCode;
    bool timedOut = false;
    QString standardOutput;
    QString standardError;
    QString error; ///< empty = null

    [[nodiscard]] bool isSuccess() const
    {
        return exitCode == 0 && !timedOut && error.isEmpty();
    }
};
[[nodiscard]] QByteArray encodeSystemRunResult(const SystemRunResult &result);

/// What every event of a run says (node-commands.md §4.6).
struct RunEventHead
{
    QString sessionKey;
    QString runId;
    QString command; ///< commandText
    std::optional<bool> suppressNotifyOnExit;
};
/// `output` on the wire is the end of stdout, stderr and error, at most 20,000 UTF-16 units.
[[nodiscard]] QByteArray encodeExecFinished(const RunEventHead &head,
                                            const SystemRunResult &result);
[[nodiscard]] QByteArray encodeExecDenied(const RunEventHead &head, const QString &reason);

} // namespace telson::core
