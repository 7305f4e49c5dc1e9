// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/storage/filepolicystore.h"

#include "nodecore/base/path.h"
#include "nodecore/storage/filelock.h"
#include "platform/factory.h"
#include "tests/support/faultyprivatefiles.h"

#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

const PolicyStore::Guard s_allowAll = [](const ApprovalsDocument & /*before*/,
                                         const ApprovalsDocument & /*after*/) {
    return Result<void>();
};

constexpr auto s_tight = R"({"version":1,"defaults":{"security":"allowlist","ask":"always"}})";

} // namespace

class FilePolicyStoreTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void withoutAFileThereIsAnEmptyDocument();
    void readsWhatDecides();
    void anEditFromOutsideCountsAtOnce();
    void aFileThatIsRemovedMeanwhileDenies();
    void anEditOfTheSameLengthIsSeen();
    void aBrokenFileDeniesAndStays_data();
    void aBrokenFileDeniesAndStays();
    void aMendedFileIsAdopted();
    void anUnreadableFileDenies();
    void replacingNeedsTheCurrentHash();
    void replacesAtomicallyAndAnswersTheNewState();
    void theGuardDecides();
    void theSocketStaysOurs();
    void unknownFieldsSurviveAReplacement();
    void theGatewaySeesNoFieldThatItRefuses();
    void aHandWrittenFileIsBackedUpOnce();
    void refusesADocumentThatMeansNothing_data();
    void refusesADocumentThatMeansNothing();
    void aWriterWhoHoldsTheLockIsWaitedForBriefly();
    void aFailingDeviceChangesNothing();

private:
    void write(const QByteArray &text) const;
    [[nodiscard]] QByteArray text(const QString &suffix = {}) const;

    std::unique_ptr<PrivateFiles> m_real = telson::platform::makePrivateFiles();
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FaultyPrivateFiles> m_files;
    std::filesystem::path m_path;
    std::unique_ptr<FilePolicyStore> m_store;
};

void FilePolicyStoreTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_files = std::make_unique<FaultyPrivateFiles>(*m_real);
    m_path = toPath(m_folder->path()) / "exec-approvals.json";
    m_store = std::make_unique<FilePolicyStore>(*m_files, m_path);
}

void FilePolicyStoreTest::cleanup()
{
    m_folder.reset();
}

void FilePolicyStoreTest::write(const QByteArray &text) const
{
    QVERIFY(m_real->write(m_path, text).has_value());
}

QByteArray FilePolicyStoreTest::text(const QString &suffix) const
{
    QFile file(toQString(m_path) + suffix);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void FilePolicyStoreTest::withoutAFileThereIsAnEmptyDocument()
{
    const StoredPolicy policy = m_store->current();
    QVERIFY(!policy.exists && !policy.broken);
    QCOMPARE(policy.document, ApprovalsDocument());
    QCOMPARE(policy.hash,
             u"missing:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"_s);
    QCOMPARE(policy.path, toQString(m_path));
    QCOMPARE(policy.redactedJson, R"({"version":1,"defaults":{},"agents":{}})"_ba);
}

void FilePolicyStoreTest::readsWhatDecides()
{
    write(
        R"({"version":1,"defaults":{"askFallback":"deny"},"agents":{"main":{"security":"allowlist","ask":"on-miss",
        "autoAllowSkills":true,"allowlist":["rg",{"pattern":"/bin/ls","argPattern":"-l","source":"allow-always"}]}}})");
    const ApprovalsDocument document = m_store->current().document;
    QVERIFY(document.defaults.askFallback == Security::Deny);
    const AgentPolicy agent = document.agents.value(u"main"_s);
    QVERIFY(agent.security == Security::Allowlist);
    QVERIFY(agent.ask == Ask::OnMiss);
    QCOMPARE(agent.autoAllowSkills, true);
    QCOMPARE(agent.rules,
             (QList<PolicyRule>{{u"rg"_s, std::nullopt, std::nullopt},
                                {u"/bin/ls"_s, u"-l"_s, u"allow-always"_s}}));
}

void FilePolicyStoreTest::anEditFromOutsideCountsAtOnce()
{
    write(R"({"version":1,"defaults":{"security":"full"}})");
    QVERIFY(m_store->current().document.defaults.security == Security::Full);
    write(R"({"version":1,"defaults":{"security":"deny"}})");
    QVERIFY(m_store->current().document.defaults.security == Security::Deny);
}

void FilePolicyStoreTest::aFileThatIsRemovedMeanwhileDenies()
{
    write(R"({"version":1,"defaults":{"security":"deny"}})");
    QVERIFY(!m_store->current().broken);
    QVERIFY(QFile::remove(toQString(m_path)));
    const StoredPolicy gone = m_store->current();
    QVERIFY(gone.broken.has_value());
    QVERIFY(gone.broken->message.contains(u"removed"_s));
    QCOMPARE(gone.document, ApprovalsDocument::denyAll());
    write(R"({"version":1,"defaults":{"security":"full"}})");
    QVERIFY(!m_store->current().broken);
}

void FilePolicyStoreTest::anEditOfTheSameLengthIsSeen()
{
    write(R"({"version":1,"defaults":{"security":"full"}})");
    QVERIFY(m_store->current().document.defaults.security == Security::Full);
    // In place: the same file, the same size and perhaps the same time.
    QFile file(toQString(m_path));
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.write(R"({"version":1,"defaults":{"security":"deny"}})");
    file.close();
    QVERIFY(m_store->current().document.defaults.security == Security::Deny);
}

void FilePolicyStoreTest::aBrokenFileDeniesAndStays_data()
{
    QTest::addColumn<QByteArray>("broken");
    QTest::addColumn<QString>("problem");
    QTest::newRow("cut off") << R"({"version":1,)"_ba
                             << u"invalid JSON syntax (line 1, column 14)"_s;
    QTest::newRow("empty") << ""_ba << u"invalid JSON syntax (line 1, column 1)"_s;
    QTest::newRow("byte order mark") << "\xEF\xBB\xBF{\"version\":1}"_ba
                                     << u"invalid JSON syntax (it starts with a byte order mark; "
                                        "save it as UTF-8 without one)"_s;
    QTest::newRow("unknown word")
        << R"({"version":1,"agents":{"secret name":{"security":"Full"}}})"_ba
        << u"agents entry #1.security: expected a supported value"_s;
    QTest::newRow("another version")
        << R"({"version":2})"_ba << u"version: expected a supported value"_s;
}

void FilePolicyStoreTest::aBrokenFileDeniesAndStays()
{
    QFETCH(const QByteArray, broken);
    QFETCH(const QString, problem);
    write(s_tight);
    const ApprovalsDocument good = m_store->current().document;
    write(broken);
    const StoredPolicy policy = m_store->current();
    QVERIFY(policy.broken && policy.exists);
    QCOMPARE(policy.broken->message, toQString(m_path) + u": "_s + problem);
    QCOMPARE(policy.document, ApprovalsDocument::denyAll());
    QCOMPARE(
        policy.hash,
        QString::fromLatin1(QCryptographicHash::hash(broken, QCryptographicHash::Sha256).toHex()));
    QCOMPARE(
        policy.redactedJson,
        R"({"version":1,"defaults":{"security":"deny","ask":"off","askFallback":"deny","autoAllowSkills":false},"agents":{}})"_ba);
    QCOMPARE(m_store->lastGood(), good);

    const Result<StoredPolicy> replaced = m_store->replace(s_tight, policy.hash, s_allowAll);
    QVERIFY(!replaced);
    QCOMPARE(toString(replaced.error().code), toString(ErrorCode::Denied));
    QCOMPARE(text(), broken);
}

void FilePolicyStoreTest::aMendedFileIsAdopted()
{
    write("{");
    QVERIFY(m_store->current().broken);
    QVERIFY(!m_store->lastGood());
    write(s_tight);
    QVERIFY(!m_store->current().broken);
    QVERIFY(m_store->current().document.defaults.ask == Ask::Always);
}

void FilePolicyStoreTest::anUnreadableFileDenies()
{
    write(R"({"version":1,"defaults":{"security":"full"}})");
    QVERIFY(!m_store->current().broken);
    m_files->readError = Error{ErrorCode::Denied, u"'x' belongs to another user"_s};
    const StoredPolicy policy = m_store->current();
    QVERIFY(policy.broken);
    QCOMPARE(toString(policy.broken->code), toString(ErrorCode::Denied));
    QCOMPARE(policy.document, ApprovalsDocument::denyAll());
    QCOMPARE(toString(m_store->replace(s_tight, policy.hash, s_allowAll).error_or(Error()).code),
             toString(ErrorCode::Denied));
    m_files->readError.reset();
    QVERIFY(m_store->current().document.defaults.security == Security::Full);
}

void FilePolicyStoreTest::replacingNeedsTheCurrentHash()
{
    write(s_tight);
    const auto messageFor = [this](const std::optional<QString> &base) {
        return m_store->replace(s_tight, base, s_allowAll).error_or(Error()).message;
    };
    QCOMPARE(messageFor(std::nullopt), u"exec approvals base hash required; reload and retry"_s);
    QCOMPARE(messageFor(u" "_s), u"exec approvals base hash required; reload and retry"_s);
    QCOMPARE(messageFor(u"0"_s), u"exec approvals changed; reload and retry"_s);
    QCOMPARE(text(), QByteArray(s_tight));
    const QString seen = m_store->current().hash;
    write(R"({"version":1})");
    QCOMPARE(messageFor(seen), u"exec approvals changed; reload and retry"_s);
}

void FilePolicyStoreTest::replacesAtomicallyAndAnswersTheNewState()
{
    const Result<StoredPolicy> first = m_store->replace(s_tight, std::nullopt, s_allowAll);
    QVERIFY(first.has_value() && first->exists);
    QVERIFY(first->document.defaults.ask == Ask::Always);
    QCOMPARE(text(),
             "{\n  \"version\": 1,\n  \"socket\": {},\n  \"defaults\": {\n    \"security\": "
             "\"allowlist\",\n    \"ask\": \"always\"\n  },\n  \"agents\": {}\n}\n"_ba);
    QCOMPARE(
        first->hash,
        QString::fromLatin1(QCryptographicHash::hash(text(), QCryptographicHash::Sha256).toHex()));
    const Result<StoredPolicy> second =
        m_store->replace(R"({"version":1})", u' ' + first->hash + u'\n', s_allowAll);
    QVERIFY(second.has_value());
    QCOMPARE(second->document, ApprovalsDocument());
    QCOMPARE(m_files->written, (QStringList{u"exec-approvals.json"_s, u"exec-approvals.json"_s}));
}

void FilePolicyStoreTest::theGuardDecides()
{
    write(s_tight);
    const QString hash = m_store->current().hash;
    const Error refusal{ErrorCode::Denied, u"looser"_s};
    ApprovalsDocument before;
    ApprovalsDocument after;
    const Result<StoredPolicy> replaced =
        m_store->replace(R"({"version":1,"agents":{"default":{"security":" full "}}})", hash,
                         [&](const ApprovalsDocument &from, const ApprovalsDocument &to) {
                             before = from;
                             after = to;
                             return Result<void>(std::unexpected(refusal));
                         });
    QCOMPARE(replaced.error_or(Error()), refusal);
    QVERIFY(before.defaults.ask == Ask::Always);
    QVERIFY(after.agents.value(u"main"_s).security == Security::Full);
    QCOMPARE(text(), QByteArray(s_tight));
}

void FilePolicyStoreTest::theSocketStaysOurs()
{
    write(R"({"version":1,"socket":{"path":"/ours","token":"secret"}})");
    const StoredPolicy policy = m_store->current();
    QVERIFY(!policy.redactedJson.contains("secret"));
    QVERIFY(policy.redactedJson.contains("/ours"));
    QVERIFY(m_store
                ->replace(R"({"version":1,"socket":{"path":"/theirs","token":"known"}})",
                          policy.hash, s_allowAll)
                .has_value());
    QVERIFY(text().contains("/ours") && text().contains("secret"));
    QVERIFY(!text().contains("/theirs") && !text().contains("known"));
}

void FilePolicyStoreTest::unknownFieldsSurviveAReplacement()
{
    write(
        R"({"version":1,"agents":{"main":{"note":"n","allowlist":[{"id":"a","pattern":"rg","expires":5},
        {"id":"b","pattern":"ls","expires":6}]}}})");
    const Result<StoredPolicy> replaced = m_store->replace(
        R"({"version":1,"agents":{"main":{"allowlist":[{"id":"b","pattern":"ls"}]}}})",
        m_store->current().hash, s_allowAll);
    QVERIFY(replaced.has_value());
    const QByteArray stored = text().simplified();
    QVERIFY(stored.contains("\"note\": \"n\""));
    QVERIFY(stored.contains("\"expires\": 6"));
    QVERIFY(!stored.contains("\"expires\": 5"));
}

void FilePolicyStoreTest::theGatewaySeesNoFieldThatItRefuses()
{
    write(R"({"version":1,"extra":1,"agents":{"main":{"note":"n","allowlist":[
        {"id":"a","pattern":"rg","expires":5,"source":"manual","lastUsedAt":-1}]}}})");
    QCOMPARE(
        m_store->current().redactedJson,
        R"({"version":1,"defaults":{},"agents":{"main":{"allowlist":[{"pattern":"rg","id":"a"}]}}})"_ba);
}

void FilePolicyStoreTest::aHandWrittenFileIsBackedUpOnce()
{
    const QByteArray written =
        R"({"version":1,"extra":1,"agents":{"default":{"allowlist":["rg"]}}})";
    write(written);
    const Result<StoredPolicy> first =
        m_store->replace(s_tight, m_store->current().hash, s_allowAll);
    QVERIFY(first.has_value());
    QCOMPARE(text(u".bak"_s), written);
    // What was written here itself needs no copy.
    QVERIFY(m_store->replace(R"({"version":1})", first->hash, s_allowAll).has_value());
    QCOMPARE(text(u".bak"_s), written);
}

void FilePolicyStoreTest::refusesADocumentThatMeansNothing_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QString>("message");
    QTest::newRow("not JSON") << "x"_ba
                              << u"exec approvals: invalid JSON syntax (line 1, column 1)"_s;
    QTest::newRow("a list") << "[]"_ba << u"exec approvals: document: expected an object"_s;
    // The reference would leave these out without a word, and so loosen or lose what was meant.
    QTest::newRow("a word that there is not")
        << R"({"version":1,"defaults":{"security":"dney"}})"_ba
        << u"exec approvals: defaults.security: expected a supported value"_s;
    QTest::newRow("an entry without a pattern")
        << R"({"version":1,"agents":{"a":{"allowlist":[{"pattern":" "}]}}})"_ba
        << u"exec approvals: agents entry #1.allowlist[0]: expected a supported value"_s;
    QTest::newRow("another version")
        << R"({"version":2})"_ba << u"exec approvals: version: expected a supported value"_s;
    // The reference would store these and find them broken when it reads them.
    QTest::newRow("a wrong type")
        << R"({"version":1,"defaults":{"autoAllowSkills":"yes"}})"_ba
        << u"exec approvals: defaults.autoAllowSkills: expected a boolean"_s;
    QTest::newRow("a name of another language") << R"({"version":1,"agents":{"__proto__":{}}})"_ba
                                                << u"exec approvals: agents: invalid value"_s;
}

void FilePolicyStoreTest::refusesADocumentThatMeansNothing()
{
    QFETCH(const QByteArray, document);
    QFETCH(const QString, message);
    const Result<StoredPolicy> replaced = m_store->replace(document, std::nullopt, s_allowAll);
    QVERIFY(!replaced);
    QCOMPARE(replaced.error(), (Error{ErrorCode::InvalidArgument, message}));
    QVERIFY(m_files->written.isEmpty());
}

void FilePolicyStoreTest::aWriterWhoHoldsTheLockIsWaitedForBriefly()
{
    const auto lock = lockBeside(m_path);
    QVERIFY(lock.has_value());
    const Result<StoredPolicy> replaced = m_store->replace(s_tight, std::nullopt, s_allowAll);
    QVERIFY(!replaced);
    QCOMPARE(toString(replaced.error().code), toString(ErrorCode::Unavailable));
    QVERIFY(m_files->written.isEmpty());
}

void FilePolicyStoreTest::aFailingDeviceChangesNothing()
{
    write(s_tight);
    m_files->writeError = Error{ErrorCode::Io, u"no space left"_s, 28};
    const Result<StoredPolicy> replaced =
        m_store->replace(R"({"version":1})", m_store->current().hash, s_allowAll);
    QCOMPARE(replaced.error_or(Error()), *m_files->writeError);
    QVERIFY(m_store->current().document.defaults.ask == Ask::Always);
}

QTEST_GUILESS_MAIN(FilePolicyStoreTest)
#include "tst_filepolicystore.moc"
