// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>

namespace telson::core {

/// Looks at the brackets of a JSON text before a parser does, so that a hostile one is refused
/// before it costs memory. Text that is not JSON may pass; the parser finds it. Errors: Protocol if
/// it is longer than `maxBytes` or nested deeper than `maxDepth`.
[[nodiscard]] Result<void> checkJsonShape(QByteArrayView text, qsizetype maxBytes, int maxDepth);

} // namespace telson::core
