// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/profilepaths.h"

#include "nodecore/base/path.h"

#include <system_error>

using namespace Qt::StringLiterals;

namespace fs = std::filesystem;

namespace telson::core {

namespace {

fs::path absolutePath(const fs::path &path)
{
    std::error_code failure;
    const fs::path result = fs::absolute(path, failure);
    return failure ? path : result.lexically_normal();
}

fs::path linuxFolder(const QProcessEnvironment &environment, const fs::path &home)
{
    // The XDG specification: a relative value is to be ignored.
    const QString configured = environment.value(u"XDG_CONFIG_HOME"_s);
    return (configured.startsWith(u'/') ? toPath(configured) : home / ".config") / "telson";
}

fs::path windowsFolder(const QProcessEnvironment &environment, const fs::path &home)
{
    const QString configured = environment.value(u"LOCALAPPDATA"_s);
    return (configured.isEmpty() ? home / "AppData" / "Local" : toPath(configured)) / "Telson";
}

} // namespace

fs::path profileFolder(const QProcessEnvironment &environment, const QString &home,
                       ProfileLayout layout)
{
    if (const QString chosen = environment.value(u"TELSON_HOME"_s); !chosen.isEmpty()) {
        return absolutePath(toPath(chosen));
    }
    switch (layout) {
    case ProfileLayout::Linux:
        return linuxFolder(environment, toPath(home));
    case ProfileLayout::MacOs:
        return toPath(home) / "Library" / "Application Support" / "Telson";
    case ProfileLayout::Windows:
        return windowsFolder(environment, toPath(home));
    }
    Q_ASSERT(false);
    return linuxFolder(environment, toPath(home));
}

ProfilePaths profilePaths(const fs::path &folder)
{
    return {.folder = folder,
            .settings = folder / "telson.json",
            .approvals = folder / "exec-approvals.json",
            .identity = folder / "identity.json",
            .secrets = folder / "secrets.json",
            .log = folder / "logs" / "telson.log",
            .lock = folder / "service.lock"};
}

} // namespace telson::core
