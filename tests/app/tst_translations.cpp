// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window's own translations alone, as on a computer where Qt's are not installed.
#include <QAction>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QTranslator>

#include <memory>

class TranslationsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void buttonsOfDialogsAreGerman();
    void menusOfTextFieldsAreGerman();

private:
    QTranslator m_german;
};

void TranslationsTest::initTestCase() {
    QCOMPARE(QDialogButtonBox(QDialogButtonBox::Close).button(QDialogButtonBox::Close)->text(),
             QStringLiteral("Close")); // nothing else is installed
    QVERIFY(m_german.load(QStringLiteral(HOMEBOOTH_GERMAN)));
    QVERIFY(QCoreApplication::installTranslator(&m_german));
}

void TranslationsTest::buttonsOfDialogsAreGerman() {
    const QDialogButtonBox buttons(QDialogButtonBox::Close | QDialogButtonBox::Cancel);
    QCOMPARE(buttons.button(QDialogButtonBox::Close)->text(), QStringLiteral("Schließen"));
    QCOMPARE(buttons.button(QDialogButtonBox::Cancel)->text(), QStringLiteral("Abbrechen"));
    const QMessageBox question(QMessageBox::Question, {}, {}, QMessageBox::Cancel | QMessageBox::Yes);
    QCOMPARE(question.button(QMessageBox::Cancel)->text(), QStringLiteral("Abbrechen"));
    QCOMPARE(question.button(QMessageBox::Yes)->text(), QStringLiteral("&Ja"));
}

void TranslationsTest::menusOfTextFieldsAreGerman() {
    QLineEdit line;
    QPlainTextEdit text;
    for (QMenu* made : {line.createStandardContextMenu(), text.createStandardContextMenu()}) {
        const std::unique_ptr<QMenu> menu(made);
        QStringList words;
        for (const QAction* action : menu->actions()) words.append(action->text().section('\t', 0, 0));
        words.removeAll(QString());
        for (const char* word : {"&Rückgängig", "&Kopieren", "Alles auswählen"})
            QVERIFY2(words.contains(QString::fromUtf8(word)), qPrintable(words.join(QStringLiteral(", "))));
    }
}

QTEST_MAIN(TranslationsTest)
#include "tst_translations.moc"
