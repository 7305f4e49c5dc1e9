// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/posixfolderprobe.h"

#include <QtCore/QFile>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace telson::platform {

namespace {

std::unexpected<core::Error> failFromSystem(core::ErrorCode code, int error)
{
    const std::string text = std::generic_category().message(error);
    return core::fail(code, QString::fromLocal8Bit(text).toLower(), error);
}

struct Free
{
    void operator()(char *memory) const
    {
        std::free(memory);
    }
};

} // namespace

core::Result<core::ProbedFolder> PosixFolderProbe::probe(const QString &path) const
{
    if (!path.startsWith(u'/') || path.contains(QChar(u'\0'))) {
        return core::fail(core::ErrorCode::InvalidArgument, u"not an absolute path"_s);
    }
    const std::unique_ptr<char, Free> real(
        ::realpath(QFile::encodeName(path).constData(), nullptr));
    if (!real) {
        // "file/" and "file/x" are no folders either.
        return failFromSystem(errno == ENOTDIR ? core::ErrorCode::InvalidArgument
                                               : core::ErrorCode::Unavailable,
                              errno);
    }
    struct stat status{};
    if (::stat(real.get(), &status) != 0) {
        return failFromSystem(core::ErrorCode::Unavailable, errno);
    }
    if (!S_ISDIR(status.st_mode)) {
        return failFromSystem(core::ErrorCode::InvalidArgument, ENOTDIR);
    }
    if (::access(real.get(), X_OK) != 0) {
        return failFromSystem(core::ErrorCode::Unavailable, errno);
    }
    const QString canonical = QFile::decodeName(real.get());
    if (QFile::encodeName(canonical) != real.get()) {
        // A name that is no text can't be shown, so nobody could agree to it.
        return core::fail(core::ErrorCode::Unavailable, u"the path is not valid text"_s);
    }
    return core::ProbedFolder{canonical,
                              {std::uint64_t(status.st_dev), std::uint64_t(status.st_ino)}};
}

} // namespace telson::platform
