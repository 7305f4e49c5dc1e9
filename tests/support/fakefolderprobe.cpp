// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/fakefolderprobe.h"

using namespace Qt::StringLiterals;
using namespace telson::core;

Result<ProbedFolder> FakeFolderProbe::probe(const QString &path) const
{
    m_probed.append(path);
    const auto found = m_places.constFind(path);
    if (found == m_places.constEnd()) {
        return fail(ErrorCode::Unavailable, u"no such file or directory"_s, 2);
    }
    return *found;
}

void FakeFolderProbe::addFolder(const QString &path)
{
    m_places.insert(path, ProbedFolder{path, {1, ++m_lastInode}});
}

void FakeFolderProbe::addLink(const QString &path, const QString &target)
{
    m_places.insert(path, m_places.value(target, fail(ErrorCode::Unavailable, u"dangling"_s)));
}

void FakeFolderProbe::addFile(const QString &path)
{
    m_places.insert(path, fail(ErrorCode::InvalidArgument, u"not a directory"_s, 20));
}

void FakeFolderProbe::remove(const QString &path)
{
    m_places.remove(path);
}
