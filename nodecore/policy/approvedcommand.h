// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QMap>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <cstdint>
#include <optional>
#include <utility>

namespace telson::core {

/// The environment a command gets, whole: name to value.
using Environment = QMap<QString, QString>;

/// A folder, told apart from another that took its name (device and inode; file id on Windows).
struct FolderIdentity
{
    std::uint64_t device = 0;
    std::uint64_t inode = 0;

    bool operator==(const FolderIdentity &) const = default;
};

/// What would run: one canonical argv, folder and environment. What was judged is what is shown is
/// what is stored is what runs.
struct CommandSpec
{
    QStringList argv;                             ///< at least one, the first not empty
    QString folder;                               ///< absolute working directory
    std::optional<FolderIdentity> folderIdentity; ///< if set, checked again right before the start
    Environment environment;

    /// SHA-256 over argv, folder and environment, each length-prefixed, as lower-case hex.
    [[nodiscard]] QString digest() const;
};

/// A command that may start. Only the approval broker makes one; `exec` takes nothing else.
class ApprovedCommand final
{
public:
    [[nodiscard]] const CommandSpec &spec() const { return m_spec; }
    [[nodiscard]] const QString &digest() const { return m_digest; }

private:
    friend class ApprovalBroker;
    explicit ApprovedCommand(CommandSpec spec) : m_spec(std::move(spec)), m_digest(m_spec.digest()) {}

    CommandSpec m_spec;
    QString m_digest;
};

} // namespace telson::core
