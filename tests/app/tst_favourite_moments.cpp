// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Saved moments of a training that somebody wants to keep.
#include "app/engine/runs/run_centre.h"
#include "app/pages/train/run/moment_row.h"
#include "app/pages/train/train_page.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "model_fixture.h"
#include "picture_fixture.h"

#include <QMenu>
#include <QSignalSpy>

using namespace homebooth;
using namespace homebooth::app;

class FavouriteMomentsTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void aFavouriteMomentIsMarkedAndStays();

private:
    /// Ended at step 60, with previews at every 20th and a saved moment at 40. Known to the window.
    QString endedRun();
    static void chooseStep(ThumbnailGrid& grid, int64_t step);
    /// The strip that stands beside the charts while it works.
    static const ThumbnailGrid* previewsOf(const TrainPage& page);
};

QString FavouriteMomentsTest::endedRun() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), "favourite", 60);
    const auto journal = journalOf(folder);
    for (int64_t step = 20; step <= 60; step += 20) {
        journal->emit(core::StepEvent{step, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
        const QString picture = folder + u"/samples/%1.png"_s.arg(step);
        QDir().mkpath(folder + u"/samples"_s);
        journal->emit(
            core::PreviewEvent{step, 0, writeTestPicture(picture, int(step), {64, 64}).toStdString()});
    }
    writeCheckpoint(folder, 40);
    core::OutcomeEvent outcome;
    outcome.result = "cancelled";
    journal->emit(outcome);
    m_services->runs.open(m_services->settings.runsFolder());
    [&] { QTRY_VERIFY(m_services->runs.find(folder) != nullptr); }();
    return folder;
}

void FavouriteMomentsTest::chooseStep(ThumbnailGrid& grid, int64_t step) {
    const auto* model = static_cast<MomentModel*>(grid.model());
    QVERIFY(model->rowOf(step) >= 0);
    grid.setCurrentIndex(model->index(model->rowOf(step)));
}

const ThumbnailGrid* FavouriteMomentsTest::previewsOf(const TrainPage& page) {
    for (const auto* one : page.findChildren<ThumbnailGrid*>())
        if (one->accessibleName() == u"Previews"_s) return one;
    return nullptr;
}

void FavouriteMomentsTest::aFavouriteMomentIsMarkedAndStays() {
    const QString folder = endedRun();
    const std::string checkpoint = (folder + u"/checkpoints/step-000040"_s).toStdString();
    TrainPage page(m_services->all());
    page.resize(900, 600);
    page.setVisible(true);
    m_services->runs.show(folder);
    auto* row = page.findChild<MomentRow*>();
    QTRY_VERIFY(row->isVisible() && row->chosen());
    auto* grid = row->findChild<ThumbnailGrid*>();
    auto* button = buttonNamed(*row, u"Favourite"_s);
    chooseStep(*grid, 20); // only its picture is left
    QVERIFY(!button->isEnabled());
    chooseStep(*grid, 40);
    QVERIFY(button->isEnabled() && !button->isChecked());
    button->click();
    QTRY_VERIFY(button->isChecked());
    QVERIFY(core::isFavourite(checkpoint));
    QCOMPARE(row->chosen()->step, int64_t{40});
    QVERIFY(grid->currentIndex().data(FavouriteRole).toBool());
    const ThumbnailGrid* strip = previewsOf(page);
    QVERIFY(strip != nullptr);
    QTRY_VERIFY(strip->model()->index(1, 0).data(FavouriteRole).toBool()); // step 40
    QVERIFY(!strip->model()->index(0, 0).data(FavouriteRole).toBool());
    Q_EMIT grid->customContextMenuRequested(grid->visualRect(grid->currentIndex()).center());
    auto* menu = grid->findChild<QMenu*>();
    QVERIFY(menu != nullptr);
    QAction* unmark = menu->actions().at(1);
    QCOMPARE(unmark->text(), u"No favourite"_s);
    unmark->trigger();
    QTRY_VERIFY(!button->isChecked());
    QVERIFY(!core::isFavourite(checkpoint));
    // What cannot be marked says so, and is none.
    QSignalSpy failed(&m_services->runs, &RunCentre::failed);
    QVERIFY(QFile::remove(folder + u"/checkpoints/step-000040/manifest.json"_s));
    button->click();
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(!button->isChecked());
}

HOMEBOOTH_APP_TEST_MAIN(FavouriteMomentsTest)
#include "tst_favourite_moments.moc"
