// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/executablesearch.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>

using namespace Qt::StringLiterals;

namespace telson::core {

std::optional<QString> findExecutable(const QString &name, const QString &searchPath)
{
    if (name.isEmpty() || name.contains(u'/') || name.contains(u'\\')
        || name.contains(QChar(u'\0'))) {
        return std::nullopt;
    }
    for (const QStringView entry : QStringView(searchPath).tokenize(QDir::listSeparator())) {
        const QString folder = entry.toString();
        if (folder.isEmpty() || QDir::isRelativePath(folder)) {
            continue;
        }
        const QString path =
            folder.endsWith(u'/') ? QString(folder + name) : QString(folder + u'/' + name);
        const QFileInfo file(path);
        if (file.isFile() && file.isExecutable()) {
            return path;
        }
    }
    return std::nullopt;
}

} // namespace telson::core
