// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/environment.h"

#include "nodecore/policy/environmentnames.h"

#include <algorithm>
#include <filesystem>
#include <type_traits>
#include <utility>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

constexpr auto s_marker = "OPENCLAW_CLI"_L1;
constexpr auto s_defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"_L1;

bool isNameStart(QChar c)
{
    return (c >= u'A' && c <= u'Z') || (c >= u'a' && c <= u'z') || c == u'_';
}

bool isNamePart(QChar c)
{
    return isNameStart(c) || (c >= u'0' && c <= u'9');
}

/// `[A-Za-z_][A-Za-z0-9_]*`; for Windows names such as ProgramFiles(x86) also parentheses.
bool isPortableName(QStringView name, bool parentheses)
{
    if (name.isEmpty() || !isNameStart(name.front())) {
        return false;
    }
    return std::ranges::all_of(name.sliced(1), [parentheses](QChar c) {
        return isNamePart(c) || (parentheses && (c == u'(' || c == u')'));
    });
}

/// Switching the pager off is harmless, naming another program as one is not.
bool isNoPager(QStringView upperName, const QString &value)
{
    return (upperName == "PAGER"_L1 || upperName == "GIT_PAGER"_L1)
        && (value.isEmpty() || value == "cat"_L1);
}

bool isBlockedAsOverride(QStringView upperName, EnvironmentRules rules)
{
    return upperName == "PATH"_L1 || isAlwaysBlockedName(upperName)
        || isBlockedOverrideName(upperName) || isWithheldName(upperName)
        || (rules == EnvironmentRules::Windows && isWindowsLaunchName(upperName));
}

QString safeGitProtocols(const QString &list)
{
    QStringList safe;
    for (const QString &word : list.split(u':')) {
        const QString protocol = word.trimmed();
        if (protocol == "git"_L1 || protocol == "http"_L1 || protocol == "https"_L1
            || protocol == "ssh"_L1) {
            safe.append(protocol);
        }
    }
    return safe.join(u':');
}

/// Git's own reading of a boolean: yes, true, on or a number other than zero, perhaps with a unit.
bool isTrueForGit(const QString &value)
{
    const QString word = value.trimmed().toLower();
    if (word == "true"_L1 || word == "yes"_L1 || word == "on"_L1) {
        return true;
    }
    // Anything that starts like a number and holds a digit other than 0 counts, "0x10" and "1k"
    // too.
    const QStringView digits = (word.startsWith(u'-') || word.startsWith(u'+'))
        ? QStringView(word).sliced(1)
        : QStringView(word);
    return !digits.isEmpty() && digits.front().isDigit()
        && std::ranges::any_of(digits, [](QChar c) { return c.isLetterOrNumber() && c != u'0'; });
}

void sortUnique(QStringList &list)
{
    list.sort();
    list.erase(std::ranges::unique(list).begin(), list.end());
}

QString blockedPart(const QString &what, const QStringList &keys)
{
    return keys.isEmpty() ? QString() : u"%1: %2"_s.arg(what, keys.join(", "_L1));
}

void setVariable(Environment &environment, const QString &name, const QString &value,
                 EnvironmentRules rules)
{
    if (rules == EnvironmentRules::Windows) {
        // One variable whatever the case: two of them would leave the choice to the program.
        environment.removeIf([&name](const auto &entry) {
            return entry.key().compare(name, Qt::CaseInsensitive) == 0;
        });
    }
    environment.insert(name, value);
}

} // namespace

EnvironmentRules nativeEnvironmentRules()
{
    constexpr bool isWindows = std::is_same_v<std::filesystem::path::value_type, wchar_t>;
    return isWindows ? EnvironmentRules::Windows : EnvironmentRules::Posix;
}

Environment filteredEnvironment(const Environment &own)
{
    Environment filtered;
    for (auto it = own.cbegin(); it != own.cend(); ++it) {
        const QString name = it.key().trimmed();
        const QString upperName = name.toUpper();
        if (upperName == "GIT_ALLOW_PROTOCOL"_L1) {
            filtered.insert(name, safeGitProtocols(it.value()));
        } else if (upperName == "GIT_PROTOCOL_FROM_USER"_L1) {
            filtered.insert(name, isTrueForGit(it.value()) ? u"0"_s : it.value());
        } else if (!name.isEmpty() && !isBlockedInheritedName(upperName)
                   && !isWithheldName(upperName)) {
            filtered.insert(name, it.value());
        }
    }
    return filtered;
}

Environment inheritedEnvironment(const Environment &own, EnvironmentRules rules)
{
    Environment inherited = filteredEnvironment(own);
    if (rules == EnvironmentRules::Posix && inherited.value(u"PATH"_s).isEmpty()) {
        inherited.insert(u"PATH"_s, s_defaultPath);
    }
    return inherited;
}

EnvironmentVerdict judgeOverrides(const Environment &overrides, EnvironmentRules rules)
{
    EnvironmentVerdict verdict;
    for (auto it = overrides.cbegin(); it != overrides.cend(); ++it) {
        const QString name = it.key().trimmed();
        const QString upperName = name.toUpper();
        if (!isPortableName(name, true)) {
            verdict.invalidKeys.append(name);
        } else if (isNoPager(upperName, it.value())) {
            verdict.accepted.insert(name, u""_s);
        } else if (isBlockedAsOverride(upperName, rules)) {
            verdict.blockedKeys.append(upperName);
        } else {
            verdict.accepted.insert(name, it.value());
        }
    }
    sortUnique(verdict.blockedKeys);
    sortUnique(verdict.invalidKeys);
    return verdict;
}

Environment shellWrapperOverrides(const Environment &overrides)
{
    Environment left;
    for (auto it = overrides.cbegin(); it != overrides.cend(); ++it) {
        const QString name = it.key().trimmed();
        const QString upperName = name.toUpper();
        if (!isPortableName(name, false)) {
            continue;
        }
        if (isNoPager(upperName, it.value())) {
            left.insert(name, u""_s);
        } else if (isShellWrapperName(upperName)) {
            left.insert(name, it.value());
        }
    }
    return left;
}

Result<Environment> commandEnvironment(const Environment &inherited, const Environment &overrides,
                                       bool isShellWrapper, EnvironmentRules rules)
{
    const EnvironmentVerdict verdict = judgeOverrides(overrides, rules);
    if (!verdict.isClean()) {
        QStringList parts{
            blockedPart(u"blocked override keys"_s, verdict.blockedKeys),
            blockedPart(u"invalid non-portable override keys"_s, verdict.invalidKeys)};
        parts.removeAll(QString());
        return fail(
            ErrorCode::InvalidArgument,
            u"SYSTEM_RUN_DENIED: environment override rejected (%1)"_s.arg(parts.join("; "_L1)));
    }
    Environment environment = inherited;
    const Environment applied =
        isShellWrapper ? shellWrapperOverrides(overrides) : verdict.accepted;
    for (auto it = applied.cbegin(); it != applied.cend(); ++it) {
        setVariable(environment, it.key(), it.value(), rules);
    }
    setVariable(environment, s_marker, u"1"_s, rules);
    return environment;
}

Result<void> checkEnvAssignments(const QStringList &argv, EnvironmentRules rules)
{
    QStringList blocked;
    for (const QString &key : envAssignmentKeys(argv)) {
        const QString upperName = key.toUpper();
        if (isBlockedAsOverride(upperName, rules)) {
            blocked.append(upperName);
        }
    }
    if (blocked.isEmpty()) {
        return {};
    }
    sortUnique(blocked);
    return fail(ErrorCode::InvalidArgument,
                u"SYSTEM_RUN_DENIED: command env assignment rejected (%1)"_s.arg(
                    blockedPart(u"blocked env assignment keys"_s, blocked)));
}

} // namespace telson::core
