// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/storage/settings.h"

#include <QtCore/QByteArray>
#include <QtCore/QStringList>

namespace telson::core {

struct DecodedSettings
{
    Settings settings;
    QStringList warnings; ///< one per unknown key: "unknown key exec.mod"
};

/// The text of telson.json. Unknown keys are warned of and passed over; everything known has to be
/// right. Errors: InvalidArgument, as "exec.mode: expected one of deny, …" or with line and column;
/// values are never shown. A `version` above 1 says that the file is newer than this program.
[[nodiscard]] Result<DecodedSettings> decodeSettings(const QByteArray &json);

} // namespace telson::core
