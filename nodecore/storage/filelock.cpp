// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/filelock.h"

#include "nodecore/base/path.h"

#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace telson::core {

Result<std::unique_ptr<QLockFile>> lockBeside(const std::filesystem::path &file)
{
    auto lock = std::make_unique<QLockFile>(toQString(file) + u".lock"_s);
    // Age says nothing: this machine may have slept while the lock was held.
    lock->setStaleLockTime(0ms);
    if (lock->tryLock(500ms)) {
        return lock;
    }
    if (lock->error() == QLockFile::LockFailedError) {
        return fail(ErrorCode::Unavailable,
                    u"'%1' is being changed by another process; try again"_s.arg(toQString(file)));
    }
    return fail(ErrorCode::Io, u"can't make the lock '%1'"_s.arg(lock->fileName()));
}

} // namespace telson::core
