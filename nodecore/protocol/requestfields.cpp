// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/requestfields.h"

#include "nodecore/protocol/jsonshape.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

struct RequestFields::Data
{
    std::shared_ptr<const nlohmann::json> document; // kept alive by every object inside it
    const nlohmann::json *object; // never null
    QString path; // what stands in front of the names: "systemRunPlan."

    /// The field, or null if it is absent or null.
    [[nodiscard]] const nlohmann::json *find(QLatin1StringView name) const
    {
        const auto found = object->find(std::string_view(name.data(), std::size_t(name.size())));
        return found == object->end() || found->is_null() ? nullptr : &*found;
    }

    [[nodiscard]] std::unexpected<Error> wrongType(const QString &name, const QString &wanted) const
    {
        return fail(ErrorCode::InvalidArgument, u"%1%2 must be %3"_s.arg(path, name, wanted));
    }
};

namespace {

constexpr qsizetype s_maxBytes = 16 * 1024 * 1024;
constexpr int s_maxDepth = 64;

QString toText(const nlohmann::json &value)
{
    return QString::fromStdString(value.get_ref<const std::string &>());
}

} // namespace

RequestFields::RequestFields(std::shared_ptr<const Data> data) : m_data(std::move(data))
{
}

Result<RequestFields> RequestFields::parse(const QByteArray &json)
{
    if (const Result<void> shape = checkJsonShape(json, s_maxBytes, s_maxDepth);
        !shape.has_value()) {
        return fail(ErrorCode::InvalidArgument, shape.error().message);
    }
    auto document = std::make_shared<const nlohmann::json>(
        nlohmann::json::parse(json.cbegin(), json.cend(), nullptr, false));
    if (!document->is_object()) {
        return fail(ErrorCode::InvalidArgument, u"params must be a json object"_s);
    }
    const nlohmann::json *object = document.get();
    return RequestFields(
        std::make_shared<const Data>(Data{std::move(document), object, QString()}));
}

bool RequestFields::has(QLatin1StringView name) const
{
    return m_data->find(name) != nullptr;
}

Result<std::optional<QString>> RequestFields::text(QLatin1StringView name) const
{
    const nlohmann::json *field = m_data->find(name);
    if (field == nullptr) {
        return std::nullopt;
    }
    if (!field->is_string()) {
        return m_data->wrongType(name, u"a string"_s);
    }
    return toText(*field);
}

Result<std::optional<QStringList>> RequestFields::texts(QLatin1StringView name) const
{
    const nlohmann::json *field = m_data->find(name);
    if (field == nullptr) {
        return std::nullopt;
    }
    if (!field->is_array()) {
        return m_data->wrongType(name, u"an array of strings"_s);
    }
    QStringList texts;
    texts.reserve(qsizetype(field->size()));
    for (const nlohmann::json &element : *field) {
        if (!element.is_string()) {
            return m_data->wrongType(u"%1[%2]"_s.arg(name).arg(texts.size()), u"a string"_s);
        }
        texts.append(toText(element));
    }
    return texts;
}

Result<std::optional<QMap<QString, QString>>> RequestFields::textMap(QLatin1StringView name) const
{
    const nlohmann::json *field = m_data->find(name);
    if (field == nullptr) {
        return std::nullopt;
    }
    if (!field->is_object()) {
        return m_data->wrongType(name, u"an object of strings"_s);
    }
    QMap<QString, QString> map;
    for (const auto &[key, value] : field->items()) {
        if (!value.is_string()) {
            return m_data->wrongType(u"%1.%2"_s.arg(name, QString::fromStdString(key).left(100)),
                                     u"a string"_s);
        }
        map.insert(QString::fromStdString(key), toText(value));
    }
    return map;
}

Result<std::optional<bool>> RequestFields::flag(QLatin1StringView name) const
{
    const nlohmann::json *field = m_data->find(name);
    if (field == nullptr) {
        return std::nullopt;
    }
    if (!field->is_boolean()) {
        return m_data->wrongType(name, u"true or false"_s);
    }
    return field->get<bool>();
}

Result<std::optional<double>> RequestFields::number(QLatin1StringView name) const
{
    const nlohmann::json *field = m_data->find(name);
    if (field == nullptr) {
        return std::nullopt;
    }
    if (!field->is_number()) {
        return m_data->wrongType(name, u"a number"_s);
    }
    return field->get<double>();
}

Result<std::optional<RequestFields>> RequestFields::object(QLatin1StringView name) const
{
    const nlohmann::json *field = m_data->find(name);
    if (field == nullptr) {
        return std::nullopt;
    }
    if (!field->is_object()) {
        return m_data->wrongType(name, u"an object"_s);
    }
    return RequestFields(
        std::make_shared<const Data>(Data{m_data->document, field, m_data->path + name + u'.'}));
}

Result<std::optional<QList<RequestFields>>> RequestFields::objects(QLatin1StringView name) const
{
    const nlohmann::json *field = m_data->find(name);
    if (field == nullptr) {
        return std::nullopt;
    }
    if (!field->is_array()) {
        return m_data->wrongType(name, u"an array of objects"_s);
    }
    QList<RequestFields> objects;
    for (const nlohmann::json &element : *field) {
        const QString place = u"%1[%2]"_s.arg(name).arg(objects.size());
        if (!element.is_object()) {
            return m_data->wrongType(place, u"an object"_s);
        }
        objects.append(RequestFields(std::make_shared<const Data>(
            Data{m_data->document, &element, m_data->path + place + u'.'})));
    }
    return objects;
}

QByteArray RequestFields::json(QLatin1StringView name) const
{
    const nlohmann::json *field = m_data->find(name);
    if (field == nullptr) {
        return {};
    }
    const std::string text = field->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return QByteArray(text.data(), qsizetype(text.size()));
}

} // namespace telson::core
