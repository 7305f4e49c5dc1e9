// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/identityfile.h"

#include "nodecore/base/path.h"
#include "nodecore/base/privatefiles.h"
#include "nodecore/storage/jsontext.h"

#include <nlohmann/json.hpp>

#include <QtCore/QByteArray>
#include <QtCore/QCryptographicHash>
#include <QtCore/QUuid>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using Json = nlohmann::ordered_json;

constexpr qint64 s_maxBytes = qint64{64} * 1024;
constexpr qsizetype s_keyBytes = 32;
constexpr qint64 s_version = 1;

std::unexpected<Error> broken(const QString &why)
{
    return fail(ErrorCode::InvalidArgument, why);
}

QString textField(const Json &json, const char *name)
{
    const auto found = json.find(name);
    const auto *text = found == json.cend() ? nullptr : found->get_ptr<const Json::string_t *>();
    return text == nullptr ? QString() : QString::fromStdString(*text);
}

Result<void> check(const StoredIdentity &identity)
{
    const auto key = QByteArray::fromBase64Encoding(identity.publicKey.toLatin1(),
                                                    QByteArray::Base64UrlEncoding
                                                        | QByteArray::AbortOnBase64DecodingErrors);
    if (!key || key.decoded.size() != s_keyBytes) {
        return broken(u"publicKey: expected 43 characters of base64url"_s);
    }
    const QByteArray digest =
        QCryptographicHash::hash(key.decoded, QCryptographicHash::Sha256).toHex();
    if (identity.deviceId != QString::fromLatin1(digest)) {
        return broken(u"deviceId: expected the SHA-256 of publicKey"_s);
    }
    const QUuid instance = QUuid::fromString(identity.instanceId);
    if (instance.isNull() || instance.toString(QUuid::WithoutBraces) != identity.instanceId) {
        return broken(u"instanceId: expected a UUID"_s);
    }
    if (identity.createdAt.count() < 0) {
        return broken(u"createdAtMs: expected a whole number from 0"_s);
    }
    return {};
}

Result<StoredIdentity> decode(const QByteArray &text)
{
    if (const Result<void> checked = checkJsonText(text); !checked) {
        return std::unexpected(checked.error());
    }
    const Json json = Json::parse(text.cbegin(), text.cend(), nullptr, false);
    if (!json.is_object()) {
        return broken(u"expected an object"_s);
    }
    const Json version = json.value("version", Json());
    if (!version.is_number_integer() || version < s_version) {
        return broken(u"version: expected the number %1"_s.arg(s_version));
    }
    if (version > s_version) {
        return broken(
            u"version: the file is newer than this program, which understands %1; update it"_s.arg(
                s_version));
    }
    const auto found = json.find("createdAtMs");
    const auto *created =
        found == json.cend() ? nullptr : found->get_ptr<const Json::number_unsigned_t *>();
    if (created == nullptr) {
        return broken(u"createdAtMs: expected a whole number from 0"_s);
    }
    StoredIdentity identity{.deviceId = textField(json, "deviceId"),
                            .publicKey = textField(json, "publicKey"),
                            .instanceId = textField(json, "instanceId"),
                            .createdAt = std::chrono::milliseconds(static_cast<qint64>(*created))};
    return check(identity).transform([&identity] { return identity; });
}

QByteArray encode(const StoredIdentity &identity)
{
    Json json = Json::object();
    json["version"] = s_version;
    json["deviceId"] = identity.deviceId.toStdString();
    json["publicKey"] = identity.publicKey.toStdString();
    json["instanceId"] = identity.instanceId.toStdString();
    json["createdAtMs"] = identity.createdAt.count();
    return QByteArray::fromStdString(json.dump(2, ' ', false, Json::error_handler_t::replace)
                                     + "\n");
}

} // namespace

Result<std::optional<StoredIdentity>> readIdentityFile(const PrivateFiles &files,
                                                       const std::filesystem::path &file)
{
    const Result<std::optional<PrivateFile>> read = files.read(file, s_maxBytes);
    if (!read) {
        return std::unexpected(read.error());
    }
    if (!read->has_value()) {
        return std::optional<StoredIdentity>();
    }
    const Result<StoredIdentity> identity = decode((*read)->bytes);
    if (!identity) {
        return fail(identity.error().code,
                    u"%1: %2; restore it from a backup, nothing was changed"_s.arg(
                        toQString(file), identity.error().message));
    }
    return *identity;
}

Result<void> writeIdentityFile(PrivateFiles &files, const std::filesystem::path &file,
                               const StoredIdentity &identity)
{
    if (const Result<void> checked = check(identity); !checked) {
        return checked;
    }
    const Result<std::optional<StoredIdentity>> present = readIdentityFile(files, file);
    if (!present) {
        return std::unexpected(present.error());
    }
    if (!present->has_value()) {
        return files.write(file, encode(identity));
    }
    if (**present == identity) {
        return {};
    }
    return fail(ErrorCode::Denied,
                u"%1 holds the identity of device %2 and is not replaced"_s.arg(
                    toQString(file), (*present)->deviceId));
}

} // namespace telson::core
