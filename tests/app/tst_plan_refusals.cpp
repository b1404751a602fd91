// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Trainings that the engine refuses to plan: what it says is read and told in the user's words, and a way on
// is offered. An engine of a few lines refuses.
#include "app/engine/runs/disk_use.h"
#include "app/library/background.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/pages/train/setup/shortage_text.h"
#include "app/pages/train/setup/train_setup.h"
#include "train_fixture.h"

#include <fcntl.h>

using namespace homebooth;
using namespace homebooth::app;

class PlanRefusalsTest : public TrainFormTest {
    Q_OBJECT
public:
    using TrainFormTest::TrainFormTest;
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { end(); }
    void figuresAreReadFromTheEnginesWords_data();
    void figuresAreReadFromTheEnginesWords();
    void ramIsToldApartFromTheCardsMemory();
    void figuresThatReadTheSameAreNotToldTwice();
    void aLimitOfTheUsersIsNamed_data();
    void aLimitOfTheUsersIsNamed();
    void aLimitOfTheUsersIsRaisedInTheSettings();
    void whereTheDiskIsFullRoomIsLookedFor_data();
    void whereTheDiskIsFullRoomIsLookedFor();
    void roomIsAskedAboutWheneverItCame_data();
    void roomIsAskedAboutWheneverItCame();
    void withoutItsCardTheProcessorIsOffered();
    void wherePhotosAreGoneTheyAreShown();
    void ofADatasetThatIsGoneNoPhotosAreSpokenOf();
};

namespace {

constexpr int64_t kMebi = int64_t{1} << 20;
constexpr int64_t kGibi = int64_t{1} << 30;
constexpr int kOutOfResources = static_cast<int>(core::ErrorCode::OutOfResources);
constexpr const char* kNoFolder = ": expected a folder with pictures, found none; check";
constexpr const char* kOfBoth = "this training needs at least 7000 MiB of memory where it computes and 21000 "
                                "MiB of RAM, and 5.50 GiB and 13.0 GiB may be used; close other programs";
constexpr const char* kOfRam = "parameters, optimizer states and the program do not fit into RAM beside the "
                               "device: 9216 MiB of RAM would do, and 8.00 GiB may be used; try another";

/// Plans what has $FITS in it, a regular expression, and refuses all else with $CODE.
constexpr const char* kRefuses = R"sh(#!/bin/bash
for word; do file="$word"; done
if grep -Eq "$FITS" "$file"; then
    echo '{"predicted":{"ramBytes":1073741824},"decisions":[],"checkpointBytes":5}'
    exit 0
fi
echo "error: plan: $REFUSAL" >&2
exit "$CODE"
)sh";

PlanFacts refused(const QString& sentence) {
    return planFactsOf(kOutOfResources, {}, sentence);
}

} // namespace

void PlanRefusalsTest::initTestCase() {
    QVERIFY(useEngine(m_place, kRefuses));
}

void PlanRefusalsTest::init() {
    qputenv("FITS", "nothing fits");
    m_place.removeLibrary();
    beginAgain();
    m_services->settings.reset(keys::kRam);
    m_services->settings.reset(keys::kProcessorOnly);
}

void PlanRefusalsTest::figuresAreReadFromTheEnginesWords_data() {
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<qint64>("needed");
    QTest::addColumn<qint64>("have");
    QTest::addColumn<qint64>("neededRam");
    QTest::addColumn<qint64>("haveRam");
    const auto row = [](const char* name, const char* sentence, int64_t needed, int64_t have,
                        int64_t neededRam = 0, int64_t haveRam = 0) {
        QTest::newRow(name) << QString::fromLatin1(sentence) << qint64(needed) << qint64(have)
                            << qint64(neededRam) << qint64(haveRam);
    };
    row("a card's memory", "this needs about 9.00 GiB of GPU memory, and 2.00 GiB may be used; try",
        9 * kGibi, 2 * kGibi);
    row("a half of the RAM",
        "this needs about 3.00 GiB of memory, and 2.00 GiB may be used (a half of --ram 4.00 GiB, for each "
        "of "
        "2 processes); raise --ram",
        3 * kGibi, 2 * kGibi);
    row("both", kOfBoth, 7000 * kMebi, 5 * kGibi + kGibi / 2, 21000 * kMebi, 13 * kGibi);
    row("RAM that would do", kOfRam, 0, 0, 9 * kGibi, 8 * kGibi);
    row("RAM beside a card", "this needs about 9.00 GiB of memory beside the GPU, and 8.00 GiB may be used",
        0, 0, 9 * kGibi, 8 * kGibi);
    row("a full disk",
        "/runs: checkpoints, result and what does not lie in memory need about 20.0 GiB of disk, and 0 bytes "
        "are free: 8.00 GiB of checkpoints and result, 12.0 GiB for swapping; free some space",
        20 * kGibi, 0);
    row("a folder with a size",
        "/media/4 TiB and 2 GiB: checkpoints and result need about 20.0 GiB of disk, "
        "and 5.00 GiB are free; free some space",
        20 * kGibi, 5 * kGibi);
    row("swapping",
        "swapping states: expected at least 24.0 GiB, found that --swap-size allows 20.0 GiB; allow",
        24 * kGibi, 20 * kGibi);
    row("one figure alone", "3.00 GiB could not be allocated", 0, 0);
}

void PlanRefusalsTest::figuresAreReadFromTheEnginesWords() {
    QFETCH(QString, sentence);
    const PlanFacts facts = refused(sentence);
    QTEST(qint64(facts.neededBytes), "needed");
    QTEST(qint64(facts.haveBytes), "have");
    QTEST(qint64(facts.neededRamBytes), "neededRam");
    QTEST(qint64(facts.haveRamBytes), "haveRam");
}

void PlanRefusalsTest::ramIsToldApartFromTheCardsMemory() {
    QCOMPARE(shortageText(refused(QLatin1String(kOfBoth)), {}),
             u"It needs 6.8 GB of graphics memory and 20.5 GB of RAM, and it may use 5.5 GB and "
             "13.0 GB. Nothing was started."_s);
    QCOMPARE(shortageText(refused(QLatin1String(kOfRam)), {}),
             u"It needs 9.0 GB of RAM, and it may use 8.0 GB. Nothing was started."_s);
}

void PlanRefusalsTest::figuresThatReadTheSameAreNotToldTwice() {
    const QString close =
        u"this training needs at least 8220 MiB of memory where it computes, and 8.00 GiB may be used; try"_s;
    core::TrainConfig config;
    QCOMPARE(shortageText(refused(close), config),
             u"It needs 28 MB of memory more than it may use. Nothing was started."_s);
    config.parallel.processes = 2;
    QCOMPARE(shortageText(refused(close), config),
             u"Each of 2 processes needs 28 MB of memory more than it may use. Nothing was "
             "started."_s);
    const auto onDisk = [](const char* needed, const char* free) {
        const QString sentence =
            u"checkpoints and result need about %1 of disk, and %2 are free; free some space"_s;
        return shortageText(refused(sentence.arg(QLatin1String(needed), QLatin1String(free))), {});
    };
    QCOMPARE(onDisk("9.02 GiB", "9.00 GiB"),
             u"It needs 21 MB more on the disk than are free. Nothing was started."_s);
    QCOMPARE(onDisk("213 GiB", "213 GiB"), // no more is known
             u"It needs more room on the disk than is free. Nothing was started."_s);
}

void PlanRefusalsTest::aLimitOfTheUsersIsNamed_data() {
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<qint64>("ofCard"); // the limits, in MiB; 0: none
    QTest::addColumn<qint64>("ofRam");
    QTest::addColumn<bool>("named");
    const QString plain = u"this needs about 9.00 GiB of memory, and 7.30 GiB may be used; try"_s;
    QTest::newRow("no limit") << plain << qint64(0) << qint64(0) << false;
    QTest::newRow("of the card") << plain << qint64(7475) << qint64(0) << true;
    QTest::newRow("of RAM") << plain << qint64(0) << qint64(7475) << true;
    QTest::newRow("others have more of it") << plain << qint64(9000) << qint64(9000) << false;
    QTest::newRow("of RAM beside the card")
        << QString::fromLatin1(kOfRam) << qint64(0) << qint64(8192) << true;
    QTest::newRow("of the other memory") << QString::fromLatin1(kOfRam) << qint64(8192) << qint64(0) << false;
    QTest::newRow("a disk of that size")
        << u"checkpoints and result need about 9.00 GiB of disk, and 8.00 GiB are free; free"_s
        << qint64(8192) << qint64(8192) << false;
}

void PlanRefusalsTest::aLimitOfTheUsersIsNamed() {
    QFETCH(QString, sentence);
    QFETCH(qint64, ofCard);
    QFETCH(qint64, ofRam);
    core::TrainConfig config;
    config.memory.deviceBytes = ofCard * kMebi;
    config.memory.ramBytes = ofRam * kMebi;
    const QString text = shortageText(refused(sentence), config);
    QTEST(text.endsWith(u"The limit is your own, in Settings, Device."_s), "named");
    if (ofRam == 0) return;
    config.memory.ramBytes *= 2; // of which each of two has a half
    config.parallel.processes = 2;
    QTEST(ownLimitBinds(refused(sentence), config), "named");
}

void PlanRefusalsTest::aLimitOfTheUsersIsRaisedInTheSettings() {
    qputenv("CODE", "4");
    qputenv("REFUSAL", "this needs about 9.00 GiB of memory, and 2.00 GiB may be used; try --precision bf16");
    addRobotAndModel();
    TrainSetup setup(m_services->all());
    const QString label = u"Raise the limit of memory"_s;
    QTRY_VERIFY(shownTexts(setup).contains(u"Does not fit"_s));
    QVERIFY(shownTexts(setup).contains(
        u"This needs about 9.00 GiB of memory, and 2.00 GiB may be used; try --precision bf16"_s));
    QVERIFY(buttonNamed(setup, label) == nullptr);
    m_services->settings.set(keys::kRam, 2.0);
    QTRY_VERIFY(buttonNamed(setup, label) != nullptr);
    QSignalSpy wanted(&setup, &TrainSetup::settingsWanted);
    buttonNamed(setup, label)->click();
    QCOMPARE(wanted.size(), 1);
}

void PlanRefusalsTest::whereTheDiskIsFullRoomIsLookedFor_data() {
    QTest::addColumn<bool>("enough");
    QTest::newRow("enough is freed") << true;
    QTest::newRow("too little is freed") << false;
}

void PlanRefusalsTest::whereTheDiskIsFullRoomIsLookedFor() {
    QFETCH(bool, enough);
    const QString place = m_place.path("in the way");
    QFile inTheWay(place);
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    QCOMPARE(::posix_fallocate(inTheWay.handle(), 0, 96 * kMebi), 0);
    qputenv("CODE", "4");
    const int64_t free = freeBytesAt(place) / kMebi;
    const int64_t needed = free + (enough ? 48 : int64_t{900'000} << 10);
    qputenv("REFUSAL", place.toLocal8Bit() + ": checkpoints and result need about " +
                           QByteArray::number(needed) + " MiB of disk, and " + QByteArray::number(free) +
                           " MiB are free; free some space");
    addRobotAndModel();
    TrainSetup setup(m_services->all());
    setup.setVisible(true);
    QTRY_VERIFY(shownTexts(setup).contains(u"Does not fit"_s));
    workPool().waitForDone(); // it has looked at what is free now
    qputenv("FITS", ".");
    QVERIFY(inTheWay.remove());
    if (enough) {
        QTRY_VERIFY(setup.ready());
    } else {
        QTest::qWait(3500); // it has looked once more
        QVERIFY(!setup.ready());
    }
}

void PlanRefusalsTest::roomIsAskedAboutWheneverItCame_data() {
    QTest::addColumn<bool>("goes");
    QTest::newRow("before the first look") << false;
    QTest::newRow("and went, and came back") << true;
}

void PlanRefusalsTest::roomIsAskedAboutWheneverItCame() {
    QFETCH(bool, goes);
    const QString place = m_place.path("in the way again");
    const int64_t free = freeBytesAt(m_place.path({})) / kMebi;
    qputenv("CODE", "4");
    qputenv("REFUSAL", place.toLocal8Bit() + ": checkpoints and result need about " +
                           QByteArray::number(free - 48) + " MiB of disk, and " +
                           QByteArray::number(free - 96) + " MiB are free; free some space");
    addRobotAndModel();
    TrainSetup setup(m_services->all());
    setup.setVisible(true);
    const auto refuses = [&setup] { return shownTexts(setup).contains(u"Does not fit"_s); };
    connect(&setup, &TrainSetup::changed, &setup, [&] {
        if (!goes && refuses()) qputenv("FITS", "."); // the next plan, if one is asked for
    });
    if (goes) {
        QTRY_VERIFY(refuses());
        QTest::qWait(1000); // it has asked anew, in vain
        QFile inTheWay(place);
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        QCOMPARE(::posix_fallocate(inTheWay.handle(), 0, 96 * kMebi), 0);
        QTest::qWait(4500); // it has looked
        qputenv("FITS", ".");
        QVERIFY(inTheWay.remove());
    }
    QTRY_VERIFY(setup.ready());
}

void PlanRefusalsTest::withoutItsCardTheProcessorIsOffered() {
    qputenv("CODE", "3");
    qputenv("REFUSAL", "NVIDIA driver 535.183.01 is too old: this build needs 580; or choose --device cpu");
    qputenv("FITS", "\"device\": \"cpu\"");
    addRobotAndModel();
    TrainSetup setup(m_services->all());
    const QString label = u"Use the processor, slower"_s;
    QTRY_VERIFY(buttonNamed(setup, label) != nullptr);
    const QStringList told = shownTexts(setup);
    QVERIFY2(told.contains(u"The graphics card cannot be used"_s), qPrintable(told.join('|')));
    QVERIFY(!setup.ready());
    buttonNamed(setup, label)->click();
    QTRY_VERIFY(setup.ready());
    QVERIFY(setup.order().config.memory.device == core::ComputeDevice::Cpu);
    QVERIFY(m_services->settings.flag(keys::kProcessorOnly));
    QTRY_VERIFY(buttonNamed(setup, label) == nullptr);
}

void PlanRefusalsTest::wherePhotosAreGoneTheyAreShown() {
    addRobotAndModel();
    const core::Subject robot = m_services->subjects.subjects().front();
    const QFileInfo folder(QFileInfo(QString::fromStdString(robot.photos[0].path)).path());
    qputenv("CODE", "3");
    qputenv("REFUSAL", folder.filePath().toLocal8Bit() + "2" + kNoFolder);
    {
        const TrainSetup ofAnother(m_services->all());
        QTRY_COMPARE(shownTexts(ofAnother).filter(u"is gone"_s).size(), 1);
        QVERIFY(buttonNamed(ofAnother, u"Show photos"_s) == nullptr);
    }
    {
        qputenv("REFUSAL", QByteArray::fromStdString(robot.photos[0].path) +
                               ": the photo is gone; find it again or leave it out");
        const TrainSetup ofOne(m_services->all());
        QTRY_VERIFY(buttonNamed(ofOne, u"Leave it out"_s) != nullptr);
        QVERIFY(shownTexts(ofOne).contains(u"A photo is gone"_s));
        buttonNamed(ofOne, u"Leave it out"_s)->click();
        QVERIFY(m_services->subjects.subjects().front().photos[0].leftOut);
        m_services->undo.undo();
    }
    qputenv("REFUSAL", folder.filePath().toLocal8Bit() + kNoFolder);
    TrainSetup setup(m_services->all());
    QTRY_VERIFY(buttonNamed(setup, u"Show photos"_s) != nullptr);
    const QStringList told = shownTexts(setup);
    QVERIFY(told.contains(u"Folder \"%1\" is gone"_s.arg(folder.fileName())));
    QCOMPARE(told.filter(u"Crops and captions are kept"_s).size(), 1);
    QVERIFY(told.filter(u"expected a folder"_s).isEmpty()); // until somebody opens the fold
    QSignalSpy wanted(&setup, &TrainSetup::photosWanted);
    buttonNamed(setup, u"Show photos"_s)->click();
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].toLongLong(), qlonglong(robot.id));
    qputenv("FITS", "."); // it is there again
    setup.show();
    QTRY_VERIFY(setup.ready());
}

void PlanRefusalsTest::ofADatasetThatIsGoneNoPhotosAreSpokenOf() {
    core::TrainConfig config;
    config.data.datasetDir = "/gone/birds";
    PlanPanel panel;
    panel.show(planFactsOf(3, {}, u"/gone/birds"_s + QLatin1String(kNoFolder)), config, {});
    const QStringList told = shownTexts(panel);
    QVERIFY(told.contains(u"Folder \"birds\" is gone"_s));
    QVERIFY(told.contains(u"Connect the drive, or choose another dataset."_s));
    // Where nobody could be asked, nothing is wrong with what was chosen.
    panel.show(planFactsOf(-1, {}, u"Close it."_s), config, {});
    QVERIFY(shownTexts(panel).contains(u"The engine gave no answer"_s));
    QVERIFY(shownTexts(panel).contains(u"Close it."_s));
}

HOMEBOOTH_APP_TEST_MAIN(PlanRefusalsTest)
#include "tst_plan_refusals.moc"
