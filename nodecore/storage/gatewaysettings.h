// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"
#include "nodecore/storage/settings.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QStringList>

namespace telson::core {

/// "none", "approve", "manage", in the order of `OperatorAccess`.
[[nodiscard]] QStringList operatorAccessWords();

/// Whether a gateway may stand in the settings: an id of 1 to 32 characters of a-z, 0-9 and "-"; a
/// URL with ws or wss, a host and no user name, password, query or fragment; a fingerprint of 64
/// hex digits (colons and "sha256:" are let through) that goes with wss only; an SSH target without
/// spaces that does not start with "-". Errors: InvalidArgument; the message starts with the field
/// ("url: …").
[[nodiscard]] Result<void> checkGateway(const GatewaySettings &gateway);

struct DecodedGateways
{
    QList<GatewaySettings> gateways;
    QStringList warnings; ///< one per unknown key: "unknown key gateways[0].nam"
};

/// The setting `gateways`, a JSON array of
/// `{"id":"home","url":"wss://…","tlsFingerprint":null,"trustCa":false,"sshTarget":null,"enabled":true,
/// "operator":"none"}`; all but id and url may be left out.
/// Errors: InvalidArgument, as "gateways[0].url: expected …"; values are never shown.
[[nodiscard]] Result<DecodedGateways> decodeGateways(const QByteArray &json);

[[nodiscard]] QByteArray encodeGateway(const GatewaySettings &gateway);
[[nodiscard]] QByteArray encodeGateways(const QList<GatewaySettings> &gateways);

} // namespace telson::core
