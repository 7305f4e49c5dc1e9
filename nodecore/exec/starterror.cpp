// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/exec/starterror.h"

using namespace Qt::StringLiterals;

namespace telson::core {

QString describe(const StartError &error, const CommandSpec &spec)
{
    const QString program = spec.argv.value(0);
    switch (error.reason) {
    case StartFailure::FolderMissing:
        return u"node exec working directory does not exist on the node host: %1 (os reported: %2)"_s
            .arg(spec.folder, error.detail);
    case StartFailure::FolderNotADirectory:
        return u"node exec working directory is not a directory on the node host: %1 (os reported: %2)"_s
            .arg(spec.folder, error.detail);
    case StartFailure::FolderChanged:
        return u"working directory changed before the start: %1"_s.arg(spec.folder);
    case StartFailure::FolderUnusable:
        return u"cannot enter working directory: %1 (%2)"_s.arg(spec.folder, error.detail);
    case StartFailure::ProgramMissing:
        return u"program not found: %1 (%2)"_s.arg(program, error.detail);
    case StartFailure::ProgramNotExecutable:
        return u"program cannot be executed: %1 (%2)"_s.arg(program, error.detail);
    case StartFailure::ProgramBroken:
        return u"program has no format that this system runs: %1 (%2)"_s.arg(program, error.detail);
    case StartFailure::InvalidText:
        return u"command cannot be passed on as it is: %1"_s.arg(error.detail);
    case StartFailure::OutOfResources:
        return u"no resources left to start: %1 (%2)"_s.arg(program, error.detail);
    case StartFailure::Other:
        break;
    }
    return u"cannot start: %1 (%2)"_s.arg(program, error.detail);
}

} // namespace telson::core
