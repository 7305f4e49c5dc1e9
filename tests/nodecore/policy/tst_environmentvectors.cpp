// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/environment.h"
#include "nodecore/policy/environmentnames.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

/// The strings of a JSON object; other values are ignored, as at the door of a request.
Environment toEnvironment(const QJsonValue &value)
{
    Environment environment;
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it.value().isString()) {
            environment.insert(it.key(), it.value().toString());
        }
    }
    return environment;
}

QStringList toStringList(const QJsonValue &value)
{
    QStringList list;
    for (const QJsonValue &item : value.toArray()) {
        list.append(item.toString());
    }
    return list;
}

Environment run(const Environment &base, const Environment &accepted, bool isShellWrapper = false)
{
    return commandEnvironment(base, accepted, isShellWrapper, EnvironmentRules::Posix)
        .value_or(Environment{});
}

} // namespace

/// Data: the family env-sanitize of the reference's recorded answers.
class EnvironmentVectorsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersLikeTheReference_data();
    void answersLikeTheReference();

private:
    static void compareKey(const QJsonObject &input, const QJsonObject &expected);
    static void compareRequest(const QJsonObject &input, const QJsonObject &expected);
    static void compareFlags(const QString &key, const QJsonObject &expected);
};

void EnvironmentVectorsTest::answersLikeTheReference_data()
{
    QTest::addColumn<QJsonObject>("input");
    QTest::addColumn<QJsonObject>("expected");
    QFile file(QStringLiteral(TELSON_TEST_DATA "/vectors/env-sanitize.json"));
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.errorString()));
    const QJsonArray cases = QJsonDocument::fromJson(file.readAll()).object()["cases"_L1].toArray();
    QVERIFY(cases.size() > 100);
    for (const QJsonValue &value : cases) {
        const QJsonObject one = value.toObject();
        QTest::newRow(one["name"_L1].toString().toUtf8().constData())
            << one["input"_L1].toObject() << one["expected"_L1].toObject();
    }
}

void EnvironmentVectorsTest::answersLikeTheReference()
{
    QFETCH(const QJsonObject, input);
    QFETCH(const QJsonObject, expected);
    const QString kind = input["kind"_L1].toString();
    if (kind == "key"_L1) {
        compareKey(input, expected);
    } else if (kind == "request"_L1) {
        compareRequest(input, expected);
    } else {
        QCOMPARE(kind, u"assignment-keys"_s);
        QCOMPARE(envAssignmentKeys(toStringList(input["argv"_L1])),
                 toStringList(expected["keys"_L1]));
    }
}

void EnvironmentVectorsTest::compareKey(const QJsonObject &input, const QJsonObject &expected)
{
    const Environment one{{input["key"_L1].toString(), input["value"_L1].toString()}};
    const QJsonObject overridden = expected["override"_L1].toObject();
    const Environment wanted = toEnvironment(overridden["env"_L1]);
    const Environment base =
        wanted.contains(u"PATH"_s) ? Environment{{u"PATH"_s, u"/base"_s}} : Environment{};
    const EnvironmentVerdict verdict = judgeOverrides(one, EnvironmentRules::Posix);
    QCOMPARE(verdict.blockedKeys, toStringList(overridden["rejectedBlocked"_L1]));
    QCOMPARE(verdict.invalidKeys, toStringList(overridden["rejectedInvalid"_L1]));
    QCOMPARE(run(base, verdict.accepted), wanted);
    QCOMPARE(commandEnvironment(base, one, false, EnvironmentRules::Posix).has_value(),
             verdict.isClean());
    QCOMPARE(run(filteredEnvironment(one), {}),
             toEnvironment(expected["inherited"_L1].toObject()["env"_L1]));
    QCOMPARE(shellWrapperOverrides(one), toEnvironment(expected["shellWrapperOverrides"_L1]));
    compareFlags(input["key"_L1].toString(), expected);
}

void EnvironmentVectorsTest::compareFlags(const QString &key, const QJsonObject &expected)
{
    if (!expected.contains("dangerous"_L1)) {
        return;
    }
    const QString name = key.trimmed().toUpper();
    QCOMPARE(isAlwaysBlockedName(name), expected["dangerous"_L1].toBool());
    QCOMPARE(isBlockedOverrideName(name), expected["dangerousOverride"_L1].toBool());
    QCOMPARE(isBlockedInheritedName(name), expected["dangerousInherited"_L1].toBool());
}

void EnvironmentVectorsTest::compareRequest(const QJsonObject &input, const QJsonObject &expected)
{
    const Environment overrides = toEnvironment(input["overrides"_L1]);
    const QJsonObject rejection = expected["rejection"_L1].toObject();
    const EnvironmentVerdict verdict = judgeOverrides(overrides, EnvironmentRules::Posix);
    QCOMPARE(verdict.blockedKeys, toStringList(rejection["rejectedOverrideBlockedKeys"_L1]));
    QCOMPARE(verdict.invalidKeys, toStringList(rejection["rejectedOverrideInvalidKeys"_L1]));
    QCOMPARE(run(filteredEnvironment(toEnvironment(input["baseEnv"_L1])), verdict.accepted,
                 input["shellWrapper"_L1].toBool()),
             toEnvironment(expected["env"_L1]));
}

QTEST_GUILESS_MAIN(EnvironmentVectorsTest)
#include "tst_environmentvectors.moc"
