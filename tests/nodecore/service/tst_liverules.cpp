// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/path.h"
#include "nodecore/service/liverules.h"
#include "nodecore/storage/settingsfile.h"
#include "platform/posix/posixprivatefiles.h"

#include <QtTest/QtTest>

#include <QtCore/QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace telson::core;

class LiveRulesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void adoptsAStricterModeAtOnce();
    void aLooserModeWaitsForTheNextStart();
    void tighteningAndLooseningAgainStaysTight();
    void aBrokenFileKeepsTheLastGoodRules();
    void adoptsStrictInlineEvaluation();

private:
    void write(const QByteArray &text);
    [[nodiscard]] std::unique_ptr<LiveRules> start();

    telson::platform::PosixPrivateFiles m_files;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_path;
    std::unique_ptr<SettingsFile> m_file;
};

void LiveRulesTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = toPath(m_folder->filePath(u"telson.json"_s));
    m_file = std::make_unique<SettingsFile>(m_files, m_path);
}

void LiveRulesTest::write(const QByteArray &text)
{
    QVERIFY(m_files.write(m_path, text).has_value());
}

std::unique_ptr<LiveRules> LiveRulesTest::start()
{
    const auto loaded = m_file->load();
    return std::make_unique<LiveRules>(m_files, *m_file, m_path, loaded ? loaded->settings : Settings{});
}

void LiveRulesTest::adoptsAStricterModeAtOnce()
{
    write(R"({"version":1,"exec":{"mode":"full"}})");
    const auto rules = start();
    QVERIFY(rules->current().mode == ExecMode::Full);
    write(R"({"version":1,"exec":{"mode":"deny"}})");
    QVERIFY(rules->current().mode == ExecMode::Deny);
}

void LiveRulesTest::aLooserModeWaitsForTheNextStart()
{
    write(R"({"version":1,"exec":{"mode":"ask"}})");
    const auto rules = start();
    write(R"({"version":1,"exec":{"mode":"full"}})");
    QVERIFY(rules->current().mode == ExecMode::Ask);
    QVERIFY(start()->current().mode == ExecMode::Full);
}

void LiveRulesTest::tighteningAndLooseningAgainStaysTight()
{
    write(R"({"version":1,"exec":{"mode":"full"}})");
    const auto rules = start();
    write(R"({"version":1,"exec":{"mode":"deny"}})");
    QVERIFY(rules->current().mode == ExecMode::Deny);
    write(R"({"version":1,"exec":{"mode":"full" }})");
    QVERIFY(rules->current().mode == ExecMode::Deny);
}

void LiveRulesTest::aBrokenFileKeepsTheLastGoodRules()
{
    write(R"({"version":1,"exec":{"mode":"ask"}})");
    const auto rules = start();
    write("{ broken");
    QVERIFY(rules->current().mode == ExecMode::Ask);
}

void LiveRulesTest::adoptsStrictInlineEvaluation()
{
    write(R"({"version":1})");
    const auto rules = start();
    QVERIFY(rules->current().inlineEval == InlineEval::Allowed);
    write(R"({"version":1,"exec":{"strictInlineEval":true}})");
    QVERIFY(rules->current().inlineEval == InlineEval::NeedsApproval);
}

QTEST_GUILESS_MAIN(LiveRulesTest)
#include "tst_liverules.moc"
