// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/log.h"

#include "nodecore/base/path.h"

#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <QtCore/QFile>
#include <QtCore/QtLogging>

#include <array>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace telson::core {

namespace {

constexpr std::size_t s_fileBytes = 1024 * 1024;
constexpr std::size_t s_filesKept = 3;

constexpr std::array s_roomNames{"service", "storage", "identity", "gateway", "policy",
                                 "approval", "exec",    "host",     "control", "qt"};

spdlog::level::level_enum toSpdlog(LogLevel level)
{
    switch (level) {
    case LogLevel::Debug:
        return spdlog::level::debug;
    case LogLevel::Info:
        return spdlog::level::info;
    case LogLevel::Warn:
        return spdlog::level::warn;
    case LogLevel::Error:
        return spdlog::level::err;
    }
    return spdlog::level::err;
}

const std::string &nameOf(LogRoom room)
{
    static const std::array<std::string, s_roomNames.size()> names = [] {
        std::array<std::string, s_roomNames.size()> made;
        std::copy(s_roomNames.begin(), s_roomNames.end(), made.begin());
        return made;
    }();
    return names.at(static_cast<std::size_t>(room));
}

// Control, format and line characters would let a value forge or hide log text.
bool needsEscape(QChar character)
{
    switch (character.category()) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return false;
    }
}

QString printable(QStringView text)
{
    QString out;
    out.reserve(text.size());
    for (const QChar character : text) {
        if (needsEscape(character)) {
            out += u"\\u{%1}"_s.arg(character.unicode(), 0, 16);
        } else {
            out += character;
        }
    }
    return out;
}

QString quoted(const QString &value)
{
    QString shown = printable(value);
    if (!shown.isEmpty() && !shown.contains(u' ') && !shown.contains(u'"') && !shown.contains(u'=')) {
        return shown;
    }
    shown.replace(u'"', u"\\\""_s);
    return u'"' + shown + u'"';
}

void takeQtMessage(QtMsgType type, const QMessageLogContext & /*context*/, const QString &message)
{
    switch (type) {
    case QtDebugMsg:
    case QtInfoMsg:
        log(LogRoom::Qt, LogLevel::Debug, message);
        break;
    case QtWarningMsg:
        log(LogRoom::Qt, LogLevel::Warn, message);
        break;
    case QtCriticalMsg:
    case QtFatalMsg:
        log(LogRoom::Qt, LogLevel::Error, message);
        break;
    }
}

} // namespace

LogField::LogField(QStringView fieldKey, QStringView fieldValue)
    : key(fieldKey.toString()), value(fieldValue.toString())
{
}

LogField::LogField(QStringView fieldKey, const char16_t *fieldValue)
    : LogField(fieldKey, QStringView(fieldValue))
{
}

LogField::LogField(QStringView fieldKey, qint64 fieldValue)
    : key(fieldKey.toString()), value(QString::number(fieldValue))
{
}

LogField::LogField(QStringView fieldKey, int fieldValue)
    : LogField(fieldKey, static_cast<qint64>(fieldValue))
{
}

void startLogging(const LogTarget &target)
{
    std::vector<spdlog::sink_ptr> sinks;
    if (target.toStandardError) {
        sinks.push_back(std::make_shared<spdlog::sinks::stderr_sink_st>());
    }
    if (!target.file.empty()) {
        // spdlog throws when the file can't be opened: a service without a log file still runs.
        try {
            spdlog::file_event_handlers handlers;
            // Each rotated file is a new one; none of them is anybody else's business.
            handlers.after_open = [](const spdlog::filename_t &name, std::FILE * /*stream*/) {
                QFile::setPermissions(QString::fromStdString(name), QFile::ReadOwner | QFile::WriteOwner);
            };
            sinks.push_back(std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
                target.file.string(), s_fileBytes, s_filesKept, false, handlers));
        } catch (const spdlog::spdlog_ex &) {
            std::fputs("telson: the log file can't be written; logging to standard error only\n", stderr);
        }
    }
    auto logger = std::make_shared<spdlog::logger>("telson", sinks.begin(), sinks.end());
    logger->set_level(toSpdlog(target.level));
    logger->flush_on(spdlog::level::info);
    logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
    spdlog::set_default_logger(std::move(logger));
    qInstallMessageHandler(takeQtMessage);
}

void log(LogRoom room, LogLevel level, QStringView message, std::initializer_list<LogField> fields)
{
    spdlog::logger *logger = spdlog::default_logger_raw();
    if (logger == nullptr || !logger->should_log(toSpdlog(level))) {
        return;
    }
    QString line = printable(message);
    for (const LogField &field : fields) {
        line += u' ' + field.key + u'=' + quoted(field.value);
    }
    logger->log(toSpdlog(level), "{}: {}", nameOf(room), line.toStdString());
}

} // namespace telson::core
