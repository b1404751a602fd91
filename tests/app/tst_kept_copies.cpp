// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies of photos and texts in the cache: how much they are, and that they can be emptied, but not from
// under a training that works with them.
#include "app/engine/runs/prepared_data.h"
#include "app/library/background.h"
#include "app/pages/settings/kept_copies.h"
#include "app/pages/settings/settings_page.h"
#include "app/widgets/message_bar.h"
#include "app_files.h"
#include "core/base/files/descriptor.h"
#include "core/base/run/run_folder.h"

#include <QDirIterator>
#include <QScopeGuard>
#include <QSemaphore>

#include <atomic>
#include <fcntl.h>
#include <sys/file.h>

using namespace homebooth;
using namespace homebooth::app;

class KeptCopiesTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init();
    void cleanup() { end(); }
    void theyAreMeasuredAndEmptied();
    void fromUnderATrainingNothingIsEmptied();
    void norWhileTheWindowHasOneWork();
    void aSearchFindsThem();
    void whatWasMeasuredBeforeIsNotTold();

private:
    /// What lies in the cache as trainings and pages leave it.
    void prepare() const;
    /// Files of these folders of the cache, and of the small pictures.
    [[nodiscard]] qsizetype left() const;
    [[nodiscard]] std::unique_ptr<SettingsPage> shownPage() const;
};

void KeptCopiesTest::init() {
    beginAgain();
    prepare();
}

void KeptCopiesTest::prepare() const {
    const QByteArray some(400'000, 'x');
    for (const char* name : {"latents/1.safetensors", "latents/ab/2.safetensors", "texts/3.safetensors",
                             "class-pictures/cd/0000.png", "pictures/known", "moments/ef/unet.safetensors"})
        writeBytes(cacheFolder() + '/' + QLatin1String(name), some);
    writeBytes(m_services->thumbnails.folder() + u"/aa/aabb.png"_s, some);
}

qsizetype KeptCopiesTest::left() const {
    QStringList folders{m_services->thumbnails.folder()};
    for (const char* name : {"latents", "texts", "class-pictures", "pictures"})
        folders.append(cacheFolder() + '/' + QLatin1String(name));
    qsizetype files = 0;
    for (const QString& folder : folders)
        for (QDirIterator found(folder, QDir::Files, QDirIterator::Subdirectories); found.hasNext(); ++files)
            found.next();
    return files;
}

std::unique_ptr<SettingsPage> KeptCopiesTest::shownPage() const {
    auto page = std::make_unique<SettingsPage>(m_services->settings, new KeptCopies(m_services->all()));
    page->setVisible(true);
    return page;
}

void KeptCopiesTest::theyAreMeasuredAndEmptied() {
    const auto page = shownPage();
    const auto says = [&page](const char* words) {
        return !shownTexts(*page).filter(QString::fromLatin1(words)).isEmpty();
    };
    QTRY_VERIFY2(says("Now: 400 kB of small pictures, 2 MB by trainings."),
                 qPrintable(shownTexts(*page).join('\n')));
    QCOMPARE(left(), 6);
    buttonNamed(*page, u"Empty"_s)->click();
    QTRY_COMPARE(left(), 0);
    QTRY_VERIFY(says("There are none now."));
    QVERIFY(QFile::exists(cacheFolder() + u"/moments/ef/unet.safetensors"_s));
    QCOMPARE(page->messages().count(), 0);
    prepare(); // as the next training does
    QVERIFY(emptyPrepared() == Emptied::All);
}

void KeptCopiesTest::fromUnderATrainingNothingIsEmptied() {
    const QString use = cacheFolder() + u"/uses/4711-1"_s; // of one in a terminal
    writeBytes(use, {});
    core::Descriptor lock(::open(use.toUtf8().constData(), O_RDWR | O_CLOEXEC));
    QCOMPARE(::flock(lock.get(), LOCK_EX | LOCK_NB), 0);
    const auto page = shownPage();
    auto* empty = buttonNamed(*page, u"Empty"_s);
    empty->click();
    QTRY_VERIFY(page->messages().currentText().contains(u"A training works with these"_s));
    QCOMPARE(left(), 6);
    QVERIFY(empty->isEnabled());
    lock.reset(); // as where it was killed
    empty->click();
    QTRY_COMPARE(left(), 0);
    QTRY_COMPARE(page->messages().count(), 0);
}

void KeptCopiesTest::norWhileTheWindowHasOneWork() {
    const QString runs = m_services->settings.runsFolder();
    const QString folder = makeRunFolder(runs, u"works"_s, 80);
    const auto works = core::RunLock::acquire((folder + u"/lock"_s).toStdString());
    QVERIFY(works);
    m_services->runs.open(runs);
    QTRY_VERIFY(m_services->runs.busy());
    const auto page = shownPage();
    buttonNamed(*page, u"Empty"_s)->click();
    QVERIFY(page->messages().currentText().contains(u"Nothing was emptied."_s));
    QCOMPARE(left(), 6);
}

void KeptCopiesTest::aSearchFindsThem() {
    const auto page = shownPage();
    const auto* copies = page->findChild<KeptCopies*>();
    auto* search = static_cast<QLineEdit*>(page->searchField());
    search->setText(u"swap folder"_s);
    QVERIFY(!copies->isVisible());
    search->setText(u"copies"_s);
    QVERIFY(copies->isVisible());
    QVERIFY(shownTexts(*page).contains(u"Privacy"_s));
    QVERIFY(!shownTexts(*page).contains(u"Nothing matches."_s));
}

void KeptCopiesTest::whatWasMeasuredBeforeIsNotTold() {
    if (workPool().maxThreadCount() < 2) QSKIP("measuring them twice at once takes two threads");
    KeptCopies copies(m_services->all());
    std::atomic<int> looks = 0;
    QSemaphore slow;
    const auto wait = qScopeGuard([&slow] {
        slow.release();
        workPool().waitForDone();
    });
    copies.setLook([&looks, &slow] {
        if (looks++ > 0) return KeptCopies::Bytes(0, 0);
        slow.acquire();
        return KeptCopies::Bytes(3'000'000'000, 0);
    });
    copies.show();
    QTRY_COMPARE(looks.load(), 1);
    const auto none = [&copies] { return shownTexts(copies).contains(u"There are none now."_s); };
    buttonNamed(copies, u"Empty"_s)->click();
    QTRY_VERIFY(none());
    slow.release(); // its answer is from before they were emptied
    workPool().waitForDone();
    QCoreApplication::processEvents();
    QVERIFY(none());
}

HOMEBOOTH_APP_TEST_MAIN(KeptCopiesTest)
#include "tst_kept_copies.moc"
