// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/gateway/nodeconnect.h"

#include "nodecore/base/log.h"
#include "nodecore/identity/deviceidentity.h"
#include "nodecore/identity/signaturepayload.h"
#include "nodecore/protocol/connectcodec.h"
#include "nodecore/protocol/framecodec.h"

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

ConnectClient clientOf(const NodeDescription &description)
{
    ConnectClient client;
    client.id = u"node-host"_s;
    client.mode = u"node"_s;
    client.version = description.version;
    client.platform = description.platform;
    client.deviceFamily = description.deviceFamily;
    client.displayName = description.displayName;
    client.modelIdentifier = description.modelIdentifier;
    client.instanceId = description.instanceId;
    return client;
}

ConnectDevice prove(const ConnectParams &params, const DeviceIdentity &identity,
                    const QString &nonce, std::chrono::milliseconds signedAt)
{
    SignatureClaims claims;
    claims.deviceId = identity.deviceId();
    claims.clientId = params.client.id;
    claims.clientMode = params.client.mode;
    claims.role = params.role;
    claims.scopes = params.scopes;
    claims.signedAt = signedAt;
    claims.token = params.auth.signedToken();
    claims.nonce = nonce;
    claims.platform = params.client.platform;
    claims.deviceFamily = params.client.deviceFamily;
    const QString signature = identity.sign(signaturePayload(claims, SignatureVersion::V3));
    return {identity.deviceId(), identity.publicKey(), signature, signedAt, nonce};
}

} // namespace

Result<QByteArray> connectFrame(const QString &id, const NodeDescription &description,
                                const ConnectAuth &auth, const DeviceIdentity &identity,
                                const QString &nonce, std::chrono::milliseconds signedAt)
{
    ConnectParams params;
    params.client = clientOf(description);
    params.role = s_nodeRole.toString();
    params.caps = description.caps;
    params.commands = description.commands;
    params.pathEnv = description.pathEnv;
    params.auth = auth;
    params.locale = description.locale;
    params.userAgent = description.userAgent;
    params.device = prove(params, identity, nonce, signedAt);

    QByteArray frame = encodeRequest({id, u"connect"_s, encodeConnectParams(params)});
    if (frame.size() > s_maxConnectFrame && !params.pathEnv.isEmpty()) {
        logWarn(LogRoom::Gateway, u"PATH left out of connect, it is too long",
                {{u"characters", qint64(params.pathEnv.size())}});
        params.pathEnv.clear();
        frame = encodeRequest({id, u"connect"_s, encodeConnectParams(params)});
    }
    if (frame.size() > s_maxConnectFrame) {
        return fail(ErrorCode::InvalidArgument,
                    u"connect would be %1 bytes, a gateway takes %2"_s.arg(frame.size())
                        .arg(s_maxConnectFrame));
    }
    return frame;
}

} // namespace telson::core
