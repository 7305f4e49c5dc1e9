// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

namespace telson::platform {

/// Gives memory back that only the start needed: free heap pages, and pages of program code that were
/// mapped on the way (the kernel maps sixteen around each one touched; most are never used again).
/// Code comes back from the page cache when it runs, at a fraction of a microsecond a page.
/// For a moment of rest, such as some seconds after connecting. Costs about a millisecond.
void trimWorkingSet();

} // namespace telson::platform
