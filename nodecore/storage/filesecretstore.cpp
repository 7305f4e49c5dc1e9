// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/filesecretstore.h"

#include "nodecore/base/path.h"
#include "nodecore/base/privatefiles.h"
#include "nodecore/identity/deviceidentity.h"
#include "nodecore/storage/filelock.h"
#include "nodecore/storage/jsontext.h"

#include <nlohmann/json.hpp>

#include <QtCore/QObject>

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using Json = nlohmann::ordered_json;
using Secrets = QMap<QString, QByteArray>;

constexpr qint64 s_maxBytes = qint64{4} * 1024 * 1024;

Result<Secrets> decode(const QByteArray &text)
{
    if (const Result<void> checked = checkJsonText(text); !checked) {
        return std::unexpected(checked.error());
    }
    const Json json = Json::parse(text.cbegin(), text.cend(), nullptr, false);
    const auto broken = [](const QString &why) { return fail(ErrorCode::Io, why); };
    if (!json.is_object()) {
        return broken(u"expected an object"_s);
    }
    if (json.value("version", Json()) != 1) {
        return broken(u"version: expected the number 1"_s);
    }
    const auto stored = json.find("secrets");
    if (stored == json.cend() || !stored->is_object()) {
        return broken(u"secrets: expected an object"_s);
    }
    Secrets secrets;
    for (const auto &[key, value] : stored->items()) {
        const auto *coded = value.get_ptr<const Json::string_t *>();
        const auto secret = coded == nullptr
            ? QByteArray::FromBase64Result()
            : QByteArray::fromBase64Encoding(QByteArray::fromStdString(*coded),
                                             QByteArray::AbortOnBase64DecodingErrors);
        if (coded == nullptr || !secret) {
            return broken(u"secrets: expected texts of base64"_s);
        }
        secrets.insert(QString::fromStdString(key), *secret);
    }
    return secrets;
}

QByteArray encode(const Secrets &secrets)
{
    Json stored = Json::object();
    for (const auto &[key, secret] : secrets.asKeyValueRange()) {
        stored[key.toStdString()] = secret.toBase64().toStdString();
    }
    const Json json{{"version", 1}, {"secrets", stored}};
    return QByteArray::fromStdString(json.dump(2, ' ', false, Json::error_handler_t::replace)
                                     + "\n");
}

/// Answers later, in the thread of `context`, and only while that lives.
template <typename T>
void answer(QObject *context, std::function<void(T)> done, T result)
{
    QMetaObject::invokeMethod(
        context, [done = std::move(done), result = std::move(result)] { done(result); },
        Qt::QueuedConnection);
}

} // namespace

FileSecretStore::FileSecretStore(PrivateFiles &files, std::filesystem::path file)
    : m_files(files), m_file(std::move(file))
{
}

Result<Secrets> FileSecretStore::load() const
{
    Result<std::optional<PrivateFile>> read = m_files.read(m_file, s_maxBytes);
    if (!read) {
        return std::unexpected(read.error());
    }
    if (!read->has_value()) {
        return Secrets();
    }
    const QString name = toQString(m_file);
    if ((*read)->isReadableByOthers) {
        wipe((*read)->bytes);
        return fail(
            ErrorCode::Denied,
            u"'%1' can be read by others and is not used; its secrets may be known to them: "
            "pair again if in doubt, then: chmod 600 '%1'"_s.arg(name));
    }
    Result<Secrets> secrets = decode((*read)->bytes);
    wipe((*read)->bytes);
    if (!secrets) {
        return fail(ErrorCode::Io,
                    u"%1: %2; restore it from a backup, nothing was changed"_s.arg(
                        name, secrets.error().message));
    }
    return secrets;
}

void FileSecretStore::read(const QString &key, QObject *context,
                           std::function<void(Result<std::optional<QByteArray>>)> done)
{
    Result<std::optional<QByteArray>> found = load().transform([&key](const Secrets &secrets) {
        return secrets.contains(key) ? std::optional(secrets.value(key)) : std::nullopt;
    });
    answer(context, std::move(done), std::move(found));
}

Result<void> FileSecretStore::store(const QString &key, const QByteArray &secret)
{
    if (const Result<void> made = m_files.makeFolder(m_file.parent_path()); !made) {
        return made;
    }
    const auto lock = lockBeside(m_file);
    if (!lock) {
        return std::unexpected(lock.error());
    }
    Result<Secrets> secrets = load();
    if (!secrets) {
        return std::unexpected(secrets.error());
    }
    secrets->insert(key, secret);
    QByteArray text = encode(*secrets);
    const Result<void> written = m_files.write(m_file, text);
    wipe(text);
    return written;
}

void FileSecretStore::write(const QString &key, const QByteArray &secret, QObject *context,
                            std::function<void(Result<void>)> done)
{
    answer(context, std::move(done), store(key, secret));
}

} // namespace telson::core
