// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window's own translations alone, as on a computer where Qt's are not installed.
#include "app/engine/grouped_words.h"
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

#include <memory>

using namespace Qt::StringLiterals;

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
    void longCountsAreGrouped();
    void helpAndErrorsOfArgumentsAreGerman();
    void aLanguageThatIsNotHereIsEnglishAllOver();

private:
    homebooth::app::GroupedWords m_german;
};

void TranslationsTest::initTestCase() {
    QCOMPARE(QDialogButtonBox(QDialogButtonBox::Close).button(QDialogButtonBox::Close)->text(),
             u"Close"_s); // nothing else is installed
    QVERIFY(m_german.load(QStringLiteral(HOMEBOOTH_GERMAN)));
    QVERIFY(QCoreApplication::installTranslator(&m_german));
}

void TranslationsTest::buttonsOfDialogsAreGerman() {
    const QDialogButtonBox buttons(QDialogButtonBox::Close | QDialogButtonBox::Cancel);
    QCOMPARE(buttons.button(QDialogButtonBox::Close)->text(), u"Schließen"_s);
    QCOMPARE(buttons.button(QDialogButtonBox::Cancel)->text(), u"Abbrechen"_s);
    const QMessageBox question(QMessageBox::Question, {}, {}, QMessageBox::Cancel | QMessageBox::Yes);
    QCOMPARE(question.button(QMessageBox::Cancel)->text(), u"Abbrechen"_s);
    QCOMPARE(question.button(QMessageBox::Yes)->text(), u"&Ja"_s);
    QCOMPARE(QKeySequence(Qt::CTRL | Qt::Key_Return).toString(QKeySequence::NativeText), u"Strg+Eingabe"_s);
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
            QVERIFY2(words.contains(QString::fromUtf8(word)), qPrintable(words.join(u", "_s)));
    }
}

void TranslationsTest::helpNamesButtonsAsTheyAre() {
    const auto german = [](const char* page, const char* source) {
        const QByteArray context = QByteArray("homebooth::app::") + page;
        return QCoreApplication::translate(context.constData(), source);
    };
    const QString use = german("GalleryPage", "Use settings");
    QVERIFY(use != u"Use settings"_s);
    const QString ofUse = german("Help", "Use settings fills the form of Generate with those of a picture.");
    QVERIFY2(ofUse.startsWith(u"„%1“ "_s.arg(use)), qPrintable(ofUse));
    const QString make = german("GeneratePage", "Make pictures");
    QVERIFY(make != u"Make pictures"_s);
    for (const QString& ofMake :
         {german("Help", "Choose a model, describe the picture, press Make pictures."),
          german("GeneratePage", "Describe a picture and press Make pictures.")})
        QVERIFY2(ofMake.endsWith(u" „%1“."_s.arg(make)), qPrintable(ofMake));
}

void TranslationsTest::everyNounHasItsOwnGerman() {
    // In a row: one that lacks its word would shift all others.
    QCOMPARE(homebooth::app::nounWithMeaning(u"backpack"_s), u"backpack (Rucksack)"_s);
    QCOMPARE(homebooth::app::nounWithMeaning(u"dog"_s), u"dog (Hund)"_s);
    QCOMPARE(homebooth::app::nounWithMeaning(u"woman"_s), u"woman (Frau)"_s);
}

void TranslationsTest::longCountsAreGrouped() {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    const auto pictures = [](int count) {
        return QCoreApplication::translate("homebooth::app::GalleryPage", "%n picture(s)", nullptr, count);
    };
    const QStringList words{pictures(1), pictures(9999), pictures(12345)};
    QLocale::setDefault(before);
    QCOMPARE(words, QStringList({u"1 Bild"_s, u"9999 Bilder"_s, u"12.345 Bilder"_s}));
}

void TranslationsTest::helpAndErrorsOfArgumentsAreGerman() {
    const QTemporaryDir home;
    QVERIFY(QDir(home.path()).mkpath(u"homebooth"_s));
    QFile settings(home.filePath(u"homebooth/homebooth.ini"_s));
    QVERIFY(settings.open(QIODevice::WriteOnly) && settings.write("[look]\nlanguage=de\n") > 0);
    settings.close();
    QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
    values.insert(u"XDG_CONFIG_HOME"_s, home.path());
    const QString help = saidTo(u"--help"_s, values);
    for (const char* words : {"Bringt einem Bildmodell dein eigenes Motiv bei", "Optionen:", "Aufruf:"})
        QVERIFY2(help.contains(QString::fromUtf8(words)), qPrintable(help));
    const QString error = saidTo(u"--nonsense"_s, values);
    QVERIFY2(error.contains(u"Unbekannte Option"_s), qPrintable(error));
}

void TranslationsTest::aLanguageThatIsNotHereIsEnglishAllOver() {
    const QTemporaryDir home;
    QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
    values.insert(u"XDG_CONFIG_HOME"_s, home.path());
    values.insert(u"LC_ALL"_s, u"ar_EG.UTF-8"_s);
    values.remove(u"LANGUAGE"_s);
    const QString help = saidTo(u"--help"_s, values);
    // Qt has Arabic words for this one, and with them it mirrors windows.
    for (const char* words : {"Teaches an image model your own subject", "Options:", "Usage:"})
        QVERIFY2(help.contains(QLatin1String(words)), qPrintable(help));
}

QTEST_MAIN(TranslationsTest)
#include "tst_translations.moc"
