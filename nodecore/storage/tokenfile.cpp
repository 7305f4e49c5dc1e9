// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/tokenfile.h"

#include "nodecore/base/path.h"
#include "nodecore/base/privatefiles.h"

#include <QtCore/QStringDecoder>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

constexpr qint64 s_maxBytes = qint64{16} * 1024;

QByteArrayView withoutLineEnd(QByteArrayView bytes)
{
    if (bytes.endsWith('\n')) {
        bytes.chop(1);
        if (bytes.endsWith('\r')) {
            bytes.chop(1);
        }
    }
    return bytes;
}

} // namespace

Result<QString> readTokenFile(const PrivateFiles &files, const std::filesystem::path &file)
{
    const QString name = toQString(file);
    const Result<std::optional<PrivateFile>> read = files.read(file, s_maxBytes);
    if (!read) {
        return std::unexpected(read.error());
    }
    if (!read->has_value()) {
        return fail(ErrorCode::Unavailable, u"there is no token file '%1'"_s.arg(name));
    }
    if ((*read)->isReadableByOthers) {
        return fail(
            ErrorCode::Denied,
            u"the token file '%1' can be read by others and is not used; its token may be known "
            "to them: replace it, then: chmod 600 '%1'"_s.arg(name));
    }
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString token = decoder(withoutLineEnd((*read)->bytes));
    const bool hasControl = std::ranges::any_of(
        token, [](QChar character) { return character.category() == QChar::Other_Control; });
    if (token.isEmpty() || decoder.hasError() || hasControl) {
        return fail(ErrorCode::InvalidArgument,
                    u"the token file '%1' does not hold one line of text"_s.arg(name));
    }
    return token;
}

} // namespace telson::core
