// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <chrono>
#include <functional>

namespace telson::core {

/// How long to wait before the next try: 1 s, doubling to 30 s, each spread by ±20 %.
class Backoff final
{
public:
    /// `random` answers evenly from 0 up to 1.
    explicit Backoff(std::function<double()> random);

    /// The next wait, spread; each call doubles the one after it.
    [[nodiscard]] std::chrono::milliseconds next();

    /// Starts over. Only for what proves that the gateway takes us: hello-ok.
    void reset();

    /// A wait spread upwards by at most a fifth, so that it is kept and many nodes do not come at
    /// once.
    [[nodiscard]] std::chrono::milliseconds spreadUp(std::chrono::milliseconds wait) const;

private:
    std::function<double()> m_random;
    std::chrono::milliseconds m_base;
};

} // namespace telson::core
