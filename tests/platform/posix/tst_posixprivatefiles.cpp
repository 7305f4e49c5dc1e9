// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/path.h"
#include "platform/posix/posixprivatefiles.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

#include <csignal>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace telson::core;
using telson::platform::PosixPrivateFiles;

namespace {

constexpr uid_t s_nobody = 65534;
constexpr qint64 s_limit = 1024;

mode_t modeOf(const std::filesystem::path &path)
{
    struct stat info = {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

void put(const std::filesystem::path &path, const QByteArray &bytes, mode_t mode)
{
    QFile file(toQString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    QCOMPARE(::chmod(path.c_str(), mode), 0);
}

/// Files may not grow past a size: the one full disk that needs no privilege.
class FullDisk final
{
public:
    explicit FullDisk(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        ::getrlimit(RLIMIT_FSIZE, &m_former);
        const rlimit limit{bytes, m_former.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    FullDisk(const FullDisk &) = delete;
    FullDisk &operator=(const FullDisk &) = delete;
    ~FullDisk()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_former);
        std::signal(SIGXFSZ, m_handler);
    }

private:
    void (*m_handler)(int);
    rlimit m_former = {};
};

} // namespace

class PosixPrivateFilesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void makesMissingFoldersForTheOwnerOnly();
    void tightensAFolderThatIsThere();
    void refusesAFolderOfAnotherUser();
    void refusesAFileInPlaceOfAFolder();
    void followsAnOwnLinkToAFolder();

    void whatWasWrittenIsRead_data();
    void whatWasWrittenIsRead();
    void aMissingFileIsNothing();
    void aWrittenFileIsForTheOwnerOnly_data();
    void aWrittenFileIsForTheOwnerOnly();
    void saysWhetherOthersCanRead();
    void refusesAFileThatOthersCanWrite_data();
    void refusesAFileThatOthersCanWrite();
    void refusesAFileOfAnotherUser();
    void refusesWhatIsNotARegularFile_data();
    void refusesWhatIsNotARegularFile();
    void refusesMoreThanTheLimit();

    void followsAnOwnLinkToAFile();
    void refusesALinkToALink();
    void refusesALinkOfAnotherUser();
    void aLinkToNothingIsAnErrorNotAMissingFile();

    void aFullDiskLeavesTheOldFile();
    void aReadOnlyFolderLeavesTheOldFile();
    void neverReplacesAFileOfAnotherUser();
    void aMissingFolderIsReported();

private:
    [[nodiscard]] ErrorCode readError(const std::filesystem::path &file) const;
    [[nodiscard]] QByteArray bytesOf(const std::filesystem::path &file) const;
    [[nodiscard]] QStringList names() const;

    std::unique_ptr<QTemporaryDir> m_temporary;
    std::filesystem::path m_folder;
    std::filesystem::path m_file;
    PosixPrivateFiles m_files;
};

void PosixPrivateFilesTest::init()
{
    m_temporary = std::make_unique<QTemporaryDir>();
    QVERIFY(m_temporary->isValid());
    m_folder = toPath(m_temporary->path());
    m_file = m_folder / "file";
}

void PosixPrivateFilesTest::cleanup()
{
    ::chmod(m_folder.c_str(), 0700);
    m_temporary.reset();
}

ErrorCode PosixPrivateFilesTest::readError(const std::filesystem::path &file) const
{
    const auto read = m_files.read(file, s_limit);
    if (read) {
        return ErrorCode::Cancelled; // none of these functions' codes
    }
    return read.error().message.contains(toQString(file.filename())) ? read.error().code
                                                                     : ErrorCode::Protocol;
}

QByteArray PosixPrivateFilesTest::bytesOf(const std::filesystem::path &file) const
{
    const auto read = m_files.read(file, s_limit);
    return read && *read ? (*read)->bytes : QByteArray("nothing");
}

QStringList PosixPrivateFilesTest::names() const
{
    return QDir(m_temporary->path())
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

void PosixPrivateFilesTest::makesMissingFoldersForTheOwnerOnly()
{
    const mode_t former = ::umask(0);
    const Result<void> made = m_files.makeFolder(m_folder / "a" / "b" / "");
    ::umask(former);
    QVERIFY(made.has_value());
    QCOMPARE(modeOf(m_folder / "a"), 0700U);
    QCOMPARE(modeOf(m_folder / "a" / "b"), 0700U);
    QVERIFY(m_files.makeFolder(m_folder / "a" / "b").has_value());
}

void PosixPrivateFilesTest::tightensAFolderThatIsThere()
{
    QCOMPARE(::chmod(m_folder.c_str(), 0755), 0);
    QVERIFY(m_files.makeFolder(m_folder).has_value());
    QCOMPARE(modeOf(m_folder), 0700U);
}

void PosixPrivateFilesTest::refusesAFolderOfAnotherUser()
{
    std::filesystem::path foreign = "/usr";
    if (::geteuid() == 0) {
        QCOMPARE(::chown(m_folder.c_str(), s_nobody, s_nobody), 0);
        foreign = m_folder;
    }
    const mode_t mode = modeOf(foreign);
    QCOMPARE(toString(m_files.makeFolder(foreign).error_or(Error()).code),
             toString(ErrorCode::Denied));
    QCOMPARE(modeOf(foreign), mode);
}

void PosixPrivateFilesTest::refusesAFileInPlaceOfAFolder()
{
    put(m_file, "x", 0600);
    QCOMPARE(toString(m_files.makeFolder(m_file).error_or(Error()).code), toString(ErrorCode::Io));
    QCOMPARE(toString(m_files.makeFolder(m_file / "sub").error_or(Error()).code),
             toString(ErrorCode::Io));
}

void PosixPrivateFilesTest::followsAnOwnLinkToAFolder()
{
    QVERIFY(m_files.makeFolder(m_folder / "real").has_value());
    std::filesystem::create_directory_symlink("real", m_folder / "link");
    QCOMPARE(::chmod((m_folder / "real").c_str(), 0755), 0);
    QVERIFY(m_files.makeFolder(m_folder / "link").has_value());
    QCOMPARE(modeOf(m_folder / "real"), 0700U);
    std::filesystem::create_directory_symlink("link", m_folder / "deeper");
    QCOMPARE(toString(m_files.makeFolder(m_folder / "deeper").error_or(Error()).code),
             toString(ErrorCode::Denied));
}

void PosixPrivateFilesTest::whatWasWrittenIsRead_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("text") << "hello\n"_ba;
    QTest::newRow("nothing") << QByteArray("");
    QTest::newRow("any bytes") << QByteArray("\0\xff\n", 3);
    QTest::newRow("exactly the limit") << QByteArray(s_limit, 'x');
}

void PosixPrivateFilesTest::whatWasWrittenIsRead()
{
    QFETCH(const QByteArray, bytes);
    QVERIFY(m_files.write(m_file, "former").has_value());
    QVERIFY(m_files.write(m_file, bytes).has_value());
    QCOMPARE(bytesOf(m_file), bytes);
    QCOMPARE(names(), QStringList{u"file"_s});
}

void PosixPrivateFilesTest::aMissingFileIsNothing()
{
    const auto read = m_files.read(m_file, s_limit);
    QVERIFY(read.has_value() && !read->has_value());
    const auto deeper = m_files.read(m_folder / "none" / "file", s_limit);
    QVERIFY(deeper.has_value() && !deeper->has_value());
}

void PosixPrivateFilesTest::aWrittenFileIsForTheOwnerOnly_data()
{
    QTest::addColumn<uint>("mask");
    QTest::newRow("usual") << 0022U;
    QTest::newRow("none") << 0000U;
    QTest::newRow("against the owner, too") << 0777U;
}

void PosixPrivateFilesTest::aWrittenFileIsForTheOwnerOnly()
{
    QFETCH(const uint, mask);
    put(m_file, "former", 0644);
    const mode_t former = ::umask(mask);
    const Result<void> written = m_files.write(m_file, "x");
    ::umask(former);
    QVERIFY(written.has_value());
    QCOMPARE(modeOf(m_file), 0600U);
}

void PosixPrivateFilesTest::saysWhetherOthersCanRead()
{
    for (const auto &[mode, others] : {std::pair(0600U, false), std::pair(0400U, false),
                                       std::pair(0640U, true), std::pair(0604U, true)}) {
        put(m_file, "x", mode);
        const auto read = m_files.read(m_file, s_limit);
        QVERIFY(read && *read);
        QCOMPARE((*read)->isReadableByOthers, others);
        QCOMPARE(::unlink(m_file.c_str()), 0);
    }
}

void PosixPrivateFilesTest::refusesAFileThatOthersCanWrite_data()
{
    QTest::addColumn<uint>("mode");
    QTest::newRow("group") << 0620U;
    QTest::newRow("all") << 0602U;
}

void PosixPrivateFilesTest::refusesAFileThatOthersCanWrite()
{
    QFETCH(const uint, mode);
    put(m_file, "x", mode);
    QCOMPARE(toString(readError(m_file)), toString(ErrorCode::Denied));
    QVERIFY(m_files.read(m_file, s_limit).error().message.contains(u"chmod go-w"_s));
}

void PosixPrivateFilesTest::refusesAFileOfAnotherUser()
{
    // Nobody but root can make one; everybody can find one.
    std::filesystem::path foreign = "/etc/passwd";
    if (::geteuid() == 0) {
        put(m_file, "x", 0644);
        QCOMPARE(::chown(m_file.c_str(), s_nobody, s_nobody), 0);
        foreign = m_file;
    }
    QCOMPARE(toString(readError(foreign)), toString(ErrorCode::Denied));
    QVERIFY(m_files.read(foreign, s_limit).error().message.contains(u"another user"_s));
}

void PosixPrivateFilesTest::refusesWhatIsNotARegularFile_data()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("folder") << u"folder"_s;
    QTest::newRow("pipe without a writer") << u"pipe"_s;
}

void PosixPrivateFilesTest::refusesWhatIsNotARegularFile()
{
    QFETCH(const QString, kind);
    QCOMPARE(kind == "pipe"_L1 ? ::mkfifo(m_file.c_str(), 0600) : ::mkdir(m_file.c_str(), 0700), 0);
    QCOMPARE(toString(readError(m_file)), toString(ErrorCode::Denied));
    QCOMPARE(toString(m_files.write(m_file, "x").error_or(Error()).code),
             toString(ErrorCode::Denied));
}

void PosixPrivateFilesTest::refusesMoreThanTheLimit()
{
    put(m_file, QByteArray(s_limit + 1, 'x'), 0600);
    QCOMPARE(toString(readError(m_file)), toString(ErrorCode::InvalidArgument));
}

void PosixPrivateFilesTest::followsAnOwnLinkToAFile()
{
    put(m_folder / "real", "x", 0600);
    std::filesystem::create_symlink("real", m_file);
    QCOMPARE(bytesOf(m_file), "x"_ba);
    QVERIFY(m_files.write(m_file, "y").has_value());
    QVERIFY(std::filesystem::is_symlink(m_file));
    QCOMPARE(bytesOf(m_folder / "real"), "y"_ba);
}

void PosixPrivateFilesTest::refusesALinkToALink()
{
    put(m_folder / "real", "x", 0600);
    std::filesystem::create_symlink("real", m_folder / "middle");
    std::filesystem::create_symlink("middle", m_file);
    QCOMPARE(toString(readError(m_file)), toString(ErrorCode::Denied));
    QCOMPARE(toString(m_files.write(m_file, "y").error_or(Error()).code),
             toString(ErrorCode::Denied));
    QCOMPARE(bytesOf(m_folder / "real"), "x"_ba);
}

void PosixPrivateFilesTest::refusesALinkOfAnotherUser()
{
    std::filesystem::path link = "/proc/1/exe";
    if (::geteuid() == 0) {
        put(m_folder / "real", "x", 0600);
        std::filesystem::create_symlink("real", m_file);
        QCOMPARE(::lchown(m_file.c_str(), s_nobody, s_nobody), 0);
        link = m_file;
    }
    QCOMPARE(toString(readError(link)), toString(ErrorCode::Denied));
    QCOMPARE(toString(m_files.write(link, "y").error_or(Error()).code),
             toString(ErrorCode::Denied));
}

void PosixPrivateFilesTest::aLinkToNothingIsAnErrorNotAMissingFile()
{
    std::filesystem::create_symlink("nothing", m_file);
    QVERIFY(!m_files.read(m_file, s_limit));
    QCOMPARE(toString(m_files.read(m_file, s_limit).error().code), toString(ErrorCode::Io));
    QCOMPARE(toString(m_files.write(m_file, "x").error_or(Error()).code), toString(ErrorCode::Io));
    QCOMPARE(names(), QStringList());
}

void PosixPrivateFilesTest::aFullDiskLeavesTheOldFile()
{
    QVERIFY(m_files.write(m_file, "former").has_value());
    Result<void> written;
    {
        const FullDisk full(4096);
        written = m_files.write(m_file, QByteArray(100'000, 'x'));
    }
    QVERIFY(!written);
    QCOMPARE(toString(written.error().code), toString(ErrorCode::Io));
    QCOMPARE(written.error().osError, EFBIG);
    QCOMPARE(bytesOf(m_file), "former"_ba);
    QCOMPARE(names(), QStringList{u"file"_s});
}

void PosixPrivateFilesTest::aReadOnlyFolderLeavesTheOldFile()
{
    // Modes don't stop root: be somebody else for the moment.
    const bool isRoot = ::geteuid() == 0;
    put(m_file, "former", 0600);
    QCOMPARE(::chmod(m_folder.c_str(), 0500), 0);
    if (isRoot) {
        QCOMPARE(::chown(m_file.c_str(), s_nobody, s_nobody), 0);
        QCOMPARE(::chown(m_folder.c_str(), s_nobody, s_nobody), 0);
        QCOMPARE(::seteuid(s_nobody), 0);
    }
    const Result<void> written = m_files.write(m_file, "x");
    const QByteArray left = bytesOf(m_file);
    if (isRoot) {
        QCOMPARE(::seteuid(0), 0);
    }
    QVERIFY(!written);
    QCOMPARE(toString(written.error().code), toString(ErrorCode::Io));
    QCOMPARE(written.error().osError, EACCES);
    QCOMPARE(left, "former"_ba);
}

void PosixPrivateFilesTest::neverReplacesAFileOfAnotherUser()
{
    std::filesystem::path foreign = "/etc/passwd";
    if (::geteuid() == 0) {
        put(m_file, "theirs", 0600);
        QCOMPARE(::chown(m_file.c_str(), s_nobody, s_nobody), 0);
        foreign = m_file;
    }
    QCOMPARE(toString(m_files.write(foreign, "ours").error_or(Error()).code),
             toString(ErrorCode::Denied));
}

void PosixPrivateFilesTest::aMissingFolderIsReported()
{
    const Result<void> written = m_files.write(m_folder / "none" / "file", "x");
    QVERIFY(!written);
    QCOMPARE(toString(written.error().code), toString(ErrorCode::Io));
    QCOMPARE(written.error().osError, ENOENT);
}

QTEST_GUILESS_MAIN(PosixPrivateFilesTest)
#include "tst_posixprivatefiles.moc"
