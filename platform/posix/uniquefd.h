// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <unistd.h>
#include <utility>

namespace telson::platform {

/// Owns a file descriptor; -1 = none.
class UniqueFd final
{
public:
    UniqueFd() = default;
    explicit UniqueFd(int descriptor) : m_descriptor(descriptor)
    {
    }
    UniqueFd(UniqueFd &&other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1))
    {
    }
    UniqueFd &operator=(UniqueFd &&other) noexcept
    {
        if (this != &other) {
            reset(std::exchange(other.m_descriptor, -1));
        }
        return *this;
    }
    UniqueFd(const UniqueFd &) = delete;
    UniqueFd &operator=(const UniqueFd &) = delete;
    ~UniqueFd()
    {
        reset();
    }

    [[nodiscard]] int value() const
    {
        return m_descriptor;
    }
    [[nodiscard]] bool isValid() const
    {
        return m_descriptor >= 0;
    }

    void reset(int descriptor = -1)
    {
        if (m_descriptor >= 0) {
            // Not repeated on EINTR: Linux has closed it then, and the number may be taken again.
            ::close(m_descriptor);
        }
        m_descriptor = descriptor;
    }

private:
    int m_descriptor = -1;
};

} // namespace telson::platform
