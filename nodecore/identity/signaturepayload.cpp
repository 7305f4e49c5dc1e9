// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/identity/signaturepayload.h"

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

// ASCII only: QString::toLower would change other letters, which the gateway leaves alone.
QString normalized(const QString &text)
{
    QString lower = text.trimmed();
    for (QChar &character : lower) {
        if (character >= u'A' && character <= u'Z') {
            character = QChar(static_cast<char16_t>(character.unicode() + (u'a' - u'A')));
        }
    }
    return lower;
}

} // namespace

QString signaturePayload(const SignatureClaims &claims, SignatureVersion version)
{
    QStringList fields{version == SignatureVersion::V3 ? u"v3"_s : u"v2"_s,
                       claims.deviceId,
                       claims.clientId,
                       claims.clientMode,
                       claims.role,
                       claims.scopes.join(u','),
                       QString::number(claims.signedAt.count()),
                       claims.token,
                       claims.nonce};
    if (version == SignatureVersion::V3) {
        fields << normalized(claims.platform) << normalized(claims.deviceFamily);
    }
    return fields.join(u'|');
}

} // namespace telson::core
