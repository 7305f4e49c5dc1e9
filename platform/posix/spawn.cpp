// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/spawn.h"

#include "platform/posix/programsearch.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>

namespace telson::platform {

namespace {

// A descriptor that only names the folder: no read permission is needed.
#ifdef O_PATH
constexpr int s_folderFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;
#else
constexpr int s_folderFlags = O_SEARCH | O_DIRECTORY | O_CLOEXEC;
#endif

constexpr int s_firstFreeDescriptor = 3;

std::unexpected<SpawnFailure> failure(SpawnProblem problem, int error)
{
    return std::unexpected(SpawnFailure{problem, error});
}

bool isShortage(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN
        || error == ENOSPC;
}

/// Above the standard descriptors, where dup2 in the child can't overwrite it.
UniqueFd aboveStandard(UniqueFd descriptor)
{
    if (!descriptor.isValid() || descriptor.value() >= s_firstFreeDescriptor) {
        return descriptor;
    }
    return UniqueFd(::fcntl(descriptor.value(), F_DUPFD_CLOEXEC, s_firstFreeDescriptor));
}

std::expected<UniqueFd, SpawnFailure> openFolder(const SpawnRequest &request)
{
    if (!request.folder.starts_with('/')) {
        return failure(SpawnProblem::FolderUnusable, EINVAL);
    }
    UniqueFd folder = aboveStandard(UniqueFd(::open(request.folder.c_str(), s_folderFlags)));
    if (!folder.isValid()) {
        const int error = errno;
        if (isShortage(error)) {
            return failure(SpawnProblem::OutOfResources, error);
        }
        return failure(error == ENOENT        ? SpawnProblem::FolderMissing
                           : error == ENOTDIR ? SpawnProblem::FolderNotADirectory
                                              : SpawnProblem::FolderUnusable,
                       error);
    }
    if (request.folderId) {
        struct stat status = {};
        if (::fstat(folder.value(), &status) != 0) {
            return failure(SpawnProblem::FolderUnusable, errno);
        }
        const FolderId found{status.st_dev, status.st_ino};
        if (found != *request.folderId) {
            return failure(SpawnProblem::FolderChanged, 0);
        }
    }
    // Asked here, because the error of the start can't be told from one of the program.
    if (::faccessat(folder.value(), ".", X_OK, AT_EACCESS) != 0) {
        return failure(SpawnProblem::FolderUnusable, errno);
    }
    return folder;
}

struct Pipe
{
    UniqueFd reading;
    UniqueFd writing;
};

std::expected<Pipe, SpawnFailure> openPipe()
{
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        return failure(SpawnProblem::OutOfResources, errno);
    }
    Pipe pipe{aboveStandard(UniqueFd(ends[0])), aboveStandard(UniqueFd(ends[1]))};
    if (!pipe.reading.isValid() || !pipe.writing.isValid()
        || ::fcntl(pipe.reading.value(), F_SETFL, O_NONBLOCK) != 0) {
        return failure(SpawnProblem::OutOfResources, errno);
    }
    return pipe;
}

class FileActions final
{
public:
    FileActions()
    {
        m_error = ::posix_spawn_file_actions_init(&m_actions);
    }
    ~FileActions()
    {
        ::posix_spawn_file_actions_destroy(&m_actions);
    }
    FileActions(const FileActions &) = delete;
    FileActions &operator=(const FileActions &) = delete;

    void enter(const UniqueFd &folder)
    {
        note(::posix_spawn_file_actions_addfchdir_np(&m_actions, folder.value()));
    }
    void place(const UniqueFd &source, int target)
    {
        note(::posix_spawn_file_actions_adddup2(&m_actions, source.value(), target));
    }
    void closeOthers()
    {
        note(::posix_spawn_file_actions_addclosefrom_np(&m_actions, s_firstFreeDescriptor));
    }

    [[nodiscard]] int error() const
    {
        return m_error;
    }
    [[nodiscard]] const posix_spawn_file_actions_t *actions() const
    {
        return &m_actions;
    }

private:
    void note(int error)
    {
        m_error = m_error != 0 ? m_error : error;
    }

    posix_spawn_file_actions_t m_actions = {};
    int m_error = 0;
};

/// A session of its own and no signal blocked or ignored.
class Attributes final
{
public:
    Attributes()
    {
        m_error = ::posix_spawnattr_init(&m_attributes);
        sigset_t all;
        sigset_t none;
        ::sigfillset(&all);
        ::sigemptyset(&none);
        ::posix_spawnattr_setsigdefault(&m_attributes, &all);
        ::posix_spawnattr_setsigmask(&m_attributes, &none);
        ::posix_spawnattr_setflags(
            &m_attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    }
    ~Attributes()
    {
        ::posix_spawnattr_destroy(&m_attributes);
    }
    Attributes(const Attributes &) = delete;
    Attributes &operator=(const Attributes &) = delete;

    [[nodiscard]] int error() const
    {
        return m_error;
    }
    [[nodiscard]] const posix_spawnattr_t *attributes() const
    {
        return &m_attributes;
    }

private:
    posix_spawnattr_t m_attributes = {};
    int m_error = 0;
};

/// The shape that exec takes; borrows the texts.
std::vector<char *> pointersTo(const std::vector<std::string> &texts)
{
    std::vector<char *> pointers;
    pointers.reserve(texts.size() + 1);
    for (const std::string &text : texts) {
        pointers.push_back(const_cast<char *>(text.c_str())); // exec does not write to them
    }
    pointers.push_back(nullptr);
    return pointers;
}

SpawnProblem programProblem(int error, const std::string &program, const UniqueFd &folder)
{
    switch (error) {
    case ENOENT:
        // A file that is there and still not found is a script without its interpreter.
        return ::faccessat(folder.value(), program.c_str(), F_OK, 0) == 0
            ? SpawnProblem::ProgramBroken
            : SpawnProblem::ProgramMissing;
    case ENOTDIR:
    case ELOOP:
    case ENAMETOOLONG:
        return SpawnProblem::ProgramMissing;
    case EACCES:
    case EPERM:
    case EISDIR:
        return SpawnProblem::ProgramNotExecutable;
    case ENOEXEC:
    case EINVAL:
        return SpawnProblem::ProgramBroken;
    default:
        return isShortage(error) ? SpawnProblem::OutOfResources : SpawnProblem::Other;
    }
}

std::expected<std::string, SpawnFailure> findProgram(const SpawnRequest &request,
                                                     const UniqueFd &folder)
{
    const std::string &program = request.argv.front();
    if (program.find('/') != std::string::npos) {
        return program; // a relative one is relative to the folder, which is entered first
    }
    auto found = searchProgram(program, request.searchPath.value_or(std::string()), folder);
    if (!found) {
        return failure(found.error() == ENOENT ? SpawnProblem::ProgramMissing
                                               : SpawnProblem::ProgramNotExecutable,
                       found.error());
    }
    return *found;
}

} // namespace

std::expected<SpawnedProcess, SpawnFailure> spawnPiped(const SpawnRequest &request)
{
    if (request.argv.empty() || request.argv.front().empty()) {
        return failure(SpawnProblem::ProgramMissing, ENOENT);
    }
    auto folder = openFolder(request);
    if (!folder) {
        return std::unexpected(folder.error());
    }
    auto program = findProgram(request, *folder);
    if (!program) {
        return std::unexpected(program.error());
    }
    const UniqueFd input = aboveStandard(UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
    if (!input.isValid()) {
        return failure(SpawnProblem::OutOfResources, errno);
    }
    auto output = openPipe();
    auto error = openPipe();
    if (!output || !error) {
        return std::unexpected(!output ? output.error() : error.error());
    }

    FileActions actions;
    actions.enter(*folder);
    actions.place(input, STDIN_FILENO);
    actions.place(output->writing, STDOUT_FILENO);
    actions.place(error->writing, STDERR_FILENO);
    actions.closeOthers();
    const Attributes attributes;
    if (actions.error() != 0 || attributes.error() != 0) {
        return failure(SpawnProblem::OutOfResources, ENOMEM);
    }

    pid_t pid = 0;
    const int result =
        ::posix_spawn(&pid, program->c_str(), actions.actions(), attributes.attributes(),
                      pointersTo(request.argv).data(), pointersTo(request.environment).data());
    if (result != 0) {
        return failure(programProblem(result, *program, *folder), result);
    }
    return SpawnedProcess{pid, std::move(output->reading), std::move(error->reading)};
}

} // namespace telson::platform
