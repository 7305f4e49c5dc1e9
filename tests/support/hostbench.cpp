// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/hostbench.h"

#include <QtCore/QJsonDocument>

using namespace Qt::StringLiterals;
using namespace telson::core;

HostBench::HostBench(qsizetype maxConcurrent)
    : ownEnvironment{{u"PATH"_s, u"/usr/bin:/bin"_s}, {u"HOME"_s, u"/home/u"_s}}
{
    folders.addFolder(u"/work"_s);
    folders.addFolder(u"/home/u"_s);
    store.setText(R"({"version":1,"defaults":{"security":"full","ask":"off"}})"_ba);
    runner = std::make_unique<CommandRunner>(processes, clock);
    broker = std::make_unique<ApprovalBroker>(store, folders, clock, [this] { return rules; });
    host = makeNodeHost({store, *broker, *runner, folders},
                        {ownEnvironment, u"/home/u"_s, maxConcurrent});
}

HostBench::~HostBench() = default;

std::shared_ptr<HostCall> HostBench::call(const QString &command, const QJsonObject &params,
                                          quint64 connection, const QString &door)
{
    const auto result =
        std::make_shared<HostCall>(); // also with the callbacks, which may come later
    ++m_lastId;
    host->handle(
        {lastId(),
         command,
         QJsonDocument(params).toJson(QJsonDocument::Compact),
         {},
         door,
         connection},
        [result](const CommandEvent &event) {
            result->trace.append(event.name);
            result->events.append(QJsonDocument::fromJson(event.payloadJson).object());
        },
        [result](const CommandReply &reply) {
            result->trace.append(u"answer"_s);
            if (const auto *payload = std::get_if<CommandPayload>(&reply)) {
                result->payload = QJsonDocument::fromJson(payload->json).object();
            } else {
                result->failure = std::get<CommandFailure>(reply);
            }
        });
    return result;
}
