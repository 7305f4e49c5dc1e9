// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/approvedcommand.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QtEndian>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

void addNumber(QCryptographicHash &hash, quint64 number)
{
    const quint64 bigEndian = qToBigEndian(number);
    hash.addData(QByteArrayView(reinterpret_cast<const char *>(&bigEndian), sizeof bigEndian));
}

void addText(QCryptographicHash &hash, const QString &text)
{
    // UTF-16 code units and not UTF-8: lone surrogates, which UTF-8 can't tell apart, stay
    // distinct.
    addNumber(hash, static_cast<quint64>(text.size()));
    for (const QChar unit : text) {
        const quint16 bigEndian = qToBigEndian(static_cast<quint16>(unit.unicode()));
        hash.addData(QByteArrayView(reinterpret_cast<const char *>(&bigEndian), sizeof bigEndian));
    }
}

} // namespace

QString CommandSpec::digest() const
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    addText(hash, u"telson command 1"_s);
    addNumber(hash, static_cast<quint64>(argv.size()));
    for (const QString &word : argv) {
        addText(hash, word);
    }
    addText(hash, folder);
    addNumber(hash, static_cast<quint64>(environment.size()));
    for (auto it = environment.cbegin(); it != environment.cend(); ++it) {
        addText(hash, it.key());
        addText(hash, it.value());
    }
    return QString::fromLatin1(hash.result().toHex());
}

} // namespace telson::core
