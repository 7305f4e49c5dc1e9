// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/posixprivatefiles.h"

#include "nodecore/base/path.h"
#include "platform/posix/uniquefd.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using telson::core::ErrorCode;
using telson::core::fail;
using telson::core::PrivateFile;
using telson::core::Result;
using telson::core::toQString;

namespace fs = std::filesystem;

namespace telson::platform {

namespace {

constexpr mode_t s_folderMode = 0700;
constexpr mode_t s_fileMode = 0600;
constexpr mode_t s_othersAccess = S_IRWXG | S_IRWXO;
constexpr mode_t s_othersRead = S_IRGRP | S_IROTH;
constexpr mode_t s_othersWrite = S_IWGRP | S_IWOTH;

std::unexpected<core::Error> systemFailure(const QString &what, const fs::path &path, int code)
{
    const QString reason = QString::fromStdString(std::generic_category().message(code)).toLower();
    return fail(ErrorCode::Io, u"can't %1 '%2': %3"_s.arg(what, toQString(path), reason), code);
}

std::unexpected<core::Error> denied(const fs::path &path, const QString &why)
{
    return fail(ErrorCode::Denied, u"'%1' %2"_s.arg(toQString(path), why));
}

Result<void> checkOwner(const fs::path &path, const struct stat &info)
{
    if (info.st_uid == ::geteuid()) {
        return {};
    }
    return denied(
        path,
        u"belongs to another user (id %1, this is %2) and is not used; give it back with: "
        "chown %2 '%3'"_s.arg(info.st_uid)
            .arg(::geteuid())
            .arg(toQString(path)));
}

Result<fs::path> linkTarget(const fs::path &link)
{
    std::error_code failure;
    const fs::path target = fs::read_symlink(link, failure);
    if (failure) {
        return systemFailure(u"read the link"_s, link, failure.value());
    }
    return target.is_absolute() ? target : link.parent_path() / target;
}

/// Where the bytes are: the path, or what this user's own link there points to.
Result<fs::path> followOwnLink(const fs::path &path)
{
    struct stat info = {};
    if (::lstat(path.c_str(), &info) != 0) {
        return errno == ENOENT ? Result<fs::path>(path)
                               : Result<fs::path>(systemFailure(u"look at"_s, path, errno));
    }
    if (!S_ISLNK(info.st_mode)) {
        return path;
    }
    if (info.st_uid != ::geteuid()) {
        return denied(path, u"is a link of another user; remove it"_s);
    }
    const Result<fs::path> target = linkTarget(path);
    if (!target) {
        return target;
    }
    // Nothing behind the link is a fault, not a missing file: the folder of the dotfiles may only
    // not be mounted, and what it holds must not be replaced by defaults.
    if (::lstat(target->c_str(), &info) != 0) {
        return systemFailure(u"follow the link '%1' to"_s.arg(toQString(path)), *target, errno);
    }
    if (S_ISLNK(info.st_mode)) {
        return denied(path, u"is a link to another link; let it point to the file itself"_s);
    }
    return target;
}

Result<void> checkIsPlainFile(const fs::path &path, const struct stat &info)
{
    if (!S_ISREG(info.st_mode)) {
        return denied(path, u"is not a regular file"_s);
    }
    return checkOwner(path, info);
}

Result<QByteArray> readAll(const UniqueFd &descriptor, const fs::path &path, qint64 size,
                           qint64 maxBytes)
{
    QByteArray bytes;
    bytes.reserve(size + 1);
    std::vector<char> buffer(std::size_t{64} * 1024);
    while (bytes.size() <= maxBytes) {
        const ssize_t count = ::read(descriptor.value(), buffer.data(), buffer.size());
        if (count == 0) {
            return bytes;
        }
        if (count > 0) {
            bytes.append(buffer.data(), count);
        } else if (errno != EINTR) {
            return systemFailure(u"read"_s, path, errno);
        }
    }
    return fail(ErrorCode::InvalidArgument,
                u"'%1' is larger than %2 bytes"_s.arg(toQString(path)).arg(maxBytes));
}

Result<void> writeAll(const UniqueFd &descriptor, const fs::path &path, const QByteArray &bytes)
{
    qsizetype written = 0;
    while (written < bytes.size()) {
        const ssize_t count = ::write(descriptor.value(), bytes.constData() + written,
                                      static_cast<std::size_t>(bytes.size() - written));
        if (count >= 0) {
            written += count;
        } else if (errno != EINTR) {
            return systemFailure(u"write"_s, path, errno);
        }
    }
    return {};
}

Result<void> syncFolder(const fs::path &folder)
{
    const UniqueFd descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!descriptor.isValid()) {
        return systemFailure(u"open"_s, folder, errno);
    }
    // EINVAL: this file system can't, and then there is nothing to wait for.
    if (::fsync(descriptor.value()) != 0 && errno != EINVAL) {
        return systemFailure(u"write"_s, folder, errno);
    }
    return {};
}

/// A new file of a random name beside `target`; gone again unless it took the target's place.
class TemporaryFile final
{
public:
    explicit TemporaryFile(const fs::path &target)
        : m_name((target.parent_path() / ("." + target.filename().native() + ".XXXXXX")).native()),
          m_descriptor(::mkostemp(m_name.data(), O_CLOEXEC)),
          m_openError(m_descriptor.isValid() ? 0 : errno)
    {
    }
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;
    ~TemporaryFile()
    {
        if (m_openError == 0 && !m_isPlaced) {
            ::unlink(m_name.c_str());
        }
    }

    [[nodiscard]] Result<void> fill(const fs::path &target, const QByteArray &bytes)
    {
        if (m_openError != 0) {
            return systemFailure(u"write in the folder of"_s, target, m_openError);
        }
        if (::fchmod(m_descriptor.value(), s_fileMode) != 0) {
            return systemFailure(u"protect"_s, target, errno);
        }
        if (const Result<void> written = writeAll(m_descriptor, target, bytes); !written) {
            return written;
        }
        if (::fsync(m_descriptor.value()) != 0) {
            return systemFailure(u"write"_s, target, errno);
        }
        return {};
    }

    [[nodiscard]] Result<void> takePlaceOf(const fs::path &target)
    {
        if (::rename(m_name.c_str(), target.c_str()) != 0) {
            return systemFailure(u"replace"_s, target, errno);
        }
        m_isPlaced = true;
        return syncFolder(target.parent_path());
    }

private:
    std::string m_name;
    UniqueFd m_descriptor;
    int m_openError;
    bool m_isPlaced = false;
};

Result<void> makeMissingFolders(const fs::path &folder)
{
    std::vector<fs::path> missing;
    struct stat info = {};
    for (fs::path at = folder; !at.empty() && ::lstat(at.c_str(), &info) != 0;
         at = at.parent_path()) {
        if (errno != ENOENT) {
            return systemFailure(u"look at"_s, at, errno);
        }
        missing.push_back(at);
        if (at == at.parent_path()) {
            break;
        }
    }
    for (auto at = missing.crbegin(); at != missing.crend(); ++at) {
        // EEXIST: another process was quicker.
        if (::mkdir(at->c_str(), s_folderMode) != 0 && errno != EEXIST) {
            return systemFailure(u"make the folder"_s, *at, errno);
        }
    }
    return {};
}

} // namespace

Result<void> PosixPrivateFiles::makeFolder(const fs::path &folder)
{
    // A closing slash would make the kernel follow a link of anybody.
    const fs::path named = folder.has_filename() ? folder : folder.parent_path();
    if (const Result<void> made = makeMissingFolders(named); !made) {
        return made;
    }
    const Result<fs::path> target = followOwnLink(named);
    if (!target) {
        return std::unexpected(target.error());
    }
    const UniqueFd descriptor(
        ::open(target->c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!descriptor.isValid()) {
        return systemFailure(u"open the folder"_s, *target, errno);
    }
    struct stat info = {};
    if (::fstat(descriptor.value(), &info) != 0) {
        return systemFailure(u"look at"_s, *target, errno);
    }
    if (const Result<void> owned = checkOwner(*target, info); !owned) {
        return owned;
    }
    if ((info.st_mode & s_othersAccess) != 0 && ::fchmod(descriptor.value(), s_folderMode) != 0) {
        return systemFailure(u"protect"_s, *target, errno);
    }
    return {};
}

Result<std::optional<PrivateFile>> PosixPrivateFiles::read(const fs::path &file,
                                                           qint64 maxBytes) const
{
    const Result<fs::path> target = followOwnLink(file);
    if (!target) {
        return std::unexpected(target.error());
    }
    // Not blocking: opening a pipe would wait for its writer.
    const UniqueFd descriptor(
        ::open(target->c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!descriptor.isValid()) {
        if (errno == ENOENT) {
            return std::optional<PrivateFile>();
        }
        return systemFailure(u"read"_s, *target, errno);
    }
    struct stat info = {};
    if (::fstat(descriptor.value(), &info) != 0) {
        return systemFailure(u"look at"_s, *target, errno);
    }
    if (const Result<void> plain = checkIsPlainFile(*target, info); !plain) {
        return std::unexpected(plain.error());
    }
    if ((info.st_mode & s_othersWrite) != 0) {
        return denied(*target,
                      u"can be written by others and is not used; check what it says, then: "
                      "chmod go-w '%1'"_s.arg(toQString(*target)));
    }
    Result<QByteArray> bytes =
        readAll(descriptor, *target, std::min<qint64>(info.st_size, maxBytes), maxBytes);
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    return PrivateFile{.bytes = *std::move(bytes),
                       .isReadableByOthers = (info.st_mode & s_othersRead) != 0};
}

Result<void> PosixPrivateFiles::write(const fs::path &file, const QByteArray &bytes)
{
    const Result<fs::path> target = followOwnLink(file);
    if (!target) {
        return std::unexpected(target.error());
    }
    struct stat info = {};
    if (::lstat(target->c_str(), &info) == 0) {
        if (const Result<void> plain = checkIsPlainFile(*target, info); !plain) {
            return plain;
        }
    } else if (errno != ENOENT) {
        return systemFailure(u"look at"_s, *target, errno);
    }
    TemporaryFile temporary(*target);
    if (const Result<void> filled = temporary.fill(*target, bytes); !filled) {
        return filled;
    }
    return temporary.takePlaceOf(*target);
}

} // namespace telson::platform
