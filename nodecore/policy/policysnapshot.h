// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/approvalsdocument.h"

namespace telson::core {

/// `policy` as a plan carries it: rules without duplicates, sorted by the UTF-8 bytes of pattern,
/// then argPattern, then source, absent before present (node-commands.md §3).
[[nodiscard]] EffectivePolicy policySnapshot(EffectivePolicy policy);

/// Whether what was decided under `snapshot` may still be relied on under `now`: security, ask,
/// askFallback and autoAllowSkills are the same, and each rule is still there, perhaps as a
/// generated one. Further rules do not matter (node-commands.md §4.4).
[[nodiscard]] bool isSnapshotCurrent(const EffectivePolicy &snapshot, const EffectivePolicy &now);

} // namespace telson::core
