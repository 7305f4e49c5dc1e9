// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "app/cli/cli.h"

#include "nodecore/base/path.h"
#include "nodecore/base/privatefiles.h"
#include "nodecore/base/systemclock.h"
#include "nodecore/storage/profilepaths.h"
#include "platform/factory.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>

#include <cstdio>
#include <exception>
#include <utility>

using namespace Qt::StringLiterals;
using namespace telson;

namespace {

class StandardOutput final : public app::Output
{
public:
    void out(const QString &line) override { write(stdout, line); }
    void error(const QString &line) override { write(stderr, line); }

private:
    static void write(FILE *stream, const QString &line)
    {
        const QByteArray bytes = line.toLocal8Bit() + '\n';
        std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stream);
        std::fflush(stream);
    }
};

int runTelson(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(u"telson"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(TELSON_VERSION));

    core::SystemClock clock;
    const auto files = platform::makePrivateFiles();
    StandardOutput output;
    const auto environment = QProcessEnvironment::systemEnvironment();
    app::CliContext context{
        .files = *files,
        .clock = clock,
        .output = output,
        .environment = environment,
        .profile = core::profileFolder(environment, QDir::homePath()),
        .runtimeFolder = core::toPath(environment.value(u"XDG_RUNTIME_DIR"_s)),
    };
    return std::to_underlying(
        app::runCommandLine(QCoreApplication::arguments().mid(1), context));
}

} // namespace

int main(int argc, char **argv)
{
    // No function of ours throws; what libraries throw ends here, with a message instead of a core.
    try {
        return runTelson(argc, argv);
    } catch (const std::exception &exception) {
        std::fprintf(stderr, "telson: an unexpected error ended the program: %s\n", exception.what());
    } catch (...) {
        std::fputs("telson: an unexpected error ended the program\n", stderr);
    }
    return std::to_underlying(app::ExitCode::Failed);
}
