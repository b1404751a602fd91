// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/number_format.h"
#include "app/engine/pictures/picture_device.h"
#include "app/pages/settings/settings_page.h"
#include "app/settings/settings_file.h"
#include "app_files.h"
#include "loop_watch.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFocusEvent>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QLockFile>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>

using namespace homebooth::app;
namespace core = homebooth::core;

class SettingsTest : public QObject {
    Q_OBJECT
public:
    explicit SettingsTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void everySettingIsDeclaredWhole();
    void survivesARestart();
    void whatIsTypedNeverWaitsForTheFile();
    void whatOthersWroteStays();
    void whatCannotBeWrittenIsToldOnce();
    void whatCouldNotBeWrittenIsTriedAgain_data();
    void whatCouldNotBeWrittenIsTriedAgain();
    void aDamagedFileIsPutAside();
    void aFileThatWasCutOffIsPutAside();
    void keepsNumbersInTheirRange();
    void fallsBackFromWordsThatItDoesNotKnow();
    void largeModelsAreComputedInWhatTheCardsTake();
    void picturesKeepToTheLimitOfTheCard();
    void picturesOfLargeModelsMayHaveLighterWeights();
    void pageOffersLighterWeightsBesideTheCard();
    void limitsOfMemoryHaveTenths();
    void pageFollowsAndChangesSettings();
    void pageTakesTenthsOfALimit();
    void searchingLeavesWhatMatches();
    void theKeyboardFindsAGroupChosen();
    void largeLettersHaveWiderLines();
    void whatASearchLeavesStandsTogether();
    void aFolderThatIsNotChosenLeavesNoEmptyLine();

private:
    const TestPlace& m_place;
};

void SettingsTest::everySettingIsDeclaredWhole() {
    const Settings settings(m_place.path(u"a.ini"_s));
    QSet<QString> keys;
    for (const Setting& setting : settings.list()) {
        QVERIFY2(!setting.label.isEmpty() && !setting.tooltip.isEmpty() && !setting.group.isEmpty(),
                 setting.key);
        QVERIFY2(setting.fallback.isValid(), setting.key);
        QVERIFY2(!keys.contains(QString::fromLatin1(setting.key)), setting.key);
        keys.insert(QString::fromLatin1(setting.key));
        if (setting.kind == SettingKind::Number)
            QVERIFY2(setting.fallback.toInt() >= setting.least && setting.fallback.toInt() <= setting.most,
                     setting.key);
        if (setting.kind == SettingKind::Choice) QVERIFY2(setting.choices.size() >= 2, setting.key);
    }
}

void SettingsTest::survivesARestart() {
    const QString file = m_place.path(u"b.ini"_s);
    {
        Settings settings(file);
        settings.set(keys::kTextSize, 120);
    }
    Settings again(file);
    QCOMPARE(again.number(keys::kTextSize), 120);
    QVERIFY(!again.isDefault(keys::kTextSize));
    again.reset(keys::kTextSize);
    QCOMPARE(again.number(keys::kTextSize), 100);
}

void SettingsTest::whatIsTypedNeverWaitsForTheFile() {
    const QString file = m_place.path(u"held.ini"_s);
    const auto kept = [&file] {
        return QSettings(file, QSettings::IniFormat).value(QLatin1String(keys::kPromptDraft));
    };
    {
        Settings settings(file);
        settings.set(keys::kPromptDraft, u"before"_s);
    }
    QCOMPARE(kept().toString(), u"before"_s);
    QLockFile other(file + u".lock"_s); // as another program that writes has it
    QVERIFY(other.lock());
    Settings settings(file);
    LoopWatch watch;
    QString typed;
    for (int letter = 0; letter < 40; ++letter) {
        typed += QLatin1Char('a');
        settings.set(keys::kPromptDraft, typed);
        QCOMPARE(settings.text(keys::kPromptDraft), typed);
        QTest::qWait(10);
    }
    settings.reset(keys::kTextSize);
    qInfo("typed while the file is held: %s", qPrintable(watch.report()));
    QVERIFY2(watch.worstHeldMs() <= LoopWatch::kLongMs, qPrintable(watch.report()));
    QVERIFY(!bytesOf(file).contains(typed.toUtf8())); // it was held all the time
    other.unlock();
    QTRY_VERIFY(bytesOf(file).contains(typed.toUtf8()));
    QCOMPARE(kept().toString(), typed);
}

void SettingsTest::whatOthersWroteStays() {
    const QString file = m_place.path(u"shared.ini"_s);
    Settings settings(file);
    settings.set(keys::kPromptDraft, u"mine"_s);
    QTRY_VERIFY(bytesOf(file).contains("mine"));
    writeBytes(file, bytesOf(file) + "\n[other]\nprogram=theirs\n");
    settings.set(keys::kPromptDraft, u"mine, later"_s);
    QTRY_VERIFY(bytesOf(file).contains("mine, later"));
    QVERIFY(bytesOf(file).contains("theirs"));
    settings.reset(keys::kPromptDraft);
    QVERIFY(settings.text(keys::kPromptDraft).isEmpty());
    QTRY_VERIFY(!bytesOf(file).contains("mine"));
}

void SettingsTest::whatCannotBeWrittenIsToldOnce() {
    const QString file = m_place.path(u"no folder/kept.ini"_s);
    writeBytes(m_place.path(u"no folder"_s), "a file has its name");
    Settings settings(file);
    QSignalSpy told(&settings, &Settings::notWritten);
    settings.set(keys::kPromptDraft, u"a cat"_s);
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(told.front().front().toString(), file);
    settings.set(keys::kPromptDraft, u"a cat, later"_s);
    QTest::qWait(500); // it was tried again by then
    QCOMPARE(told.size(), 1);
    QCOMPARE(settings.text(keys::kPromptDraft), u"a cat, later"_s);
    Settings fine(m_place.path(u"fine.ini"_s));
    QSignalSpy untold(&fine, &Settings::notWritten);
    fine.set(keys::kPromptDraft, u"a cat"_s);
    QTRY_VERIFY(bytesOf(m_place.path(u"fine.ini"_s)).contains("a cat"));
    QTest::qWait(100);
    QVERIFY(untold.isEmpty());
}

void SettingsTest::whatCouldNotBeWrittenIsTriedAgain_data() {
    QTest::addColumn<bool>("waits");
    QTest::newRow("after a while") << true;
    QTest::newRow("at the end") << false;
}

void SettingsTest::whatCouldNotBeWrittenIsTriedAgain() {
    QFETCH(bool, waits);
    const QString place = m_place.path(u"room comes "_s + QTest::currentDataTag());
    const QString file = place + u"/kept.ini"_s;
    writeBytes(place, "a file has its name");
    {
        Settings settings(file);
        QSignalSpy told(&settings, &Settings::notWritten);
        settings.set(keys::kPromptDraft, u"a cat"_s);
        QTRY_COMPARE(told.size(), 1);
        QSignalSpy again(&settings, &Settings::writtenAgain);
        QVERIFY(QFile::remove(place)); // whoever read it did what it says
        if (waits) {
            QTRY_COMPARE_WITH_TIMEOUT(again.size(), 1, 30'000);
            QVERIFY(bytesOf(file).contains("a cat"));
            QCOMPARE(told.size(), 1);
        }
    }
    QVERIFY(bytesOf(file).contains("a cat"));
}

void SettingsTest::aDamagedFileIsPutAside() {
    const QString file = m_place.path(u"damaged.ini"_s);
    const QByteArray bytes = "[prompt]\n\x01\x02 no value\ndraft=a cat\n";
    writeBytes(file, bytes);
    const QString key = QString::fromLatin1(keys::kPromptDraft);
    // What asks for the language has nobody to tell of it, and Qt does not read the file again after that.
    QCOMPARE(Settings(file, nullptr, SettingsFile::Damaged::Leave).damagedFile(), QString());
    QCOMPARE(bytesOf(file), bytes);
    const QString unread = m_place.path(u"unread.ini"_s);
    writeBytes(unread, "[half\n");
    SettingsFile(unread, nullptr, SettingsFile::Damaged::Leave).remove(key);
    QVERIFY(QFile::exists(unread)); // nobody knows what is in it
    {
        SettingsFile settings(file);
        QVERIFY(QFile::exists(file)); // until it is written anew
        QVERIFY(settings.damagedFile().startsWith(file + u".damaged-"_s));
        QCOMPARE(bytesOf(settings.damagedFile()), bytes);
        settings.set(key, u"a dog"_s);
    }
    QVERIFY(!bytesOf(file).contains("no value"));
    const SettingsFile settings(file);
    QCOMPARE(settings.damagedFile(), QString());
    QCOMPARE(settings.value(u"prompt/draft"_s).toString(), u"a cat"_s);
    QCOMPARE(settings.value(key).toString(), u"a dog"_s);
}

void SettingsTest::aFileThatWasCutOffIsPutAside() {
    const QString file = m_place.path(u"cut off.ini"_s);
    for (const QByteArray& left : {QByteArray(), QByteArray("[prompt]\ndraft=a cat\nnega")}) {
        writeBytes(file, left);
        const SettingsFile settings(file);
        QCOMPARE(bytesOf(settings.damagedFile()), left);
        QCOMPARE(settings.value(u"prompt/draft"_s).isValid(), !left.isEmpty());
        QVERIFY(QFile::remove(settings.damagedFile()));
    }
    const QString edited = m_place.path(u"edited.ini"_s);
    writeBytes(edited, "[prompt]\ndraft=a cat"); // as some editors end it
    QCOMPARE(SettingsFile(edited).damagedFile(), QString());
    const QString own = m_place.path(u"own.ini"_s);
    const QString key = QString::fromLatin1(keys::kPromptDraft);
    SettingsFile(own).set(key, u"a dog"_s);
    QCOMPARE(SettingsFile(own).damagedFile(), QString());
    SettingsFile(own).remove(key);
    QVERIFY(!QFile::exists(own)); // whoever has set all back has lost nothing
}

void SettingsTest::keepsNumbersInTheirRange() {
    Settings settings(m_place.path(u"c.ini"_s));
    settings.set(keys::kTextSize, 100000);
    QCOMPARE(settings.number(keys::kTextSize), 200);
    settings.set(keys::kTextSize, u"large"_s);
    QCOMPARE(settings.number(keys::kTextSize), 100);
}

void SettingsTest::fallsBackFromWordsThatItDoesNotKnow() {
    Settings settings(m_place.path(u"d.ini"_s));
    settings.set(keys::kColours, u"pink"_s);
    QCOMPARE(settings.text(keys::kColours), u"system"_s);
}

void SettingsTest::largeModelsAreComputedInWhatTheCardsTake() {
    Settings settings(m_place.path(u"g.ini"_s));
    QCOMPARE(pictureFormat(settings, 512), core::Precision::Bf16); // the cards are not known yet
    const core::GpuDevice ofRtx20{"NVIDIA GeForce RTX 2070", "", 0, 7, 5};
    rememberFormat(settings, {ofRtx20});
    QCOMPARE(pictureFormat(settings, 512), core::Precision::Fp16);
    QCOMPARE(pictureFormat(settings, 64), core::Precision::Fp32);
    settings.set(keys::kProcessorOnly, true);
    QCOMPARE(pictureFormat(settings, 512), core::Precision::Bf16);
    settings.set(keys::kProcessorOnly, false);
    const core::GpuDevice ofGtx16{"NVIDIA GeForce GTX 1660 SUPER", "", 0, 7, 5};
    rememberFormat(settings, {ofGtx16});
    QCOMPARE(pictureFormat(settings, 512), core::Precision::Bf16);
    rememberFormat(settings, {ofRtx20, ofGtx16}); // one format for all that there are
    QCOMPARE(pictureFormat(settings, 512), core::Precision::Bf16);
    rememberFormat(settings, {ofRtx20});
    QCOMPARE(pictureFormat(settings, 512), core::Precision::Fp16);
    rememberFormat(settings, {});
    QCOMPARE(pictureFormat(settings, 512), core::Precision::Bf16);
}

void SettingsTest::picturesKeepToTheLimitOfTheCard() {
    Settings settings(m_place.path(u"i.ini"_s));
    core::SampleConfig config;
    placePictures(config, settings, 1024);
    QCOMPARE(config.deviceBytes, int64_t{0});
    QVERIFY(config.precision == core::Precision::Bf16);
    settings.set(keys::kGpuMemory, 5.5);
    placePictures(config, settings, 1024);
    QCOMPARE(config.deviceBytes, int64_t{11} << 29);
    QVERIFY(config.device == core::ComputeDevice::Auto);
    settings.set(keys::kProcessorOnly, true); // RAM would stand for the card
    placePictures(config, settings, 1024);
    QCOMPARE(config.deviceBytes, int64_t{0});
    QVERIFY(config.device == core::ComputeDevice::Cpu);
}

void SettingsTest::picturesOfLargeModelsMayHaveLighterWeights() {
    Settings settings(m_place.path(u"j.ini"_s));
    core::SampleConfig config;
    placePictures(config, settings, 1024);
    QCOMPARE(config.quantization, core::Quantization::None);
    QVERIFY(couldHaveLighterWeights(config));
    for (const core::Quantization weights : {core::Quantization::W8A8, core::Quantization::Int8}) {
        setPictureWeights(settings, weights);
        placePictures(config, settings, 1024);
        QCOMPARE(config.quantization, weights);
        QVERIFY(!couldHaveLighterWeights(config));
    }
    placePictures(config, settings, 64); // computed in fp32, and small
    QCOMPARE(config.quantization, core::Quantization::None);
    QVERIFY(!couldHaveLighterWeights(config));
    setPictureWeights(settings, core::Quantization::None);
    QVERIFY(settings.isDefault(keys::kPictureWeights));
    placePictures(config, settings, 1024);
    QCOMPARE(config.quantization, core::Quantization::None);
}

void SettingsTest::pageOffersLighterWeightsBesideTheCard() {
    Theme theme;
    Settings settings(m_place.path(u"k.ini"_s));
    QCOMPARE(settings.find(keys::kPictureWeights)->group, settings.find(keys::kGpuMemory)->group);
    SettingsPage page(settings);
    QComboBox* weights = nullptr;
    for (auto* box : page.findChildren<QComboBox*>())
        if (box->accessibleName() == u"Weights of large models"_s) weights = box;
    QVERIFY(weights != nullptr);
    QCOMPARE(weights->currentText(), u"As they are"_s);
    weights->setCurrentIndex(weights->findText(u"In 8 bits"_s));
    core::SampleConfig config;
    placePictures(config, settings, 1024);
    QCOMPARE(config.quantization, core::Quantization::Int8);
    weights->setCurrentIndex(weights->findText(u"In 8 bits, computed in 8 bits"_s));
    placePictures(config, settings, 1024);
    QCOMPARE(config.quantization, core::Quantization::W8A8);
}

void SettingsTest::limitsOfMemoryHaveTenths() {
    constexpr qint64 kHalfGibi = qint64{1} << 29;
    const QString file = m_place.path(u"f.ini"_s);
    {
        Settings settings(file);
        QVERIFY(settings.isDefault(keys::kGpuMemory));
        QCOMPARE(settings.bytes(keys::kGpuMemory), qint64{0});
        settings.set(keys::kGpuMemory, 5.5);
        settings.set(keys::kRam, 6); // as earlier versions kept it
        settings.set(keys::kSwapSize, 7.26);
    }
    Settings again(file);
    QCOMPARE(again.text(keys::kGpuMemory), u"5.5"_s);
    QCOMPARE(again.bytes(keys::kGpuMemory), 11 * kHalfGibi);
    QCOMPARE(again.bytes(keys::kRam), 12 * kHalfGibi);
    QCOMPARE(again.value(keys::kSwapSize).toDouble(), 7.3);
    for (const auto& [kept, gigabytes] :
         {std::pair{u"-2.5"_s, 0.0}, {u"4096.5"_s, 4096.0}, {u"much"_s, 0.0}, {u"nan"_s, 0.0}}) {
        again.set(keys::kRam, kept);
        QCOMPARE(again.value(keys::kRam).toDouble(), gigabytes);
    }
    again.reset(keys::kGpuMemory);
    QVERIFY(again.isDefault(keys::kGpuMemory));
}

void SettingsTest::pageFollowsAndChangesSettings() {
    Theme theme;
    Settings settings(m_place.path(u"e.ini"_s));
    QUndoStack undo;
    SettingsPage page(settings, nullptr, &undo);
    auto* spin = page.findChildren<QSpinBox*>().constFirst();
    QCOMPARE(spin->value(), 100);
    settings.set(keys::kTextSize, 150);
    QCOMPARE(spin->value(), 150);
    auto* box = page.findChildren<QCheckBox*>().constFirst();
    box->click();
    QVERIFY(settings.flag(keys::kHighContrast));
    spin->setValue(120);
    spin->setValue(130); // at once: one step
    QCOMPARE(undo.undoText(), u"change Text size"_s);
    undo.undo();
    QCOMPARE(settings.number(keys::kTextSize), 150);
    QCOMPARE(spin->value(), 150);
    undo.undo();
    QVERIFY(!settings.flag(keys::kHighContrast) && !box->isChecked() && !undo.canUndo());
    undo.redo();
    QVERIFY(settings.flag(keys::kHighContrast) && box->isChecked());
}

void SettingsTest::pageTakesTenthsOfALimit() {
    Theme theme;
    Settings settings(m_place.path(u"g.ini"_s));
    SettingsPage page(settings);
    page.setVisible(true);
    const auto field = [&page](const char* name) -> QDoubleSpinBox* {
        for (auto* spin : page.findChildren<QDoubleSpinBox*>())
            if (spin->accessibleName() == QLatin1String(name)) return spin;
        return nullptr;
    };
    auto* graphics = field("Limit of graphics memory");
    auto* swap = field("Limit of swapping");
    QVERIFY(graphics != nullptr && swap != nullptr && field("Limit of RAM") != nullptr);
    QCOMPARE(graphics->text(), u"all that is free"_s);
    QCOMPARE(swap->text(), u"what is needed"_s);
    settings.set(keys::kGpuMemory, 5.5);
    const QString point = graphics->locale().decimalPoint();
    QCOMPARE(graphics->text(), u"5"_s + point + u"5 GB"_s);
    graphics->selectAll();
    QTest::keyClicks(graphics, u"7"_s + point + '2');
    QTest::keyClick(graphics, Qt::Key_Return);
    QCOMPARE(settings.text(keys::kGpuMemory), u"7.2"_s);
    graphics->stepUp();
    QCOMPARE(settings.text(keys::kGpuMemory), u"7.7"_s);
}

void SettingsTest::searchingLeavesWhatMatches() {
    Theme theme;
    Settings settings(m_place.path(u"h.ini"_s));
    SettingsPage page(settings);
    page.setVisible(true);
    const auto shown = [&page](const char* text) {
        for (const auto* label : page.findChildren<QLabel*>())
            if (label->text() == QLatin1String(text) && label->isVisibleTo(&page)) return true;
        return false;
    };
    auto* search = static_cast<QLineEdit*>(page.searchField());
    search->setText(u"swap folder"_s);
    QVERIFY(shown("Swap folder") && shown("Device"));
    QVERIFY(!shown("Text size") && !shown("Look") && !shown("Homebooth sends nothing."));
    QVERIFY(!shown("Nothing matches."));
    search->setText(u"privacy"_s);
    QVERIFY(shown("Homebooth sends nothing.") && shown("Privacy") && !shown("Device"));
    search->setText(u"no setting is called so"_s);
    QVERIFY(shown("Nothing matches.") && !shown("Privacy"));
    search->clear();
    QVERIFY(shown("Text size") && shown("Privacy") && !shown("Nothing matches."));
}

void SettingsTest::whatASearchLeavesStandsTogether() {
    Theme theme;
    Settings settings(m_place.path(u"l.ini"_s));
    SettingsPage page(settings);
    page.resize(900, 2000);
    page.setVisible(true);
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto* groups = page.findChild<QListView*>();
    groups->setCurrentIndex(groups->model()->index(0, 0));
    static_cast<QLineEdit*>(page.searchField())->setText(u"swap folder"_s);
    QVERIFY(!groups->currentIndex().isValid()); // what is found is not of that group
    const auto* form = page.findChild<QScrollArea*>()->widget();
    const auto seen = [form] {
        QRect all;
        for (const auto* one : form->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (one->isVisible()) all |= one->geometry();
        return all;
    };
    QTRY_COMPARE(seen().top(), 0);
    QTRY_VERIFY2(seen().height() < 200, qPrintable(QString::number(seen().height())));
}

void SettingsTest::theKeyboardFindsAGroupChosen() {
    Theme theme;
    Settings settings(m_place.path(u"keyboard.ini"_s));
    SettingsPage page(settings);
    page.setVisible(true);
    auto* groups = page.findChild<QListView*>();
    const auto comeBy = [groups](Qt::FocusReason reason) {
        QFocusEvent in(QEvent::FocusIn, reason);
        QCoreApplication::sendEvent(groups, &in);
    };
    comeBy(Qt::MouseFocusReason); // which chooses by its press
    QVERIFY(!groups->selectionModel()->hasSelection());
    comeBy(Qt::TabFocusReason);
    QCOMPARE(groups->selectionModel()->selectedRows().size(), 1);
    QVERIFY(groups->selectionModel()->isSelected(groups->model()->index(0, 0)));
    QTest::keyClick(groups, Qt::Key_Down);
    comeBy(Qt::TabFocusReason); // what is chosen stays
    QVERIFY(groups->selectionModel()->isSelected(groups->model()->index(1, 0)));
}

void SettingsTest::largeLettersHaveWiderLines() {
    Theme theme;
    Settings settings(m_place.path(u"letters.ini"_s));
    SettingsPage page(settings);
    page.resize(1600, 900);
    page.setVisible(true);
    const QWidget* form = page.findChild<QScrollArea*>()->widget();
    QTRY_VERIFY(form->width() >= 640);
    const int before = form->width();
    theme.setTextSize(200);
    QTRY_VERIFY2(form->width() > before + 100, qPrintable(QString::number(form->width())));
    theme.setTextSize(100);
    QTRY_COMPARE(form->width(), before);
}

void SettingsTest::aFolderThatIsNotChosenLeavesNoEmptyLine() {
    Theme theme;
    Settings settings(m_place.path(u"i.ini"_s));
    SettingsPage page(settings);
    page.setVisible(true);
    const auto emptyLines = [&page] {
        int count = 0;
        for (const auto* label : page.findChild<QScrollArea*>()->findChildren<QLabel*>())
            if (label->isVisible() && label->text().isEmpty()) ++count;
        return count;
    };
    QTRY_COMPARE(emptyLines(), 0); // the room on its disk is found out elsewhere
}

HOMEBOOTH_APP_TEST_MAIN(SettingsTest)
#include "tst_settings.moc"
