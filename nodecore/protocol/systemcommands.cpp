// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/systemcommands.h"

#include "nodecore/protocol/requestfields.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using Json = nlohmann::ordered_json;

constexpr qsizetype s_maxBins = 256;

QByteArray toBytes(const Json &json)
{
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return QByteArray(text.data(), qsizetype(text.size()));
}

} // namespace

Result<QStringList> decodeWhich(const QByteArray &paramsJson)
{
    const Result<RequestFields> fields = RequestFields::parse(paramsJson);
    if (!fields.has_value()) {
        return std::unexpected(fields.error());
    }
    Result<std::optional<QStringList>> bins = fields->texts("bins"_L1);
    if (!bins.has_value()) {
        return std::unexpected(bins.error());
    }
    if (!bins->has_value() || (*bins)->isEmpty()) {
        return fail(ErrorCode::InvalidArgument, u"bins required"_s);
    }
    if ((*bins)->size() > s_maxBins) {
        return fail(ErrorCode::InvalidArgument,
                    u"bins has %1 names, more than %2"_s.arg((*bins)->size()).arg(s_maxBins));
    }
    return **std::move(bins);
}

QByteArray encodeWhich(const QMap<QString, QString> &found)
{
    Json bins = Json::object();
    for (auto it = found.cbegin(); it != found.cend(); ++it) {
        bins[it.key().toStdString()] = it.value().toStdString();
    }
    return toBytes(Json{{"bins", std::move(bins)}});
}

Result<ExecApprovalsSetParams> decodeExecApprovalsSet(const QByteArray &paramsJson)
{
    const Result<RequestFields> fields = RequestFields::parse(paramsJson);
    if (!fields.has_value()) {
        return std::unexpected(fields.error());
    }
    const Result<std::optional<RequestFields>> file = fields->object("file"_L1);
    if (!file.has_value() || !file->has_value()) {
        return fail(ErrorCode::InvalidArgument, u"exec approvals file required"_s);
    }
    Result<std::optional<QString>> baseHash = fields->text("baseHash"_L1);
    if (!baseHash.has_value()) {
        return std::unexpected(baseHash.error());
    }
    return ExecApprovalsSetParams{fields->json("file"_L1), *std::move(baseHash)};
}

Result<QByteArray> encodeExecApprovals(const ExecApprovalsAnswer &answer)
{
    Json file =
        Json::parse(answer.documentJson.cbegin(), answer.documentJson.cend(), nullptr, false);
    if (!file.is_object()) {
        return fail(ErrorCode::Protocol, u"the approvals document is not a json object"_s);
    }
    return toBytes(Json{{"path", answer.path.toStdString()},
                        {"exists", answer.exists},
                        {"hash", answer.hash.toStdString()},
                        {"file", std::move(file)},
                        {"resolvedDefaults",
                         Json{{"security", answer.security.toStdString()},
                              {"ask", answer.ask.toStdString()},
                              {"askFallback", answer.askFallback.toStdString()},
                              {"autoAllowSkills", answer.autoAllowSkills}}}});
}

} // namespace telson::core
