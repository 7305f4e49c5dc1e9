// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/settingscodec.h"

#include "nodecore/storage/settingskeys.h"
#include "nodecore/storage/settingvalues.h"

#include <QtCore/QFile>
#include <QtCore/QSet>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace telson::core;

namespace {

QString errorOf(const QByteArray &json)
{
    const Result<DecodedSettings> decoded = decodeSettings(json);
    return decoded ? u"no error"_s : decoded.error().message;
}

/// A file that holds one setting, whose key may be dotted.
QByteArray fileWith(const QString &key, const QByteArray &value)
{
    QByteArray json = value;
    const QStringList names = key.split(u'.');
    for (auto name = names.crbegin(); name != names.crend(); ++name) {
        json = "{\"" + name->toUtf8() + "\":" + json + '}';
    }
    return json;
}

/// A file in which no setting has its default.
QByteArray everything()
{
    QFile file(QStringLiteral(TELSON_TEST_DATA "/settings/everything.json"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class SettingsCodecTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anEmptyObjectIsTheDefaults();
    void readsEveryKey();
    void theDefaultsOfEachKeyCanBeWritten();
    void anUnknownKeyIsWarnedOfAndTheRestHolds();
    void aDotInANameIsNotAPath();
    void aWrongValueNamesKeyAndWhatIsExpected_data();
    void aWrongValueNamesKeyAndWhatIsExpected();
    void aBadGatewayIsNamedByItsPlace_data();
    void aBadGatewayIsNamedByItsPlace();
    void understandsWhatPeopleType_data();
    void understandsWhatPeopleType();
    void refusesWhatDoesNotFitTheKey_data();
    void refusesWhatDoesNotFitTheKey();
};

void SettingsCodecTest::anEmptyObjectIsTheDefaults()
{
    const Result<DecodedSettings> decoded = decodeSettings("{}"_ba);
    QVERIFY(decoded.has_value());
    QCOMPARE(decoded->settings, Settings());
    QVERIFY(decoded->warnings.isEmpty());
    QCOMPARE(toString(decoded->settings.exec.mode), toString(ExecMode::Ask));
    QCOMPARE(decoded->settings.exec.timeout, 1800s);
    QCOMPARE(decoded->settings.approval.timeout, 1'800'000ms);
    QCOMPARE(decoded->settings.secretBackend, SecretBackend::Keychain);
}

void SettingsCodecTest::readsEveryKey()
{
    const Result<DecodedSettings> decoded = decodeSettings(everything());
    QVERIFY2(decoded.has_value(), qPrintable(decoded ? QString() : decoded.error().message));
    QVERIFY(decoded->warnings.isEmpty());
    const Settings &settings = decoded->settings;
    // Each value above differs from the default, so that a key that lands nowhere shows.
    for (const SettingKey &key : settingKeys()) {
        QVERIFY2(encodeSetting(key, settings) != encodeSetting(key, Settings()),
                 qPrintable(key.name));
    }
    QCOMPARE(settings.gateways.size(), 2);
    QCOMPARE(settings.gateways.at(0).operatorAccess, OperatorAccess::Manage);
    QCOMPARE(settings.gateways.at(0).sshTarget, u"ada@gw"_s);
    QVERIFY(!settings.gateways.at(0).isEnabled);
    GatewaySettings lab;
    lab.id = u"lab"_s;
    lab.url = u"ws://127.0.0.1:1"_s;
    QCOMPARE(settings.gateways.at(1), lab);
    QCOMPARE(toString(settings.exec.mode), toString(ExecMode::Full));
    QCOMPARE(settings.exec.timeout, 5s);
    QCOMPARE(settings.exec.safeBinProfiles, R"({"jq":{"maxPositional":1}})"_ba);
    QCOMPARE(settings.mcp.httpPort, 8080);
    QCOMPARE(settings.ui.theme, UiTheme::Dark);
}

void SettingsCodecTest::theDefaultsOfEachKeyCanBeWritten()
{
    QSet<QString> names;
    for (const SettingHelp &help : describeSettings()) {
        const Result<DecodedSettings> decoded =
            decodeSettings(fileWith(help.key, help.defaultJson));
        QVERIFY2(decoded.has_value(), qPrintable(help.key));
        QCOMPARE(decoded->settings, Settings());
        QVERIFY(!help.description.isEmpty() && !help.allowed.isEmpty());
        QVERIFY(!names.contains(help.key));
        names.insert(help.key);
    }
    QCOMPARE(names.size(), settingKeys().size());
}

void SettingsCodecTest::anUnknownKeyIsWarnedOfAndTheRestHolds()
{
    const Result<DecodedSettings> decoded = decodeSettings(
        R"({"exec":{"mod":"full","mode":"deny"},"x":{"y":1},"gateways":[{"id":"a","url":"ws://h","nam":1}]})"_ba);
    QVERIFY(decoded.has_value());
    QCOMPARE(toString(decoded->settings.exec.mode), toString(ExecMode::Deny));
    QCOMPARE(decoded->warnings,
             (QStringList{u"unknown key exec.mod"_s, u"unknown key x"_s,
                          u"unknown key gateways[0].nam"_s}));
}

void SettingsCodecTest::aDotInANameIsNotAPath()
{
    const Result<DecodedSettings> decoded =
        decodeSettings(R"({"exec":{"mode":"deny"},"exec.mode":"full"})"_ba);
    QVERIFY(decoded.has_value());
    QCOMPARE(toString(decoded->settings.exec.mode), toString(ExecMode::Deny));
    QCOMPARE(decoded->warnings,
             QStringList{u"unknown key exec.mode; write it as an object in an object"_s});
}

void SettingsCodecTest::aWrongValueNamesKeyAndWhatIsExpected_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const QByteArray &json, const QString &message) {
        QTest::newRow(name) << json << message;
    };
    row("not an object", "[]"_ba, u"expected an object"_s);
    row("not JSON", "{"_ba, u"invalid JSON syntax (line 1, column 2)"_s);
    row("word", R"({"exec":{"mode":"FULL"}})"_ba,
        u"exec.mode: expected one of deny, allowlist, ask, auto, full"_s);
    row("word of another type", R"({"exec":{"mode":3}})"_ba,
        u"exec.mode: expected one of deny, allowlist, ask, auto, full"_s);
    row("flag", R"({"node":{"enabled":"yes"}})"_ba, u"node.enabled: expected true or false"_s);
    row("number as text", R"({"exec":{"maxConcurrent":"4"}})"_ba,
        u"exec.maxConcurrent: expected a whole number from 1 to 1024"_s);
    row("number with a fraction", R"({"exec":{"maxConcurrent":4.5}})"_ba,
        u"exec.maxConcurrent: expected a whole number from 1 to 1024"_s);
    row("number out of range", R"({"exec":{"maxConcurrent":0}})"_ba,
        u"exec.maxConcurrent: expected a whole number from 1 to 1024"_s);
    row("huge number", R"({"exec":{"maxConcurrent":18446744073709551615}})"_ba,
        u"exec.maxConcurrent: expected a whole number from 1 to 1024"_s);
    row("duration out of range", R"({"exec":{"timeoutSeconds":1800000}})"_ba,
        u"exec.timeoutSeconds: expected a whole number from 1 to 604800 (seconds)"_s);
    row("text", R"({"node":{"displayName":5}})"_ba,
        u"node.displayName: expected a text of one line or null"_s);
    row("text of two lines", R"({"node":{"displayName":"a\nb"}})"_ba,
        u"node.displayName: expected a text of one line or null"_s);
    row("relative path", R"({"tools":{"workspace":"w"}})"_ba,
        u"tools.workspace: expected the text of an absolute path or null"_s);
    row("null where there has to be one", R"({"ui":{"language":null}})"_ba,
        u"ui.language: expected a text of one line"_s);
    row("list", R"({"exec":{"safeBins":"cut"}})"_ba,
        u"exec.safeBins: expected a list of texts of one line"_s);
    row("list of others", R"({"exec":{"pathPrepend":["bin"]}})"_ba,
        u"exec.pathPrepend: expected a list of absolute paths"_s);
    row("object of others", R"({"exec":{"safeBinProfiles":{"jq":1}}})"_ba,
        u"exec.safeBinProfiles: expected an object of objects"_s);
    row("section", R"({"exec":[]})"_ba, u"exec: expected an object"_s);
    row("section in a section", R"({"mcp":{"http":true}})"_ba, u"mcp.http: expected an object"_s);
    row("newer", R"({"version":2})"_ba,
        u"version: the file is newer than this program, which understands 1; update it"_s);
    row("no version", R"({"version":"1"})"_ba, u"version: expected the number 1"_s);
    row("version 0", R"({"version":0})"_ba, u"version: expected the number 1"_s);
}

void SettingsCodecTest::aWrongValueNamesKeyAndWhatIsExpected()
{
    QFETCH(const QByteArray, json);
    QTEST(errorOf(json), "message");
    QCOMPARE(toString(decodeSettings(json).error().code), toString(ErrorCode::InvalidArgument));
}

void SettingsCodecTest::aBadGatewayIsNamedByItsPlace_data()
{
    QTest::addColumn<QByteArray>("gateway");
    QTest::addColumn<QString>("start");
    const auto row = [](const char *name, const QByteArray &gateway, const QString &start) {
        QTest::newRow(name) << gateway << start;
    };
    row("no object", "5"_ba, u"gateways[1]: expected an object"_s);
    row("no id", R"({"url":"ws://h"})"_ba, u"gateways[1].id: expected 1 to 32"_s);
    row("id in capitals", R"({"id":"Home","url":"ws://h"})"_ba,
        u"gateways[1].id: expected 1 to 32"_s);
    row("id with a newline", R"({"id":"a\n","url":"ws://h"})"_ba,
        u"gateways[1].id: expected 1 to 32"_s);
    row("id taken", R"({"id":"first","url":"ws://h"})"_ba,
        u"gateways[1].id: expected an id that"_s);
    row("no url", R"({"id":"a"})"_ba, u"gateways[1].url: expected an address"_s);
    row("https", R"({"id":"a","url":"https://h"})"_ba,
        u"gateways[1].url: expected an address that starts with ws:// or wss://"_s);
    row("no host", R"({"id":"a","url":"wss:///x"})"_ba, u"gateways[1].url: expected a host"_s);
    row("user", R"({"id":"a","url":"wss://u:p@h"})"_ba, u"gateways[1].url: expected only host"_s);
    row("empty user", R"({"id":"a","url":"wss://@h"})"_ba, u"gateways[1].url: expected "_s);
    row("query", R"({"id":"a","url":"wss://h/?token=1"})"_ba,
        u"gateways[1].url: expected only host"_s);
    row("fragment", R"({"id":"a","url":"wss://h/#x"})"_ba,
        u"gateways[1].url: expected only host"_s);
    row("port", R"({"id":"a","url":"wss://h:99999"})"_ba,
        u"gateways[1].url: expected an address"_s);
    row("space", R"({"id":"a","url":"wss://h/a b"})"_ba, u"gateways[1].url: expected an address"_s);
    row("fingerprint", R"({"id":"a","url":"wss://h","tlsFingerprint":"ab"})"_ba,
        u"gateways[1].tlsFingerprint: expected the 64 hex digits"_s);
    row("fingerprint without TLS",
        R"({"id":"a","url":"ws://h","tlsFingerprint":")"_ba + QByteArray(64, 'a') + "\"}",
        u"gateways[1].tlsFingerprint: expected none for"_s);
    row("ssh option", R"({"id":"a","url":"ws://h","sshTarget":"-oProxyCommand=x"})"_ba,
        u"gateways[1].sshTarget: expected user@host"_s);
    row("ssh option as host", R"({"id":"a","url":"ws://h","sshTarget":"u@-x"})"_ba,
        u"gateways[1].sshTarget: expected user@host"_s);
    row("operator", R"({"id":"a","url":"ws://h","operator":"admin"})"_ba,
        u"gateways[1].operator: expected one of none, approve, manage"_s);
    row("flag", R"({"id":"a","url":"ws://h","enabled":1})"_ba,
        u"gateways[1].enabled: expected true or false"_s);
}

void SettingsCodecTest::aBadGatewayIsNamedByItsPlace()
{
    QFETCH(const QByteArray, gateway);
    QFETCH(const QString, start);
    const QString message =
        errorOf(R"({"gateways":[{"id":"first","url":"ws://h"},)"_ba + gateway + "]}");
    QVERIFY2(message.startsWith(start), qPrintable(message));
}

void SettingsCodecTest::understandsWhatPeopleType_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("word") << u"exec.mode"_s << u"auto"_s << "\"auto\""_ba;
    QTest::newRow("flag") << u"node.enabled"_s << u"false"_s << "false"_ba;
    QTest::newRow("number") << u"exec.maxConcurrent"_s << u"8"_s << "8"_ba;
    QTest::newRow("duration") << u"approval.timeoutMs"_s << u"60000"_s << "60000"_ba;
    QTest::newRow("text") << u"node.displayName"_s << u"Ada's \"desk\""_s
                          << R"("Ada's \"desk\"")"_ba;
    QTest::newRow("text of digits") << u"node.displayName"_s << u"42"_s << "\"42\""_ba;
    QTest::newRow("none") << u"node.displayName"_s << u"null"_s << "null"_ba;
    QTest::newRow("list") << u"exec.safeBins"_s << u"[\"cut\", \"wc\"]"_s << R"(["cut","wc"])"_ba;
    QTest::newRow("object") << u"exec.safeBinProfiles"_s << u"{ \"jq\": {} }"_s
                            << R"({"jq":{}})"_ba;
}

void SettingsCodecTest::understandsWhatPeopleType()
{
    QFETCH(const QString, key);
    QFETCH(const QString, text);
    QTEST(parseSettingText(*findSettingKey(key), text).value_or(QByteArray()), "json");
}

void SettingsCodecTest::refusesWhatDoesNotFitTheKey_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("text");
    QTest::newRow("word") << u"exec.mode"_s << u"ful"_s;
    QTest::newRow("no word") << u"exec.mode"_s << u"null"_s;
    QTest::newRow("flag") << u"node.enabled"_s << u"yes"_s;
    QTest::newRow("number with a unit") << u"approval.timeoutMs"_s << u"60s"_s;
    QTest::newRow("number too large") << u"mcp.http.port"_s << u"65536"_s;
    QTest::newRow("empty text") << u"node.displayName"_s << u""_s;
    QTest::newRow("relative path") << u"exec.shell"_s << u"bash"_s;
    QTest::newRow("list as text") << u"exec.safeBins"_s << u"cut,wc"_s;
}

void SettingsCodecTest::refusesWhatDoesNotFitTheKey()
{
    QFETCH(const QString, key);
    QFETCH(const QString, text);
    const Result<QByteArray> parsed = parseSettingText(*findSettingKey(key), text);
    QVERIFY(!parsed);
    QCOMPARE(toString(parsed.error().code), toString(ErrorCode::InvalidArgument));
    QVERIFY(parsed.error().message.startsWith(key + u": expected "_s));
}

QTEST_GUILESS_MAIN(SettingsCodecTest)
#include "tst_settingscodec.moc"
