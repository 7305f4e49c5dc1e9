// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/settingsfile.h"

#include "nodecore/base/path.h"
#include "nodecore/storage/filelock.h"
#include "platform/factory.h"
#include "tests/support/faultyprivatefiles.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

GatewaySettings gateway(const QString &id, const QString &url)
{
    GatewaySettings made;
    made.id = id;
    made.url = url;
    return made;
}

} // namespace

class SettingsFileTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void withoutAFileTheDefaultsHold();
    void aWarningNamesTheFile();
    void anErrorNamesTheFile();
    void aChangeMakesFolderAndFile();
    void aChangeKeepsUnknownKeysAndTheOrder();
    void resettingBringsTheDefaultBack();
    void refusesAnUnknownKey();
    void aSectionIsNoKeyButNamesItsKeys();
    void anInvalidFileIsNeverWritten();
    void listsEveryValue();
    void gatewaysComeAndGo();
    void usingOneGatewayDisablesTheOthers();
    void aGatewayIdIsTakenOnce();
    void anUnknownGatewayIsRefused();
    void aChangeMeanwhileIsNotLost();
    void waitsNotForeverForAnotherProcess();
    void aFailingDeviceIsReported();

private:
    void write(const QByteArray &text) const;
    [[nodiscard]] QByteArray text() const;

    std::unique_ptr<PrivateFiles> m_real = telson::platform::makePrivateFiles();
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FaultyPrivateFiles> m_files;
    std::filesystem::path m_path;
    std::unique_ptr<SettingsFile> m_file;
};

void SettingsFileTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_files = std::make_unique<FaultyPrivateFiles>(*m_real);
    m_path = toPath(m_folder->path()) / "profile" / "telson.json";
    m_file = std::make_unique<SettingsFile>(*m_files, m_path);
}

void SettingsFileTest::cleanup()
{
    m_folder.reset();
}

void SettingsFileTest::write(const QByteArray &text) const
{
    QVERIFY(m_real->makeFolder(m_path.parent_path()).has_value());
    QVERIFY(m_real->write(m_path, text).has_value());
}

QByteArray SettingsFileTest::text() const
{
    QFile file(toQString(m_path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void SettingsFileTest::withoutAFileTheDefaultsHold()
{
    const Result<LoadedSettings> loaded = m_file->load();
    QVERIFY(loaded.has_value());
    QCOMPARE(loaded->settings, Settings());
    QVERIFY(!loaded->exists);
}

void SettingsFileTest::aWarningNamesTheFile()
{
    write(R"({"exec":{"mod":1}})");
    QCOMPARE(m_file->load().value_or(LoadedSettings()).warnings,
             QStringList{toQString(m_path) + u": unknown key exec.mod"_s});
}

void SettingsFileTest::anErrorNamesTheFile()
{
    write(R"({"exec":{"mode":1}})");
    const Result<LoadedSettings> loaded = m_file->load();
    QVERIFY(!loaded);
    QCOMPARE(loaded.error(),
             (Error{ErrorCode::InvalidArgument,
                    toQString(m_path)
                        + u": exec.mode: expected one of deny, allowlist, ask, auto, full"_s}));
}

void SettingsFileTest::aChangeMakesFolderAndFile()
{
    QVERIFY(m_file->setValue(u"exec.mode"_s, u"deny"_s).has_value());
    QCOMPARE(text(), "{\n  \"version\": 1,\n  \"exec\": {\n    \"mode\": \"deny\"\n  }\n}\n"_ba);
    QCOMPARE(toString(m_file->load().value_or(LoadedSettings()).settings.exec.mode),
             toString(ExecMode::Deny));
}

void SettingsFileTest::aChangeKeepsUnknownKeysAndTheOrder()
{
    write(R"({"zeta":[1],"exec":{"later":{"b":1,"a":2},"mode":"ask"},"version":1})");
    QVERIFY(m_file->setValue(u"exec.mode"_s, u"full"_s).has_value());
    QVERIFY(m_file->setValue(u"exec.maxConcurrent"_s, u"2"_s).has_value());
    QCOMPARE(
        text().simplified().replace(' ', ""),
        R"({"zeta":[1],"exec":{"later":{"b":1,"a":2},"mode":"full","maxConcurrent":2},"version":1})"_ba);
}

void SettingsFileTest::resettingBringsTheDefaultBack()
{
    write(R"({"exec":{"mode":"full"}})");
    QVERIFY(m_file->resetValue(u"exec.mode"_s).has_value());
    QVERIFY(m_file->resetValue(u"mcp.http.port"_s).has_value());
    QCOMPARE(text().simplified().replace(' ', ""), R"({"exec":{}})"_ba);
}

void SettingsFileTest::refusesAnUnknownKey()
{
    const Result<void> set = m_file->setValue(u"exec.mod"_s, u"full"_s);
    QVERIFY(!set);
    QCOMPARE(toString(set.error().code), toString(ErrorCode::InvalidArgument));
    QVERIFY(m_files->written.isEmpty());
}

void SettingsFileTest::aSectionIsNoKeyButNamesItsKeys()
{
    const Result<void> set = m_file->setValue(u"mcp.http"_s, u"{}"_s);
    QVERIFY(!set);
    QCOMPARE(set.error().message,
             u"no setting 'mcp.http'; it holds mcp.http.enabled, mcp.http.port"_s);
}

void SettingsFileTest::anInvalidFileIsNeverWritten()
{
    const QByteArray mistake = R"({"exec":{"mode":"ful"}})";
    write(mistake);
    for (const Result<void> &changed :
         {m_file->setValue(u"exec.mode"_s, u"full"_s), m_file->resetValue(u"exec.mode"_s),
          m_file->addGateway(gateway(u"a"_s, u"ws://h"_s)), m_file->useGateway(u"a"_s),
          m_file->removeGateway(u"a"_s)}) {
        QVERIFY(!changed);
        QCOMPARE(toString(changed.error().code), toString(ErrorCode::InvalidArgument));
    }
    QCOMPARE(text(), mistake);
    QVERIFY(m_files->written.isEmpty());
}

void SettingsFileTest::listsEveryValue()
{
    write(R"({"exec":{"mode":"full"}})");
    const QList<SettingValue> values = m_file->values().value_or(QList<SettingValue>());
    QMap<QString, QByteArray> byKey;
    for (const SettingValue &value : values) {
        byKey.insert(value.key, value.json);
    }
    QCOMPARE(byKey.value(u"gateways"_s), "[]"_ba);
    QCOMPARE(byKey.value(u"exec.mode"_s), "\"full\""_ba);
    QCOMPARE(byKey.value(u"exec.timeoutSeconds"_s), "1800"_ba);
    QCOMPARE(byKey.value(u"node.displayName"_s), "null"_ba);
}

void SettingsFileTest::gatewaysComeAndGo()
{
    GatewaySettings home = gateway(u"home"_s, u"wss://h:1/x"_s);
    home.tlsFingerprint = QString(64, u'a');
    home.sshTarget = u"u@h"_s;
    home.operatorAccess = OperatorAccess::Approve;
    QVERIFY(m_file->addGateway(home).has_value());
    QVERIFY(m_file->addGateway(gateway(u"lab"_s, u"ws://127.0.0.1:1"_s)).has_value());
    QCOMPARE(m_file->load().value_or(LoadedSettings()).settings.gateways.value(0), home);
    QVERIFY(m_file->removeGateway(u"home"_s).has_value());
    const auto left = m_file->load().value_or(LoadedSettings()).settings.gateways;
    QCOMPARE(left.size(), 1);
    QCOMPARE(left.at(0).id, u"lab"_s);
}

void SettingsFileTest::usingOneGatewayDisablesTheOthers()
{
    write(
        R"({"gateways":[{"id":"a","url":"ws://h","enabled":false,"x":1},{"id":"b","url":"ws://h"}]})");
    QVERIFY(m_file->useGateway(u"a"_s).has_value());
    const QByteArray expected =
        R"({"gateways":[{"id":"a","url":"ws://h","enabled":true,"x":1},{"id":"b","url":"ws://h","enabled":false}]})"_ba;
    QCOMPARE(text().simplified().replace(' ', ""), expected);
}

void SettingsFileTest::aGatewayIdIsTakenOnce()
{
    QVERIFY(m_file->addGateway(gateway(u"a"_s, u"ws://h"_s)).has_value());
    const Result<void> again = m_file->addGateway(gateway(u"a"_s, u"ws://other"_s));
    QVERIFY(!again);
    QCOMPARE(toString(again.error().code), toString(ErrorCode::InvalidArgument));
    QCOMPARE(m_file->load().value_or(LoadedSettings()).settings.gateways.value(0).url, u"ws://h"_s);
}

void SettingsFileTest::anUnknownGatewayIsRefused()
{
    const Result<void> none = m_file->useGateway(u"a"_s);
    QVERIFY(!none);
    QCOMPARE(none.error().message, u"no gateway 'a'; there is none yet"_s);
    QVERIFY(m_file->addGateway(gateway(u"home"_s, u"ws://h"_s)).has_value());
    const Result<void> other = m_file->removeGateway(u"a"_s);
    QVERIFY(!other);
    QCOMPARE(other.error().message, u"no gateway 'a'; there is home"_s);
}

void SettingsFileTest::aChangeMeanwhileIsNotLost()
{
    SettingsFile other(*m_real, m_path);
    QVERIFY(other.setValue(u"exec.mode"_s, u"deny"_s).has_value());
    QVERIFY(m_file->setValue(u"exec.maxConcurrent"_s, u"3"_s).has_value());
    const Settings settings = m_file->load().value_or(LoadedSettings()).settings;
    QCOMPARE(toString(settings.exec.mode), toString(ExecMode::Deny));
    QCOMPARE(settings.exec.maxConcurrent, 3);
}

void SettingsFileTest::waitsNotForeverForAnotherProcess()
{
    write("{}");
    const auto lock = lockBeside(m_path);
    QVERIFY(lock.has_value());
    const Result<void> set = m_file->setValue(u"exec.mode"_s, u"deny"_s);
    QVERIFY(!set);
    QCOMPARE(toString(set.error().code), toString(ErrorCode::Unavailable));
    QCOMPARE(text(), "{}"_ba);
}

void SettingsFileTest::aFailingDeviceIsReported()
{
    const Error error{ErrorCode::Io, u"disk gone"_s, 5};
    m_files->writeError = error;
    QCOMPARE(m_file->setValue(u"exec.mode"_s, u"deny"_s), Result<void>(std::unexpected(error)));
    m_files->readError = error;
    QCOMPARE(m_file->load().error_or(Error()), error);
    m_files->folderError = Error{ErrorCode::Denied, u"not yours"_s};
    QCOMPARE(m_file->resetValue(u"exec.mode"_s).error_or(Error()), *m_files->folderError);
}

QTEST_GUILESS_MAIN(SettingsFileTest)
#include "tst_settingsfile.moc"
