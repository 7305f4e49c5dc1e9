// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/systemrun.h"

#include "nodecore/protocol/requestfields.h"
#include "nodecore/protocol/systemrunapproval.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

constexpr qsizetype s_maxArguments = 4096;
constexpr qsizetype s_maxArgvUnits = 1024 * 1024;
constexpr qsizetype s_maxVariables = 1024;
constexpr qsizetype s_maxNameUnits = 4096; // of an id that is echoed
constexpr double s_longestTimeoutMs =
    2147483647.0; // 24 days; what is longer is no limit to anybody

std::unexpected<Error> invalid(const QString &message)
{
    return fail(ErrorCode::InvalidArgument, message);
}

Result<QStringList> decodeArgv(const RequestFields &fields)
{
    Result<std::optional<QStringList>> command = fields.texts("command"_L1);
    if (!command.has_value()) {
        return std::unexpected(command.error());
    }
    QStringList argv = command->value_or(QStringList());
    if (argv.isEmpty()) {
        return invalid(fields.has("rawCommand"_L1) ? u"rawCommand requires params.command"_s
                                                   : u"command required"_s);
    }
    if (argv.size() > s_maxArguments) {
        return invalid(
            u"command has %1 arguments, more than %2"_s.arg(argv.size()).arg(s_maxArguments));
    }
    qsizetype units = 0;
    for (const QString &argument : std::as_const(argv)) {
        units += argument.size();
        if (argument.contains(QChar(u'\0'))) {
            return invalid(u"command must not contain a NUL character"_s);
        }
    }
    if (units > s_maxArgvUnits) {
        return invalid(u"command is longer than 1 MiB"_s);
    }
    if (argv.constFirst().trimmed().isEmpty()) {
        return invalid(u"command required"_s);
    }
    return argv;
}

Result<void> checkEnvironment(const QMap<QString, QString> &env)
{
    if (env.size() > s_maxVariables) {
        return invalid(u"env has %1 variables, more than %2"_s.arg(env.size()).arg(s_maxVariables));
    }
    for (auto it = env.cbegin(); it != env.cend(); ++it) {
        if (it.key().contains(QChar(u'\0')) || it.value().contains(QChar(u'\0'))) {
            return invalid(u"env must not contain a NUL character"_s);
        }
    }
    return {};
}

Result<void> checkName(const std::optional<QString> &name, QLatin1StringView field)
{
    if (name.has_value() && name->size() > s_maxNameUnits) {
        return invalid(u"%1 is longer than %2 characters"_s.arg(field).arg(s_maxNameUnits));
    }
    return {};
}

Result<SystemRunCommand> decodeCommand(const RequestFields &fields)
{
    Result<QStringList> argv = decodeArgv(fields);
    if (!argv.has_value()) {
        return std::unexpected(argv.error());
    }
    SystemRunCommand command;
    command.argv = *std::move(argv);
    Result<void> status;
    storeField(status, fields.text("rawCommand"_L1), command.rawCommand);
    storeField(status, fields.text("cwd"_L1), command.cwd);
    storeField(status, fields.textMap("env"_L1), command.env);
    storeField(status, fields.text("agentId"_L1), command.agentId);
    storeField(status, fields.text("sessionKey"_L1), command.sessionKey);
    if (status.has_value() && command.cwd.value_or(QString()).contains(QChar(u'\0'))) {
        status = invalid(u"cwd must not contain a NUL character"_s);
    }
    if (status.has_value()) {
        status = checkName(command.agentId, "agentId"_L1);
    }
    if (status.has_value()) {
        status = checkName(command.sessionKey, "sessionKey"_L1);
    }
    if (status.has_value()) {
        status = checkEnvironment(command.env);
    }
    if (!status.has_value()) {
        return std::unexpected(status.error());
    }
    return command;
}

std::optional<std::chrono::milliseconds> toTimeout(std::optional<double> milliseconds)
{
    // Written so that NaN is no limit either; less than a millisecond is one.
    if (!milliseconds.has_value() || !(*milliseconds > 0)) {
        return std::nullopt;
    }
    return std::chrono::milliseconds(
        std::llround(std::clamp(std::ceil(*milliseconds), 1.0, s_longestTimeoutMs)));
}

} // namespace

Result<SystemRunPrepareParams> decodeSystemRunPrepare(const QByteArray &paramsJson)
{
    const Result<RequestFields> fields = RequestFields::parse(paramsJson);
    if (!fields.has_value()) {
        return std::unexpected(fields.error());
    }
    Result<SystemRunCommand> command = decodeCommand(*fields);
    if (!command.has_value()) {
        return std::unexpected(command.error());
    }
    SystemRunPrepareParams params;
    params.command = *std::move(command);
    Result<void> status;
    storeField(status, fields->text("security"_L1), params.security);
    storeField(status, fields->text("ask"_L1), params.ask);
    storeField(status, fields->flag("strictInlineEval"_L1), params.strictInlineEval);
    if (status.has_value() && params.security.has_value() && !isSecurityWord(*params.security)) {
        status = invalid(u"security must be deny, allowlist or full"_s);
    }
    if (status.has_value() && params.ask.has_value() && !isAskWord(*params.ask)) {
        status = invalid(u"ask must be off, on-miss or always"_s);
    }
    if (!status.has_value()) {
        return std::unexpected(status.error());
    }
    return params;
}

Result<SystemRunParams> decodeSystemRun(const QByteArray &paramsJson)
{
    const Result<RequestFields> fields = RequestFields::parse(paramsJson);
    if (!fields.has_value()) {
        return std::unexpected(fields.error());
    }
    Result<SystemRunCommand> command = decodeCommand(*fields);
    if (!command.has_value()) {
        return std::unexpected(command.error());
    }
    SystemRunParams params;
    params.command = *std::move(command);
    std::optional<double> timeoutMs;
    Result<void> status;
    storeField(status, fields->number("timeoutMs"_L1), timeoutMs);
    storeField(status, fields->flag("needsScreenRecording"_L1), params.needsScreenRecording);
    storeField(status, fields->text("runId"_L1), params.runId);
    storeField(status, fields->flag("suppressNotifyOnExit"_L1), params.suppressNotifyOnExit);
    if (status.has_value()) {
        status = checkName(params.runId, "runId"_L1);
    }
    storeField(status, decodeExplicitApproval(*fields), params.isExplicitlyApproved);
    if (!status.has_value()) {
        return std::unexpected(status.error());
    }
    params.timeout = toTimeout(timeoutMs);
    params.plan = decodeSystemRunPlan(*fields);
    params.approvalSource = decodeApprovalSource(*fields);
    return params;
}

} // namespace telson::core
