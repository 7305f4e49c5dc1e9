// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <optional>

namespace telson::core {

/// The control socket speaks JSON-RPC 2.0, one object a line, UTF-8, at most this long.
inline constexpr qsizetype s_maxControlLine = 64 * 1024;

/// JSON-RPC 2.0 error codes in use here.
enum class ControlErrorCode : int {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InternalError = -32603,
};

struct ControlRequest
{
    qint64 id = 0;
    QString method;
};

struct ControlError
{
    int code = 0;
    QString message;
};

struct ControlResponse
{
    std::optional<qint64> id; ///< none when the request could not be read
    QByteArray resultJson;    ///< empty if `error` is set
    std::optional<ControlError> error;
};

/// One line, with its line feed.
[[nodiscard]] QByteArray encodeControlRequest(const ControlRequest &request);
[[nodiscard]] QByteArray encodeControlResponse(const ControlResponse &response);

/// Errors: Protocol, naming the field.
[[nodiscard]] Result<ControlRequest> decodeControlRequest(const QByteArray &line);
[[nodiscard]] Result<ControlResponse> decodeControlResponse(const QByteArray &line);

} // namespace telson::core
