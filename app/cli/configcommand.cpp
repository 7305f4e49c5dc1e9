// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "app/cli/commands.h"
#include "app/cli/options.h"

#include "nodecore/base/path.h"
#include "nodecore/base/privatefiles.h"
#include "nodecore/storage/profilepaths.h"
#include "nodecore/storage/settingsfile.h"
#include "nodecore/storage/settingvalues.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace telson::app {

namespace {

QJsonValue toJsonValue(const QByteArray &json)
{
    // QJsonDocument reads only whole documents; in a list every value is one.
    return QJsonDocument::fromJson('[' + json + ']').array().at(0);
}

ExitCode failed(const core::Error &error, CliContext &context)
{
    context.output.error(u"telson config: "_s + error.message);
    if (error.code == core::ErrorCode::Denied) {
        return ExitCode::Denied;
    }
    return error.code == core::ErrorCode::InvalidArgument ? ExitCode::Usage : ExitCode::Failed;
}

ExitCode printValues(const ParsedOptions &options, const core::SettingsFile &file, CliContext &context)
{
    const auto values = file.values();
    if (!values) {
        return failed(values.error(), context);
    }
    const QString wanted = options.arguments.value(1);
    QList<core::SettingValue> shown;
    std::ranges::copy_if(*values, std::back_inserter(shown), [&](const core::SettingValue &value) {
        return wanted.isEmpty() || value.key == wanted || value.key.startsWith(wanted + u'.');
    });
    if (shown.isEmpty()) {
        return failed({core::ErrorCode::InvalidArgument,
                       u"there is no setting '%1'; 'telson config get' lists them"_s.arg(wanted)},
                      context);
    }
    if (options.json) {
        QJsonObject object;
        for (const core::SettingValue &value : std::as_const(shown)) {
            object.insert(value.key, toJsonValue(value.json));
        }
        printJson(context.output, object);
        return ExitCode::Ok;
    }
    if (shown.size() == 1 && shown.constFirst().key == wanted) {
        context.output.out(QString::fromUtf8(shown.constFirst().json));
        return ExitCode::Ok;
    }
    for (const core::SettingValue &value : std::as_const(shown)) {
        context.output.out(u"%1 = %2"_s.arg(value.key, QString::fromUtf8(value.json)));
    }
    return ExitCode::Ok;
}

ExitCode printKeys(const ParsedOptions &options, CliContext &context)
{
    QJsonArray array;
    for (const core::SettingHelp &setting : core::describeSettings()) {
        if (options.json) {
            array += QJsonObject{{u"key"_s, setting.key},
                                 {u"allowed"_s, setting.allowed},
                                 {u"default"_s, toJsonValue(setting.defaultJson)},
                                 {u"description"_s, setting.description}};
            continue;
        }
        context.output.out(setting.key);
        context.output.out(u"    "_s + setting.description);
        context.output.out(u"    %1; default %2"_s.arg(setting.allowed,
                                                       QString::fromUtf8(setting.defaultJson)));
    }
    if (options.json) {
        printJson(context.output, array);
    }
    return ExitCode::Ok;
}

} // namespace

ExitCode runConfig(const QStringList &arguments, CliContext &context)
{
    const CommandUsage usage{
        .name = u"config"_s,
        .arguments = u"get [KEY] | set KEY VALUE | reset KEY | keys"_s,
        .description =
            u"Reads and changes telson.json. 'keys' says what there is and what each may be. A service\n"
            "that runs adopts a stricter exec.mode at once; everything else counts from its next start."_s,
        .examples = {u"telson config get exec.mode"_s, u"telson config set exec.mode full"_s,
                     u"telson config set node.displayName \"Ada's desk\""_s,
                     u"telson config keys"_s},
        .leastArguments = 1,
        .mostArguments = 3};
    const auto options = parseOptions(usage, arguments, context);
    if (!options) {
        return options.error();
    }
    const QStringList &words = options->arguments;
    const QString &verb = words.constFirst();
    core::SettingsFile file(context.files, core::profilePaths(context.profile).settings);
    if (verb == "get"_L1 && words.size() <= 2) {
        return printValues(*options, file, context);
    }
    if (verb == "keys"_L1 && words.size() == 1) {
        return printKeys(*options, context);
    }
    core::Result<void> changed;
    if (verb == "set"_L1 && words.size() == 3) {
        changed = context.files.makeFolder(context.profile).and_then([&] {
            return file.setValue(words.at(1), words.at(2));
        });
    } else if (verb == "reset"_L1 && words.size() == 2) {
        changed = file.resetValue(words.at(1));
    } else {
        context.output.error(u"telson config: expected %1"_s.arg(usage.arguments));
        return ExitCode::Usage;
    }
    if (!changed) {
        return failed(changed.error(), context);
    }
    if (options->json) {
        printJson(context.output, QJsonObject{{u"changed"_s, words.at(1)}});
    } else {
        context.output.out(
            u"Changed %1. A service that runs counts it from its next start on, a stricter exec.mode "
            "at once."_s.arg(words.at(1)));
    }
    return ExitCode::Ok;
}

} // namespace telson::app
