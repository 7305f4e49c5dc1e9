// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/filepolicystore.h"

#include "nodecore/base/log.h"
#include "nodecore/base/path.h"
#include "nodecore/base/privatefiles.h"
#include "nodecore/storage/approvalscodec.h"
#include "nodecore/storage/approvalsnormalizer.h"
#include "nodecore/storage/filelock.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

constexpr qint64 s_maxBytes = qint64{4} * 1024 * 1024;

constexpr QByteArrayView s_emptyDocument = "{\"version\":1}";

} // namespace

FilePolicyStore::FilePolicyStore(PrivateFiles &files, std::filesystem::path file)
    : m_files(files), m_file(std::move(file))
{
    m_current.path = toQString(m_file);
}

StoredPolicy FilePolicyStore::current()
{
    reload();
    return m_current;
}

// The bytes are compared, not the file's times: two edits within one tick of the clock, and a file
// that was put back, would pass for the same.
void FilePolicyStore::reload()
{
    const Result<std::optional<PrivateFile>> read = m_files.read(m_file, s_maxBytes);
    if (!read) {
        m_raw.reset();
        m_isLoaded = false;
        refuse(read.error(), QString());
        return;
    }
    const std::optional<QByteArray> raw =
        read->has_value() ? std::optional((*read)->bytes) : std::nullopt;
    if (!raw && m_hasSeenFile) {
        // Whoever removed it may have meant to loosen: that takes a start of the service.
        m_raw.reset();
        m_isLoaded = false;
        refuse({ErrorCode::Unavailable,
                u"the file was removed while the service runs; put it back or start the service again"_s},
               QString());
        return;
    }
    if (!m_isLoaded || raw != m_raw) {
        take(raw);
    }
}

void FilePolicyStore::take(const std::optional<QByteArray> &raw)
{
    m_raw = raw;
    m_isLoaded = true;
    m_hasSeenFile = m_hasSeenFile || raw.has_value();
    const Result<NormalApprovals> normal =
        normalizeStoredApprovals(raw.value_or(s_emptyDocument.toByteArray()));
    if (!normal) {
        refuse(normal.error(), approvalsHash(raw));
        return;
    }
    m_canonical = normal->json;
    m_current = {.document = approvalsValues(m_canonical),
                 .broken = std::nullopt,
                 .path = m_current.path,
                 .exists = raw.has_value(),
                 .hash = approvalsHash(raw),
                 .redactedJson = redactedApprovals(m_canonical)};
    m_lastGood = m_current.document;
    logInfo(LogRoom::Storage, u"approvals document read",
            {{u"file", m_current.path}, {u"hash", m_current.hash}});
}

void FilePolicyStore::refuse(const Error &error, const QString &hash)
{
    Error problem = error;
    if (!problem.message.contains(m_current.path)) {
        problem.message = u"%1: %2"_s.arg(m_current.path, error.message);
    }
    if (m_current.broken != problem) {
        logError(LogRoom::Storage, u"approvals document can't be used, everything is denied",
                 {{u"problem", problem.message}});
    }
    m_canonical = denyAllApprovals();
    m_current = {.document = ApprovalsDocument::denyAll(),
                 .broken = problem,
                 .path = m_current.path,
                 .exists = true,
                 .hash = hash,
                 .redactedJson = redactedApprovals(m_canonical)};
}

Result<StoredPolicy> FilePolicyStore::replace(const QByteArray &documentJson,
                                              const std::optional<QString> &baseHash,
                                              const Guard &guard)
{
    if (const Result<void> made = m_files.makeFolder(m_file.parent_path()); !made) {
        return std::unexpected(made.error());
    }
    const auto lock = lockBeside(m_file);
    if (!lock) {
        return std::unexpected(lock.error());
    }
    reload();
    if (m_current.broken) {
        return fail(ErrorCode::Denied,
                    u"the approvals document can't be read and is not replaced: "_s
                        + m_current.broken->message);
    }
    if (const Result<void> base = checkBaseHash(m_current.exists, m_current.hash, baseHash);
        !base) {
        return std::unexpected(base.error());
    }
    const Result<QByteArray> next = replacementApprovals(documentJson, m_canonical);
    if (!next) {
        return fail(next.error().code, u"exec approvals: "_s + next.error().message);
    }
    if (const Result<void> stored = store(*next, guard); !stored) {
        return std::unexpected(stored.error());
    }
    return current();
}

Result<void> FilePolicyStore::store(const QByteArray &canonical, const Guard &guard)
{
    // What the guard sees is what will be read back.
    const Result<NormalApprovals> readBack = normalizeStoredApprovals(canonical);
    if (!readBack) {
        return std::unexpected(readBack.error());
    }
    if (const Result<void> allowed = guard(m_current.document, approvalsValues(readBack->json));
        !allowed) {
        return allowed;
    }
    if (m_raw == readBack->json) {
        return {};
    }
    if (const Result<void> backedUp = backUp(); !backedUp) {
        return backedUp;
    }
    return m_files.write(m_file, readBack->json);
}

Result<void> FilePolicyStore::backUp()
{
    if (!m_raw || *m_raw == m_canonical) {
        return {};
    }
    std::filesystem::path copy = m_file;
    copy += ".bak";
    return m_files.write(copy, *m_raw);
}

} // namespace telson::core
