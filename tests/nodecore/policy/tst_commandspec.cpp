// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/policy/approvedcommand.h"

#include <QtTest/QtTest>

#include <functional>

using namespace Qt::StringLiterals;
using namespace telson::core;

namespace {

CommandSpec sample()
{
    return {.argv = {u"/bin/echo"_s, u"hi"_s},
            .folder = u"/tmp"_s,
            .folderIdentity = std::nullopt,
            .environment = {{u"A"_s, u"1"_s}}};
}

} // namespace

class CommandSpecTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasAStableDigest();
    void changesItsDigestWithEachPart_data();
    void changesItsDigestWithEachPart();
    void leavesTheFolderIdentityOut();
};

void CommandSpecTest::hasAStableDigest()
{
    // Pinned: a digest that is stored in a history must be found again by a later version.
    QCOMPARE(sample().digest(),
             u"669557504b54b3536a408002e7132b9bc09396bc71bd2df2b78308df642f9308"_s);
    QCOMPARE(sample().digest(), sample().digest());
}

void CommandSpecTest::changesItsDigestWithEachPart_data()
{
    QTest::addColumn<std::function<void(CommandSpec &)>>("change");
    const auto row = [](const char *name, std::function<void(CommandSpec &)> change) {
        QTest::newRow(name) << std::move(change);
    };
    row("argument", [](CommandSpec &s) { s.argv[1] = u"ho"_s; });
    row("joined arguments", [](CommandSpec &s) { s.argv = {u"/bin/echo hi"_s}; });
    row("border between arguments", [](CommandSpec &s) { s.argv = {u"/bin/echoh"_s, u"i"_s}; });
    row("empty argument", [](CommandSpec &s) { s.argv.append(u""_s); });
    row("argument becomes folder", [](CommandSpec &s) {
        s.argv.removeLast();
        s.folder = u"hi/tmp"_s;
    });
    row("lone surrogate", [](CommandSpec &s) { s.argv[1] = QString(QChar(0xd800)); });
    row("other lone surrogate", [](CommandSpec &s) { s.argv[1] = QString(QChar(0xd801)); });
    row("folder", [](CommandSpec &s) { s.folder = u"/"_s; });
    row("variable", [](CommandSpec &s) { s.environment[u"A"_s] = u"2"_s; });
    row("border in a variable", [](CommandSpec &s) { s.environment = {{u"A1"_s, u""_s}}; });
    row("further variable", [](CommandSpec &s) { s.environment[u"B"_s] = u""_s; });
}

void CommandSpecTest::changesItsDigestWithEachPart()
{
    QFETCH(const std::function<void(CommandSpec &)>, change);
    static QSet<QString> s_seen{sample().digest()};
    CommandSpec changed = sample();
    change(changed);
    const QString digest = changed.digest();
    QCOMPARE(digest.size(), 64);
    QVERIFY(!s_seen.contains(digest));
    s_seen.insert(digest);
}

void CommandSpecTest::leavesTheFolderIdentityOut()
{
    CommandSpec spec = sample();
    spec.folderIdentity = FolderIdentity{1, 2};
    QCOMPARE(spec.digest(), sample().digest());
}

QTEST_GUILESS_MAIN(CommandSpecTest)
#include "tst_commandspec.moc"
