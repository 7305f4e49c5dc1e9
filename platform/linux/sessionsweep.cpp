// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/childexit.h"

#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/syscall.h>

namespace telson::platform {

namespace {

constexpr int s_maxRounds = 8; // against a process that forks faster than it is looked for

struct DirectoryCloser
{
    void operator()(DIR *directory) const
    {
        ::closedir(directory);
    }
};

pid_t numberOf(std::string_view text)
{
    pid_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

/// The session of a process that is alive, from the sixth field of /proc/<pid>/stat (proc(5)); 0 if
/// it is gone or a zombie.
pid_t liveSessionOf(int procFolder, pid_t pid)
{
    std::array<char, 32> name = {};
    std::snprintf(name.data(), name.size(), "%d/stat", pid);
    const UniqueFd file(::openat(procFolder, name.data(), O_RDONLY | O_CLOEXEC));
    std::array<char, 512> buffer;
    const ssize_t size =
        file.isValid() ? ::read(file.value(), buffer.data(), buffer.size() - 1) : -1;
    if (size <= 0) {
        return 0;
    }
    buffer[static_cast<std::size_t>(size)] = '\0';
    // The name in the second field may hold anything, so it is skipped from the right.
    const char *rest = std::strrchr(buffer.data(), ')');
    char state = 'Z';
    pid_t session = 0;
    if (rest == nullptr || std::sscanf(rest + 1, " %c %*d %*d %d", &state, &session) != 2) {
        return 0;
    }
    return state == 'Z' || state == 'X' ? 0 : session;
}

/// Kills the members of the session once; whether there were any.
bool sweep(DIR *proc, pid_t leader)
{
    bool foundOne = false;
    ::rewinddir(proc);
    while (const dirent *entry = ::readdir(proc)) {
        const pid_t pid = numberOf(entry->d_name);
        if (pid <= 1 || pid == leader || liveSessionOf(::dirfd(proc), pid) != leader) {
            continue;
        }
        // Looked at again behind the descriptor: the number may have changed hands.
        const UniqueFd process = openExitWatch(pid);
        if (process.isValid() && liveSessionOf(::dirfd(proc), pid) == leader) {
            foundOne = ::syscall(SYS_pidfd_send_signal, process.value(), SIGKILL, nullptr, 0) == 0
                || foundOne;
        }
    }
    return foundOne;
}

} // namespace

void killSession(pid_t leader)
{
    const std::unique_ptr<DIR, DirectoryCloser> proc(::opendir("/proc"));
    for (int round = 0; proc && leader > 1 && round < s_maxRounds; ++round) {
        if (!sweep(proc.get(), leader)) {
            return;
        }
    }
}

} // namespace telson::platform
