// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/result.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

std::unexpected<Error> fail(ErrorCode code, QString message, int osError)
{
    return std::unexpected(Error{code, std::move(message), osError});
}

QString toString(ErrorCode code)
{
    switch (code) {
    case ErrorCode::InvalidArgument:
        return u"invalid-argument"_s;
    case ErrorCode::Denied:
        return u"denied"_s;
    case ErrorCode::Timeout:
        return u"timeout"_s;
    case ErrorCode::Cancelled:
        return u"cancelled"_s;
    case ErrorCode::Unavailable:
        return u"unavailable"_s;
    case ErrorCode::Io:
        return u"io"_s;
    case ErrorCode::Protocol:
        return u"protocol"_s;
    }
    return u"unknown"_s;
}

} // namespace telson::core
