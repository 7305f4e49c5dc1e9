// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>

namespace telson::core {

/// Whether `text` is one JSON document (UTF-8, no byte order mark, no comments) nested at most 64
/// levels deep, so that it can be parsed and written without surprises.
/// Errors: InvalidArgument, with line and column, never with a part of the text.
[[nodiscard]] Result<void> checkJsonText(const QByteArray &text);

} // namespace telson::core
