// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/replies.h"

using namespace Qt::StringLiterals;

namespace telson::core {

CommandFailure invalidRequest(const QString &text)
{
    return {u"INVALID_REQUEST"_s, text};
}

CommandFailure runDenied(const QString &text)
{
    return {u"SYSTEM_RUN_DENIED"_s, text};
}

QString normalizedId(const std::optional<QString> &id)
{
    return id.value_or(QString()).trimmed();
}

} // namespace telson::core
