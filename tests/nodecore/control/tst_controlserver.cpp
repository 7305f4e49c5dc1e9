// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/path.h"
#include "nodecore/base/systemclock.h"
#include "nodecore/control/controlclient.h"
#include "nodecore/control/controlserver.h"
#include "nodecore/protocol/controlcodec.h"
#include "platform/posix/posixprivatefiles.h"

#include <QtTest/QtTest>

#include <QtCore/QTemporaryDir>
#include <QtNetwork/QLocalSocket>

using namespace Qt::StringLiterals;
using namespace telson::core;

class ControlServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void answersAMethod();
    void namesAMethodThatIsNotThere();
    void socketAndFolderAreForTheOwnerOnly();
    void replacesTheSocketOfAServiceThatDied();
    void refusesTheSeventeenthClient();
    void dropsAClientWithAnEndlessLine();
    void aClientWithoutAServiceIsToldSo();

private:
    Result<QByteArray> call(const QString &method);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_socket;
    SystemClock m_clock;
    telson::platform::PosixPrivateFiles m_files;
    std::unique_ptr<ControlServer> m_server;
};

void ControlServerTest::init()
{
    m_server.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_socket = toPath(m_folder->path()) / "control" / "c.sock";
    m_server = std::make_unique<ControlServer>(QHash<QString, ControlServer::Method>{
        {u"status"_s, [] { return QByteArray(R"({"running":true})"); }}});
    QVERIFY(m_server->listen(m_socket, m_files).has_value());
}

Result<QByteArray> ControlServerTest::call(const QString &method)
{
    ControlClient client(m_clock);
    std::optional<Result<QByteArray>> answer;
    client.call(m_socket, method, [&answer](Result<QByteArray> result) { answer = std::move(result); });
    const bool answered = QTest::qWaitFor([&answer] { return answer.has_value(); }, 10000);
    return answered ? *answer : fail(ErrorCode::Timeout, u"the test waited in vain"_s);
}

void ControlServerTest::answersAMethod()
{
    QCOMPARE(call(u"status"_s).value_or(QByteArray()), QByteArray(R"({"running":true})"));
}

void ControlServerTest::namesAMethodThatIsNotThere()
{
    const auto answer = call(u"approve"_s);
    QVERIFY(!answer.has_value());
    QVERIFY(answer.error().code == ErrorCode::Protocol);
    QVERIFY(answer.error().message.contains(u"approve"_s));
}

void ControlServerTest::socketAndFolderAreForTheOwnerOnly()
{
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther
        | QFile::WriteOther | QFile::ExeOther;
    QVERIFY(!(QFile::permissions(toQString(m_socket)) & others));
    QVERIFY(!(QFile::permissions(toQString(m_socket.parent_path())) & others));
}

void ControlServerTest::replacesTheSocketOfAServiceThatDied()
{
    m_server.reset();
    QFile left(toQString(m_socket));
    QVERIFY(left.open(QIODevice::WriteOnly));
    left.close();
    m_server = std::make_unique<ControlServer>(QHash<QString, ControlServer::Method>{
        {u"status"_s, [] { return QByteArray("2"); }}});
    QVERIFY(m_server->listen(m_socket, m_files).has_value());
    QCOMPARE(call(u"status"_s).value_or(QByteArray()), QByteArray("2"));
}

void ControlServerTest::refusesTheSeventeenthClient()
{
    std::vector<std::unique_ptr<QLocalSocket>> clients;
    for (int i = 0; i < 17; ++i) {
        clients.push_back(std::make_unique<QLocalSocket>());
        clients.back()->connectToServer(toQString(m_socket));
    }
    QTRY_COMPARE(clients.back()->state(), QLocalSocket::UnconnectedState);
    QCOMPARE(clients.front()->state(), QLocalSocket::ConnectedState);
}

void ControlServerTest::dropsAClientWithAnEndlessLine()
{
    QLocalSocket client;
    client.connectToServer(toQString(m_socket));
    QTRY_COMPARE(client.state(), QLocalSocket::ConnectedState);
    client.write(QByteArray(2 * s_maxControlLine, 'x'));
    QTRY_COMPARE(client.state(), QLocalSocket::UnconnectedState);
    QVERIFY(call(u"status"_s).has_value());
}

void ControlServerTest::aClientWithoutAServiceIsToldSo()
{
    m_server.reset();
    const auto answer = call(u"status"_s);
    QVERIFY(!answer.has_value());
    QVERIFY(answer.error().code == ErrorCode::Unavailable);
}

QTEST_GUILESS_MAIN(ControlServerTest)
#include "tst_controlserver.moc"
