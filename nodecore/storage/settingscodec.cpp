// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/settingscodec.h"

#include "nodecore/storage/gatewaysettings.h"
#include "nodecore/storage/jsontext.h"
#include "nodecore/storage/settingskeys.h"
#include "nodecore/storage/settingvalues.h"

#include <nlohmann/json.hpp>

#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

using Json = nlohmann::ordered_json;

constexpr qint64 s_version = 1;

std::unexpected<Error> expected(const QString &key, const QString &what)
{
    return fail(ErrorCode::InvalidArgument, u"%1: expected %2"_s.arg(key, what));
}

QByteArray dumped(const Json &json)
{
    return QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// Walks telson.json; stops at the first value that is not as it has to be.
class Decoder final
{
public:
    [[nodiscard]] Result<DecodedSettings> decode(const Json &document)
    {
        if (!document.is_object()) {
            return fail(ErrorCode::InvalidArgument, u"expected an object"_s);
        }
        if (const Result<void> version = checkVersion(document); !version) {
            return std::unexpected(version.error());
        }
        if (const Result<void> read = readSection(QString(), document); !read) {
            return std::unexpected(read.error());
        }
        return std::move(m_result);
    }

private:
    static Result<void> checkVersion(const Json &document)
    {
        const Json version = document.value("version", Json(s_version));
        if (version.is_number_integer() && version == s_version) {
            return {};
        }
        if (version.is_number_integer() && version > s_version) {
            return fail(
                ErrorCode::InvalidArgument,
                u"version: the file is newer than this program, which understands %1; update it"_s
                    .arg(s_version));
        }
        return expected(u"version"_s, u"the number %1"_s.arg(s_version));
    }

    Result<void> readSection(const QString &prefix, const Json &section)
    {
        for (const auto &[name, value] : section.items()) {
            const QString key = prefix + QString::fromStdString(name);
            // A member called "exec.mode" would be a second place for the same setting.
            if (name.find('.') != std::string::npos) {
                m_result.warnings.append(
                    u"unknown key %1; write it as an object in an object"_s.arg(key));
                continue;
            }
            if (const Result<void> read = readMember(key, value); !read) {
                return read;
            }
        }
        return {};
    }

    Result<void> readMember(const QString &key, const Json &value)
    {
        if (key == "version"_L1) {
            return {};
        }
        if (key == "gateways"_L1) {
            return readGateways(value);
        }
        if (const SettingKey *setting = findSettingKey(key); setting != nullptr) {
            return applySetting(*setting, dumped(value), m_result.settings);
        }
        if (isSettingSection(key)) {
            return value.is_object() ? readSection(key + u'.', value)
                                     : Result<void>(expected(key, u"an object"_s));
        }
        m_result.warnings.append(u"unknown key %1"_s.arg(key));
        return {};
    }

    Result<void> readGateways(const Json &value)
    {
        Result<DecodedGateways> decoded = decodeGateways(dumped(value));
        if (!decoded) {
            return std::unexpected(decoded.error());
        }
        m_result.settings.gateways = std::move(decoded->gateways);
        m_result.warnings.append(decoded->warnings);
        return {};
    }

    DecodedSettings m_result;
};

} // namespace

Result<DecodedSettings> decodeSettings(const QByteArray &json)
{
    if (const Result<void> checked = checkJsonText(json); !checked) {
        return std::unexpected(checked.error());
    }
    return Decoder().decode(Json::parse(json.cbegin(), json.cend(), nullptr, false));
}

} // namespace telson::core
