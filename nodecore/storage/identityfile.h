// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QString>

#include <chrono>
#include <filesystem>
#include <optional>

namespace telson::core {

class PrivateFiles;

/// What identity.json holds: who this installation is. The private key is in the secret store.
struct StoredIdentity
{
    QString deviceId; ///< 64 lower-case hex digits, the SHA-256 of the public key
    QString publicKey; ///< base64url without padding, 43 characters
    QString instanceId; ///< a UUID, lower case, without braces
    std::chrono::milliseconds createdAt{0}; ///< since 1970-01-01 UTC

    bool operator==(const StoredIdentity &) const = default;
};

/// `{"version":1,"deviceId":…,"publicKey":…,"instanceId":…,"createdAtMs":…}`; nothing if there is
/// no file. Errors, all naming the file: InvalidArgument (not JSON, a field is missing or wrong, id
/// and key do not fit each other, a newer version), Denied and Io as in `PrivateFiles`. Nobody
/// makes a new identity then.
[[nodiscard]] Result<std::optional<StoredIdentity>>
readIdentityFile(const PrivateFiles &files, const std::filesystem::path &file);

/// Writes the first identity of a profile. A file that is there is never replaced: Denied unless it
/// holds this very identity. Errors: also those of reading; InvalidArgument for an identity that
/// could not be read.
[[nodiscard]] Result<void> writeIdentityFile(PrivateFiles &files, const std::filesystem::path &file,
                                             const StoredIdentity &identity);

} // namespace telson::core
