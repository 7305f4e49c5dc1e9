// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "app/cli/cli.h"

#include "nodecore/base/path.h"
#include "nodecore/base/systemclock.h"
#include "platform/posix/posixprivatefiles.h"

#include <QtTest/QtTest>

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QJsonArray>
#include <QtCore/QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace telson;
using app::ExitCode;

namespace {

class RecordedOutput final : public app::Output
{
public:
    void out(const QString &line) override { outText += line + u'\n'; }
    void error(const QString &line) override { errorText += line + u'\n'; }

    QString outText;
    QString errorText;
};

} // namespace

class CliTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void withoutWordsItShowsTheCommands();
    void anUnknownCommandIsAUsageError();
    void everyCommandHasHelpWithExamples_data();
    void everyCommandHasHelpWithExamples();
    void aWrongLineIsAUsageError_data();
    void aWrongLineIsAUsageError();
    void aSettingThatWasSetIsReadBack();
    void aSectionShowsAllItsSettings();
    void aWrongSettingNamesWhatIsAllowed();
    void aWrongTypeInTheFileNamesFileKeyAndType();
    void runWarnsOfAnUnknownKeyAndGoesOn();
    void gatewaysAreAddedListedUsedAndRemoved();
    void aPlainTextUrlToAPublicHostIsRefused();
    void aTokenFileThatOthersCanReadIsRefused();
    void theTokenNeverShowsUp();
    void runWithoutAGatewaySaysHowToAddOne();
    void runWithoutAnEnabledGatewaySaysWhichThereAre();
    void addingAKnownGatewayWithATokenReplacesTheToken();
    void runNamesAGatewayThatIsNotThere();
    void aTokenForSeveralGatewaysIsRefused();
    void aForeignOrBrokenIdentityIsNeverReplaced();
    void statusWithoutAServiceIsExitCode4();

private:
    ExitCode run(const QStringList &words);
    void write(const QString &name, const QByteArray &text);
    [[nodiscard]] QByteArray read(const QString &name) const;

    core::SystemClock m_clock;
    platform::PosixPrivateFiles m_files;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RecordedOutput> m_output;
    QProcessEnvironment m_environment;
};

void CliTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_environment = QProcessEnvironment();
}

ExitCode CliTest::run(const QStringList &words)
{
    m_output = std::make_unique<RecordedOutput>();
    app::CliContext context{.files = m_files,
                            .clock = m_clock,
                            .output = *m_output,
                            .environment = m_environment,
                            .profile = core::toPath(m_folder->path()),
                            .runtimeFolder = {}};
    return app::runCommandLine(words, context);
}

void CliTest::write(const QString &name, const QByteArray &text)
{
    QVERIFY(m_files.write(core::toPath(m_folder->filePath(name)), text).has_value());
}

QByteArray CliTest::read(const QString &name) const
{
    QFile file(m_folder->filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void CliTest::withoutWordsItShowsTheCommands()
{
    QVERIFY(run({}) == ExitCode::Usage);
    QVERIFY(run({u"help"_s}) == ExitCode::Ok);
    for (const app::CliCommand &command : app::allCommands()) {
        QVERIFY(m_output->outText.contains(u"  "_s + command.name));
    }
}

void CliTest::anUnknownCommandIsAUsageError()
{
    QVERIFY(run({u"approve"_s}) == ExitCode::Usage);
    QVERIFY(m_output->errorText.contains(u"'approve'"_s));
}

void CliTest::everyCommandHasHelpWithExamples_data()
{
    QTest::addColumn<QString>("command");
    for (const app::CliCommand &command : app::allCommands()) {
        if (command.name != "help"_L1) {
            QTest::newRow(qPrintable(command.name)) << command.name;
        }
    }
}

void CliTest::everyCommandHasHelpWithExamples()
{
    QFETCH(QString, command);
    QVERIFY(run({command, u"--help"_s}) == ExitCode::Ok);
    QVERIFY(m_output->outText.contains(u"Examples:"_s));
    const QString direct = m_output->outText;
    QVERIFY(run({u"help"_s, command}) == ExitCode::Ok);
    QCOMPARE(m_output->outText, direct);
}

void CliTest::aWrongLineIsAUsageError_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("unknown option") << QStringList{u"status"_s, u"--jason"_s};
    QTest::newRow("a word too many") << QStringList{u"version"_s, u"x"_s};
    QTest::newRow("a word is missing") << QStringList{u"config"_s};
    QTest::newRow("unknown verb") << QStringList{u"config"_s, u"delete"_s, u"exec.mode"_s};
    QTest::newRow("no value") << QStringList{u"config"_s, u"set"_s, u"exec.mode"_s};
    QTest::newRow("option without value") << QStringList{u"run"_s, u"--gateway"_s};
    QTest::newRow("token as an argument")
        << QStringList{u"gateway"_s, u"add"_s, u"a"_s, u"ws://127.0.0.1"_s, u"secret"_s};
    QTest::newRow("no URL") << QStringList{u"gateway"_s, u"add"_s, u"a"_s};
    QTest::newRow("unknown gateway") << QStringList{u"gateway"_s, u"use"_s, u"nope"_s};
    QTest::newRow("bad URL") << QStringList{u"gateway"_s, u"add"_s, u"a"_s, u"ftp://x"_s};
    QTest::newRow("bad id") << QStringList{u"gateway"_s, u"add"_s, u"A b"_s, u"wss://x.example"_s};
}

void CliTest::aWrongLineIsAUsageError()
{
    QFETCH(QStringList, words);
    QVERIFY(run(words) == ExitCode::Usage);
    QVERIFY(!m_output->errorText.isEmpty());
}

void CliTest::aSettingThatWasSetIsReadBack()
{
    QVERIFY(run({u"config"_s, u"get"_s, u"exec.mode"_s}) == ExitCode::Ok);
    QCOMPARE(m_output->outText, u"\"ask\"\n"_s);
    QVERIFY(run({u"config"_s, u"set"_s, u"exec.mode"_s, u"deny"_s}) == ExitCode::Ok);
    QVERIFY(run({u"config"_s, u"get"_s, u"exec.mode"_s, u"--json"_s}) == ExitCode::Ok);
    QCOMPARE(QJsonDocument::fromJson(m_output->outText.toUtf8()).object().value(u"exec.mode"_s),
             QJsonValue(u"deny"_s));
    QVERIFY(run({u"config"_s, u"reset"_s, u"exec.mode"_s}) == ExitCode::Ok);
    QVERIFY(run({u"config"_s, u"get"_s, u"exec.mode"_s}) == ExitCode::Ok);
    QCOMPARE(m_output->outText, u"\"ask\"\n"_s);
}

void CliTest::aSectionShowsAllItsSettings()
{
    QVERIFY(run({u"config"_s, u"get"_s, u"secrets"_s}) == ExitCode::Ok);
    QCOMPARE(m_output->outText, u"secrets.backend = \"keychain\"\n"_s);
}

void CliTest::aWrongSettingNamesWhatIsAllowed()
{
    QVERIFY(run({u"config"_s, u"set"_s, u"exec.mode"_s, u"maybe"_s}) == ExitCode::Usage);
    QVERIFY(m_output->errorText.contains(u"exec.mode: expected one of deny"_s));
    QVERIFY(run({u"config"_s, u"set"_s, u"exec.mod"_s, u"ask"_s}) == ExitCode::Usage);
    QVERIFY(m_output->errorText.contains(u"exec.mod"_s));
}

void CliTest::aWrongTypeInTheFileNamesFileKeyAndType()
{
    write(u"telson.json"_s, R"({"version":1,"exec":{"maxConcurrent":"many"}})");
    for (const QStringList &words :
         {QStringList{u"run"_s}, QStringList{u"config"_s, u"get"_s}, QStringList{u"gateway"_s, u"list"_s},
          QStringList{u"config"_s, u"set"_s, u"exec.mode"_s, u"ask"_s}}) {
        QVERIFY(run(words) == ExitCode::Usage);
        QVERIFY2(m_output->errorText.contains(u"telson.json"_s), qUtf8Printable(m_output->errorText));
        QVERIFY(m_output->errorText.contains(u"exec.maxConcurrent: expected a whole number"_s));
    }
    QVERIFY(read(u"telson.json"_s).contains("many"));
}

void CliTest::runWarnsOfAnUnknownKeyAndGoesOn()
{
    write(u"telson.json"_s, R"({"version":1,"exec":{"mod":"ask"}})");
    // It goes on as far as the gateway that is missing.
    QVERIFY(run({u"run"_s}) == ExitCode::Usage);
    QVERIFY(m_output->errorText.contains(u"telson gateway add"_s));
    QVERIFY(read(u"logs/telson.log"_s).contains("unknown key exec.mod"));
}

void CliTest::gatewaysAreAddedListedUsedAndRemoved()
{
    QVERIFY(run({u"gateway"_s, u"add"_s, u"home"_s, u"wss://gateway.example"_s}) == ExitCode::Ok);
    QVERIFY(run({u"gateway"_s, u"add"_s, u"desk"_s, u"ws://127.0.0.1:18789"_s}) == ExitCode::Ok);
    QVERIFY(run({u"gateway"_s, u"add"_s, u"home"_s, u"wss://other.example"_s}) == ExitCode::Usage);
    QVERIFY(run({u"gateway"_s, u"use"_s, u"desk"_s}) == ExitCode::Ok);
    QVERIFY(run({u"gateway"_s, u"list"_s, u"--json"_s}) == ExitCode::Ok);
    const QJsonArray list = QJsonDocument::fromJson(m_output->outText.toUtf8()).array();
    QCOMPARE(list.size(), 2);
    QCOMPARE(list.at(0).toObject().value(u"enabled"_s), QJsonValue(false));
    QCOMPARE(list.at(1).toObject().value(u"enabled"_s), QJsonValue(true));
    QVERIFY(run({u"gateway"_s, u"remove"_s, u"home"_s}) == ExitCode::Ok);
    QVERIFY(run({u"gateway"_s, u"list"_s}) == ExitCode::Ok);
    QVERIFY(!m_output->outText.contains(u"home"_s));
}

void CliTest::aPlainTextUrlToAPublicHostIsRefused()
{
    for (const QString &url : {u"ws://gateway.example"_s, u"ws://8.8.8.8"_s, u"ws://127.evil.example"_s}) {
        QVERIFY(run({u"gateway"_s, u"add"_s, u"a"_s, url}) == ExitCode::Denied);
    }
    QVERIFY(read(u"telson.json"_s).isEmpty());
}

void CliTest::aTokenFileThatOthersCanReadIsRefused()
{
    write(u"token"_s, "s3cret\n");
    const QString token = m_folder->filePath(u"token"_s);
    QVERIFY(QFile::setPermissions(token, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
    QVERIFY(run({u"gateway"_s, u"add"_s, u"home"_s, u"wss://gateway.example"_s, u"--token-file"_s, token})
            == ExitCode::Denied);
    QVERIFY(!m_output->errorText.contains(u"s3cret"_s));
    QVERIFY(read(u"telson.json"_s).isEmpty());
}

void CliTest::theTokenNeverShowsUp()
{
    write(u"token"_s, "s3cret\n");
    QVERIFY(run({u"gateway"_s, u"add"_s, u"home"_s, u"wss://gateway.example"_s, u"--token-file"_s,
                 m_folder->filePath(u"token"_s)})
            == ExitCode::Ok);
    QVERIFY(!m_output->outText.contains(u"s3cret"_s));
    QVERIFY(!read(u"telson.json"_s).contains("s3cret"));
    QVERIFY(read(u"secrets.json"_s).contains("gateway/home/shared-token"));
    QVERIFY(run({u"gateway"_s, u"remove"_s, u"home"_s}) == ExitCode::Ok);
    QVERIFY(!read(u"secrets.json"_s).contains(QByteArray("s3cret").toBase64()));
}

void CliTest::runWithoutAGatewaySaysHowToAddOne()
{
    QVERIFY(run({u"run"_s}) == ExitCode::Usage);
    QVERIFY(m_output->errorText.contains(u"telson gateway add home"_s));
}

void CliTest::runWithoutAnEnabledGatewaySaysWhichThereAre()
{
    QVERIFY(run({u"gateway"_s, u"add"_s, u"home"_s, u"wss://a.example"_s}) == ExitCode::Ok);
    QVERIFY(run({u"gateway"_s, u"add"_s, u"desk"_s, u"wss://b.example"_s}) == ExitCode::Ok);
    QVERIFY(run({u"gateway"_s, u"use"_s, u"desk"_s}) == ExitCode::Ok);
    QVERIFY(run({u"gateway"_s, u"remove"_s, u"desk"_s}) == ExitCode::Ok);
    QVERIFY(run({u"run"_s}) == ExitCode::Usage);
    QVERIFY(m_output->errorText.contains(u"telson gateway use home"_s));
}

void CliTest::addingAKnownGatewayWithATokenReplacesTheToken()
{
    write(u"token"_s, "one\n");
    const QStringList words{u"gateway"_s, u"add"_s, u"home"_s, u"wss://a.example"_s, u"--token-file"_s,
                            m_folder->filePath(u"token"_s)};
    QVERIFY(run(words) == ExitCode::Ok);
    write(u"token"_s, "two\n");
    QVERIFY(run(words) == ExitCode::Ok);
    QVERIFY(read(u"secrets.json"_s).contains(QByteArray("two").toBase64()));
    QVERIFY(!read(u"secrets.json"_s).contains(QByteArray("one").toBase64()));
    QStringList elsewhere = words;
    elsewhere[3] = u"wss://b.example"_s;
    QVERIFY(run(elsewhere) == ExitCode::Usage);
}

void CliTest::runNamesAGatewayThatIsNotThere()
{
    QVERIFY(run({u"run"_s, u"--gateway"_s, u"nope"_s}) == ExitCode::Usage);
    QVERIFY(m_output->errorText.contains(u"'nope'"_s));
}

void CliTest::aTokenForSeveralGatewaysIsRefused()
{
    QVERIFY(run({u"gateway"_s, u"add"_s, u"a"_s, u"wss://a.example"_s}) == ExitCode::Ok);
    QVERIFY(run({u"gateway"_s, u"add"_s, u"b"_s, u"wss://b.example"_s}) == ExitCode::Ok);
    m_environment.insert(u"OPENCLAW_GATEWAY_TOKEN"_s, u"s3cret"_s);
    QVERIFY(run({u"run"_s}) == ExitCode::Usage);
    QVERIFY(m_output->errorText.contains(u"--gateway"_s));
    QVERIFY(!m_output->errorText.contains(u"s3cret"_s));
}

void CliTest::aForeignOrBrokenIdentityIsNeverReplaced()
{
    QVERIFY(run({u"gateway"_s, u"add"_s, u"a"_s, u"ws://127.0.0.1:9"_s}) == ExitCode::Ok);
    write(u"identity.json"_s, "{ broken");
    QVERIFY(run({u"run"_s}) == ExitCode::Failed);
    QVERIFY2(m_output->errorText.contains(u"identity.json"_s), qUtf8Printable(m_output->errorText));
    QCOMPARE(read(u"identity.json"_s), QByteArray("{ broken"));
    QVERIFY(read(u"secrets.json"_s).isEmpty());
}

void CliTest::statusWithoutAServiceIsExitCode4()
{
    QVERIFY(run({u"status"_s}) == ExitCode::NoService);
    QVERIFY(run({u"status"_s, u"--json"_s}) == ExitCode::NoService);
    QCOMPARE(QJsonDocument::fromJson(m_output->outText.toUtf8()).object().value(u"running"_s),
             QJsonValue(false));
}

QTEST_GUILESS_MAIN(CliTest)
#include "tst_cli.moc"
