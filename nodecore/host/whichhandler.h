// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/host/commandhandler.h"

namespace telson::core {

/// `system.which`: where programs are, by the PATH that commands get.
class WhichHandler final : public CommandHandler
{
public:
    explicit WhichHandler(QString searchPath);

    [[nodiscard]] QString command() const override;
    void handle(const CommandCall &call, std::function<void(CommandEvent)> emitEvent,
                std::function<void(CommandReply)> done) override;
    void cancel(const QString &callId) override;

private:
    QString m_searchPath;
};

} // namespace telson::core
