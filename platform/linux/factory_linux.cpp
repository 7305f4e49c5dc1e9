// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/factory.h"

#include "platform/linux/workingset.h"
#include "platform/posix/platformprocessfactory.h"
#include "platform/posix/posixfolderprobe.h"
#include "platform/posix/posixprivatefiles.h"
#include "platform/posix/terminationsignals.h"
#include "platform/qt/websockettransportfactory.h"

using namespace Qt::StringLiterals;

namespace telson::platform {

SystemNames systemNames()
{
    return {.platform = u"linux"_s, .deviceFamily = u"Linux"_s};
}

std::unique_ptr<core::PrivateFiles> makePrivateFiles()
{
    return std::make_unique<PosixPrivateFiles>();
}

std::unique_ptr<core::ProcessFactory> makeProcessFactory()
{
    return std::make_unique<PlatformProcessFactory>();
}

std::unique_ptr<core::FolderProbe> makeFolderProbe()
{
    return std::make_unique<PosixFolderProbe>();
}

std::unique_ptr<core::TransportFactory> makeTransportFactory(core::Clock &clock)
{
    return std::make_unique<WebSocketTransportFactory>(clock);
}

core::Result<std::unique_ptr<QObject>> watchTermination(std::function<void()> requested)
{
    auto signals = TerminationSignals::create(std::move(requested));
    if (!signals) {
        return std::unexpected(signals.error());
    }
    return std::unique_ptr<QObject>(std::move(*signals));
}

} // namespace telson::platform
