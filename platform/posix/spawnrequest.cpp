// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/spawnrequest.h"

#include <cstring>

using namespace Qt::StringLiterals;

namespace telson::platform {

using core::StartError;
using core::StartFailure;

namespace {

bool canBePassedOn(const QString &text)
{
    return !text.contains(QChar::Null) && text.isValidUtf16();
}

std::unexpected<StartError> invalidText(const QString &what)
{
    return std::unexpected(
        StartError{StartFailure::InvalidText, what + u" holds a NUL or half a character"_s, 0});
}

StartFailure toStartFailure(SpawnProblem problem)
{
    switch (problem) {
    case SpawnProblem::FolderMissing:
        return StartFailure::FolderMissing;
    case SpawnProblem::FolderNotADirectory:
        return StartFailure::FolderNotADirectory;
    case SpawnProblem::FolderChanged:
        return StartFailure::FolderChanged;
    case SpawnProblem::FolderUnusable:
        return StartFailure::FolderUnusable;
    case SpawnProblem::ProgramMissing:
        return StartFailure::ProgramMissing;
    case SpawnProblem::ProgramNotExecutable:
        return StartFailure::ProgramNotExecutable;
    case SpawnProblem::ProgramBroken:
        return StartFailure::ProgramBroken;
    case SpawnProblem::OutOfResources:
        return StartFailure::OutOfResources;
    case SpawnProblem::Other:
        break;
    }
    return StartFailure::Other;
}

} // namespace

std::expected<SpawnRequest, StartError> toSpawnRequest(const core::CommandSpec &spec)
{
    SpawnRequest request;
    for (qsizetype i = 0; i < spec.argv.size(); ++i) {
        if (!canBePassedOn(spec.argv.at(i))) {
            return invalidText(u"argument %1"_s.arg(i));
        }
        request.argv.push_back(spec.argv.at(i).toStdString());
    }
    if (!canBePassedOn(spec.folder)) {
        return invalidText(u"the working directory"_s);
    }
    request.folder = spec.folder.toStdString();
    if (spec.folderIdentity) {
        request.folderId = FolderId{spec.folderIdentity->device, spec.folderIdentity->inode};
    }
    for (auto it = spec.environment.cbegin(); it != spec.environment.cend(); ++it) {
        const QString &name = it.key();
        if (name.isEmpty() || name.contains(u'=')) {
            return std::unexpected(StartError{StartFailure::InvalidText,
                                              u"'%1' is no name for a variable"_s.arg(name), 0});
        }
        if (!canBePassedOn(name) || !canBePassedOn(it.value())) {
            return invalidText(u"a variable"_s); // its name and value may be a secret
        }
        request.environment.push_back(name.toStdString() + '=' + it.value().toStdString());
    }
    const auto path = spec.environment.constFind(u"PATH"_s);
    if (path != spec.environment.cend()) {
        request.searchPath = path->toStdString();
    }
    return request;
}

StartError toStartError(const SpawnFailure &failure)
{
    const QString detail =
        failure.error == 0 ? QString() : QString::fromLocal8Bit(std::strerror(failure.error));
    return {toStartFailure(failure.problem), detail, failure.error};
}

} // namespace telson::platform
