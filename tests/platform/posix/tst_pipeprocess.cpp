// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "platform/posix/pipeprocess.h"
#include "platform/posix/platformprocessfactory.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

#include <optional>

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace telson::core;
using telson::platform::PipeProcess;

namespace {

struct Finished
{
    QString output;
    QString errors;
    std::optional<ExitStatus> status;
    std::optional<StartError> error;
};

Finished run(const CommandSpec &spec)
{
    PipeProcess process;
    Finished finished;
    QByteArray output;
    QByteArray errors;
    QObject::connect(&process, &ChildProcess::outputReceived, &process,
                     [&](OutputChannel channel, QByteArrayView bytes) {
                         (channel == OutputChannel::StandardOutput ? output : errors).append(bytes);
                     });
    QObject::connect(&process, &ChildProcess::exited, &process,
                     [&](const ExitStatus &status) { finished.status = status; });
    QObject::connect(&process, &ChildProcess::failedToStart, &process,
                     [&](const StartError &error) { finished.error = error; });
    process.start(spec);
    (void)QTest::qWaitFor([&] {
        return process.state() == ChildProcess::State::Finished
            || process.state() == ChildProcess::State::Failed;
    });
    finished.output = QString::fromUtf8(output);
    finished.errors = QString::fromUtf8(errors);
    return finished;
}

/// What one call needs while a limit or a descriptor is taken away from this process.
class Restore final
{
public:
    explicit Restore(std::function<void()> action) : m_action(std::move(action))
    {
    }
    ~Restore()
    {
        m_action();
    }
    Q_DISABLE_COPY_MOVE(Restore)

private:
    std::function<void()> m_action;
};

void writeFile(const QString &path, const QByteArray &content, mode_t mode)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    QCOMPARE(::chmod(QFile::encodeName(path).constData(), mode), 0);
}

} // namespace

class PipeProcessTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void passesArgumentsOnAsTheyAre();
    void givesExactlyTheEnvironment();
    void entersTheFolder();
    void comparesTheFolderBeforeItEnters();
    void leadsASessionAndGroupOfItsOwn();
    void hasNothingToRead();
    void hasOnlyTheStandardDescriptors();
    void resetsSignals();
    void worksWithoutStandardDescriptors();
    void looksProgramsUpInTheCommandsOwnPath();
    void looksRelativePathEntriesUpInTheFolder();
    void runsARelativeProgramFromTheFolder();
    void keepsTheNameItWasCalledBy();
    void refusesWhatCantBeStarted_data();
    void refusesWhatCantBeStarted();
    void refusesTextThatWouldArriveChanged_data();
    void refusesTextThatWouldArriveChanged();
    void survivesAShortageOfDescriptors();
    void seesTheEndThoughSigchldWasIgnored();

private:
    [[nodiscard]] CommandSpec scene(const QStringList &words) const;

    QTemporaryDir m_folder;
    QString m_canonicalFolder = QDir(m_folder.path()).canonicalPath();
};

CommandSpec PipeProcessTest::scene(const QStringList &words) const
{
    return {.argv = QStringList{QStringLiteral(TELSON_CHILDAPP)} + words,
            .folder = m_canonicalFolder,
            .folderIdentity = std::nullopt,
            .environment = {}};
}

void PipeProcessTest::passesArgumentsOnAsTheyAre()
{
    const QStringList words{u""_s,     u" a  b "_s, u"\"'\\$x*"_s, u"line\nbreak"_s,
                            u"ä€😀"_s, u"-x"_s};
    QCOMPARE(run(scene(QStringList{u"args"_s} + words)).output, QString(words.join(u'\n') + u'\n'));
}

void PipeProcessTest::givesExactlyTheEnvironment()
{
    qputenv("TELSON_TEST_SECRET", "x");
    CommandSpec spec = scene({u"env"_s});
    spec.environment = {{u"A"_s, u"1"_s}, {u"EMPTY"_s, u""_s}, {u"U"_s, u"ä=b"_s}};
    const Finished finished = run(spec);
    QCOMPARE(finished.output, u"A=1\nEMPTY=\nU=ä=b\n"_s);
}

void PipeProcessTest::entersTheFolder()
{
    QCOMPARE(run(scene({u"cwd"_s})).output, QString(m_canonicalFolder + u'\n'));
}

void PipeProcessTest::comparesTheFolderBeforeItEnters()
{
    struct stat status = {};
    QCOMPARE(::stat(QFile::encodeName(m_canonicalFolder).constData(), &status), 0);
    CommandSpec spec = scene({u"cwd"_s});
    spec.folderIdentity = FolderIdentity{status.st_dev, status.st_ino};
    QCOMPARE(run(spec).output, QString(m_canonicalFolder + u'\n'));

    spec.folderIdentity->inode += 1;
    const Finished other = run(spec);
    QVERIFY(other.error.has_value());
    QCOMPARE(other.error->reason, StartFailure::FolderChanged);
}

void PipeProcessTest::leadsASessionAndGroupOfItsOwn()
{
    const QStringList ids = run(scene({u"ids"_s})).output.trimmed().split(u' ');
    QCOMPARE(ids.size(), 3);
    QCOMPARE(ids[1], ids[0]);
    QCOMPARE(ids[2], ids[0]);
    QVERIFY(ids[0].toInt() != ::getpid());
}

void PipeProcessTest::hasNothingToRead()
{
    QCOMPARE(run(scene({u"stdin"_s})).output, u"read 0\n"_s);
}

void PipeProcessTest::hasOnlyTheStandardDescriptors()
{
    // One that is inherited, because nobody asked for close-on-exec.
    const int open = ::open("/dev/null", O_RDONLY);
    const int high = ::fcntl(open, F_DUPFD, 700);
    const Restore restore([=] {
        ::close(open);
        ::close(high);
    });
    QVERIFY(high >= 700);
    QCOMPARE(run(scene({u"fds"_s})).output, u"0\n1\n2\n"_s);
}

void PipeProcessTest::resetsSignals()
{
    sigset_t blocked;
    sigset_t before;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGUSR1);
    ::sigprocmask(SIG_BLOCK, &blocked, &before);
    const auto oldHandler = std::signal(SIGPIPE, SIG_IGN);
    const Restore restore([&] {
        ::sigprocmask(SIG_SETMASK, &before, nullptr);
        (void)std::signal(SIGPIPE, oldHandler);
    });
    const Finished finished = run(scene({u"signals"_s}));
    QCOMPARE(finished.output, QString());
    QCOMPARE(finished.status->exitCode, 0);
}

void PipeProcessTest::worksWithoutStandardDescriptors()
{
    int saved[3] = {};
    for (int i = 0; i < 3; ++i) {
        saved[i] = ::fcntl(i, F_DUPFD_CLOEXEC, 100);
    }
    Finished finished;
    Finished failed;
    {
        const Restore restore([&] {
            for (int i = 0; i < 3; ++i) {
                ::dup2(saved[i], i);
                ::close(saved[i]);
            }
        });
        for (int i = 0; i < 3; ++i) {
            ::close(i);
        }
        finished = run(scene({u"fds"_s}));
        failed = run(scene({u"err"_s, u"oops"_s}));
    }
    QCOMPARE(finished.output, u"0\n1\n2\n"_s);
    QCOMPARE(failed.errors, u"oops\n"_s);
}

void PipeProcessTest::looksProgramsUpInTheCommandsOwnPath()
{
    const QDir folder(m_canonicalFolder);
    QVERIFY(folder.mkpath(u"a/tool"_s)); // a folder of that name does not count
    QVERIFY(folder.mkpath(u"b"_s));
    QVERIFY(folder.mkpath(u"c"_s));
    writeFile(folder.filePath(u"b/tool"_s), "#!/bin/sh\necho b\n", 0644); // nor does a plain file
    writeFile(folder.filePath(u"c/tool"_s), "#!/bin/sh\necho c\n", 0755);
    CommandSpec spec = scene({});
    spec.argv = {u"tool"_s};
    spec.environment[u"PATH"_s] = u"%1/none:%1/a:%1/b:%1/c"_s.arg(m_canonicalFolder);
    QCOMPARE(run(spec).output, u"c\n"_s);

    spec.environment[u"PATH"_s] = u"%1/a:%1/b"_s.arg(m_canonicalFolder);
    QCOMPARE(run(spec).error->reason, StartFailure::ProgramNotExecutable);

    // This process's own PATH is never used, nor the folder for lack of one.
    spec.argv = {u"sh"_s};
    spec.environment.remove(u"PATH"_s);
    QCOMPARE(run(spec).error->reason, StartFailure::ProgramMissing);
    spec.environment[u"PATH"_s] = u""_s;
    QCOMPARE(run(spec).error->reason, StartFailure::ProgramMissing);
}

void PipeProcessTest::looksRelativePathEntriesUpInTheFolder()
{
    QVERIFY(QDir(m_canonicalFolder).mkpath(u"bin"_s));
    writeFile(m_canonicalFolder + u"/bin/near"_s, "#!/bin/sh\necho near\n", 0755);
    writeFile(m_canonicalFolder + u"/here"_s, "#!/bin/sh\necho here\n", 0755);
    CommandSpec spec = scene({});
    spec.environment[u"PATH"_s] = u"bin:"_s;
    spec.argv = {u"near"_s};
    QCOMPARE(run(spec).output, u"near\n"_s);
    spec.argv = {u"here"_s};
    QCOMPARE(run(spec).output, u"here\n"_s);
}

void PipeProcessTest::runsARelativeProgramFromTheFolder()
{
    writeFile(m_canonicalFolder + u"/script"_s, "#!/bin/sh\necho \"$0\"\n", 0755);
    CommandSpec spec = scene({});
    spec.argv = {u"./script"_s};
    QCOMPARE(run(spec).output, u"./script\n"_s);
}

void PipeProcessTest::keepsTheNameItWasCalledBy()
{
    CommandSpec spec = scene({});
    spec.argv = {u"sh"_s, u"-c"_s, u"echo $0"_s};
    spec.environment[u"PATH"_s] = u"/bin:/usr/bin"_s;
    QCOMPARE(run(spec).output, u"sh\n"_s);
}

void PipeProcessTest::refusesWhatCantBeStarted_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("folder");
    QTest::addColumn<StartFailure>("reason");
    QTest::addColumn<int>("osError");
    const auto row = [](const char *name, const QString &program, const QString &folder,
                        StartFailure reason, int osError) {
        QTest::newRow(name) << program << folder << reason << osError;
    };
    const QString good = QStringLiteral(TELSON_CHILDAPP);
    row("folder missing", good, u"%1/gone"_s, StartFailure::FolderMissing, ENOENT);
    row("folder is a file", good, u"%1/plain"_s, StartFailure::FolderNotADirectory, ENOTDIR);
    row("folder is relative", good, u"."_s, StartFailure::FolderUnusable, EINVAL);
    row("folder is a loop", good, u"%1/loop"_s, StartFailure::FolderUnusable, ELOOP);
    row("program missing", u"%1/gone"_s, u"%1"_s, StartFailure::ProgramMissing, ENOENT);
    row("program below a file", u"%1/plain/x"_s, u"%1"_s, StartFailure::ProgramMissing, ENOTDIR);
    row("no name", u""_s, u"%1"_s, StartFailure::ProgramMissing, ENOENT);
    row("no execute permission", u"%1/plain"_s, u"%1"_s, StartFailure::ProgramNotExecutable,
        EACCES);
    row("program is a folder", u"%1"_s, u"%1"_s, StartFailure::ProgramNotExecutable, EACCES);
    row("no format", u"%1/garbage"_s, u"%1"_s, StartFailure::ProgramBroken, ENOEXEC);
    row("empty program", u"%1/empty"_s, u"%1"_s, StartFailure::ProgramBroken, ENOEXEC);
    row("no interpreter", u"%1/lost"_s, u"%1"_s, StartFailure::ProgramBroken, ENOENT);
}

void PipeProcessTest::refusesWhatCantBeStarted()
{
    QFETCH(const QString, program);
    QFETCH(const QString, folder);
    QFETCH(const StartFailure, reason);
    QFETCH(const int, osError);
    writeFile(m_canonicalFolder + u"/plain"_s, "text", 0644);
    writeFile(m_canonicalFolder + u"/garbage"_s, QByteArray("\x00\x01\x02\x03", 4), 0755);
    writeFile(m_canonicalFolder + u"/empty"_s, "", 0755);
    writeFile(m_canonicalFolder + u"/lost"_s, "#!/no/such/interpreter\n", 0755);
    QFile::link(m_canonicalFolder + u"/loop"_s, m_canonicalFolder + u"/loop"_s);

    CommandSpec spec = scene({});
    spec.argv = {QString(program).replace(u"%1"_s, m_canonicalFolder)};
    spec.folder = QString(folder).replace(u"%1"_s, m_canonicalFolder);
    const Finished finished = run(spec);
    QVERIFY(finished.error.has_value());
    QCOMPARE(finished.error->reason, reason);
    QCOMPARE(finished.error->osError, osError);
    QVERIFY(!finished.error->detail.isEmpty());
}

void PipeProcessTest::refusesTextThatWouldArriveChanged_data()
{
    QTest::addColumn<CommandSpec>("spec");
    const QString nul = u"a"_s + QChar(0) + u"b"_s;
    const QString half(QChar(0xd83d));
    const auto row = [this](const char *name, const std::function<void(CommandSpec &)> &change) {
        CommandSpec spec = scene({u"echo"_s, u"x"_s});
        change(spec);
        QTest::newRow(name) << spec;
    };
    row("NUL in an argument", [&](CommandSpec &s) { s.argv[2] = nul; });
    row("half a character", [&](CommandSpec &s) { s.argv[2] = half; });
    row("NUL in the folder", [&](CommandSpec &s) { s.folder = u"/tmp"_s + QChar(0); });
    row("NUL in a value", [&](CommandSpec &s) { s.environment[u"A"_s] = nul; });
    row("NUL in a name", [&](CommandSpec &s) { s.environment[nul] = u"1"_s; });
    row("= in a name", [&](CommandSpec &s) { s.environment[u"A=B"_s] = u"1"_s; });
    row("no name", [&](CommandSpec &s) { s.environment[u""_s] = u"1"_s; });
}

void PipeProcessTest::refusesTextThatWouldArriveChanged()
{
    QFETCH(const CommandSpec, spec);
    const Finished finished = run(spec);
    QVERIFY(finished.error.has_value());
    QCOMPARE(finished.error->reason, StartFailure::InvalidText);
}

void PipeProcessTest::survivesAShortageOfDescriptors()
{
    rlimit before = {};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
    QList<int> taken;
    for (int i = ::dup(0); i >= 0 && i < 128; i = ::dup(0)) {
        taken.append(i);
    }
    // From none to as many as a start needs: every step of it fails once.
    QSet<StartFailure> reasons;
    {
        const Restore restore([&] {
            ::setrlimit(RLIMIT_NOFILE, &before);
            for (const int descriptor : std::as_const(taken)) {
                ::close(descriptor);
            }
        });
        for (rlim_t limit = 128; limit < 136; ++limit) {
            const rlimit few{limit, before.rlim_max};
            QCOMPARE(::setrlimit(RLIMIT_NOFILE, &few), 0);
            const Finished finished = run(scene({u"exit"_s, u"0"_s}));
            if (finished.error) {
                reasons.insert(finished.error->reason);
            }
        }
    }
    QCOMPARE(reasons, QSet<StartFailure>{StartFailure::OutOfResources});
    QCOMPARE(run(scene({u"exit"_s, u"5"_s})).status->exitCode, 5);
}

void PipeProcessTest::seesTheEndThoughSigchldWasIgnored()
{
    (void)std::signal(SIGCHLD, SIG_IGN);
    telson::platform::PlatformProcessFactory factory;
    const auto process = factory.createPipeProcess();
    std::optional<ExitStatus> seen;
    connect(process.get(), &ChildProcess::exited, this,
            [&seen](const ExitStatus &status) { seen = status; });
    process->start(scene({u"exit"_s, u"9"_s}));
    QTRY_VERIFY(seen.has_value());
    QCOMPARE(seen->exitCode, 9);
}

QTEST_GUILESS_MAIN(PipeProcessTest)
#include "tst_pipeprocess.moc"
