// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/dispatchwrappers.h"
#include "nodecore/policy/environment.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

constexpr int s_maxSteps = 32; // wrappers and split strings in one argv; more is nobody's command

// Programs that start the rest of their argv (policy-notes.md §5), sorted.
constexpr auto s_launchers = std::to_array<QStringView>({
    u"arch",        u"builtin",     u"busybox",      u"bwrap",    u"caffeinate",   u"catchsegv",
    u"chroot",      u"chrt",        u"command",      u"cpulimit", u"doas",         u"eatmydata",
    u"exec",        u"firejail",    u"flock",        u"gosu",     u"ionice",       u"linux32",
    u"linux64",     u"nice",        u"nohup",        u"nsenter",  u"numactl",      u"pkexec",
    u"proot",       u"proxychains", u"proxychains4", u"runuser",  u"sandbox-exec", u"script",
    u"setarch",     u"setpriv",     u"setsid",       u"stdbuf",   u"su",           u"sudo",
    u"systemd-run", u"taskset",     u"time",         u"timeout",  u"torify",       u"torsocks",
    u"toybox",      u"unbuffer",    u"unshare",      u"watch",    u"xcrun",        u"xvfb-run",
});

bool isAssignment(const QString &word)
{
    return word.indexOf(u'=') > 0 && !word.startsWith(u'-');
}

/// The words of `env -S`, with quotes and backslashes taken as a shell would.
QStringList splitWords(const QString &text)
{
    QStringList words;
    QString word;
    QChar quote;
    bool inWord = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (c == u'\\' && quote != u'\'' && i + 1 < text.size()) {
            word += text.at(++i);
            inWord = true;
        } else if (!quote.isNull()) {
            quote = c == quote ? QChar() : quote;
            word += quote.isNull() ? QString() : QString(c);
        } else if (c == u'\'' || c == u'"') {
            quote = c;
            inWord = true;
        } else if (c.isSpace()) {
            if (inWord) {
                words.append(word);
            }
            word.clear();
            inWord = false;
        } else {
            word += c;
            inWord = true;
        }
    }
    if (inWord) {
        words.append(word);
    }
    return words;
}

/// One `env` with its options and assignments; what it starts is left in `m_rest`.
class EnvPrelude final
{
public:
    EnvPrelude(QStringList argv, QStringList &keys) : m_rest(std::move(argv)), m_keys(keys)
    {
        m_rest.removeFirst();
    }

    QStringList parse()
    {
        for (int step = 0; !m_rest.isEmpty();) {
            const QString word = m_rest.first();
            if (!m_optionsEnded && (word == "--"_L1 || word == "-"_L1)) {
                m_optionsEnded = true;
                m_rest.removeFirst();
            } else if (word.trimmed().isEmpty()) {
                m_rest.removeFirst();
            } else if (!m_optionsEnded && word.startsWith(u'-')) {
                if (++step > s_maxSteps) {
                    return {};
                }
                m_rest.removeFirst();
                word.startsWith("--"_L1) ? takeLongOption(word) : takeCluster(word);
            } else if (isAssignment(word)) {
                m_keys.append(word.first(word.indexOf(u'=')));
                m_rest.removeFirst();
            } else {
                break;
            }
        }
        return m_rest;
    }

private:
    QString takeValue()
    {
        return m_rest.isEmpty() ? QString() : m_rest.takeFirst();
    }

    void splitString(const QString &text)
    {
        m_rest = splitWords(text) + m_rest;
    }

    void takeLongOption(const QString &word)
    {
        const qsizetype equals = word.indexOf(u'=');
        const QString name = equals < 0 ? word : word.first(equals);
        if (name == "--split-string"_L1) {
            splitString(equals < 0 ? takeValue() : word.sliced(equals + 1));
        } else if (equals >= 0) {
            return;
        } else if (name == "--argv0"_L1 || name == "--chdir"_L1 || name == "--unset"_L1) {
            takeValue();
        } else if (name.endsWith("-signal"_L1) && !m_rest.isEmpty()
                   && !isAssignment(m_rest.first())) {
            // GNU takes no separate value here, others do: an assignment counts either way.
            takeValue();
        }
    }

    void takeCluster(const QString &word)
    {
        for (qsizetype i = 1; i < word.size(); ++i) {
            const QChar option = word.at(i);
            if (!u"CPSsua"_s.contains(option)) {
                continue;
            }
            const QString value = i + 1 < word.size() ? word.sliced(i + 1) : takeValue();
            if (option == u'S') {
                splitString(value);
            }
            return;
        }
    }

    QStringList m_rest;
    QStringList &m_keys;
    bool m_optionsEnded = false;
};

} // namespace

QStringList envAssignmentKeys(const QStringList &argv)
{
    QStringList keys;
    QStringList rest = argv;
    for (int step = 0; step < s_maxSteps && !rest.isEmpty(); ++step) {
        const QString name = programName(rest.first());
        if (name == "env"_L1) {
            rest = EnvPrelude(rest, keys).parse();
        } else if (std::ranges::binary_search(s_launchers, QStringView(name))) {
            // The options of all these are not parsed: any later `env` word counts. That refuses a
            // few harmless commands and misses none.
            const auto isEnv = [](const QString &word) { return programName(word) == "env"_L1; };
            const auto found = std::find_if(rest.cbegin() + 1, rest.cend(), isEnv);
            rest = QStringList(found, rest.cend());
        } else {
            break;
        }
    }
    keys.sort();
    keys.erase(std::ranges::unique(keys).begin(), keys.end());
    return keys;
}

} // namespace telson::core
