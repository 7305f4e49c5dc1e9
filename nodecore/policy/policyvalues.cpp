// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/policyvalues.h"

#include <array>
#include <utility>

namespace telson::core {

namespace {

template <typename T, std::size_t N>
using Words = std::array<std::pair<T, const char16_t *>, N>;

constexpr Words<Security, 3> s_securityWords{{
    {Security::Deny, u"deny"},
    {Security::Allowlist, u"allowlist"},
    {Security::Full, u"full"},
}};
constexpr Words<Ask, 3> s_askWords{{
    {Ask::Off, u"off"},
    {Ask::OnMiss, u"on-miss"},
    {Ask::Always, u"always"},
}};
constexpr Words<ExecMode, 5> s_modeWords{{
    {ExecMode::Deny, u"deny"},
    {ExecMode::Allowlist, u"allowlist"},
    {ExecMode::Ask, u"ask"},
    {ExecMode::Auto, u"auto"},
    {ExecMode::Full, u"full"},
}};

template <typename T, std::size_t N>
std::optional<T> valueOf(const Words<T, N> &words, QStringView word)
{
    for (const auto &[value, text] : words) {
        if (word == QStringView(text)) {
            return value;
        }
    }
    return std::nullopt;
}

template <typename T, std::size_t N>
QString wordOf(const Words<T, N> &words, T wanted)
{
    for (const auto &[value, text] : words) {
        if (value == wanted) {
            return QString(QStringView(text));
        }
    }
    Q_ASSERT(false);
    return QString(QStringView(words.front().second));
}

} // namespace

std::optional<Security> parseSecurity(QStringView word)
{
    return valueOf(s_securityWords, word);
}

std::optional<Ask> parseAsk(QStringView word)
{
    return valueOf(s_askWords, word);
}

std::optional<ExecMode> parseExecMode(QStringView word)
{
    return valueOf(s_modeWords, word);
}

QString toString(Security value)
{
    return wordOf(s_securityWords, value);
}

QString toString(Ask value)
{
    return wordOf(s_askWords, value);
}

QString toString(ExecMode value)
{
    return wordOf(s_modeWords, value);
}

} // namespace telson::core
