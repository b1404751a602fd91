// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What trainings keep on the disk: measured, pruned, and freed from the page of the models.
#include "app/engine/runs/disk_use.h"
#include "app/engine/runs/moments.h"
#include "app/library/background.h"
#include "app/pages/models/model_removal.h"
#include "app/widgets/message_bar.h"
#include "model_fixture.h"

#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace homebooth;
using namespace homebooth::app;

class DiskUseTest : public KnownModelsTest {
    Q_OBJECT
public:
    using KnownModelsTest::KnownModelsTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void saysWhatATrainingTakesOfTheDisk();
    void runsAreMeasuredBesideOtherWork();
    void aRunThatDidNotChangeIsNotMeasuredAgain();
    void prunesAllButTheNewestTwo();
    void favouritesAreNoRoomToBeHad();
    void roomIsFreedFromThePage();
    void roomIsFreedOnTheDiskThatIsFull();
    void questionsAboutManyFitOnAScreen();
    void ofWhatATerminalWorksOnNothingIsFreed();
};

namespace {

/// What the training of the model takes that is shown; empty while nobody knows.
QString keptBy(const ModelsPage& page) {
    for (const auto* label : page.findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains(u"Its training takes"_s)) return label->text();
    return {};
}

/// The button that frees room; null while it is not offered.
QPushButton* freeButton(const ModelsPage& page) {
    for (auto* button : page.findChildren<QPushButton*>())
        if (button->text().startsWith(u"Free "_s) && button->isVisible()) return button;
    return nullptr;
}

/// Shows the page and presses that button. @returns what it asks; null: nothing can be freed
QMessageBox* askToFree(ModelsPage& page) {
    page.show();
    page.activated();
    if (!QTest::qWaitFor([&page] { return freeButton(page) != nullptr; }, kLongestMs)) return nullptr;
    freeButton(page)->click();
    return page.findChild<QMessageBox*>();
}

void writeFourMoments(const QString& run) {
    for (const int64_t step : {100, 200, 300, 400}) writeCheckpoint(run, step);
}

} // namespace

void DiskUseTest::saysWhatATrainingTakesOfTheDisk() {
    const QString run = makeRun("large", builtInModel());
    for (const int64_t step : {100, 200}) writeCheckpoint(run, step);
    ModelsPage page(m_services->all());
    page.show();
    page.activated();
    choose(page, u"large"_s);
    QTRY_VERIFY(keptBy(page).contains(u"2 saved moment"_s));
    choose(page, u"Sketch (built in)"_s);
    QCOMPARE(keptBy(page), QString());
}

void DiskUseTest::runsAreMeasuredBesideOtherWork() {
    const QString run = makeRun("beside", builtInModel());
    for (const int64_t step : {100, 200}) writeCheckpoint(run, step);
    PageOfModel page(*m_services, u"beside"_s);
    const Blocked busy(workPool()); // nor does what is there wait for the runs
    page.activated();
    page.activated();
    QTRY_VERIFY(keptBy(page).contains(u"2 saved moment"_s));
    writeCheckpoint(run, 300);
    page.activated();
    QTRY_VERIFY(keptBy(page).contains(u"3 saved moment"_s));
}

void DiskUseTest::aRunThatDidNotChangeIsNotMeasuredAgain() {
    const QString run = m_place.path("runs/measured");
    const QString picture = run + u"/samples/1.png"_s;
    writeCheckpoint(run, 100);
    writeBytes(picture, "small");
    const RunDisk first = diskOf(run);
    writeBytes(picture, QByteArray(5000, 'p')); // no folder tells of it, but every file does
    QCOMPARE(diskOf(run, first).bytes, first.bytes);
    QVERIFY(diskOf(run).bytes > first.bytes);
    writeCheckpoint(run, 200);
    const RunDisk second = diskOf(run, first);
    QCOMPARE(second.moments, 2);
    QTest::qWait(50); // times of files come in such steps
    QVERIFY(QFile::remove(run + u"/checkpoints/step-000100/optimizer-unet.safetensors"_s));
    QCOMPARE(diskOf(run, second).bytes, second.bytes - 2000);
}

void DiskUseTest::prunesAllButTheNewestTwo() {
    const QString run = m_place.path("runs/pruned");
    writeFourMoments(run);
    const RunDisk before = diskOf(run);
    QCOMPARE(before.moments, 4);
    QVERIFY(before.prunableBytes >= 2 * 3000 + 2000);
    QCOMPARE(before.prunableMoments, 2);
    const auto pruned = pruneRun(run);
    QVERIFY2(pruned, pruned ? "" : pruned.error().text().c_str());
    const RunDisk after = diskOf(run);
    QCOMPARE(after.moments, 2);
    QCOMPARE(after.prunableBytes, qint64{0});
    QVERIFY(QFile::exists(run + u"/checkpoints/step-000400/optimizer-unet.safetensors"_s));
    QVERIFY(QFile::exists(run + u"/checkpoints/step-000300/unet.safetensors"_s));
    QVERIFY(!QFile::exists(run + u"/checkpoints/step-000300/optimizer-unet.safetensors"_s));
    QVERIFY(!QFile::exists(run + u"/checkpoints/step-000200"_s));
    // What the clock saved is no moment, and goes once another one is newer.
    for (const int64_t step : {410, 420}) writeCheckpoint(run, step, /*rolling=*/true);
    QCOMPARE(diskOf(run).moments, 2);
    QCOMPARE(momentsOf(run).back().step, int64_t{400});
    QVERIFY(diskOf(run).prunableBytes >= 3000 + 2000);
    QVERIFY(pruneRun(run));
    QVERIFY(!QFile::exists(run + u"/checkpoints/step-000410"_s));
    QVERIFY(QFile::exists(run + u"/checkpoints/step-000420/optimizer-unet.safetensors"_s));
    QCOMPARE(diskOf(run).moments, 2);
    QCOMPARE(diskOf(run).prunableBytes, qint64{0});
    // A newest one that is torn keeps the others: they are all there is to go on from.
    for (const int64_t step : {500, 600}) writeCheckpoint(run, step);
    writeBytes(run + u"/checkpoints/step-000700/unet.safetensors"_s, "torn");
    QCOMPARE(diskOf(run).prunableBytes, qint64{0});
    QVERIFY(!pruneRun(run));
    QCOMPARE(diskOf(run).moments, 4);
}

void DiskUseTest::favouritesAreNoRoomToBeHad() {
    const QString run = m_place.path("runs/favourites");
    writeFourMoments(run);
    const RunDisk before = diskOf(run);
    QTest::qWait(50); // times of files come in such steps
    const QString favourite = run + u"/checkpoints/step-000100"_s;
    QVERIFY(core::setFavourite(favourite.toStdString(), true));
    const RunDisk after = diskOf(run, before);
    QCOMPARE(after.prunableMoments, 1);
    QVERIFY(after.prunableBytes < before.prunableBytes);
    QVERIFY(pruneRun(run));
    QCOMPARE(diskOf(run).moments, 3);
    QVERIFY(QFile::exists(favourite + u"/unet.safetensors"_s));
    QVERIFY(!QFile::exists(favourite + u"/optimizer-unet.safetensors"_s));
    QCOMPARE(diskOf(run).prunableBytes, qint64{0});
}

void DiskUseTest::roomIsFreedFromThePage() {
    const QString run = makeRun("full of moments", builtInModel());
    writeFourMoments(run);
    ModelsPage page(m_services->all());
    QMessageBox* box = askToFree(page);
    QVERIFY(box != nullptr);
    QVERIFY(box->text().contains(u"full of moments"_s)); // it says whose go
    for (const char* words : {" older moment", "go on from its newest moment alone"})
        QVERIFY(box->text().contains(QLatin1String(words)));
    QCOMPARE(diskOf(run).moments, 4); // nothing goes before it was asked
    agree(*box);
    QTRY_COMPARE(diskOf(run).moments, 2);
    QTRY_VERIFY(freeButton(page) == nullptr);
}

void DiskUseTest::roomIsFreedOnTheDiskThatIsFull() {
    const QTemporaryDir disk(u"/dev/shm/homebooth-XXXXXX"_s);
    const QString link = m_place.path("runs/on the full one");
    QVERIFY(QDir().mkpath(m_place.path("runs")));
    if (!disk.isValid() || fullDiskOf(disk.path()).device == fullDiskOf(m_place.path("runs")).device)
        QSKIP("/dev/shm is no disk of its own");
    QVERIFY(QFile::link(disk.path(), link));
    const QString other = makeRun("on another one", builtInModel());
    const QString run = makeRun("on the full one", builtInModel());
    for (const QString& each : {other, run}) writeFourMoments(each);
    ModelsPage page(m_services->all());
    page.show();
    const auto said = [&page](const char* words) {
        return page.messages().currentText().contains(QLatin1String(words));
    };
    page.makeRoomFor(run);
    page.activated();
    QTRY_VERIFY2(said("which can go"), qPrintable(page.messages().currentText()));
    QVERIFY(page.messages().currentText().contains(fullDiskOf(run).name));
    auto* all = buttonNamed(page, u"Free room"_s);
    QVERIFY(all != nullptr && all->isVisible());
    QCOMPARE(all->menu()->actions().size(), 2); // each disk by itself
    for (auto* button : page.messages().findChildren<QPushButton*>())
        if (button->text().startsWith(u"Free "_s)) button->click();
    auto* box = page.findChild<QMessageBox*>();
    QVERIFY(box != nullptr);
    QVERIFY(box->text().contains(u"on the full one"_s));
    QVERIFY(!box->text().contains(u"on another one"_s));
    agree(*box);
    QTRY_VERIFY2(said("were freed on"), qPrintable(page.messages().currentText()));
    QCOMPARE(diskOf(run).moments, 2);
    QCOMPARE(diskOf(other).moments, 4);
    page.makeRoomFor(run); // with nothing left there
    page.activated();
    QTRY_VERIFY2(said("There is nothing to free here"), qPrintable(page.messages().currentText()));
    QVERIFY(buttonNamed(page.messages(), u"Open the queue"_s) != nullptr);
    QVERIFY(QFile::remove(link));
}

void DiskUseTest::questionsAboutManyFitOnAScreen() {
    constexpr int kRuns = 12;
    for (int i = 1; i <= kRuns; ++i) {
        const QString run = makeRun(u"robot %1"_s.arg(i), builtInModel());
        for (const int64_t step : {100, 200}) writeCheckpoint(run, step);
    }
    ModelsPage page(m_services->all());
    page.showModel(builtInModel());
    const QStringList made =
        shownTexts(page).filter(QRegularExpression(u"Made from it: ([^,]+, ){4}[^,]+ more"_s));
    QVERIFY2(made.size() == 1, qPrintable(shownTexts(page).join('|')));
    const QStringList all = namesMadeFrom(m_services->models, builtInModel());
    QVERIFY(all.indexOf(u"robot 12"_s) < all.indexOf(u"robot 1"_s)); // the newer
    QMessageBox* box = askToFree(page);
    QVERIFY(box != nullptr);
    const QStringList named = box->text().section(u"<br>"_s, 1).split(u", "_s);
    QCOMPARE(named.size(), 10); // and those of other functions of the test are among the rest
    QVERIFY2(QRegularExpression(u" and [0-9]+ more$"_s).match(named.back()).hasMatch(),
             qPrintable(named.back()));
    box->close();
    ModelRemoval removal;
    for (int i = 0; i < 300; ++i) removal.neededBy.append(u"lamp %1"_s.arg(i));
    removal.madeFrom = {QString(5000, 'x'), u"<b>"_s};
    const QString text = removalText(removal, u"model"_s);
    QVERIFY2(text.contains(u" and 290 more"_s), qPrintable(text));
    QVERIFY(text.contains(u"&lt;b&gt;"_s));
    QVERIFY(text.size() < 1000);
}

void DiskUseTest::ofWhatATerminalWorksOnNothingIsFreed() {
    const QString busy = makeRun("resumed in a terminal", builtInModel());
    const QString idle = makeRun("at rest", builtInModel());
    for (const QString& run : {busy, idle}) writeFourMoments(run);
    ModelsPage page(m_services->all());
    QMessageBox* box = askToFree(page);
    QVERIFY(box != nullptr);
    const auto lock = core::RunLock::acquire((busy + u"/lock"_s).toStdString());
    QVERIFY(lock);
    agree(*box);
    QTRY_COMPARE(diskOf(idle).moments, 2);
    workPool().waitForDone();
    QCOMPARE(diskOf(busy).moments, 4);
}

HOMEBOOTH_APP_TEST_MAIN(DiskUseTest)
#include "tst_disk_use.moc"
