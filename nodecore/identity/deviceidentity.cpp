// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/identity/deviceidentity.h"

#include <sodium.h>

#include <QtCore/QCryptographicHash>

#include <array>
#include <cstring>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

constexpr QByteArrayView s_secretPrefix("ed25519-seed:");
constexpr QByteArray::Base64Options s_base64 =
    QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals;

QString base64Url(QByteArrayView bytes)
{
    return QString::fromLatin1(
        QByteArray::fromRawData(bytes.data(), bytes.size()).toBase64(s_base64));
}

} // namespace

/// libsodium's 64 bytes: the seed, then the public key.
struct DeviceIdentity::SecretKey
{
    SecretKey() = default;
    SecretKey(const SecretKey &) = delete;
    SecretKey &operator=(const SecretKey &) = delete;
    ~SecretKey()
    {
        sodium_memzero(bytes.data(), bytes.size());
    }

    std::array<unsigned char, crypto_sign_SECRETKEYBYTES> bytes{};
};

DeviceIdentity::DeviceIdentity(std::unique_ptr<SecretKey> key) : m_key(std::move(key))
{
    std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> publicBytes{};
    crypto_sign_ed25519_sk_to_pk(publicBytes.data(), m_key->bytes.data());
    const QByteArrayView view(publicBytes.data(), publicBytes.size());
    m_publicKey = base64Url(view);
    m_deviceId =
        QString::fromLatin1(QCryptographicHash::hash(view, QCryptographicHash::Sha256).toHex());
}

DeviceIdentity::DeviceIdentity(DeviceIdentity &&) noexcept = default;
DeviceIdentity &DeviceIdentity::operator=(DeviceIdentity &&) noexcept = default;
DeviceIdentity::~DeviceIdentity() = default;

DeviceIdentity DeviceIdentity::generate()
{
    // sodium_init may be called any number of times; without it the random source is not chosen.
    [[maybe_unused]] const int ready = sodium_init();
    Q_ASSERT(ready >= 0);
    auto key = std::make_unique<SecretKey>();
    std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> publicBytes{};
    crypto_sign_ed25519_keypair(publicBytes.data(), key->bytes.data());
    return DeviceIdentity(std::move(key));
}

Result<DeviceIdentity> DeviceIdentity::fromSeed(QByteArrayView seed)
{
    if (seed.size() != crypto_sign_SEEDBYTES) {
        return fail(ErrorCode::InvalidArgument,
                    u"device key: not %1 bytes"_s.arg(crypto_sign_SEEDBYTES));
    }
    auto key = std::make_unique<SecretKey>();
    std::array<unsigned char, crypto_sign_SEEDBYTES> seedBytes{};
    std::memcpy(seedBytes.data(), seed.data(), seedBytes.size());
    std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> publicBytes{};
    crypto_sign_ed25519_seed_keypair(publicBytes.data(), key->bytes.data(), seedBytes.data());
    sodium_memzero(seedBytes.data(), seedBytes.size());
    return DeviceIdentity(std::move(key));
}

Result<DeviceIdentity> DeviceIdentity::fromSecret(QByteArrayView secret)
{
    if (!secret.startsWith(s_secretPrefix)) {
        return fail(ErrorCode::InvalidArgument, u"device key: not in a known form"_s);
    }
    const QByteArrayView digits = secret.sliced(s_secretPrefix.size());
    auto decoded =
        QByteArray::fromBase64Encoding(QByteArray(digits.data(), digits.size()),
                                       s_base64 | QByteArray::AbortOnBase64DecodingErrors);
    if (decoded.decodingStatus != QByteArray::Base64DecodingStatus::Ok) {
        return fail(ErrorCode::InvalidArgument, u"device key: not in a known form"_s);
    }
    Result<DeviceIdentity> identity = fromSeed(decoded.decoded);
    wipe(decoded.decoded);
    return identity;
}

QString DeviceIdentity::sign(const QString &payload) const
{
    const QByteArray message = payload.toUtf8();
    std::array<unsigned char, crypto_sign_BYTES> signature{};
    crypto_sign_ed25519_detached(
        signature.data(), nullptr, reinterpret_cast<const unsigned char *>(message.constData()),
        static_cast<unsigned long long>(message.size()), m_key->bytes.data());
    return base64Url(QByteArrayView(signature.data(), signature.size()));
}

QByteArray DeviceIdentity::toSecret() const
{
    QByteArray seed(QByteArrayView(m_key->bytes.data(), crypto_sign_SEEDBYTES).toByteArray());
    QByteArray digits = seed.toBase64(s_base64);
    QByteArray secret = s_secretPrefix + digits;
    wipe(seed);
    wipe(digits);
    return secret;
}

void wipe(QByteArray &secret)
{
    if (!secret.isEmpty()) {
        sodium_memzero(secret.data(), static_cast<std::size_t>(secret.size()));
    }
    secret.clear();
}

} // namespace telson::core
