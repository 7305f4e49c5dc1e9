// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "nodecore/base/path.h"

#include <QtTest/QtTest>

using namespace Qt::StringLiterals;
using namespace telson::core;

class PathTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textSurvivesTheWayThereAndBack_data();
    void textSurvivesTheWayThereAndBack();
    void partsAreComparedByComponent();
};

void PathTest::textSurvivesTheWayThereAndBack_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("plain") << u"/home/ada/x"_s;
    QTest::newRow("space") << u"/home/ada/My Files"_s;
    QTest::newRow("umlaut") << u"/home/ada/Übung"_s;
    QTest::newRow("outside the basic plane") << u"/tmp/\U0001F980"_s;
    QTest::newRow("empty") << QString();
}

void PathTest::textSurvivesTheWayThereAndBack()
{
    QFETCH(QString, text);
    QCOMPARE(toQString(toPath(text)), text);
}

void PathTest::partsAreComparedByComponent()
{
    const auto relative = toPath(u"/home/adam"_s).lexically_relative(toPath(u"/home/ada"_s));
    QCOMPARE(toQString(relative), u"../adam"_s);
}

QTEST_GUILESS_MAIN(PathTest)
#include "tst_path.moc"
