// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/workingfolder.h"

#include <QtCore/QDir>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace telson::core {

Result<QString> requestedFolder(const std::optional<QString> &cwd, const QString &defaultFolder)
{
    const QString folder = cwd.value_or(QString());
    if (folder.trimmed().isEmpty()) {
        return defaultFolder;
    }
    if (folder.startsWith("node://"_L1, Qt::CaseInsensitive)) {
        return fail(ErrorCode::InvalidArgument,
                    u"cwd names a folder that this node does not publish"_s);
    }
    const bool isShare = folder.startsWith("\\\\"_L1) || folder.startsWith("//"_L1);
    if (!isShare && QDir::isRelativePath(folder)) {
        return fail(ErrorCode::InvalidArgument,
                    u"cwd must be an absolute path on the node's machine"_s);
    }
    return folder;
}

bool isUntouchable(const QString &folder)
{
    if (folder.startsWith("//"_L1) || folder.startsWith("\\\\"_L1)) {
        return true;
    }
    // "/x/../net" and "/./net" lead there as well.
    const QString clean = QDir::cleanPath(folder);
    return std::ranges::any_of(
        std::initializer_list<QLatin1StringView>{"/net"_L1, "/dev"_L1, "/proc"_L1, "/sys"_L1},
        [&clean](QLatin1StringView root) {
            return clean == root || clean.startsWith(QString(root + u'/'));
        });
}

} // namespace telson::core
