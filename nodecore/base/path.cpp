// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/path.h"

#include <QtCore/QFile>

namespace telson::core {

std::filesystem::path toPath(const QString &text)
{
    if constexpr (std::is_same_v<std::filesystem::path::value_type, wchar_t>) {
        return {text.toStdWString()};
    } else {
        // Qt's own encoding of file names, so that a name Qt has read is found again.
        return {QFile::encodeName(text).toStdString()};
    }
}

QString toQString(const std::filesystem::path &path)
{
    if constexpr (std::is_same_v<std::filesystem::path::value_type, wchar_t>) {
        return QString::fromStdWString(path.wstring());
    } else {
        return QFile::decodeName(path.string().c_str());
    }
}

} // namespace telson::core
