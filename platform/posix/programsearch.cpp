// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/programsearch.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>

namespace telson::platform {

std::expected<std::string, int> searchProgram(const std::string &name,
                                              const std::string &searchPath, const UniqueFd &folder)
{
    if (searchPath.empty()) {
        return std::unexpected(ENOENT); // not the current folder, as an empty entry would be
    }
    int error = ENOENT;
    for (std::size_t begin = 0; begin <= searchPath.size();) {
        const std::size_t end = std::min(searchPath.find(':', begin), searchPath.size());
        const std::string_view entry = std::string_view(searchPath).substr(begin, end - begin);
        begin = end + 1;
        // "./" keeps the slash that tells a path from a bare name.
        const std::string candidate =
            std::string(entry.empty() ? std::string_view(".") : entry) + '/' + name;
        struct stat status = {};
        if (::fstatat(folder.value(), candidate.c_str(), &status, 0) != 0
            || !S_ISREG(status.st_mode)) {
            continue;
        }
        if (::faccessat(folder.value(), candidate.c_str(), X_OK, AT_EACCESS) == 0) {
            return candidate;
        }
        error = EACCES;
    }
    return std::unexpected(error);
}

} // namespace telson::platform
