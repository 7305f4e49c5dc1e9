// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/linux/workingset.h"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include <malloc.h>
#include <sys/mman.h>

namespace telson::platform {

namespace {

// Reads one hexadecimal number and steps over it and the character behind it.
std::uintptr_t takeHex(std::string_view &line)
{
    std::uintptr_t value = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
    if (error != std::errc()) {
        return 0;
    }
    const auto used = static_cast<std::size_t>(end - line.data());
    line.remove_prefix(std::min(used + 1, line.size()));
    return value;
}

} // namespace

void trimWorkingSet()
{
    ::malloc_trim(0);
    std::ifstream maps("/proc/self/maps");
    for (std::string text; std::getline(maps, text);) {
        std::string_view line(text);
        const std::uintptr_t start = takeHex(line);
        const std::uintptr_t end = takeHex(line);
        // Only code of files: it is never written (no text relocations in position-independent code),
        // so that dropping a page loses nothing. Read-only data may hold relocated pointers: kept.
        if (!line.starts_with("r-xp") || !line.contains('/') || start == 0 || end <= start) {
            continue;
        }
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives addresses as text.
        ::madvise(reinterpret_cast<void *>(start), end - start, MADV_DONTNEED);
    }
}

} // namespace telson::platform
