// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From photos to a picture with the real engine and the default model, with the clicks that a newcomer makes;
// then the same window after a kill of the worker and after a restart.
#include "app/charts/loss_chart.h"
#include "app/charts/memory_chart.h"
#include "app/engine/plan_words.h"
#include "app/engine/run_session.h"
#include "app/library/background.h"
#include "app/pages/gallery/gallery_page.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
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

/// The process that computes for a run: homebooth-worker with the run's folder among its arguments. 0 if
/// none.
pid_t workerOf(const QString& run) {
    for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(name));
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
    void trainsOnDroppedPhotosInTwoClicks();
    void survivesAKilledWorker();
    void goesOnWhileTheWindowIsClosed();
    void makesPicturesWithOneClick();
    void findsThePicturesAfterARestart();
    void aKilledEngineIsNoStopByTheUser();

private:
    /// While the worker trains no turn of the event loop takes longer than people notice. @param part  of it
    static void staysQuick(const LoopWatch& watch, const char* part) {
        qInfo("training, %s: %s", part, qPrintable(watch.report()));
        QVERIFY2(watch.worstComputedMs() <= LoopWatch::kLongMs, qPrintable(watch.report()));
    }
    void open();
    void close();
    /// As a file manager brings them.
    void dropPhotos(const QDir& folder);
    [[nodiscard]] RunSession* run() const { return m_services->runs.current(); }
    [[nodiscard]] Page* page(PageId id) const { return m_window->page(id); }

    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
    std::unique_ptr<MainWindow> m_window;
    QString m_folder;
};

void GoldenPathTest::initTestCase() {
    if (!QFile::exists(QStringLiteral(HOMEBOOTH_BIN_DIR "/homebooth-worker")))
        QSKIP("the engine was not built");
    open();
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
}

void GoldenPathTest::close() {
    m_window.reset();
    m_services.reset();
}

void GoldenPathTest::dropPhotos(const QDir& folder) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& name :
         folder.entryList({QStringLiteral("*.png"), QStringLiteral("*.jpg")}, QDir::Files))
        urls.append(QUrl::fromLocalFile(folder.filePath(name)));
    QVERIFY(urls.size() >= 3);
    data.setUrls(urls);
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    QWindow* window = m_window->windowHandle();
    const QPoint at(m_window->width() / 2, m_window->height() / 2);
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window, &enter);
    workPool().waitForDone(); // what it is comes from the disk
    QCoreApplication::processEvents();
    QDragMoveEvent move(at + QPoint(0, 1), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window, &move);
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window, &drop);
}

void GoldenPathTest::trainsOnDroppedPhotosInTwoClicks() {
    const QDir photos(QStringLiteral(HOMEBOOTH_SOURCE_DIR "/resources/drawings/blue_dog"));
    dropPhotos(photos);
    QTRY_VERIFY(page(PageId::Subjects)->mainButton()->isEnabled());
    page(PageId::Subjects)->mainButton()->click();
    QCOMPARE(m_window->currentPage(), PageId::Train);
    QTRY_VERIFY_WITH_TIMEOUT(page(PageId::Train)->mainButton()->isEnabled(), kStartMs);
    page(PageId::Train)->mainButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(run() != nullptr, kStartMs);
    m_folder = run()->folder();
    QTRY_VERIFY_WITH_TIMEOUT(run()->data().step() >= 3, kTrainMs);
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
    QTRY_VERIFY2(messages.currentText().contains(QStringLiteral("ended the training")),
                 qPrintable(messages.currentText()));
    QPushButton* resume = page(PageId::Train)->mainButton();
    QCOMPARE(resume->text(), QStringLiteral("Resume"));
    QVERIFY(resume->isVisible());
    QTRY_VERIFY(resume->isEnabled());
    resume->click();
    QTRY_VERIFY_WITH_TIMEOUT(run()->phase() == RunPhase::Learning && run()->data().step() > saved, kTrainMs);
}

void GoldenPathTest::goesOnWhileTheWindowIsClosed() {
    const int64_t before = run()->data().step();
    close();
    QTest::qWait(3000);
    open();
    QTRY_VERIFY_WITH_TIMEOUT(run() != nullptr, kStartMs);
    QCOMPARE(run()->folder(), m_folder);
    QTRY_VERIFY_WITH_TIMEOUT(run()->data().step() > before, kTrainMs);
    QTRY_COMPARE_WITH_TIMEOUT(run()->phase(), RunPhase::Done, kTrainMs);
    QVERIFY(!run()->resultModel().isEmpty());
}

void GoldenPathTest::makesPicturesWithOneClick() {
    m_window->showPage(PageId::Train);
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    QTRY_VERIFY(page(PageId::Train)->mainButton()->isEnabled());
    page(PageId::Train)->mainButton()->click();
    QCOMPARE(m_window->currentPage(), PageId::Generate);
    QVERIFY(ended.wait(kTrainMs));
    QVERIFY(ended.first().first().toBool());
}

void GoldenPathTest::findsThePicturesAfterARestart() {
    close();
    open();
    auto* gallery = static_cast<GalleryPage*>(page(PageId::Gallery));
    m_window->showPage(PageId::Gallery);
    QTRY_COMPARE_WITH_TIMEOUT(gallery->model().rowCount(), 4, kStartMs);
    QVERIFY(
        QString::fromStdString(gallery->model().at(0).prompt).startsWith(QStringLiteral("a photo of ohwx")));
}

void GoldenPathTest::aKilledEngineIsNoStopByTheUser() {
    m_services->runs.show(m_folder);
    m_window->showPage(PageId::Train);
    QTRY_VERIFY_WITH_TIMEOUT(buttonNamed(*page(PageId::Train), QStringLiteral("Train further")) != nullptr,
                             kStartMs);
    const int64_t before = run()->data().step();
    buttonNamed(*page(PageId::Train), QStringLiteral("Train further"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(run()->data().step() >= before + 3, kTrainMs);
    const auto owner = core::RunLock::owner((m_folder + QStringLiteral("/lock")).toStdString());
    QVERIFY(owner && owner->alive);
    QCOMPARE(::kill(static_cast<pid_t>(owner->pid), SIGKILL), 0); // the supervisor: its worker saves and ends
    QTRY_COMPARE_WITH_TIMEOUT(run()->phase(), RunPhase::Failed, kStartMs);
    MessageBar& messages = page(PageId::Train)->messages();
    const QString saved = QString::number(run()->data().checkpoints.back().step);
    QTRY_VERIFY2(messages.currentText().startsWith(
                     QStringLiteral("<b>The engine ended unexpectedly.</b> Step %1 is saved.").arg(saved)),
                 qPrintable(messages.currentText()));
    QCOMPARE(page(PageId::Train)->mainButton()->text(), QStringLiteral("Resume"));
}

HOMEBOOTH_APP_TEST_MAIN(GoldenPathTest)
#include "tst_golden_path.moc"
