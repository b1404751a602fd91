// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window's own translations alone, as on a computer where Qt's are not installed.
#include "app/library/class_nouns.h"
#include "tests/patience.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

#include <memory>

namespace {

/// What the program answers to an argument.
QString saidTo(const QString& argument, const QProcessEnvironment& values) {
    QProcess window;
    window.setProcessEnvironment(values);
    window.setProcessChannelMode(QProcess::MergedChannels);
    window.start(QStringLiteral(HOMEBOOTH_BIN_DIR "/homebooth"), {argument});
    return window.waitForFinished(homebooth::testing::kLongestMs) ? QString::fromUtf8(window.readAll())
                                                                  : window.errorString();
}

} // namespace

class TranslationsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void buttonsOfDialogsAreGerman();
    void menusOfTextFieldsAreGerman();
    void helpNamesButtonsAsTheyAre();
    void everyNounHasItsOwnGerman();
    void helpAndErrorsOfArgumentsAreGerman();
    void aLanguageThatIsNotHereIsEnglishAllOver();

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
    QCOMPARE(QKeySequence(Qt::CTRL | Qt::Key_Return).toString(QKeySequence::NativeText),
             QStringLiteral("Strg+Eingabe"));
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

void TranslationsTest::helpNamesButtonsAsTheyAre() {
    const auto german = [](const char* page, const char* source) {
        const QByteArray context = QByteArray("homebooth::app::") + page;
        return QCoreApplication::translate(context.constData(), source);
    };
    const QString use = german("GalleryPage", "Use settings");
    QVERIFY(use != QStringLiteral("Use settings"));
    const QString ofUse = german("Help", "Use settings fills the form of Generate with those of a picture.");
    QVERIFY2(ofUse.startsWith(QStringLiteral("„%1“ ").arg(use)), qPrintable(ofUse));
    const QString make = german("GeneratePage", "Make pictures");
    QVERIFY(make != QStringLiteral("Make pictures"));
    for (const QString& ofMake :
         {german("Help", "Choose a model, describe the picture, press Make pictures."),
          german("GeneratePage", "Describe a picture and press Make pictures.")})
        QVERIFY2(ofMake.endsWith(QStringLiteral(" „%1“.").arg(make)), qPrintable(ofMake));
}

void TranslationsTest::everyNounHasItsOwnGerman() {
    // In a row: one that lacks its word would shift all others.
    QCOMPARE(homebooth::app::nounWithMeaning(QStringLiteral("backpack")),
             QStringLiteral("backpack (Rucksack)"));
    QCOMPARE(homebooth::app::nounWithMeaning(QStringLiteral("dog")), QStringLiteral("dog (Hund)"));
    QCOMPARE(homebooth::app::nounWithMeaning(QStringLiteral("woman")), QStringLiteral("woman (Frau)"));
}

void TranslationsTest::helpAndErrorsOfArgumentsAreGerman() {
    const QTemporaryDir home;
    QVERIFY(QDir(home.path()).mkpath(QStringLiteral("homebooth")));
    QFile settings(home.filePath(QStringLiteral("homebooth/homebooth.ini")));
    QVERIFY(settings.open(QIODevice::WriteOnly) && settings.write("[look]\nlanguage=de\n") > 0);
    settings.close();
    QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
    values.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
    const QString help = saidTo(QStringLiteral("--help"), values);
    for (const char* words : {"Bringt einem Bildmodell dein eigenes Motiv bei", "Optionen:", "Aufruf:"})
        QVERIFY2(help.contains(QString::fromUtf8(words)), qPrintable(help));
    const QString error = saidTo(QStringLiteral("--nonsense"), values);
    QVERIFY2(error.contains(QStringLiteral("Unbekannte Option")), qPrintable(error));
}

void TranslationsTest::aLanguageThatIsNotHereIsEnglishAllOver() {
    const QTemporaryDir home;
    QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
    values.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
    values.insert(QStringLiteral("LC_ALL"), QStringLiteral("ar_EG.UTF-8"));
    values.remove(QStringLiteral("LANGUAGE"));
    const QString help = saidTo(QStringLiteral("--help"), values);
    // Qt has Arabic words for this one, and with them it mirrors windows.
    for (const char* words : {"Teaches an image model your own subject", "Options:", "Usage:"})
        QVERIFY2(help.contains(QLatin1String(words)), qPrintable(help));
}

QTEST_MAIN(TranslationsTest)
#include "tst_translations.moc"
