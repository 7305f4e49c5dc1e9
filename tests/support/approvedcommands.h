// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/approvedcommand.h"

/// The command as a broker hands it out whose policy allows everything.
[[nodiscard]] telson::core::ApprovedCommand approved(const telson::core::CommandSpec &command);
