// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/dispatchwrappers.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

#include <algorithm>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

constexpr int s_maxWrappers = 4;

/// How one launcher reads its own arguments. Options are compared in lower case unless noted.
struct WrapperRules
{
    QStringList flags = {};
    QStringList valueOptions = {}; ///< "-k 5"; the long ones also as "--kill-after=5"
    int operands = 0; ///< of its own, before the command
    bool isCaseSensitive = false;
    bool takesNumberFlag = false; ///< nice: "-5"
    bool takesFlagCluster = false; ///< flock: "-nx"
};

std::optional<WrapperRules> rulesOf(const QString &name)
{
    static const QHash<QString, WrapperRules> s_rules{
        {u"nice"_s,
         {.valueOptions = {u"-n"_s, u"--adjustment"_s, u"--priority"_s}, .takesNumberFlag = true}},
        {u"nohup"_s, {.flags = {u"--help"_s, u"--version"_s}}},
        {u"timeout"_s,
         {.flags = {u"--foreground"_s, u"--preserve-status"_s, u"-v"_s, u"--verbose"_s},
          .valueOptions = {u"-k"_s, u"--kill-after"_s, u"-s"_s, u"--signal"_s},
          .operands = 1}},
        {u"stdbuf"_s,
         {.valueOptions = {u"-i"_s, u"-o"_s, u"-e"_s, u"--input"_s, u"--output"_s, u"--error"_s}}},
        {u"time"_s,
         {.flags = {u"-a"_s, u"--append"_s, u"-h"_s, u"--help"_s, u"-l"_s, u"-p"_s, u"-q"_s,
                    u"--quiet"_s, u"-v"_s, u"--verbose"_s, u"--version"_s},
          .valueOptions = {u"-f"_s, u"--format"_s, u"-o"_s, u"--output"_s}}},
        {u"flock"_s,
         {.flags = {u"-e"_s, u"-F"_s, u"-n"_s, u"-s"_s, u"-x"_s, u"-o"_s, u"--close"_s,
                    u"--exclusive"_s, u"--nb"_s, u"--no-fork"_s, u"--nonblock"_s, u"--shared"_s,
                    u"--verbose"_s},
          .valueOptions = {u"-E"_s, u"-w"_s, u"--conflict-exit-code"_s, u"--timeout"_s,
                           u"--wait"_s},
          .operands = 1,
          .isCaseSensitive = true,
          .takesFlagCluster = true}},
        {u"caffeinate"_s,
         {.flags = {u"-d"_s, u"-i"_s, u"-m"_s, u"-s"_s, u"-u"_s},
          .valueOptions = {u"-t"_s, u"-w"_s}}},
        {u"sandbox-exec"_s, {.valueOptions = {u"-f"_s, u"-p"_s, u"-d"_s}}},
    };
    const auto found = s_rules.constFind(name);
    return found == s_rules.constEnd() ? std::nullopt : std::optional(*found);
}

bool isFlag(const WrapperRules &rules, const QString &option)
{
    if (rules.flags.contains(option)) {
        return true;
    }
    static const QRegularExpression s_number(u"^-[0-9]+$"_s);
    if (rules.takesNumberFlag && s_number.match(option).hasMatch()) {
        return true;
    }
    return rules.takesFlagCluster && !option.startsWith("--"_L1)
        && std::all_of(option.cbegin() + 1, option.cend(),
                       [&rules](QChar letter) { return rules.flags.contains(u"-"_s + letter); });
}

/// The index of the first token that is not an option, or nothing for an option that is not known.
std::optional<qsizetype> skipOptions(const QStringList &argv, const WrapperRules &rules)
{
    qsizetype at = 1;
    while (at < argv.size()) {
        const QString &token = argv.at(at);
        if (token == "--"_L1) {
            return at + 1;
        }
        if (token.size() < 2 || !token.startsWith(u'-')) {
            return at;
        }
        const QString option = rules.isCaseSensitive ? token : token.toLower();
        const qsizetype equals = option.indexOf(u'=');
        if (isFlag(rules, option)) {
            ++at;
        } else if (rules.valueOptions.contains(option)) {
            at += 2;
        } else if (option.startsWith("--"_L1) && equals > 0
                   && rules.valueOptions.contains(option.first(equals))) {
            ++at;
        } else if (rules.takesNumberFlag && option.startsWith("-n"_L1)) {
            ++at; // nice -n5
        } else {
            return std::nullopt;
        }
    }
    return at;
}

std::optional<QStringList> unwrapByRules(const QStringList &argv, const WrapperRules &rules)
{
    const std::optional<qsizetype> first = skipOptions(argv, rules);
    if (!first.has_value() || *first + rules.operands >= argv.size()) {
        return std::nullopt;
    }
    const QStringList inner = argv.sliced(*first + rules.operands);
    // `flock lock -c text` hands the text to a shell of its own choice.
    const bool startsWithOption = inner.constFirst().startsWith(u'-');
    return startsWithOption ? std::nullopt : std::optional(inner);
}

bool isAssignment(const QString &token)
{
    static const QRegularExpression s_assignment(u"^[A-Za-z_][A-Za-z0-9_]*="_s);
    return s_assignment.match(token).hasMatch();
}

/// The words of an `env -S` text. Only used to see what is inside, never to run it.
QStringList splitWords(QString text)
{
    text.remove(u'"').remove(u'\'').remove(u'\\');
    return text.split(QRegularExpression(u"\\s+"_s), Qt::SkipEmptyParts);
}

std::optional<UnwrappedCommand> unwrapEnv(QStringList tokens)
{
    static const QStringList s_valueOptions{u"-C"_s,      u"-P"_s,      u"-u"_s,     u"-s"_s,
                                            u"--argv0"_s, u"--chdir"_s, u"--unset"_s};
    UnwrappedCommand result;
    qsizetype at = 1;
    bool optionsOver = false;
    while (at < tokens.size()) {
        const QString token = tokens.at(at);
        if (!optionsOver && (token == "--"_L1 || token == "-"_L1)) {
            optionsOver = true;
            ++at;
            continue;
        }
        if (isAssignment(token)) {
            result.hasEnvironmentPrelude = true;
            ++at;
            continue;
        }
        if (optionsOver || !token.startsWith(u'-')) {
            result.argv = tokens.sliced(at);
            return result;
        }
        result.hasEnvironmentPrelude = true;
        static const QRegularExpression s_split(u"^(?:-[iv0]*S|--split-string=?)"_s);
        const QRegularExpressionMatch split = s_split.match(token);
        if (split.hasMatch()) {
            const QString attached = token.sliced(split.capturedLength());
            const qsizetype used = attached.isEmpty() ? 2 : 1;
            const QStringList words =
                splitWords(attached.isEmpty() ? tokens.value(at + 1) : attached);
            tokens = tokens.first(1) + words + tokens.sliced(std::min(at + used, tokens.size()));
            at = 1;
            continue;
        }
        at += s_valueOptions.contains(token) ? 2 : 1;
    }
    return std::nullopt;
}

/// `command`, `builtin` and `exec`, by their bare names only.
std::optional<QStringList> unwrapShellPrefix(const QStringList &argv)
{
    qsizetype at = 1;
    while (at < argv.size() && argv.at(at).size() > 1 && argv.at(at).startsWith(u'-')) {
        const QString &token = argv.at(at);
        if (token == "--"_L1) {
            ++at;
            break;
        }
        static const QRegularExpression s_execFlags(u"^-[cl]*$"_s);
        if (argv.constFirst() != "exec"_L1) {
            return std::nullopt;
        }
        if (token == "-a"_L1) {
            at += 2;
        } else if (token.startsWith("-a"_L1) || s_execFlags.match(token).hasMatch()) {
            ++at;
        } else {
            return std::nullopt;
        }
    }
    return at < argv.size() ? std::optional(argv.sliced(at)) : std::nullopt;
}

std::optional<QStringList> unwrapMultiplexer(const QStringList &argv)
{
    const qsizetype at = argv.value(1) == "--"_L1 ? 2 : 1;
    if (at >= argv.size() || !isShellName(programName(argv.at(at)))) {
        return std::nullopt;
    }
    return argv.sliced(at);
}

std::optional<UnwrappedCommand> unwrapOnce(const QStringList &argv)
{
    const QString name = programName(argv.constFirst());
    if (name == "env"_L1) {
        return unwrapEnv(argv);
    }
    std::optional<QStringList> inner;
    if (name == "busybox"_L1 || name == "toybox"_L1) {
        inner = unwrapMultiplexer(argv);
    } else if (const QString word = argv.constFirst();
               word == "command"_L1 || word == "builtin"_L1 || word == "exec"_L1) {
        inner = unwrapShellPrefix(argv);
    } else if (const std::optional<WrapperRules> rules = rulesOf(name)) {
        inner = unwrapByRules(argv, *rules);
    }
    return inner.has_value() ? std::optional(UnwrappedCommand{*inner, false}) : std::nullopt;
}

} // namespace

QString programName(const QString &token)
{
    const qsizetype separator = std::max(token.lastIndexOf(u'/'), token.lastIndexOf(u'\\'));
    QString name = token.sliced(separator + 1).toLower();
    for (const QLatin1StringView suffix : {".exe"_L1, ".cmd"_L1, ".bat"_L1, ".com"_L1}) {
        if (name.size() > suffix.size() && name.endsWith(suffix)) {
            name.chop(suffix.size());
            break;
        }
    }
    return name;
}

UnwrappedCommand unwrapDispatch(const QStringList &argv)
{
    UnwrappedCommand result{argv, false};
    for (int depth = 0; depth < s_maxWrappers && !result.argv.isEmpty(); ++depth) {
        std::optional<UnwrappedCommand> inner = unwrapOnce(result.argv);
        if (!inner.has_value()) {
            break;
        }
        result.argv = std::move(inner->argv);
        result.hasEnvironmentPrelude = result.hasEnvironmentPrelude || inner->hasEnvironmentPrelude;
    }
    return result;
}

bool isShellName(QStringView programName)
{
    static const QSet<QString> s_shells{
        u"ash"_s,   u"bash"_s, u"csh"_s, u"dash"_s, u"elvish"_s, u"fish"_s,
        u"ksh"_s,   u"mksh"_s, u"nu"_s,  u"osh"_s,  u"sh"_s,     u"tcsh"_s,
        u"xonsh"_s, u"yash"_s, u"zsh"_s, u"cmd"_s,  u"pwsh"_s,   u"powershell"_s,
    };
    return s_shells.contains(programName.toString());
}

} // namespace telson::core
