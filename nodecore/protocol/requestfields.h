// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/base/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <memory>
#include <optional>
#include <utility>

namespace telson::core {

/// A JSON object whose fields are read with their types checked. For each field: absent and null
/// are nothing, another type is InvalidArgument with a message that names the field ("env.A must be
/// a string"). Unknown fields are ignored.
class RequestFields final
{
public:
    /// Errors: InvalidArgument for text that is no JSON object, is over 16 MiB or nested too
    /// deeply.
    [[nodiscard]] static Result<RequestFields> parse(const QByteArray &json);

    [[nodiscard]] bool has(QLatin1StringView name) const; ///< present and not null

    [[nodiscard]] Result<std::optional<QString>> text(QLatin1StringView name) const;
    [[nodiscard]] Result<std::optional<QStringList>> texts(QLatin1StringView name) const;
    [[nodiscard]] Result<std::optional<QMap<QString, QString>>>
    textMap(QLatin1StringView name) const;
    [[nodiscard]] Result<std::optional<bool>> flag(QLatin1StringView name) const;
    [[nodiscard]] Result<std::optional<double>> number(QLatin1StringView name) const;
    [[nodiscard]] Result<std::optional<RequestFields>> object(QLatin1StringView name) const;
    [[nodiscard]] Result<std::optional<QList<RequestFields>>> objects(QLatin1StringView name) const;

    /// The field as JSON text, whatever its type; empty if there is none.
    [[nodiscard]] QByteArray json(QLatin1StringView name) const;

private:
    struct Data;
    explicit RequestFields(std::shared_ptr<const Data> data);

    std::shared_ptr<const Data> m_data; // copies and inner objects look at the same document
};

/// Moves a field that was read into its place, if it is there. The first error of a chain is kept
/// in `status`, and nothing is stored after it.
template <typename T, typename U>
void storeField(Result<void> &status, Result<std::optional<T>> field, U &target)
{
    if (!status.has_value()) {
        return;
    }
    if (!field.has_value()) {
        status = std::unexpected(field.error());
    } else if (field->has_value()) {
        target = *std::move(*field);
    }
}

} // namespace telson::core
