// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/host/executablesearch.h"
#include "nodecore/host/whichhandler.h"

#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class WhichHandlerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void findsTheFirstExecutableFile();
    void answersOnlyWhatItFinds_data();
    void answersOnlyWhatItFinds();
    void passesOverEntriesThatAreNoAbsoluteFolder();
    void refusesBadParams();
    void answersAtOnce();

private:
    void makeFile(const QString &path, bool isExecutable) const;
    [[nodiscard]] CommandReply ask(const QByteArray &params) const;

    std::unique_ptr<QTemporaryDir> m_root;
    QString m_path;
};

void WhichHandlerTest::init()
{
    m_root = std::make_unique<QTemporaryDir>();
    QVERIFY(m_root->isValid());
    for (const QString &name : {u"one"_s, u"two"_s}) {
        QVERIFY(QDir(m_root->path()).mkdir(name));
    }
    m_path = m_root->filePath(u"one"_s) + u':' + m_root->filePath(u"two"_s);
    makeFile(u"one/plain"_s, false);
    makeFile(u"two/plain"_s, true);
    makeFile(u"one/tool"_s, true);
    makeFile(u"two/tool"_s, true);
    makeFile(u"hidden"_s, true);
    QVERIFY(QDir(m_root->path()).mkdir(u"one/folder"_s));
}

void WhichHandlerTest::makeFile(const QString &path, bool isExecutable) const
{
    QFile file(m_root->filePath(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QFile::Permissions permissions = QFile::ReadOwner | QFile::WriteOwner;
    permissions.setFlag(QFile::ExeOwner, isExecutable);
    QVERIFY(file.setPermissions(permissions));
}

CommandReply WhichHandlerTest::ask(const QByteArray &params) const
{
    WhichHandler handler(m_path);
    std::optional<CommandReply> answer;
    handler.handle({u"1"_s, handler.command(), params, {}, u"gateway:home"_s, 1}, {},
                   [&answer](CommandReply reply) { answer = std::move(reply); });
    return answer.value_or(CommandFailure{u"no answer"_s, {}});
}

void WhichHandlerTest::findsTheFirstExecutableFile()
{
    QCOMPARE(findExecutable(u"tool"_s, m_path), m_root->filePath(u"one/tool"_s));
    QCOMPARE(findExecutable(u"plain"_s, m_path), m_root->filePath(u"two/plain"_s));
}

void WhichHandlerTest::answersOnlyWhatItFinds_data()
{
    QTest::addColumn<QByteArray>("bins");
    QTest::addColumn<QStringList>("found");
    QTest::newRow("some") << R"(["tool","missing","plain"])"_ba
                          << QStringList({u"plain"_s, u"tool"_s});
    QTest::newRow("space around") << R"([" tool "])"_ba << QStringList(u"tool"_s);
    QTest::newRow("folder") << R"(["folder"])"_ba << QStringList();
    QTest::newRow("blank") << R"([""," "])"_ba << QStringList();
    QTest::newRow("path") << R"(["/bin/sh","../hidden","one/tool","..\\hidden"])"_ba
                          << QStringList();
    QTest::newRow("dots") << R"([".",".."])"_ba << QStringList();
    QTest::newRow("nul") << R"(["tool\u0000x"])"_ba << QStringList();
}

void WhichHandlerTest::answersOnlyWhatItFinds()
{
    QFETCH(QByteArray, bins);
    QFETCH(QStringList, found);
    const CommandReply reply = ask("{\"bins\":" + bins + "}");
    QVERIFY(std::holds_alternative<CommandPayload>(reply));
    const QJsonObject json = QJsonDocument::fromJson(std::get<CommandPayload>(reply).json).object();
    QCOMPARE(json.keys(), QStringList(u"bins"_s));
    QCOMPARE(json[u"bins"_s].toObject().keys(), found);
}

void WhichHandlerTest::passesOverEntriesThatAreNoAbsoluteFolder()
{
    const QString here = QDir::currentPath();
    QVERIFY(QDir::setCurrent(m_root->path()));
    QVERIFY(!findExecutable(u"hidden"_s, u":.:"_s).has_value());
    QVERIFY(!findExecutable(u"tool"_s, u"one"_s).has_value());
    QVERIFY(!findExecutable(u"tool"_s, QString()).has_value());
    QVERIFY(QDir::setCurrent(here));
}

void WhichHandlerTest::refusesBadParams()
{
    QCOMPARE(std::get<CommandFailure>(ask("{}")),
             CommandFailure({u"INVALID_REQUEST"_s, u"bins required"_s}));
    QCOMPARE(std::get<CommandFailure>(ask(R"({"bins":[1]})")),
             CommandFailure({u"INVALID_REQUEST"_s, u"bins[0] must be a string"_s}));
}

void WhichHandlerTest::answersAtOnce()
{
    QBENCHMARK
    {
        QVERIFY(std::holds_alternative<CommandPayload>(ask(R"({"bins":["tool","missing"]})")));
    }
}

QTEST_GUILESS_MAIN(WhichHandlerTest)
#include "tst_whichhandler.moc"
