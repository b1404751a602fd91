// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From an empty first run to a picture in full screen with the real engine and the default model: one drop of
// photos and the clicks that a newcomer makes, given to the window as the mouse gives them, and counted. On
// the way the worker is killed and the window closed and opened again; at the end it is started anew.
#include "app/charts/loss_chart.h"
#include "app/charts/memory_chart.h"
#include "app/engine/plans/plan_words.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/pages/gallery/gallery_page.h"
#include "app/pages/generate/generate_page.h"
#include "app/shell/drops/drop_overlay.h"
#include "app/shell/main_window.h"
#include "app/shell/navigation.h"
#include "app/widgets/fold.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/pictures/large_view.h"
#include "app/widgets/pictures/section_grid.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "app_files.h"
#include "loop_watch.h"

#include <QDir>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWindow>

#include <csignal>

using namespace homebooth;
using namespace homebooth::app;

namespace {

constexpr int kStartMs = 120'000;
constexpr int kTrainMs = 600'000;
constexpr int kMostClicks = 6; // from the first start to a picture
constexpr int kPictures = 4;   // that one click makes

/// Photos of a toy where the checkout has some beside it, else the drawings that come with the program.
QDir photoFolder() {
    const QDir photos(QStringLiteral(HOMEBOOTH_SOURCE_DIR "/../shared/subjects/robot_toy"));
    return photos.exists() ? photos
                           : QDir(QStringLiteral(HOMEBOOTH_SOURCE_DIR "/resources/drawings/blue_dog"));
}

/// Whether a click there would reach the widget: it is in view, enabled, and nothing lies over it.
bool reachable(const QWidget& window, const QWidget* widget, QPoint at) {
    if (widget == nullptr || !widget->isVisible() || !widget->isEnabled()) return false;
    const QPoint place = widget->mapTo(&window, at);
    const QWidget* taker = window.childAt(place);
    return window.rect().contains(place) && (taker == widget || widget->isAncestorOf(taker));
}

/// The process that computes for a run: homebooth-worker with the run's folder among its arguments. 0 if
/// none.
pid_t workerOf(const QString& run) {
    for (const QString& name : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
        QFile file(u"/proc/%1/cmdline"_s.arg(name));
        if (name.toInt() <= 1 || !file.open(QIODevice::ReadOnly)) continue;
        const QList<QByteArray> arguments = file.readAll().split('\0');
        if (arguments.first().endsWith("homebooth-worker") && arguments.contains(run.toUtf8()))
            return name.toInt();
    }
    return 0;
}

} // namespace

class GoldenPathTest : public QObject {
    Q_OBJECT
public:
    explicit GoldenPathTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup() { m_broken = m_broken || QTest::currentTestFailed(); }
    void beginsEmptyOnWelcome();
    void trainsOnDroppedPhotosInTwoClicks();
    void chartsMoveWhileItLearns();
    void survivesAKilledWorker();
    void goesOnWhileTheWindowIsClosed();
    void makesPicturesWithOneClick();
    void showsAPictureLarge();
    void findsThePicturesAfterARestart();
    void aKilledEngineIsNoStopByTheUser();

private:
    /// While the worker trains no turn of the event loop takes longer than people notice. @param part  of it
    static void staysQuick(const LoopWatch& watch, const char* part) {
        qInfo("training, %s: %s", part, qPrintable(watch.report()));
        QVERIFY2(watch.worstHeldMs() <= LoopWatch::kLongMs, qPrintable(watch.report()));
    }
    void open();
    void close();
    /// As a file manager brings them.
    void dropPhotos(const QDir& folder);
    /// Presses and lets go of the left button over the middle of a widget; counted.
    void click(QWidget* widget);
    void click(QWidget* widget, QPoint at);
    /// Steps that the journal of the training tells of, whether or not a window is open.
    [[nodiscard]] qsizetype stepsOnDisk() const { return countInJournal("\"type\":\"step\""); }
    [[nodiscard]] qsizetype countInJournal(const char* words) const {
        return bytesOf(m_folder + u"/events.jsonl"_s).count(words);
    }
    /// The grid of pictures in view on a page; null if there is none.
    template <typename Grid>
    [[nodiscard]] Grid* gridOf(PageId id) const;
    [[nodiscard]] RunSession* run() const { return m_services->runs.current(); }
    [[nodiscard]] Page* page(PageId id) const { return m_window->page(id); }
    [[nodiscard]] QPushButton* next(PageId id) const { return page(id)->mainButton(); }

    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
    std::unique_ptr<MainWindow> m_window;
    QString m_folder;
    int m_drops = 0;
    int m_clicks = 0;
    bool m_broken = false; ///< a part of the way failed; what comes after it says nothing
};

void GoldenPathTest::initTestCase() {
    if (!QFile::exists(QStringLiteral(HOMEBOOTH_BIN_DIR "/homebooth-worker")))
        QSKIP("the engine was not built");
    QGuiApplication::setQuitOnLastWindowClosed(false); // it is opened again
    open();
}

void GoldenPathTest::init() {
    if (m_broken) QSKIP("the way did not lead here");
}

void GoldenPathTest::cleanupTestCase() {
    if (m_services && run() != nullptr && run()->active()) run()->send(core::ControlVerb::Stop);
    close();
}

void GoldenPathTest::open() {
    m_services = std::make_unique<TestServices>(m_place);
    m_window = std::make_unique<MainWindow>(m_services->all());
    m_services->models.refresh();
    m_services->runs.open(m_services->settings.runsFolder());
    m_services->album.open(m_services->settings.picturesFolder());
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void GoldenPathTest::close() {
    if (m_window) m_window->close();
    m_window.reset();
    m_services.reset();
}

void GoldenPathTest::dropPhotos(const QDir& folder) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& name : folder.entryList({u"*.png"_s, u"*.jpg"_s}, QDir::Files))
        urls.append(QUrl::fromLocalFile(folder.filePath(name)));
    QVERIFY(urls.size() >= 3);
    data.setUrls(urls);
    QWindow* window = m_window->windowHandle();
    const QPoint at = m_window->rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window, &enter);
    auto* zones = m_window->findChild<DropOverlay*>();
    QTRY_VERIFY(zones->isVisible()); // what it is comes from the disk
    QCOMPARE(zones->zones().size(), size_t{1});
    QDragMoveEvent move(at + QPoint(0, 1), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window, &move);
    QVERIFY(move.isAccepted());
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window, &drop);
    QVERIFY(drop.isAccepted());
    ++m_drops;
}

void GoldenPathTest::click(QWidget* widget) {
    QVERIFY(widget != nullptr);
    click(widget, widget->rect().center());
}

void GoldenPathTest::click(QWidget* widget, QPoint at) {
    QTRY_VERIFY_WITH_TIMEOUT(reachable(*m_window, widget, at), kStartMs);
    QTest::mouseClick(m_window->windowHandle(), Qt::LeftButton, Qt::NoModifier,
                      widget->mapTo(m_window.get(), at));
    ++m_clicks;
}

template <typename Grid>
Grid* GoldenPathTest::gridOf(PageId id) const {
    for (auto* grid : page(id)->findChildren<Grid*>())
        if (grid->isVisible() && grid->model() != nullptr && grid->model()->rowCount() > 0) return grid;
    return nullptr;
}

void GoldenPathTest::beginsEmptyOnWelcome() {
    QCOMPARE(m_window->currentPage(), PageId::Welcome);
    QVERIFY(m_services->subjects.subjects().empty());
    QVERIFY(run() == nullptr);
}

void GoldenPathTest::trainsOnDroppedPhotosInTwoClicks() {
    const QDir photos = photoFolder();
    dropPhotos(photos);
    QTRY_COMPARE(m_window->currentPage(), PageId::Subjects);
    QCOMPARE(m_services->subjects.subjects().size(), size_t{1});
    const core::Subject& subject = m_services->subjects.subjects().front();
    QCOMPARE(QString::fromStdString(subject.name), photos.dirName().replace('_', ' '));
    QCOMPARE(QString::fromStdString(subject.classNoun), photos.dirName().section('_', -1));
    QCOMPARE(next(PageId::Subjects)->text(), u"Train this subject"_s);
    click(next(PageId::Subjects));
    QTRY_COMPARE(m_window->currentPage(), PageId::Train);
    QTRY_VERIFY_WITH_TIMEOUT(next(PageId::Train)->isEnabled(), kStartMs);
    QCOMPARE(next(PageId::Train)->text(), u"Start training"_s);
    click(next(PageId::Train));
    QTRY_VERIFY_WITH_TIMEOUT(run() != nullptr, kStartMs);
    m_folder = run()->folder();
    QTRY_VERIFY_WITH_TIMEOUT(run()->data().step() >= 3, kTrainMs);
    QCOMPARE(m_clicks, 2);
}

void GoldenPathTest::chartsMoveWhileItLearns() {
    QVERIFY(run()->data().plan.has_value());
    for (const core::PlanDecision& decision : run()->data().plan->decisions)
        QVERIFY2(planSentence(decision) != QString::fromStdString(decision.text), decision.text.c_str());
    QVERIFY(!run()->data().memory.empty());
    LoopWatch watch;
    const int64_t before = run()->data().step();
    auto* loss = m_window->findChild<LossChart*>();
    const int drawn = loss->graph(0)->data()->size();
    QTRY_VERIFY_WITH_TIMEOUT(run()->data().step() >= before + 40, kTrainMs);
    QVERIFY(loss->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(loss->graph(0)->data()->size() > drawn, kStartMs); // it moves
    QVERIFY(m_window->findChild<MemoryChart*>()->nowBytes() > 0.0);
    staysQuick(watch, "the first steps");
}

void GoldenPathTest::survivesAKilledWorker() {
    LoopWatch watch;
    QTRY_VERIFY_WITH_TIMEOUT(!run()->data().checkpoints.empty(), kTrainMs);
    staysQuick(watch, "until the first save");
    const pid_t worker = workerOf(m_folder);
    QVERIFY(worker > 1);
    QCOMPARE(::kill(worker, SIGKILL), 0);
    QTRY_COMPARE_WITH_TIMEOUT(run()->phase(), RunPhase::Failed, kStartMs);
    const int64_t saved = run()->data().checkpoints.back().step;
    MessageBar& messages = page(PageId::Train)->messages();
    QTRY_VERIFY2(messages.currentText().contains(u"ended the training"_s),
                 qPrintable(messages.currentText()));
    QVERIFY2(messages.currentText().contains(u"Step %1 is saved."_s.arg(saved)),
             qPrintable(messages.currentText()));
    QVERIFY(messages.isVisible());
    QTRY_VERIFY(messages.findChild<Fold*>()->isVisible()); // the last lines of its log
    QCOMPARE(next(PageId::Train)->text(), u"Resume"_s);
    click(next(PageId::Train));
    QTRY_VERIFY_WITH_TIMEOUT(run()->phase() == RunPhase::Learning && run()->data().step() > saved, kTrainMs);
}

void GoldenPathTest::goesOnWhileTheWindowIsClosed() {
    const int64_t before = run()->data().step();
    const pid_t worker = workerOf(m_folder);
    QVERIFY(worker > 1);
    close();
    const qsizetype written = stepsOnDisk();
    // On a fast machine it may be done by then; that it ended well is looked at below.
    QTRY_VERIFY_WITH_TIMEOUT(stepsOnDisk() >= written + 3 || workerOf(m_folder) == 0, kTrainMs);
    open();
    QTRY_COMPARE(m_window->currentPage(), PageId::Train);
    QTRY_VERIFY_WITH_TIMEOUT(run() != nullptr, kStartMs);
    QCOMPARE(run()->folder(), m_folder);
    QTRY_VERIFY_WITH_TIMEOUT(run()->data().step() > before, kTrainMs);
    if (const pid_t now = workerOf(m_folder); now != 0) QCOMPARE(now, worker); // none where it is done by now
    QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<LossChart*>()->graph(0)->data()->size() > 0, kStartMs);
    QCOMPARE(countInJournal("\"type\":\"resumed\""), qsizetype{1}); // after the kill, not for the window
    QTRY_COMPARE_WITH_TIMEOUT(run()->phase(), RunPhase::Done, kTrainMs);
    QVERIFY(!run()->resultModel().isEmpty());
}

void GoldenPathTest::makesPicturesWithOneClick() {
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    QTRY_VERIFY(next(PageId::Train)->isEnabled());
    QCOMPARE(next(PageId::Train)->text(), u"Make pictures"_s);
    click(next(PageId::Train));
    QTRY_COMPARE(m_window->currentPage(), PageId::Generate);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTrainMs);
    QVERIFY(ended.first().first().toBool());
    QTRY_COMPARE(static_cast<GeneratePage*>(page(PageId::Generate))->paths().size(), kPictures);
}

void GoldenPathTest::showsAPictureLarge() {
    auto* grid = gridOf<ThumbnailGrid>(PageId::Generate);
    QVERIFY(grid != nullptr);
    const QModelIndex first = grid->model()->index(0, 0);
    click(grid->viewport(), grid->visualRect(first).center());
    auto* large = m_window->findChild<LargeView*>();
    QTRY_VERIFY(large->isVisible());
    QCOMPARE(large->path(), first.data(PathRole).toString());
    QCOMPARE(m_drops, 1);
    QVERIFY2(m_clicks <= kMostClicks, qPrintable(u"%1 clicks"_s.arg(m_clicks)));
    qInfo("from the first start to a picture: %d drop, %d clicks, one of them after the kill", m_drops,
          m_clicks);
}

void GoldenPathTest::findsThePicturesAfterARestart() {
    close();
    open();
    auto* gallery = static_cast<GalleryPage*>(page(PageId::Gallery));
    click(m_window->findChild<Navigation*>()->button(PageId::Gallery));
    QTRY_COMPARE(m_window->currentPage(), PageId::Gallery);
    QTRY_COMPARE_WITH_TIMEOUT(gallery->model().rowCount(), kPictures, kStartMs);
    QCOMPARE(m_services->subjects.subjects().size(), size_t{1});
    const QString sentence = subjectSentence(m_services->subjects.subjects().front());
    QVERIFY(sentence.startsWith(u"a photo of ohwx "_s));
    for (int row = 0; row < kPictures; ++row)
        QVERIFY(QString::fromStdString(gallery->model().at(row).prompt).startsWith(sentence));
    QTRY_VERIFY(gridOf<SectionGrid>(PageId::Gallery) != nullptr);
    auto* wall = gridOf<SectionGrid>(PageId::Gallery);
    const QString path = gallery->paths().front();
    const QImage picture(path);
    QVERIFY(!picture.isNull());
    // Seen on the wall, and large after a double click.
    const QPoint at = wall->visualRect(wall->model()->index(0, 0)).center();
    QTRY_VERIFY(reachable(*m_window, wall->viewport(), at));
    QTest::mouseDClick(m_window->windowHandle(), Qt::LeftButton, Qt::NoModifier,
                       wall->viewport()->mapTo(m_window.get(), at));
    auto* large = m_window->findChild<LargeView*>();
    QTRY_VERIFY(large->isVisible());
    QCOMPARE(large->path(), path);
}

void GoldenPathTest::aKilledEngineIsNoStopByTheUser() {
    m_services->runs.show(m_folder);
    m_window->showPage(PageId::Train);
    QTRY_VERIFY_WITH_TIMEOUT(buttonNamed(*page(PageId::Train), u"Train further"_s) != nullptr, kStartMs);
    const int64_t before = run()->data().step();
    buttonNamed(*page(PageId::Train), u"Train further"_s)->click();
    QTRY_VERIFY_WITH_TIMEOUT(run()->data().step() >= before + 3, kTrainMs);
    const auto owner = core::RunLock::owner((m_folder + u"/lock"_s).toStdString());
    QVERIFY(owner && owner->alive);
    QCOMPARE(::kill(static_cast<pid_t>(owner->pid), SIGKILL), 0); // the supervisor: its worker saves and ends
    QTRY_COMPARE_WITH_TIMEOUT(run()->phase(), RunPhase::Failed, kStartMs);
    MessageBar& messages = page(PageId::Train)->messages();
    const QString saved = QString::number(run()->data().checkpoints.back().step);
    QTRY_VERIFY2(messages.currentText().startsWith(
                     u"<b>The engine ended unexpectedly.</b> Step %1 is saved."_s.arg(saved)),
                 qPrintable(messages.currentText()));
    QCOMPARE(page(PageId::Train)->mainButton()->text(), u"Resume"_s);
}

HOMEBOOTH_APP_TEST_MAIN(GoldenPathTest)
#include "tst_golden_path.moc"
