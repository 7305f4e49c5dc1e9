// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/control/controlclient.h"

#include "nodecore/base/clock.h"
#include "nodecore/base/path.h"
#include "nodecore/protocol/controlcodec.h"

#include <QtCore/QFileInfo>

#include <utility>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace telson::core {

namespace {

constexpr auto s_deadline = 5s;

} // namespace

ControlClient::ControlClient(Clock &clock) : m_clock(clock)
{
    connect(&m_socket, &QLocalSocket::connected, this, &ControlClient::onConnected);
    connect(&m_socket, &QLocalSocket::readyRead, this, &ControlClient::onReadyRead);
    connect(&m_socket, &QLocalSocket::errorOccurred, this, [this](QLocalSocket::LocalSocketError error) {
        if (error == QLocalSocket::PeerClosedError) {
            finish(fail(ErrorCode::Protocol, u"the service closed the control socket unasked"_s));
            return;
        }
        finish(fail(ErrorCode::Unavailable, u"no service answers at %1 (%2)"_s.arg(
                                                m_socket.fullServerName(), m_socket.errorString())));
    });
}

ControlClient::~ControlClient() = default;

void ControlClient::call(const std::filesystem::path &socket, const QString &method, Done done)
{
    m_method = method;
    m_done = std::move(done);
    const QFileInfo file(toQString(socket));
    // Telson's own files are the reference for "this user": the folder is owner-only, so a socket of
    // another owner in it would be a trap.
    if (file.exists() && file.ownerId() != QFileInfo(file.path()).ownerId()) {
        const QString path = file.filePath();
        m_deadline = m_clock.startAlarm(0ms, [this, path] {
            finish(fail(ErrorCode::Denied, u"the control socket %1 belongs to another user"_s.arg(path)));
        });
        return;
    }
    m_deadline = m_clock.startAlarm(s_deadline, [this] {
        finish(fail(ErrorCode::Timeout, u"the service did not answer within 5 s"_s));
    });
    // Queued, because a missing socket reports its error from inside connectToServer.
    QMetaObject::invokeMethod(
        this, [this, name = file.filePath()] { m_socket.connectToServer(name); }, Qt::QueuedConnection);
}

void ControlClient::onConnected()
{
    m_socket.write(encodeControlRequest({.id = 1, .method = m_method}));
}

void ControlClient::onReadyRead()
{
    if (!m_socket.canReadLine()) {
        if (m_socket.bytesAvailable() > s_maxControlLine) {
            finish(fail(ErrorCode::Protocol, u"the service's answer is longer than allowed"_s));
        }
        return;
    }
    const auto response = decodeControlResponse(m_socket.readLine());
    if (!response) {
        finish(std::unexpected(response.error()));
    } else if (response->error) {
        finish(fail(ErrorCode::Protocol, response->error->message));
    } else {
        finish(response->resultJson);
    }
}

void ControlClient::finish(Result<QByteArray> result)
{
    if (!m_done) {
        return;
    }
    m_deadline.reset();
    const Done done = std::exchange(m_done, nullptr);
    m_socket.abort();
    done(std::move(result));
}

} // namespace telson::core
