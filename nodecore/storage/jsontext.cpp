// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/jsontext.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

constexpr int s_maxDepth = 64;

/// Builds nothing; counts levels and remembers where the text stops making sense.
class Inspector final : public nlohmann::json_sax<nlohmann::json>
{
public:
    bool null() override
    {
        return true;
    }
    bool boolean(bool /*value*/) override
    {
        return true;
    }
    bool number_integer(number_integer_t /*value*/) override
    {
        return true;
    }
    bool number_unsigned(number_unsigned_t /*value*/) override
    {
        return true;
    }
    bool number_float(number_float_t /*value*/, const string_t & /*text*/) override
    {
        return true;
    }
    bool string(string_t & /*value*/) override
    {
        return true;
    }
    bool binary(binary_t & /*value*/) override
    {
        return true;
    }
    bool key(string_t &name) override
    {
        // Of two, one reader takes the first and another the last: then neither counts.
        m_hasRepeatedKey = !m_keys.back().insert(name).second;
        return !m_hasRepeatedKey;
    }
    bool start_object(std::size_t /*elements*/) override
    {
        m_keys.emplace_back();
        return enter();
    }
    bool start_array(std::size_t /*elements*/) override
    {
        return enter();
    }
    bool end_object() override
    {
        m_keys.pop_back();
        return leave();
    }
    bool end_array() override
    {
        return leave();
    }

    bool parse_error(std::size_t position, const std::string & /*lastToken*/,
                     const nlohmann::json::exception & /*problem*/) override
    {
        m_position = position;
        return false;
    }

    [[nodiscard]] bool isTooDeep() const
    {
        return m_depth > s_maxDepth;
    }
    [[nodiscard]] bool hasRepeatedKey() const
    {
        return m_hasRepeatedKey;
    }
    [[nodiscard]] std::size_t position() const
    {
        return m_position;
    }

private:
    bool enter()
    {
        return ++m_depth <= s_maxDepth;
    }
    bool leave()
    {
        --m_depth;
        return true;
    }

    std::vector<std::set<std::string>> m_keys; ///< of the objects around this place
    bool m_hasRepeatedKey = false;
    int m_depth = 0;
    std::size_t m_position = 0; ///< bytes read when it failed
};

QString place(const QByteArray &text, std::size_t position)
{
    const qsizetype end =
        std::clamp<qsizetype>(static_cast<qsizetype>(position) - 1, 0, text.size());
    const QByteArrayView before = QByteArrayView(text).first(end);
    const qsizetype lineStart = before.lastIndexOf('\n') + 1;
    return u"line %1, column %2"_s.arg(before.count('\n') + 1)
        .arg(QString::fromUtf8(before.sliced(lineStart)).size() + 1);
}

} // namespace

Result<void> checkJsonText(const QByteArray &text)
{
    // The parser would skip it, other readers of the same file would not.
    if (text.startsWith("\xEF\xBB\xBF")) {
        return fail(
            ErrorCode::InvalidArgument,
            u"invalid JSON syntax (it starts with a byte order mark; save it as UTF-8 without one)"_s);
    }
    Inspector inspector;
    if (nlohmann::json::sax_parse(text.cbegin(), text.cend(), &inspector)) {
        return {};
    }
    if (inspector.isTooDeep()) {
        return fail(ErrorCode::InvalidArgument, u"nested deeper than %1 levels"_s.arg(s_maxDepth));
    }
    if (inspector.hasRepeatedKey()) {
        return fail(ErrorCode::InvalidArgument, u"a key stands twice in one object"_s);
    }
    return fail(ErrorCode::InvalidArgument,
                u"invalid JSON syntax (%1)"_s.arg(place(text, inspector.position())));
}

} // namespace telson::core
