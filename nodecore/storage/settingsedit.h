// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <optional>

namespace telson::core {

/// Edits of a JSON object that leave everything else and the order of keys as they are. `json` has
/// to be valid; results have two spaces of indent and end with a newline.

/// Sets the member with the dotted `key` to a JSON value, making the objects on the way; without a
/// value it is taken out. Errors: InvalidArgument if something on the way is not an object.
[[nodiscard]] Result<QByteArray> editedMember(const QByteArray &json, const QString &key,
                                              const std::optional<QByteArray> &value);

/// Appends a JSON value to the list `gateways`.
[[nodiscard]] QByteArray withGateway(const QByteArray &json, const QByteArray &gateway);

/// Errors: InvalidArgument if no gateway has that id; the message names those that there are.
[[nodiscard]] Result<QByteArray> withoutGateway(const QByteArray &json, const QString &id);

/// Sets `enabled` of one gateway to true and of the others to false. Errors: as above.
[[nodiscard]] Result<QByteArray> withOnlyGateway(const QByteArray &json, const QString &id);

} // namespace telson::core
