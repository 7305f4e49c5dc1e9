// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QString>

#include <expected>

namespace telson::core {

/// Why something failed, for callers to branch on.
enum class ErrorCode {
    InvalidArgument, ///< the input has the wrong shape
    Denied,          ///< a rule or a person said no
    Timeout,         ///< a deadline passed
    Cancelled,       ///< the asker withdrew
    Unavailable,     ///< what is needed is not there, or not now
    Io,              ///< the operating system refused; see osError
    Protocol,        ///< the other side broke the contract
};

/// One failure. `message` is for people and logs: English, lower case, no final stop, no secret.
struct Error
{
    ErrorCode code = ErrorCode::InvalidArgument;
    QString message;
    int osError = 0; ///< errno or GetLastError(), 0 if none

    bool operator==(const Error &) const = default;
};

template<typename T>
using Result = std::expected<T, Error>;

[[nodiscard]] std::unexpected<Error> fail(ErrorCode code, QString message, int osError = 0);

/// The code as one lower-case word for logs, such as "timeout".
[[nodiscard]] QString toString(ErrorCode code);

} // namespace telson::core
