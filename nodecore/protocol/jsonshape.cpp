// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/protocol/jsonshape.h"

using namespace Qt::StringLiterals;

namespace telson::core {

Result<void> checkJsonShape(QByteArrayView text, qsizetype maxBytes, int maxDepth)
{
    if (text.size() > maxBytes) {
        return fail(ErrorCode::Protocol,
                    u"json: %1 bytes, more than the limit of %2"_s.arg(text.size()).arg(maxBytes));
    }
    int depth = 0;
    bool isInString = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char character = text[i];
        if (isInString) {
            if (character == '\\') {
                ++i; // whatever is escaped can't end the string
            } else if (character == '"') {
                isInString = false;
            }
        } else if (character == '"') {
            isInString = true;
        } else if (character == '[' || character == '{') {
            if (++depth > maxDepth) {
                return fail(ErrorCode::Protocol,
                            u"json: nested deeper than %1 levels"_s.arg(maxDepth));
            }
        } else if (character == ']' || character == '}') {
            --depth;
        }
    }
    return {};
}

} // namespace telson::core
