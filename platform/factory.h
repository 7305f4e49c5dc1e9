// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QObject>
#include <QtCore/QString>

#include <functional>
#include <memory>

namespace telson::core {
class Clock;
class FolderProbe;
class PrivateFiles;
class ProcessFactory;
class TransportFactory;
} // namespace telson::core

/// The one door from the programs to what differs by operating system.
namespace telson::platform {

/// How the gateway knows this system (handshake.md §2.2); nothing else is understood there.
struct SystemNames
{
    QString platform;     ///< "linux"
    QString deviceFamily; ///< "Linux"
};
[[nodiscard]] SystemNames systemNames();

[[nodiscard]] std::unique_ptr<core::PrivateFiles> makePrivateFiles();
[[nodiscard]] std::unique_ptr<core::ProcessFactory> makeProcessFactory();
[[nodiscard]] std::unique_ptr<core::FolderProbe> makeFolderProbe();
[[nodiscard]] std::unique_ptr<core::TransportFactory> makeTransportFactory(core::Clock &clock);

/// Calls `requested` from the event loop whenever the system asks this process to end. The result
/// ends the watch when it is destroyed. Errors: Io.
[[nodiscard]] core::Result<std::unique_ptr<QObject>>
watchTermination(std::function<void()> requested);

/// Gives memory back that only the start needed; for a moment of rest.
void trimWorkingSet();

} // namespace telson::platform
