// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/settingskeys.h"

#include <algorithm>
#include <type_traits>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace telson::core {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds s_day = 24h;

template <auto field>
WordSetting words(const QStringList &inOrder)
{
    using Enumeration = std::remove_reference_t<decltype(field(std::declval<Settings &>()))>;
    return {inOrder, [](Settings &settings) { return static_cast<qsizetype>(field(settings)); },
            [](Settings &settings, qsizetype index) {
                field(settings) = static_cast<Enumeration>(index);
            }};
}

QStringList modeWords()
{
    return {toString(ExecMode::Deny), toString(ExecMode::Allowlist), toString(ExecMode::Ask),
            toString(ExecMode::Auto), toString(ExecMode::Full)};
}

// The bounds are the reference's clamps where it has any (node-commands.md), else only a guard
// against slips such as a number of hours in a field of milliseconds.
void addNodeAndApproval(QList<SettingKey> &keys)
{
    keys.append({u"node.displayName"_s,
                 TextSetting([](Settings &s) -> QString & { return s.node.displayName; },
                             TextShape::Line, true),
                 u"name of this machine at the gateway; null = the host name"_s});
    keys.append({u"node.enabled"_s,
                 FlagSetting([](Settings &s) -> bool & { return s.node.isEnabled; }),
                 u"whether gateways may run commands here; false = connect to none"_s});
    keys.append({u"approval.where"_s,
                 words<[](Settings &s) -> ApprovalPlace & { return s.approval.where; }>(
                     {u"auto"_s, u"here"_s, u"gateway"_s}),
                 u"where a person is asked: at this machine, at the gateway, or whichever fits"_s});
    keys.append({u"approval.timeoutMs"_s,
                 DurationSetting([](Settings &s) -> milliseconds & { return s.approval.timeout; },
                                 1ms, 1s, s_day),
                 u"how long a question stays open"_s});
    keys.append({u"approval.remoteAlways"_s,
                 words<[](Settings &s) -> RemoteAlways & { return s.approval.remoteAlways; }>(
                     {u"confirm-here"_s, u"accept"_s}),
                 u"an 'always' decided elsewhere is confirmed here first, or accepted"_s});
    keys.append({u"approval.lockEndsGrants"_s,
                 FlagSetting([](Settings &s) -> bool & { return s.approval.lockEndsGrants; }),
                 u"locking the screen ends grants for a time or a session"_s});
    keys.append({u"approval.remindMs"_s,
                 DurationSetting([](Settings &s) -> milliseconds & { return s.approval.remind; },
                                 1ms, 0ms, s_day),
                 u"time between reminders of an open question; 0 = none"_s});
    keys.append({u"approval.quietAfter"_s,
                 NumberSetting([](Settings &s) -> int & { return s.approval.quietAfter; }, 0, 1000),
                 u"number of reminders after which it stays quiet"_s});
}

void addExec(QList<SettingKey> &keys)
{
    keys.append({u"exec.mode"_s,
                 words<[](Settings &s) -> ExecMode & { return s.exec.mode; }>(modeWords()),
                 u"what may run here; the approvals document can only tighten it"_s});
    keys.append({u"exec.timeoutSeconds"_s,
                 DurationSetting([](Settings &s) -> milliseconds & { return s.exec.timeout; }, 1s,
                                 1s, 7 * s_day),
                 u"deadline of a command that brings none"_s});
    keys.append({u"exec.backgroundMs"_s,
                 DurationSetting([](Settings &s) -> milliseconds & { return s.exec.background; },
                                 1ms, 10ms, 120s),
                 u"after which a tool's command goes on in the background"_s});
    keys.append({u"exec.cleanupMs"_s,
                 DurationSetting([](Settings &s) -> milliseconds & { return s.exec.cleanup; }, 1ms,
                                 1min, 3h),
                 u"how long the output of a finished session is kept"_s});
    keys.append(
        {u"exec.maxOutputChars"_s,
         NumberSetting([](Settings &s) -> int & { return s.exec.maxOutputChars; }, 1000, 200'000),
         u"output kept of one session, in characters"_s});
    keys.append({u"exec.pendingMaxOutputChars"_s,
                 NumberSetting([](Settings &s) -> int & { return s.exec.pendingMaxOutputChars; },
                               1000, 200'000),
                 u"output kept until the next poll, in characters"_s});
    keys.append({u"exec.inputWaitIdleMs"_s,
                 DurationSetting([](Settings &s) -> milliseconds & { return s.exec.inputWaitIdle; },
                                 1ms, 1s, 10min),
                 u"silence after which a session counts as waiting for input"_s});
    keys.append({u"exec.notifyOnExit"_s,
                 FlagSetting([](Settings &s) -> bool & { return s.exec.notifyOnExit; }),
                 u"tell the agent when a background session ends"_s});
    keys.append({u"exec.notifyOnExitEmptySuccess"_s,
                 FlagSetting([](Settings &s) -> bool & { return s.exec.notifyOnExitEmptySuccess; }),
                 u"also when it succeeded without output"_s});
    keys.append(
        {u"exec.approvalRunningNoticeMs"_s,
         DurationSetting([](Settings &s) -> milliseconds & { return s.exec.approvalRunningNotice; },
                         1ms, 0ms, s_day),
         u"after which an approved command that still runs is announced; 0 = never"_s});
    keys.append({u"exec.strictInlineEval"_s,
                 FlagSetting([](Settings &s) -> bool & { return s.exec.strictInlineEval; }),
                 u"always ask for code on the command line, such as python -c"_s});
    keys.append({u"exec.pathPrepend"_s,
                 TextListSetting([](Settings &s) -> QStringList & { return s.exec.pathPrepend; },
                                 TextShape::Path),
                 u"folders to look for programs in before PATH"_s});
    keys.append(
        {u"exec.shell"_s,
         TextSetting([](Settings &s) -> QString & { return s.exec.shell; }, TextShape::Path, true),
         u"shell of the tools; null = SHELL"_s});
    keys.append({u"exec.maxConcurrent"_s,
                 NumberSetting([](Settings &s) -> int & { return s.exec.maxConcurrent; }, 1, 1024),
                 u"commands that may run at the same time"_s});
    keys.append({u"exec.safeBins"_s,
                 TextListSetting([](Settings &s) -> QStringList & { return s.exec.safeBins; },
                                 TextShape::Line),
                 u"programs that may filter a stream without being asked for"_s});
    keys.append(
        {u"exec.safeBinTrustedDirs"_s,
         TextListSetting([](Settings &s) -> QStringList & { return s.exec.safeBinTrustedDirs; },
                         TextShape::Path),
         u"folders in which these programs have to lie"_s});
    keys.append({u"exec.safeBinProfiles"_s,
                 ObjectSetting([](Settings &s) -> QByteArray & { return s.exec.safeBinProfiles; }),
                 u"which options these programs may have"_s});
}

void addToolsAndReviewer(QList<SettingKey> &keys)
{
    keys.append({u"tools.publish"_s,
                 FlagSetting([](Settings &s) -> bool & { return s.tools.isPublished; }),
                 u"offer this machine's tools to the gateway's agents"_s});
    keys.append({u"tools.process"_s,
                 FlagSetting([](Settings &s) -> bool & { return s.tools.hasProcess; }),
                 u"with the process tool"_s});
    keys.append({u"tools.workspace"_s,
                 TextSetting([](Settings &s) -> QString & { return s.tools.workspace; },
                             TextShape::Path, true),
                 u"folder in which apply_patch may write; null = none"_s});
    keys.append({u"tools.applyPatch.enabled"_s,
                 FlagSetting([](Settings &s) -> bool & { return s.tools.hasApplyPatch; }),
                 u"with the apply_patch tool"_s});
    keys.append({u"tools.applyPatch.workspaceOnly"_s, FlagSetting([](Settings &s) -> bool & {
                     return s.tools.isApplyPatchWorkspaceOnly;
                 }),
                 u"apply_patch stays inside the workspace"_s});
    keys.append({u"reviewer.command"_s,
                 TextSetting([](Settings &s) -> QString & { return s.reviewer.command; },
                             TextShape::Path, true),
                 u"program that reviews commands in mode auto; null = none"_s});
    keys.append({u"reviewer.url"_s,
                 TextSetting([](Settings &s) -> QString & { return s.reviewer.url; },
                             TextShape::Line, true),
                 u"or the address of a reviewing model"_s});
    keys.append({u"reviewer.model"_s,
                 TextSetting([](Settings &s) -> QString & { return s.reviewer.model; },
                             TextShape::Line, true),
                 u"its name there"_s});
    keys.append({u"reviewer.timeoutMs"_s,
                 DurationSetting([](Settings &s) -> milliseconds & { return s.reviewer.timeout; },
                                 1ms, 1s, 10min),
                 u"how long a review may take"_s});
}

void addDoorsAndUi(QList<SettingKey> &keys)
{
    keys.append({u"mcp.http.enabled"_s,
                 FlagSetting([](Settings &s) -> bool & { return s.mcp.isHttpEnabled; }),
                 u"serve the tools to MCP clients over HTTP on this machine"_s});
    keys.append({u"mcp.http.port"_s,
                 NumberSetting([](Settings &s) -> int & { return s.mcp.httpPort; }, 0, 65535),
                 u"its port; 0 = any free one"_s});
    keys.append({u"secrets.backend"_s,
                 words<[](Settings &s) -> SecretBackend & { return s.secretBackend; }>(
                     {u"keychain"_s, u"file"_s}),
                 u"where keys and tokens are kept: the system's keychain, or secrets.json"_s});
    keys.append({u"ui.language"_s,
                 TextSetting([](Settings &s) -> QString & { return s.ui.language; },
                             TextShape::Line, false),
                 u"language of the windows, such as de; system = the system's"_s});
    keys.append({u"ui.theme"_s,
                 words<[](Settings &s) -> UiTheme & { return s.ui.theme; }>(
                     {u"system"_s, u"light"_s, u"dark"_s}),
                 u"look of the windows"_s});
    keys.append({u"ui.autostart"_s,
                 FlagSetting([](Settings &s) -> bool & { return s.ui.autostart; }),
                 u"start the tray when the user logs in"_s});
    keys.append({u"ui.globalShortcut"_s,
                 TextSetting([](Settings &s) -> QString & { return s.ui.globalShortcut; },
                             TextShape::Line, true),
                 u"key that opens the popup from anywhere; null = none"_s});
}

struct AllowedValues
{
    QString operator()(const FlagSetting & /*kind*/) const
    {
        return u"true or false"_s;
    }
    QString operator()(const NumberSetting &kind) const
    {
        return range(kind.least, kind.most);
    }
    QString operator()(const DurationSetting &kind) const
    {
        const QString unit = kind.unit == 1s ? u"seconds"_s : u"milliseconds"_s;
        return u"%1 (%2)"_s.arg(range(kind.least / kind.unit, kind.most / kind.unit), unit);
    }
    QString operator()(const TextSetting &kind) const
    {
        const QString what = kind.shape == TextShape::Path ? u"the text of an absolute path"_s
                                                           : u"a text of one line"_s;
        return kind.isOptional ? what + u" or null"_s : what;
    }
    QString operator()(const TextListSetting &kind) const
    {
        return kind.shape == TextShape::Path ? u"a list of absolute paths"_s
                                             : u"a list of texts of one line"_s;
    }
    QString operator()(const WordSetting &kind) const
    {
        return u"one of "_s + kind.words.join(u", "_s);
    }
    QString operator()(const ObjectSetting & /*kind*/) const
    {
        return u"an object of objects"_s;
    }

private:
    static QString range(qint64 least, qint64 most)
    {
        return u"a whole number from %1 to %2"_s.arg(least).arg(most);
    }
};

} // namespace

const QList<SettingKey> &settingKeys()
{
    static const QList<SettingKey> keys = [] {
        QList<SettingKey> made;
        addNodeAndApproval(made);
        addExec(made);
        addToolsAndReviewer(made);
        addDoorsAndUi(made);
        return made;
    }();
    return keys;
}

const SettingKey *findSettingKey(QStringView name)
{
    const QList<SettingKey> &keys = settingKeys();
    const auto found = std::ranges::find(keys, name, &SettingKey::name);
    return found == keys.cend() ? nullptr : &*found;
}

bool isSettingSection(QStringView name)
{
    return std::ranges::any_of(settingKeys(), [name](const SettingKey &key) {
        return key.name.size() > name.size() && key.name.startsWith(name)
            && key.name.at(name.size()) == u'.';
    });
}

QString allowedValues(const SettingKey &key)
{
    return std::visit(AllowedValues(), key.kind);
}

} // namespace telson::core
