// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/gatewayaddress.h"

#include <QtNetwork/QHostAddress>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

struct Subnet
{
    QLatin1StringView address;
    int bits;
};

constexpr std::array s_privateSubnets{Subnet{"10.0.0.0"_L1, 8},     Subnet{"172.16.0.0"_L1, 12},
                                      Subnet{"192.168.0.0"_L1, 16}, Subnet{"169.254.0.0"_L1, 16},
                                      Subnet{"100.64.0.0"_L1, 10},  Subnet{"fe80::"_L1, 10},
                                      Subnet{"fc00::"_L1, 7},       Subnet{"fec0::"_L1, 10}};

constexpr int s_defaultPlainPort = 80;
constexpr int s_defaultTlsPort = 443;
constexpr qsizetype s_digestBytes = 32;

bool isIn(const QHostAddress &address, const Subnet &subnet)
{
    return address.isInSubnet(QHostAddress(QString(subnet.address)), subnet.bits);
}

HostClass addressClass(QHostAddress address)
{
    // ::ffff:10.0.0.1 goes where 10.0.0.1 goes.
    bool isMapped = false;
    const quint32 ipv4 = address.toIPv4Address(&isMapped);
    if (isMapped) {
        address = QHostAddress(ipv4);
    }
    if (address == QHostAddress(QHostAddress::LocalHostIPv6)
        || isIn(address, {"127.0.0.0"_L1, 8})) {
        return HostClass::Loopback;
    }
    const bool isPrivate = std::ranges::any_of(
        s_privateSubnets, [&address](const Subnet &subnet) { return isIn(address, subnet); });
    return isPrivate ? HostClass::Private : HostClass::Public;
}

bool isTls(const QUrl &url)
{
    return url.scheme() == "wss"_L1;
}

Result<void> checkPlainHost(const GatewayEndpoint &endpoint, const QUrl &url)
{
    switch (hostClass(url.host())) {
    case HostClass::Loopback:
    case HostClass::Private:
    case HostClass::PrivateName:
        return {};
    case HostClass::OtherName:
        if (endpoint.allowInsecurePrivate) {
            return {};
        }
        break;
    case HostClass::Public:
        break;
    }
    return fail(ErrorCode::Denied,
                u"ws:// would send the credentials to %1 in the clear; use wss://, an SSH tunnel, "
                u"or (for a "
                "private name) set OPENCLAW_ALLOW_INSECURE_PRIVATE_WS=1"_s.arg(url.host()));
}

} // namespace

HostClass hostClass(const QString &host)
{
    if (QHostAddress address; address.setAddress(host)) {
        return addressClass(address);
    }
    const QString name = host.toLower();
    if (name == "localhost"_L1) {
        return HostClass::Loopback;
    }
    const bool isPrivate = name.endsWith(".local"_L1) || name.endsWith(".ts.net"_L1);
    return isPrivate ? HostClass::PrivateName : HostClass::OtherName;
}

Result<QUrl> parseGatewayUrl(const QString &text)
{
    const QUrl url(text.trimmed(), QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty()) {
        return fail(ErrorCode::InvalidArgument,
                    u"gateway url: not of the form wss://host[:port]"_s);
    }
    if (url.scheme() != "ws"_L1 && url.scheme() != "wss"_L1) {
        return fail(ErrorCode::InvalidArgument, u"gateway url: the scheme has to be ws or wss"_s);
    }
    // The text is not shown: a mistyped URL may hold a password.
    if (!url.userInfo().isEmpty() || url.hasQuery() || url.hasFragment()) {
        return fail(ErrorCode::InvalidArgument,
                    u"gateway url: user name, password, query and fragment are not allowed"_s);
    }
    if (url.port() == 0) {
        return fail(ErrorCode::InvalidArgument, u"gateway url: port 0"_s);
    }
    return url;
}

QString gatewayOrigin(const QUrl &url)
{
    const int port = url.port(isTls(url) ? s_defaultTlsPort : s_defaultPlainPort);
    QString host = url.host(QUrl::FullyEncoded).toLower();
    if (host.contains(u':')) {
        host = u'[' + host + u']';
    }
    return url.scheme() + u"://"_s + host + u':' + QString::number(port);
}

Result<QByteArray> parseFingerprint(const QString &text)
{
    QString digits = text.trimmed().toLower();
    if (digits.startsWith("sha256:"_L1)) {
        digits.remove(0, 7);
    }
    digits.remove(u':');
    const bool isHex = std::ranges::all_of(digits, [](QChar digit) {
        return (digit >= u'0' && digit <= u'9') || (digit >= u'a' && digit <= u'f');
    });
    if (!isHex || digits.size() != 2 * s_digestBytes) {
        return fail(ErrorCode::InvalidArgument, u"tls fingerprint: not 64 hex digits (SHA-256)"_s);
    }
    return QByteArray::fromHex(digits.toLatin1());
}

Result<TransportTarget> transportTarget(const GatewayEndpoint &endpoint)
{
    const Result<QUrl> url = parseGatewayUrl(endpoint.url.toString(QUrl::FullyEncoded));
    if (!url) {
        return std::unexpected(url.error());
    }
    TransportTarget target{*url, {}};
    if (!endpoint.tlsFingerprint.isEmpty()) {
        if (!isTls(*url)) {
            return fail(ErrorCode::InvalidArgument, u"a tls fingerprint needs a wss:// url"_s);
        }
        Result<QByteArray> pin = parseFingerprint(endpoint.tlsFingerprint);
        if (!pin) {
            return std::unexpected(pin.error());
        }
        if (!endpoint.trustCa) {
            target.pinnedSha256 = *std::move(pin);
        }
    }
    if (!isTls(*url)) {
        if (const Result<void> allowed = checkPlainHost(endpoint, *url); !allowed) {
            return std::unexpected(allowed.error());
        }
    }
    return target;
}

bool isTrustedForTokenRetry(const TransportTarget &target)
{
    return hostClass(target.url.host()) == HostClass::Loopback
        || (isTls(target.url) && !target.pinnedSha256.isEmpty());
}

} // namespace telson::core
