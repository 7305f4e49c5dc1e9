// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/backoff.h"

#include <algorithm>
#include <utility>

using namespace std::chrono_literals;

namespace telson::core {

namespace {

constexpr std::chrono::milliseconds s_first = 1s;
constexpr std::chrono::milliseconds s_largest = 30s;
constexpr double s_spread = 0.2;

std::chrono::milliseconds scaled(std::chrono::milliseconds wait, double factor)
{
    return std::chrono::round<std::chrono::milliseconds>(
        std::chrono::duration<double, std::milli>(static_cast<double>(wait.count()) * factor));
}

} // namespace

Backoff::Backoff(std::function<double()> random) : m_random(std::move(random)), m_base(s_first)
{
}

std::chrono::milliseconds Backoff::next()
{
    const std::chrono::milliseconds base = m_base;
    m_base = std::min(2 * m_base, s_largest);
    return scaled(base, 1.0 - s_spread + 2.0 * s_spread * m_random());
}

void Backoff::reset()
{
    m_base = s_first;
}

std::chrono::milliseconds Backoff::spreadUp(std::chrono::milliseconds wait) const
{
    return scaled(wait, 1.0 + s_spread * m_random());
}

} // namespace telson::core
