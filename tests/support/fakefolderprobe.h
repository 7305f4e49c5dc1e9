// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/policy/folderprobe.h"

#include <QtCore/QHash>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <cstdint>

/// Folders that a test has named. Nothing else exists.
class FakeFolderProbe final : public telson::core::FolderProbe
{
public:
    [[nodiscard]] telson::core::Result<telson::core::ProbedFolder>
    probe(const QString &path) const override;

    /// A folder that is where it says; adding it again gives it another identity.
    void addFolder(const QString &path);
    /// `path` leads to `target`, which must have been added.
    void addLink(const QString &path, const QString &target);
    void addFile(const QString &path);
    void remove(const QString &path);

    /// What was looked at, in order.
    [[nodiscard]] QStringList probed() const
    {
        return m_probed;
    }

private:
    QHash<QString, telson::core::Result<telson::core::ProbedFolder>> m_places;
    std::uint64_t m_lastInode = 100;
    mutable QStringList m_probed;
};
