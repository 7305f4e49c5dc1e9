// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/control/controlsocketpath.h"

#include "nodecore/base/path.h"

#include <QtCore/QCryptographicHash>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

// sun_path holds 104 bytes on macOS and 108 on Linux, with the closing NUL.
constexpr qsizetype s_longestPath = 103;

} // namespace

Result<std::filesystem::path> controlSocketPath(const std::filesystem::path &profile,
                                                const std::filesystem::path &runtimeFolder)
{
    std::error_code error;
    std::filesystem::path canonical = std::filesystem::weakly_canonical(profile, error);
    if (error) {
        canonical = profile;
    }
    std::filesystem::path path = canonical / "control.sock";
    // A relative $XDG_RUNTIME_DIR is to be ignored (XDG base directory specification).
    if (runtimeFolder.is_absolute()) {
        const QByteArray digest = QCryptographicHash::hash(toQString(canonical).toUtf8(),
                                                           QCryptographicHash::Sha256);
        const QString name = QString::fromLatin1(digest.toHex().left(12)) + u".sock"_s;
        path = runtimeFolder / "telson" / toPath(name);
    }
    if (toQString(path).toUtf8().size() > s_longestPath) {
        return fail(ErrorCode::InvalidArgument,
                    u"control socket: the path %1 is longer than %2 bytes; set XDG_RUNTIME_DIR or "
                    u"TELSON_HOME to a shorter folder"_s.arg(toQString(path))
                        .arg(s_longestPath));
    }
    return path;
}

} // namespace telson::core
