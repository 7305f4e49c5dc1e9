// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QObject>
#include <QtCore/QSocketNotifier>

#include <functional>
#include <memory>

namespace telson::platform {

/// Turns SIGTERM, SIGINT and SIGHUP into a call from the event loop. One object a process.
class TerminationSignals final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TerminationSignals)

public:
    /// `requested` is called for every such signal. Errors: Io.
    [[nodiscard]] static core::Result<std::unique_ptr<TerminationSignals>>
    create(std::function<void()> requested);

    ~TerminationSignals() override;

private:
    explicit TerminationSignals(int readEnd, std::function<void()> requested);

    QSocketNotifier m_notifier;
    std::function<void()> m_requested;
};

} // namespace telson::platform
