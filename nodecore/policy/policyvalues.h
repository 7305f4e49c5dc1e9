// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QString>

#include <optional>

namespace telson::core {

/// What may run at all. Order: the later, the looser.
enum class Security { Deny, Allowlist, Full };
/// When a person is asked. Order: the later, the more is asked.
enum class Ask { Off, OnMiss, Always };
/// The setting `exec.mode`: one word for a pair of the above (policy source: policy notes §10).
enum class ExecMode { Deny, Allowlist, Ask, Auto, Full };

/// The words of the wire and of the documents: "deny", "allowlist", "full"; "off", "on-miss",
/// "always". Exact and lower case; anything else is nothing.
[[nodiscard]] std::optional<Security> parseSecurity(QStringView word);
[[nodiscard]] std::optional<Ask> parseAsk(QStringView word);
[[nodiscard]] std::optional<ExecMode> parseExecMode(QStringView word);
[[nodiscard]] QString toString(Security value);
[[nodiscard]] QString toString(Ask value);
[[nodiscard]] QString toString(ExecMode value);

} // namespace telson::core
