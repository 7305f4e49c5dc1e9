// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QEventLoop>
#include <QtCore/QObject>

#include <functional>
#include <optional>
#include <utility>

namespace telson::app {

/// Runs the event loop until an asynchronous question is answered. Only for short commands, which have
/// no other event loop and nothing else to do meanwhile; the service never waits.
///
/// `ask` gets the context object and the callback to hand on.
template<typename T, typename Ask>
[[nodiscard]] core::Result<T> await(Ask ask)
{
    std::optional<core::Result<T>> answer;
    QEventLoop loop;
    ask(&loop, [&answer, &loop](core::Result<T> result) {
        answer.emplace(std::move(result));
        loop.quit();
    });
    if (!answer) {
        loop.exec();
    }
    return *std::move(answer);
}

} // namespace telson::app
