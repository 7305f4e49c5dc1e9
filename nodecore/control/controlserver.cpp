// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/control/controlserver.h"

#include "nodecore/base/log.h"
#include "nodecore/base/path.h"
#include "nodecore/base/privatefiles.h"
#include "nodecore/protocol/controlcodec.h"

#include <QtNetwork/QLocalSocket>

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

constexpr int s_maxClients = 16;
// A client that stops reading is dropped instead of being buffered for.
constexpr qint64 s_maxUnread = 1024 * 1024;

} // namespace

ControlServer::ControlServer(QHash<QString, Method> methods) : m_methods(std::move(methods))
{
    connect(&m_server, &QLocalServer::newConnection, this, &ControlServer::onNewConnection);
}

ControlServer::~ControlServer() = default;

Result<void> ControlServer::listen(const std::filesystem::path &socket, PrivateFiles &files)
{
    if (auto made = files.makeFolder(socket.parent_path()); !made) {
        return made;
    }
    const QString name = toQString(socket);
    QLocalServer::removeServer(name);
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    m_server.setMaxPendingConnections(s_maxClients);
    if (!m_server.listen(name)) {
        return fail(ErrorCode::Unavailable,
                    u"control socket %1: %2"_s.arg(name, m_server.errorString()));
    }
    return {};
}

void ControlServer::onNewConnection()
{
    while (QLocalSocket *client = m_server.nextPendingConnection()) {
        if (m_clients >= s_maxClients) {
            logWarn(LogRoom::Control, u"too many clients, one refused");
            client->abort();
            client->deleteLater();
            continue;
        }
        ++m_clients;
        client->setReadBufferSize(s_maxControlLine + 1);
        connect(client, &QLocalSocket::readyRead, this, [this, client] { onReadyRead(client); });
        connect(client, &QLocalSocket::disconnected, this, [this, client] {
            --m_clients;
            client->deleteLater();
        });
        onReadyRead(client);
    }
}

void ControlServer::onReadyRead(QLocalSocket *client)
{
    while (client->canReadLine()) {
        answer(client, client->readLine(s_maxControlLine + 1));
    }
    if (client->bytesAvailable() > s_maxControlLine || client->bytesToWrite() > s_maxUnread) {
        logWarn(LogRoom::Control, u"a client sent an endless line or stopped reading, dropped");
        client->abort();
    }
}

void ControlServer::answer(QLocalSocket *client, const QByteArray &line)
{
    const auto request = decodeControlRequest(line);
    ControlResponse response;
    if (!request) {
        response.error = ControlError{std::to_underlying(ControlErrorCode::InvalidRequest),
                                      request.error().message};
    } else {
        response.id = request->id;
        const auto method = m_methods.constFind(request->method);
        if (method == m_methods.cend()) {
            response.error = ControlError{std::to_underlying(ControlErrorCode::MethodNotFound),
                                          u"no method '%1'"_s.arg(request->method.left(64))};
        } else {
            response.resultJson = (*method)();
        }
    }
    client->write(encodeControlResponse(response));
}

} // namespace telson::core
