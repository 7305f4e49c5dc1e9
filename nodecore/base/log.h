// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include <QtCore/QString>

#include <filesystem>
#include <initializer_list>

namespace telson::core {

/// One logger a room. `Qt` takes what Qt itself prints.
enum class LogRoom { Service, Storage, Identity, Gateway, Policy, Approval, Exec, Host, Control, Qt };

enum class LogLevel {
    Debug,
    Info,  ///< a state change
    Warn,  ///< odd, handled
    Error, ///< the user lost something
};

/// One `key=value` of a log line. Never a token, key, environment value, output or whole frame.
struct LogField
{
    LogField(QStringView fieldKey, QStringView fieldValue);
    LogField(QStringView fieldKey, const char16_t *fieldValue);
    LogField(QStringView fieldKey, qint64 fieldValue);
    LogField(QStringView fieldKey, int fieldValue);

    QString key;
    QString value;
};

/// Where log lines go. Call once from `main`, before any other thread starts.
struct LogTarget
{
    std::filesystem::path file; ///< rotated at 1 MiB, three kept; empty = standard error only
    LogLevel level = LogLevel::Info;
    bool toStandardError = true;
};
void startLogging(const LogTarget &target);

/// Writes `message`, then the fields as `key=value`, quoted where a value has spaces or control
/// characters (which are escaped, so that a value can't forge a line).
void log(LogRoom room, LogLevel level, QStringView message, std::initializer_list<LogField> fields = {});

inline void logDebug(LogRoom room, QStringView message, std::initializer_list<LogField> fields = {})
{
    log(room, LogLevel::Debug, message, fields);
}
inline void logInfo(LogRoom room, QStringView message, std::initializer_list<LogField> fields = {})
{
    log(room, LogLevel::Info, message, fields);
}
inline void logWarn(LogRoom room, QStringView message, std::initializer_list<LogField> fields = {})
{
    log(room, LogLevel::Warn, message, fields);
}
inline void logError(LogRoom room, QStringView message, std::initializer_list<LogField> fields = {})
{
    log(room, LogLevel::Error, message, fields);
}

} // namespace telson::core
