// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/approvalsdocument.h"
#include "nodecore/protocol/systemrun.h"

namespace telson::core {

/// A policy in the words of the wire, and back. Words that the decoder has let through are known; a
/// stranger among them counts as the strictest.
[[nodiscard]] PlanPolicy toPlanPolicy(const EffectivePolicy &policy);
[[nodiscard]] EffectivePolicy toEffectivePolicy(const PlanPolicy &policy);

} // namespace telson::core
