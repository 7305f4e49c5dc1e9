// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/systemrunanswers.h"

#include <nlohmann/json.hpp>

#include <string>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using Json = nlohmann::ordered_json; // in the order of the contract, easier to read in a trace

constexpr qsizetype s_maxEventUnits = 20000;

std::string toUtf8(const QString &text)
{
    return text.toStdString();
}

Json toJson(const std::optional<QString> &text)
{
    return text.has_value() ? Json(toUtf8(*text)) : Json(nullptr);
}

QByteArray toBytes(const Json &json)
{
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return QByteArray(text.data(), qsizetype(text.size()));
}

Json toJson(const PlanPolicy &policy)
{
    Json rules = Json::array();
    for (const PlanRule &rule : policy.rules) {
        Json entry{{"pattern", toUtf8(rule.pattern)}};
        if (rule.argPattern.has_value()) {
            entry["argPattern"] = toUtf8(*rule.argPattern);
        }
        if (rule.source.has_value()) {
            entry["source"] = toUtf8(*rule.source);
        }
        rules.push_back(std::move(entry));
    }
    return Json{{"security", toUtf8(policy.security)},
                {"ask", toUtf8(policy.ask)},
                {"askFallback", toUtf8(policy.askFallback)},
                {"autoAllowSkills", policy.autoAllowSkills},
                {"allowlistRules", std::move(rules)}};
}

/// Texts that are absent are null here: the gateway's schema wants each of these keys.
Json toJson(const SystemRunPlan &plan)
{
    Json argv = Json::array();
    for (const QString &argument : plan.argv) {
        argv.push_back(toUtf8(argument));
    }
    Json json{{"argv", std::move(argv)},
              {"cwd", toJson(plan.cwd)},
              {"commandText", toUtf8(plan.commandText)},
              {"commandPreview", toJson(plan.commandPreview)},
              {"agentId", toJson(plan.agentId)},
              {"sessionKey", toJson(plan.sessionKey)}};
    if (plan.policySnapshot.has_value()) {
        json["policySnapshot"] = toJson(*plan.policySnapshot);
    }
    return json;
}

Json toJson(const RunEventHead &head)
{
    return Json{{"sessionKey", toUtf8(head.sessionKey)},
                {"runId", toUtf8(head.runId)},
                {"host", "node"},
                {"command", toUtf8(head.command)}};
}

void addSuppression(Json &json, const RunEventHead &head)
{
    if (head.suppressNotifyOnExit.has_value()) {
        json["suppressNotifyOnExit"] = *head.suppressNotifyOnExit;
    }
}

QString eventOutput(const SystemRunResult &result)
{
    QStringList parts{result.standardOutput, result.standardError, result.error};
    parts.removeAll(QString());
    const QString text = parts.join(u'\n').trimmed();
    if (text.size() <= s_maxEventUnits) {
        return text;
    }
    QStringView tail = QStringView(text).last(s_maxEventUnits);
    if (tail.front().isLowSurrogate()) {
        tail = tail.sliced(1); // half a character would become U+FFFD
    }
    return u"... (truncated) "_s + tail.toString();
}

} // namespace

QByteArray encodePreparedRun(const PreparedRun &prepared)
{
    // What "always" would store needs the rule engine: nothing is promised yet.
    return toBytes(
        Json{{"plan", toJson(prepared.plan)},
             {"execPolicy",
              Json{{"security", toUtf8(prepared.security)}, {"ask", toUtf8(prepared.ask)}}},
             {"allowAlwaysCoverage", Json{{"complete", false}, {"patterns", Json::array()}}}});
}

QByteArray encodeSystemRunResult(const SystemRunResult &result)
{
    Json json = Json::object();
    if (result.exitCode.has_value()) {
        json["exitCode"] = *result.exitCode;
    }
    json["timedOut"] = result.timedOut;
    json["success"] = result.isSuccess();
    json["stdout"] = toUtf8(result.standardOutput);
    json["stderr"] = toUtf8(result.standardError);
    json["error"] = result.error.isEmpty() ? Json(nullptr) : Json(toUtf8(result.error));
    return toBytes(json);
}

QByteArray encodeExecFinished(const RunEventHead &head, const SystemRunResult &result)
{
    Json json = toJson(head);
    if (result.exitCode.has_value()) {
        json["exitCode"] = *result.exitCode;
    }
    json["timedOut"] = result.timedOut;
    json["success"] = result.isSuccess();
    json["output"] = toUtf8(eventOutput(result));
    addSuppression(json, head);
    return toBytes(json);
}

QByteArray encodeExecDenied(const RunEventHead &head, const QString &reason)
{
    Json json = toJson(head);
    json["reason"] = toUtf8(reason);
    addSuppression(json, head);
    return toBytes(json);
}

} // namespace telson::core
