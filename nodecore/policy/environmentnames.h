// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QStringView>

namespace telson::core {

// The name lists of environment.h. Names are compared in upper case: `upperName` must be that.
// Source: node-commands.md §4.3 (lists A, B, C) and policy-notes.md §15.

/// Neither inherited nor accepted as an override: list A, LD_*, DYLD_*, BASH_FUNC_*.
[[nodiscard]] bool isAlwaysBlockedName(QStringView upperName);

/// Not accepted as an override: list B and the prefixes of package managers and build tools.
[[nodiscard]] bool isBlockedOverrideName(QStringView upperName);

/// Not inherited: `isAlwaysBlockedName`, and list B without list C.
[[nodiscard]] bool isBlockedInheritedName(QStringView upperName);

/// Ours and the gateway's secrets (design §5, §11.13): they reach no command, whoever sets them.
[[nodiscard]] bool isWithheldName(QStringView upperName);

/// Steers which program Windows starts; refused as an override there.
[[nodiscard]] bool isWindowsLaunchName(QStringView upperName);

/// Accepted as an override of a shell wrapper.
[[nodiscard]] bool isShellWrapperName(QStringView upperName);

} // namespace telson::core
