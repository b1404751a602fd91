// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// About: all that Homebooth stands on is named, with its licence and its text. Help and the keys, which
// are longer than their dialogs, are read by keys.
#include "app/shell/help/help_dialogs.h"
#include "app/shell/help/licence_view.h"
#include "app/shell/main_window.h"
#include "app_files.h"
#include "item_rules.h"

#include <QApplication>
#include <QDialog>
#include <QLayout>
#include <QListView>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>

#include <algorithm>

using namespace homebooth;
using namespace homebooth::app;

class AboutTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void allThatTheSetUpLinksIsNamed();
    void eachPartSaysWhatItIsUnder();
    void textsAreThoseOfThisComputer();
    void withoutATextItsPlaceIsSaid();
    void theListKeepsTheRules();
    void theTextFollowsTheChoice();
    void keysScrollHelp_data();
    void keysScrollHelp();

private:
    /// The words of a section of installer/versions.txt.
    [[nodiscard]] static QStringList section(const QString& name) {
        const QString all =
            QString::fromUtf8(bytesOf(QStringLiteral(HOMEBOOTH_SOURCE_DIR "/installer/versions.txt")));
        QString part = all.section('[' + name + u"]\n"_s, 1).section(u"\n["_s, 0, 0);
        part.remove(QRegularExpression(u"#[^\n]*"_s)); // sizes, and the next section's heading
        return part.simplified().split(' ', Qt::SkipEmptyParts);
    }
    [[nodiscard]] static Component named(const QString& name) {
        for (const Component& one : components())
            if (one.name == name) return one;
        return {};
    }
};

void AboutTest::allThatTheSetUpLinksIsNamed() {
    QString copies;
    QSet<QString> versions;
    for (const Component& one : components()) {
        copies += one.copies.join(' ') + ' ';
        versions.insert(one.version);
    }
    int linked = 0;
    for (const QString& package : section(u"debian"_s)) {
        if (!package.endsWith(QLatin1String("-dev")) || package == QLatin1String("libgtest-dev")) continue;
        if (package.startsWith(QLatin1String("qt6-tools"))) continue; // of the build
        QVERIFY2(copies.contains('/' + package + '/'), qPrintable(package));
        ++linked;
    }
    QVERIFY(linked > 10);
    int wheels = 0;
    const QStringList parts = section(u"libtorch"_s) + section(u"cuda"_s);
    for (const QString& wheel : parts.filter(u"=="_s)) {
        QVERIFY2(versions.contains(wheel.section(u"=="_s, 1)), qPrintable(wheel));
        ++wheels;
    }
    QVERIFY(wheels > 10);
}

void AboutTest::eachPartSaysWhatItIsUnder() {
    QSet<QString> names;
    for (const Component& one : components()) {
        QVERIFY2(!one.licence.isEmpty(), qPrintable(one.name));
        QVERIFY2(!names.contains(one.name), qPrintable(one.name));
        QVERIFY2(!one.address.isEmpty() || !one.copies.isEmpty(), qPrintable(one.name));
        names.insert(one.name);
    }
    for (const char* name :
         {"Qt", "QCustomPlot", "SQLite", "SQLiteCpp", "OpenCV", "libheif", "Little CMS", "libpng", "zlib",
          "OpenSSL", "JSON for Modern C++", "spdlog", "fmt", "CLI11", "LibTorch", "NCCL"})
        QVERIFY2(!named(QString::fromLatin1(name)).version.isEmpty(), name);
    QCOMPARE(named(u"Drawings of a blue dog"_s).licence, u"CC-BY-SA-3.0"_s);
}

void AboutTest::textsAreThoseOfThisComputer() {
    Component part;
    part.words = u"Of somebody."_s;
    part.copies = {m_place.path("none"), m_place.path("copyright"), m_place.path("another")};
    part.terms = {m_place.path("LGPL"), m_place.path("GPL")};
    for (const char* name : {"copyright", "another", "LGPL", "GPL"})
        writeBytes(m_place.path(QString::fromLatin1(name)), QByteArray("words of ") + name);
    const LicenceText text = licenceTextOf(part);
    QCOMPARE(text.files, QStringList({part.copies[1]}) + part.terms);
    QVERIFY(text.text.startsWith(part.words));
    for (const char* name : {"copyright", "LGPL", "GPL"})
        QVERIFY(text.text.contains(u"words of "_s + QString::fromLatin1(name)));
    QVERIFY(!text.text.contains(u"words of another"_s));
    const QList<Component> all = components();
    QVERIFY(licenceTextOf(all[0]).text.contains(u"GNU GENERAL PUBLIC LICENSE"_s));
    QVERIFY(licenceTextOf(all[1]).text.contains(u"Apache License"_s));
}

void AboutTest::withoutATextItsPlaceIsSaid() {
    Component part;
    part.words = u"Of somebody."_s;
    part.address = u"https://example.org/licence"_s;
    part.copies = {m_place.path("none")};
    const LicenceText text = licenceTextOf(part);
    QVERIFY(text.files.isEmpty());
    QVERIFY(text.text.contains(part.words));
    QVERIFY(text.text.contains(part.address));
}

void AboutTest::theListKeepsTheRules() {
    ComponentList list;
    const ItemRules tester(list);
    QStringList headings;
    for (int row = 0; row < list.rowCount(); ++row) {
        const QString heading = list.index(row).data(ComponentList::HeadingRole).toString();
        if (!heading.isEmpty()) headings.append(heading);
        QVERIFY(list.index(row).data(Qt::AccessibleTextRole).toString().contains(list.at(row).licence));
    }
    QCOMPARE(headings.size(), 4);
    QCOMPARE(headings.removeDuplicates(), 0);
}

void AboutTest::theTextFollowsTheChoice() {
    LicenceView view;
    view.resize(900, 500);
    view.show();
    auto* list = view.findChild<QListView*>();
    auto* text = view.findChild<QPlainTextEdit*>();
    QTRY_VERIFY(text->toPlainText().contains(u"GNU GENERAL PUBLIC LICENSE"_s));
    QVERIFY(!list->accessibleName().isEmpty());
    QVERIFY(!text->accessibleName().isEmpty());
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down);
    QTRY_VERIFY(text->toPlainText().contains(u"Apache License"_s));
    QTest::keyClick(list, Qt::Key_End);
    QTRY_VERIFY(text->toPlainText().contains(u"creativecommons.org"_s));
}

void AboutTest::keysScrollHelp_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("all keys") << u"keys"_s;
    QTest::newRow("help to a page") << u"help"_s;
}

void AboutTest::keysScrollHelp() {
    QFETCH(QString, name);
    MainWindow window(m_services->all());
    window.resize(800, 480);
    window.show();
    m_services->undo.push(new QUndoCommand(u"add dataset cats"_s));
    m_services->theme.setTextSize(200);
    if (name == QLatin1String("keys"))
        showKeys(window);
    else
        showHelp(window, *window.page(PageId::Gallery));
    auto* dialog = window.findChild<QDialog*>(name);
    QVERIFY(dialog != nullptr);
    dialog->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    auto* area = dialog->findChild<QScrollArea*>();
    QCOMPARE(QApplication::focusWidget(), area);
    QCOMPARE(area->accessibleName(), dialog->windowTitle());
    QVERIFY(area->widget()->layout()->contentsMargins().left() >= 4); // beside the ring of the focus
    const QStringList words = shownTexts(*dialog);
    for (const char* word : {"Undo", "Ctrl+Shift+Z; Ctrl+Y"})
        QCOMPARE(words.contains(QLatin1String(word)), name == QLatin1String("keys"));
    QVERIFY(words.filter(u"cats"_s).isEmpty()); // which is there for now only
    const QScrollBar* bar = area->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    QTest::keyClick(area, Qt::Key_PageDown);
    QVERIFY(bar->value() > 0);
    QTest::keyClick(area, Qt::Key_End);
    QCOMPARE(bar->value(), bar->maximum());
    QTest::keyClick(area, Qt::Key_Up);
    QVERIFY(bar->value() < bar->maximum());
    QTest::keyClick(area, Qt::Key_Home);
    QCOMPARE(bar->value(), 0);
    const QImage focused = dialog->grab().toImage();
    QTest::keyClick(area, Qt::Key_Tab);
    QVERIFY(QApplication::focusWidget() != area); // it is no trap
    QVERIFY(dialog->grab().toImage() != focused);
    dialog->close();
    m_services->theme.setTextSize(100);
}

HOMEBOOTH_APP_TEST_MAIN(AboutTest)
#include "tst_about.moc"
