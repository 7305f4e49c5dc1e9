// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/commandtext.h"

#include "nodecore/policy/dispatchwrappers.h"

#include <QtCore/QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

/// What a shell is given as text.
struct ShellPayload
{
    QString text;
    bool loadsStartupFiles = false; ///< login, interactive, or an init command
    bool hasArgumentsAfter = false;
};

/// White space as the gateway's \s has it, which is not what QChar::isSpace() has.
bool isGatewaySpace(QChar character)
{
    switch (character.unicode()) {
    case 0x0020:
    case 0x00A0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
    case 0xFEFF:
        return true;
    default:
        return (character >= u'\t' && character <= u'\r')
            || (character >= QChar(0x2000) && character <= QChar(0x200A));
    }
}

QString trimmedForGateway(QStringView text)
{
    while (!text.isEmpty() && isGatewaySpace(text.front())) {
        text = text.sliced(1);
    }
    while (!text.isEmpty() && isGatewaySpace(text.back())) {
        text.chop(1);
    }
    return text.toString();
}

QString formatToken(const QString &token)
{
    if (token.isEmpty()) {
        return u"\"\""_s;
    }
    const bool needsQuotes = std::any_of(token.cbegin(), token.cend(), [](QChar character) {
        return character == u'"' || isGatewaySpace(character);
    });
    if (!needsQuotes) {
        return token;
    }
    QString escaped = token;
    escaped.replace(u'"', u"\\\""_s);
    return u'"' + escaped + u'"';
}

/// A short option cluster that holds -c, taken apart: what stands behind the c, if it is text.
std::optional<QString> textAttachedToCluster(const QString &cluster)
{
    const QString rest = cluster.sliced(cluster.indexOf(u'c') + 1);
    const bool lettersOnly =
        std::all_of(rest.cbegin(), rest.cend(), [](QChar c) { return c.isLetter(); });
    return lettersOnly ? std::nullopt : std::optional(rest);
}

bool isShortCluster(const QString &token)
{
    return token.size() > 1 && token.at(0) == u'-' && token.at(1) != u'-';
}

std::optional<ShellPayload> posixPayload(const QString &shell, const QStringList &argv)
{
    static const QStringList s_payloadOptions{u"-c"_s, u"-lc"_s, u"--command"_s, u"--commands"_s,
                                              u"--cmdline"_s};
    static const QStringList s_valueOptions{u"-o"_s, u"-O"_s,       u"+o"_s,
                                            u"+O"_s, u"--rcfile"_s, u"--init-file"_s};
    ShellPayload payload;
    for (qsizetype at = 1; at < argv.size(); ++at) {
        const QString &token = argv.at(at);
        if (token == "--"_L1 || token.size() < 2
            || (!token.startsWith(u'-') && !token.startsWith(u'+'))) {
            return std::nullopt;
        }
        const bool isCluster = isShortCluster(token);
        const bool startsUp = token == "--login"_L1 || token == "--interactive"_L1
            || token.startsWith("--init"_L1) || token.startsWith("--rcfile"_L1)
            || (shell == "fish"_L1 && token.startsWith("-C"_L1));
        payload.loadsStartupFiles = payload.loadsStartupFiles || startsUp
            || (isCluster && (token.contains(u'l') || token.contains(u'i')));
        if (s_payloadOptions.contains(token) || (isCluster && token.contains(u'c'))) {
            const auto attached =
                s_payloadOptions.contains(token) ? std::nullopt : textAttachedToCluster(token);
            if (attached.has_value()) {
                return ShellPayload{*attached, payload.loadsStartupFiles || shell == "fish"_L1,
                                    at + 1 < argv.size()};
            }
            const qsizetype values = isCluster ? token.count(u'o', Qt::CaseInsensitive) : 0;
            const qsizetype textAt = at + 1 + values;
            if (textAt >= argv.size()) {
                return std::nullopt;
            }
            payload.text = argv.at(textAt);
            payload.hasArgumentsAfter = textAt + 1 < argv.size();
            return payload;
        }
        if (s_valueOptions.contains(token)) {
            ++at;
        }
    }
    return std::nullopt;
}

std::optional<ShellPayload> cmdPayload(const QStringList &argv)
{
    for (qsizetype at = 1; at < argv.size(); ++at) {
        const QString option = argv.at(at).toLower();
        if (option == "/c"_L1 || option == "/k"_L1 || option == "-c"_L1 || option == "-k"_L1) {
            return ShellPayload{argv.sliced(at + 1).join(u' '), false, false};
        }
    }
    return std::nullopt;
}

std::optional<ShellPayload> powerShellPayload(const QStringList &argv)
{
    static const QRegularExpression s_command(
        u"^(?:--?|/)(?:c|co|com|comm|comma|comman|command)$"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression s_plainFlag(u"^(?:--?|/)(?:nop\\w*|noni\\w*|nol\\w*)$"_s,
                                                QRegularExpression::CaseInsensitiveOption);
    for (qsizetype at = 1; at < argv.size(); ++at) {
        if (s_command.match(argv.at(at)).hasMatch()) {
            return ShellPayload{argv.sliced(at + 1).join(u' '), false, false};
        }
        if (!s_plainFlag.match(argv.at(at)).hasMatch()) {
            return std::nullopt; // another option: what it changes is not looked at
        }
    }
    return std::nullopt;
}

std::optional<ShellPayload> shellPayload(const QStringList &argv)
{
    const QString shell = argv.isEmpty() ? QString() : programName(argv.constFirst());
    if (!isShellName(shell) || shell == "csh"_L1 || shell == "tcsh"_L1 || shell == "osh"_L1) {
        return std::nullopt;
    }
    if (shell == "cmd"_L1) {
        return cmdPayload(argv);
    }
    return shell == "powershell"_L1 || shell == "pwsh"_L1 ? powerShellPayload(argv)
                                                          : posixPayload(shell, argv);
}

/// "/approve abc" gives true for ["/approve"]; `openclaw --x channels login` for the other.
bool isRefusedVerb(QStringList words)
{
    words.removeIf([](const QString &word) { return word.isEmpty(); });
    if (words.isEmpty()) {
        return false;
    }
    if (words.constFirst().compare("/approve"_L1, Qt::CaseInsensitive) == 0) {
        return true;
    }
    if (programName(words.constFirst()) != "openclaw"_L1) {
        return false;
    }
    words.removeFirst();
    words.removeIf([](const QString &word) { return word.startsWith(u'-'); });
    return words.value(0) == "channels"_L1 && words.value(1) == "login"_L1;
}

} // namespace

QString formatCommand(const QStringList &argv)
{
    QStringList tokens;
    tokens.reserve(argv.size());
    for (const QString &token : argv) {
        tokens.append(formatToken(token));
    }
    return tokens.join(u' ');
}

bool usesShell(const QStringList &argv)
{
    const QStringList inner = unwrapDispatch(argv).argv;
    return !inner.isEmpty() && isShellName(programName(inner.constFirst()));
}

std::optional<QString> commandPreview(const QStringList &argv,
                                      const std::optional<QString> &rawCommand)
{
    const UnwrappedCommand inner = unwrapDispatch(argv);
    const std::optional<ShellPayload> payload = shellPayload(inner.argv);
    if (!payload.has_value() || payload->hasArgumentsAfter || inner.hasEnvironmentPrelude) {
        return std::nullopt;
    }
    const QString text = trimmedForGateway(payload->text);
    if (text.isEmpty()) {
        return std::nullopt;
    }
    if (payload->loadsStartupFiles) {
        const bool isPlainLoginSh =
            programName(inner.argv.constFirst()) == "sh"_L1 && inner.argv.at(1) == "-lc"_L1;
        const QString raw = trimmedForGateway(rawCommand.value_or(QString()));
        if (!isPlainLoginSh || (raw != text && raw != formatCommand(argv))) {
            return std::nullopt;
        }
    }
    return text;
}

bool rawCommandMatches(const QStringList &argv, const QString &rawCommand)
{
    const QString raw = trimmedForGateway(rawCommand);
    return raw == trimmedForGateway(formatCommand(argv)) || raw == commandPreview(argv, rawCommand);
}

std::optional<QString> refusedOnEveryDoor(const QStringList &argv)
{
    static const QRegularExpression s_gap(u"\\s+"_s);
    constexpr qsizetype s_firstWords = 4096; // of a text that may be a megabyte
    const QStringList inner = unwrapDispatch(argv).argv;
    const std::optional<ShellPayload> payload = shellPayload(inner);
    const QStringList words =
        payload.has_value() ? payload->text.left(s_firstWords).split(s_gap) : inner;
    if (!isRefusedVerb(words)) {
        return std::nullopt;
    }
    return u"/approve and openclaw channels login are for a person, in a terminal or an approval "
           u"window, and are not run as commands"_s;
}

} // namespace telson::core
