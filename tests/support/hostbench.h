// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/approval/approvalbroker.h"
#include "nodecore/exec/commandrunner.h"
#include "nodecore/host/makenodehost.h"
#include "nodecore/host/nodehost.h"
#include "tests/support/fakeclock.h"
#include "tests/support/fakefolderprobe.h"
#include "tests/support/fakeprocessfactory.h"
#include "tests/support/memorypolicystore.h"

#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtCore/QString>

#include <memory>
#include <optional>

/// What came back for one call.
struct HostCall
{
    QStringList trace; ///< "exec.finished", "answer", in the order in which they came
    QList<QJsonObject> events; ///< payloads of the events
    std::optional<QJsonObject> payload;
    std::optional<telson::core::CommandFailure> failure;

    [[nodiscard]] bool isAnswered() const
    {
        return payload.has_value() || failure.has_value();
    }
};

/// A whole node host over doubles: folders "/work" and "/home/u" (the default one), a document that
/// lets everything run, mode full. Processes end only when the test says so.
class HostBench final
{
public:
    explicit HostBench(qsizetype maxConcurrent = 64);
    ~HostBench();
    HostBench(const HostBench &) = delete;
    HostBench &operator=(const HostBench &) = delete;

    /// Starts a call; what comes back is in the result, at once or later.
    std::shared_ptr<HostCall> call(const QString &command, const QJsonObject &params,
                                   quint64 connection = 1,
                                   const QString &door = QStringLiteral("gateway:home"));

    /// The id that the last `call` had.
    [[nodiscard]] QString lastId() const
    {
        return QString::number(m_lastId);
    }

    telson::core::LocalRules rules{telson::core::ExecMode::Full, telson::core::InlineEval::Allowed};
    telson::core::Environment ownEnvironment;
    FakeClock clock;
    FakeFolderProbe folders;
    MemoryPolicyStore store;
    FakeProcessFactory processes;
    std::unique_ptr<telson::core::CommandRunner> runner;
    std::unique_ptr<telson::core::ApprovalBroker> broker;
    std::unique_ptr<telson::core::NodeHost> host;

private:
    quint64 m_lastId = 0;
};
