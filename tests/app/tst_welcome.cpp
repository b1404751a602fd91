// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first-run page: what the machine can do, the disk of the folder that was chosen, and the first steps;
// and what the settings say of that disk.
#include "app/engine/disk_use.h"
#include "app/engine/figures.h"
#include "app/engine/gpu_answer.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/settings/settings_page.h"
#include "app/pages/welcome/machine_facts.h"
#include "app/pages/welcome/welcome_page.h"
#include "app/shell/main_window.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/message_bar.h"
#include "app_files.h"
#include "card_fixture.h"

#include <QApplication>
#include <QFileDialog>
#include <QLabel>
#include <QListView>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QStorageInfo>

using namespace homebooth;
using namespace homebooth::app;

class WelcomeTest : public QObject {
    Q_OBJECT
public:
    explicit WelcomeTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init();
    void cleanup() { m_services.reset(); }
    void theWindowsAnswerAboutCardsIsTaken();
    void saysWhatTheMachineCanDo_data();
    void saysWhatTheMachineCanDo();
    void memoryIsSaidWithWhatItIsGoodFor();
    void aMissingPartOfTheEngineIsNoticed();
    void anOldDriverIsToldWithTheWaysOut();
    void aDriverThatDoesNotAnswerIsTold();
    void theRowSaysThatTheProcessorIsWanted_data();
    void theRowSaysThatTheProcessorIsWanted();
    void theKeyboardStaysInARowThatIsMadeAnew();
    void aCardWithoutItsDriverIsToldWithWhatToDo();
    void withoutACardThePageSaysWhatWouldHelp();
    void theDiskIsThatOfTheChosenFolder();
    void aDiskWithLittleRoomIsLeftByAButton();
    void settingsSayWhatIsFreeOnTheDiskOfTheFolder();
    void anEngineThatFailsIsToldAndAskedAgain();
    void aReportThatIsCutShortIsTold();
    void firstStepsLeadOn();
    void groupsOfSettingsScrollToTheirPlace();
    void signsFollowTheColours();

private:
    const TestPlace& m_place;
    const OneCard m_driver; // before anybody else looks for one: without it the engine is asked for none
    std::unique_ptr<TestServices> m_services;
};

namespace {

constexpr int kMeasuredMs = 500; // a disk is measured by then; else it is once more
constexpr const char* kNoCard = R"({"gpu":{"state":"no driver","driver":"","message":"none","devices":[]},
"memory":{"totalBytes":17179869184,"usableBytes":12884901888},"worker":{"found":true}})";
constexpr const char* kCard =
    R"({"gpu":{"state":"ready","driver":"580","message":"","devices":[{"name":"RTX 3070",
"totalBytes":8589934592}]},"memory":{"totalBytes":4294967296,"usableBytes":2147483648},"worker":{"found":false}})";

constexpr const char* kOldCard =
    R"({"gpu":{"state":"no device","driver":"580","message":"engine's English","devices":[],
"tooOld":["NVIDIA GeForce GTX 1060 6GB"]},
"memory":{"totalBytes":17179869184,"usableBytes":12884901888},"worker":{"found":true}})";

constexpr const char* kTwoCards =
    R"({"gpu":{"state":"ready","driver":"580","message":"","devices":[{"name":"RTX 3060",
"totalBytes":12884901888},{"name":"RTX 3070","totalBytes":8589934592}]},
"memory":{"totalBytes":17179869184,"usableBytes":12884901888},"worker":{"found":true}})";
constexpr const char* kLargeCard =
    R"({"gpu":{"state":"ready","driver":"580","message":"","devices":[{"name":"RTX 4080",
"totalBytes":16900947968}]},"memory":{"totalBytes":17179869184,"usableBytes":12884901888},"worker":{"found":true}})";
constexpr const char* kWithoutDriver =
    R"({"gpu":{"state":"no driver","driver":"","message":"engine's English","withoutDriver":true,"devices":[]}})";
constexpr const char* kBroken =
    R"({"gpu":{"state":"broken","driver":"580","message":"engine's English","devices":[]}})";
constexpr const char* kOldDriver =
    R"({"gpu":{"state":"driver too old","driver":"535.183.01","message":"engine's English","devices":[]},
"memory":{"totalBytes":17179869184,"usableBytes":12884901888},"worker":{"found":true}})";

/// An engine whose doctor says this.
QByteArray doctorThatSays(const char* report) {
    return QByteArray("#!/bin/bash\ncat <<'END'\n") + report + "\nEND\n";
}

QString textsOf(const QWidget& page) {
    QStringList texts;
    for (const auto* label : page.findChildren<QLabel*>())
        if (label->isVisibleTo(&page)) texts.append(label->text());
    return texts.join('\n');
}

/// The page as the window opens it.
class OpenedPage : public WelcomePage {
public:
    explicit OpenedPage(TestServices& services)
        : WelcomePage(services.all()) {
        show();
        activated();
    }
};

/// Another disk than that of the tests' folders; empty if this machine has none.
QString otherDisk(const TestPlace& place) {
    const QString shared = QStringLiteral("/dev/shm");
    const QStorageInfo one(place.path(QStringLiteral(".")));
    const QStorageInfo other(shared);
    const bool differs = other.isValid() && other.isReady() && other.device() != one.device() &&
                         diskText(other.bytesAvailable()) != diskText(one.bytesAvailable());
    return differs ? shared + QStringLiteral("/not/made/yet") : QString();
}

} // namespace

void WelcomeTest::init() {
    failOnAnyWarning();
    QVERIFY(m_driver.isThere());
    m_services = std::make_unique<TestServices>(m_place);
    m_services->settings.reset(keys::kHome);
    m_services->settings.reset(keys::kProcessorOnly);
}

void WelcomeTest::theWindowsAnswerAboutCardsIsTaken() {
    const QString calls = m_place.path("calls");
    QByteArray engine = doctorThatSays(kTwoCards);
    engine.replace("cat <<'END'", "echo \"$*\" >>'" + calls.toUtf8() + "'\ncat <<'END'");
    QVERIFY(useEngine(m_place, engine.constData()));
    WelcomePage page(m_services->all());
    page.show();
    const QString looking = QStringLiteral("Looking for a graphics card...");
    QVERIFY(textsOf(page).contains(looking));
    m_services->gpus.want(); // as the job bar does
    page.activated();
    QTRY_VERIFY2(textsOf(page).contains(QStringLiteral("RTX 3060")), qPrintable(textsOf(page)));
    QTRY_VERIFY(!textsOf(page).contains(looking));
    WelcomePage next(m_services->all()); // when all is known
    next.show();
    next.activated();
    QVERIFY(textsOf(next).contains(QStringLiteral("RTX 3060")));
    QTest::qWait(300);
    QCOMPARE(bytesOf(calls), QByteArray("doctor --json --gpus-only\n"));
}

void WelcomeTest::saysWhatTheMachineCanDo_data() {
    QTest::addColumn<QByteArray>("report");
    QTest::addColumn<QStringList>("says");
    QTest::newRow("no card") << QByteArray(kNoCard)
                             << QStringList{QStringLiteral("No usable graphics card"), QStringLiteral("RAM")};
    QTest::newRow("a card that is too old")
        << QByteArray(kOldCard)
        << QStringList{QStringLiteral("No usable graphics card; too old: NVIDIA GeForce GTX 1060 6GB"),
                       QStringLiteral("The built-in model trains in minutes")};
    QTest::newRow("several cards") << QByteArray(kTwoCards)
                                   << QStringList{
                                          QStringLiteral("RTX 3060, 12.0 GB\nRTX 3070, 8.0 GB\ndriver 580"),
                                          QStringLiteral("Whole models up to SD 2.1; SDXL with parts")};
    QTest::newRow("a large card") << QByteArray(kLargeCard)
                                  << QStringList{QStringLiteral("RTX 4080, 15.7 GB"),
                                                 QStringLiteral("Whole models up to SDXL")};
    QTest::newRow("one card, no worker")
        << QByteArray(kCard)
        << QStringList{QStringLiteral("RTX 3070, 8.0 GB, driver 580"), QStringLiteral("A part is missing")};
}

void WelcomeTest::saysWhatTheMachineCanDo() {
    QFETCH(QByteArray, report);
    QFETCH(QStringList, says);
    QVERIFY(useEngine(m_place, doctorThatSays(report.constData()).constData()));
    OpenedPage page(*m_services);
    for (const QString& text : says) QTRY_VERIFY2(textsOf(page).contains(text), qPrintable(textsOf(page)));
    QTRY_VERIFY(textsOf(page).contains(QStringLiteral("Disk")));
}

void WelcomeTest::memoryIsSaidWithWhatItIsGoodFor() {
    constexpr int64_t kGibi = int64_t{1} << 30;
    const auto factOf = [](int64_t total, int64_t free) {
        return memoryFactOf({total * kGibi, free * kGibi, 0, 0});
    };
    QCOMPARE(factOf(16, 12).found, QStringLiteral("16.0 GB, 12.0 GB free"));
    QCOMPARE(factOf(16, 12).meaning, QStringLiteral("Enough"));
    QCOMPARE(factOf(16, 12).state, FactState::Good);
    QCOMPARE(factOf(8, 5).meaning, QStringLiteral("Enough for small add-ons"));
    QCOMPARE(factOf(4, 2).meaning, QStringLiteral("Enough for the built-in model only"));
    QCOMPARE(factOf(4, 2).state, FactState::Caution);
}

void WelcomeTest::aMissingPartOfTheEngineIsNoticed() {
    QVERIFY(useEngine(m_place, doctorThatSays(kNoCard).constData()));
    QVERIFY(!engineIsWhole());
    const QString worker = m_place.path("homebooth-worker"); // beside it
    writeBytes(worker, "#!/bin/bash\n");
    QVERIFY(!engineIsWhole()); // no program
    QVERIFY(QFile::setPermissions(worker, QFile::ReadOwner | QFile::ExeOwner));
    QVERIFY(engineIsWhole());
    qputenv("HOMEBOOTH_ENGINE", m_place.path("none.sh").toUtf8());
    QVERIFY(!engineIsWhole());
    QVERIFY(QFile::remove(worker));
}

void WelcomeTest::aDriverThatDoesNotAnswerIsTold() {
    QVERIFY(useEngine(m_place, doctorThatSays(kBroken).constData()));
    OpenedPage page(*m_services);
    QTRY_VERIFY(textsOf(page).contains(QStringLiteral("The graphics card does not answer")));
    QVERIFY(!textsOf(page).contains(QStringLiteral("English")));
    QVERIFY(page.messages().isHidden()); // its row says it
    QVERIFY(buttonNamed(page, QStringLiteral("How to update")) != nullptr);
    QVERIFY(buttonNamed(page, QStringLiteral("Use the processor, slower")) != nullptr);
    QTRY_VERIFY(textsOf(page).contains(QStringLiteral("RAM")) &&
                textsOf(page).contains(QStringLiteral("Disk"))); // no news of these comes any more
    const QPointer<QPushButton> button = buttonNamed(page, QStringLiteral("How to update"));
    button->setFocus();
    QSignalSpy failed(&m_services->gpus, &GpuAnswer::changed);
    m_services->gpus.want(); // as it does by itself, again and again
    QTRY_COMPARE(failed.size(), 1);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(!button.isNull());
    QCOMPARE(page.focusWidget(), button.data()); // nothing was made anew under the keyboard
}

void WelcomeTest::anOldDriverIsToldWithTheWaysOut() {
    QVERIFY(useEngine(m_place, doctorThatSays(kOldDriver).constData()));
    OpenedPage page(*m_services);
    QTRY_VERIFY2(textsOf(page).contains(QStringLiteral("too old: 535.183.01, needed 580")),
                 qPrintable(textsOf(page)));
    QVERIFY(!textsOf(page).contains(QStringLiteral("English"))); // it has words of the user's own
    auto* how = buttonNamed(page, QStringLiteral("How to update"));
    QVERIFY(how != nullptr);
    how->click();
    QVERIFY(page.messages().currentText().contains(QStringLiteral("driver 580 or newer")));
    QVERIFY(!m_services->settings.flag(keys::kProcessorOnly));
    buttonNamed(page, QStringLiteral("Use the processor, slower"))->click();
    QVERIFY(m_services->settings.flag(keys::kProcessorOnly));
    const GenerateForm form(m_services->all());
    QVERIFY(form.config().device == core::ComputeDevice::Cpu);
    m_services->settings.reset(keys::kProcessorOnly);
    QVERIFY(form.config().device == core::ComputeDevice::Auto);
}

void WelcomeTest::theRowSaysThatTheProcessorIsWanted_data() {
    QTest::addColumn<QByteArray>("report");
    QTest::addColumn<QString>("found");
    QTest::addColumn<QString>("meaning");
    QTest::addColumn<bool>("usable");
    const QString processor = QStringLiteral("The processor computes, far slower.");
    QTest::newRow("a card that could be used")
        << QByteArray(kCard) << QStringLiteral("RTX 3070, 8.0 GB, driver 580")
        << QStringLiteral("Not used, as chosen: the processor computes, far slower.") << true;
    QTest::newRow("an old driver") << QByteArray(kOldDriver) << QStringLiteral("too old: 535.183.01")
                                   << processor << false;
    QTest::newRow("a driver that does not answer")
        << QByteArray(kBroken) << QStringLiteral("The graphics card does not answer") << processor << false;
}

void WelcomeTest::theRowSaysThatTheProcessorIsWanted() {
    QFETCH(QByteArray, report);
    QFETCH(QString, found);
    QFETCH(QString, meaning);
    QFETCH(bool, usable);
    const QString useCard = QStringLiteral("Use the graphics card");
    const QString useProcessor = QStringLiteral("Use the processor, slower");
    QVERIFY(useEngine(m_place, doctorThatSays(report.constData()).constData()));
    OpenedPage page(*m_services);
    QTRY_VERIFY2(textsOf(page).contains(found), qPrintable(textsOf(page)));
    QVERIFY(!textsOf(page).contains(meaning));
    QCOMPARE(buttonNamed(page, useProcessor) == nullptr, usable); // nobody needs it there
    if (usable)
        m_services->settings.set(keys::kProcessorOnly, true);
    else
        buttonNamed(page, useProcessor)->click();
    QTRY_VERIFY2(textsOf(page).contains(meaning), qPrintable(textsOf(page)));
    QTRY_VERIFY(buttonNamed(page, useProcessor) == nullptr);
    QVERIFY(textsOf(page).contains(found));
    QCOMPARE(buttonNamed(page, QStringLiteral("How to update")) == nullptr, usable);
    buttonNamed(page, useCard)->click();
    QVERIFY(!m_services->settings.flag(keys::kProcessorOnly));
    QTRY_VERIFY(!textsOf(page).contains(meaning));
    QTRY_VERIFY(buttonNamed(page, useCard) == nullptr);
    QTRY_VERIFY(page.messages().isHidden()); // "The processor computes from now on." is true no more
}

void WelcomeTest::theKeyboardStaysInARowThatIsMadeAnew() {
    QVERIFY(useEngine(m_place, doctorThatSays(kOldDriver).constData()));
    WelcomePage page(m_services->all());
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    page.activated();
    const QString useProcessor = QStringLiteral("Use the processor, slower");
    const QString useCard = QStringLiteral("Use the graphics card");
    QTRY_VERIFY(buttonNamed(page, useProcessor) != nullptr);
    QTRY_VERIFY(buttonNamed(page, useProcessor)->isVisible());
    QTest::qWait(kMeasuredMs); // all rows are there
    QPushButton* processor = buttonNamed(page, useProcessor);
    processor->setFocus(Qt::TabFocusReason);
    QTest::keyClick(processor, Qt::Key_Space);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(buttonNamed(page, useCard) != nullptr);
    QCOMPARE(QApplication::focusWidget(), buttonNamed(page, useCard)); // in its place
    m_services->settings.reset(keys::kProcessorOnly);
}

void WelcomeTest::aCardWithoutItsDriverIsToldWithWhatToDo() {
    QVERIFY(useEngine(m_place, doctorThatSays(kWithoutDriver).constData()));
    OpenedPage page(*m_services);
    QTRY_VERIFY2(textsOf(page).contains(QStringLiteral("NVIDIA card found, its driver does not work")),
                 qPrintable(textsOf(page)));
    QVERIFY(!textsOf(page).contains(QStringLiteral("English")));
    QVERIFY(buttonNamed(page, QStringLiteral("What would help")) == nullptr); // it need not be bought
    auto* what = buttonNamed(page, QStringLiteral("What to do"));
    QVERIFY(what != nullptr);
    what->click();
    for (const char* part : {"driver 580 or newer", "Secure Boot"})
        QVERIFY2(page.messages().currentText().contains(QLatin1String(part)), part);
}

void WelcomeTest::withoutACardThePageSaysWhatWouldHelp() {
    QVERIFY(useEngine(m_place, doctorThatSays(kNoCard).constData()));
    OpenedPage page(*m_services);
    QTRY_VERIFY(buttonNamed(page, QStringLiteral("What would help")) != nullptr);
    QVERIFY(buttonNamed(page, QStringLiteral("How to update")) == nullptr);
    buttonNamed(page, QStringLiteral("What would help"))->click();
    QVERIFY(page.messages().currentText().contains(QStringLiteral("GTX 16 or RTX 20")));
}

void WelcomeTest::theDiskIsThatOfTheChosenFolder() {
    const QString other = otherDisk(m_place);
    if (other.isEmpty()) QSKIP("no second disk here");
    QVERIFY(useEngine(m_place, doctorThatSays(kNoCard).constData()));
    OpenedPage page(*m_services);
    const QString home = m_services->settings.text(keys::kHome);
    const auto says = [&page](const QString& path) {
        return QTest::qWaitFor([&] { return textsOf(page).contains(diskFactOf(freeBytesAt(path)).found); },
                               kMeasuredMs);
    };
    const auto saysOfHome = [&] {
        page.activated(); // others may write to the disk meanwhile
        return says(home);
    };
    QTRY_VERIFY2(saysOfHome(), qPrintable(textsOf(page)));
    const auto saysOfOther = [&] {
        m_services->settings.set(keys::kHome, home);
        m_services->settings.set(keys::kHome, other);
        return says(QStringLiteral("/dev/shm"));
    };
    QTRY_VERIFY2(saysOfOther(), qPrintable(textsOf(page)));
    QCOMPARE(diskFactOf(-1).state, FactState::Caution);
    QCOMPARE(diskFactOf(qint64{9} << 30).state, FactState::Caution); // one training
    QCOMPARE(diskFactOf(qint64{99} << 30).state, FactState::Good);
    QCOMPARE(diskFactOf(qint64{99} << 30).meaning, QStringLiteral("Enough"));
    QCOMPARE(diskFactOf(qint64{30} << 30).state, FactState::Good);
    QCOMPARE(diskFactOf(qint64{30} << 30).meaning, // what fits: it stands beside a tick
             QStringLiteral("Enough for small add-ons, and for whole models up to SD 2.1"));
}

void WelcomeTest::aDiskWithLittleRoomIsLeftByAButton() {
    const std::vector<FactHelp> another{FactHelp::AnotherDisk};
    QVERIFY(diskFactOf(-1).help == another);
    QVERIFY(diskFactOf(qint64{9} << 30).help == another);
    QVERIFY(diskFactOf(qint64{99} << 30).help.empty());
    const QString full = QStringLiteral("/proc/of/no/room");
    QVERIFY(diskFactOf(freeBytesAt(full)).help == another); // it has no byte of room on any Linux
    QVERIFY(useEngine(m_place, doctorThatSays(kNoCard).constData()));
    m_services->settings.set(keys::kHome, full);
    OpenedPage page(*m_services);
    QTRY_VERIFY(buttonNamed(page, QStringLiteral("Choose another disk")) != nullptr);
    buttonNamed(page, QStringLiteral("Choose another disk"))->click();
    auto* dialog = page.findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    Q_EMIT dialog->filesSelected({m_place.path("elsewhere")});
    QCOMPARE(m_services->settings.text(keys::kHome), m_place.path("elsewhere"));
    dialog->reject();
}

void WelcomeTest::settingsSayWhatIsFreeOnTheDiskOfTheFolder() {
    const QString other = otherDisk(m_place);
    if (other.isEmpty()) QSKIP("no second disk here");
    SettingsPage page(m_services->settings);
    page.setVisible(true);
    QTRY_VERIFY(textsOf(page).contains(QStringLiteral("free on that disk")));
    const QString home = m_services->settings.text(keys::kHome);
    const auto saysOfOther = [&] { // others may write to that disk meanwhile
        m_services->settings.set(keys::kHome, home);
        m_services->settings.set(keys::kHome, other);
        const auto says = [&page] {
            const QString free = diskText(QStorageInfo(QStringLiteral("/dev/shm")).bytesAvailable());
            return textsOf(page).contains(free + QStringLiteral(" free on that disk"));
        };
        return QTest::qWaitFor(says, kMeasuredMs);
    };
    QTRY_VERIFY2(saysOfOther(), qPrintable(textsOf(page)));
}

void WelcomeTest::anEngineThatFailsIsToldAndAskedAgain() {
    QVERIFY(useEngine(m_place, "#!/bin/bash\necho 'error: doctor: no luck' >&2\nexit 1\n"));
    OpenedPage page(*m_services);
    QTRY_VERIFY(page.messages().currentText().contains(QStringLiteral("No luck")));
    const QString looking = QStringLiteral("Looking for a graphics card...");
    QTRY_VERIFY(!textsOf(page).contains(looking));
    const QString answers = m_place.path("answers");
    QByteArray engine = doctorThatSays(kNoCard);
    engine.replace("cat <<'END'",
                   "until [ -e '" + answers.toUtf8() + "' ]; do sleep 0.05; done\ncat <<'END'");
    QVERIFY(useEngine(m_place, engine.constData()));
    buttonNamed(page.messages(), QStringLiteral("Try again"))->click();
    QTRY_VERIFY(textsOf(page).contains(looking)); // else the press seems to do nothing
    writeBytes(answers, "");
    QTRY_VERIFY(textsOf(page).contains(QStringLiteral("No usable graphics card")));
    QVERIFY(page.messages().isHidden());
}

void WelcomeTest::aReportThatIsCutShortIsTold() {
    QVERIFY(useEngine(m_place, doctorThatSays("{\"gpu\":{\"state\":\"no dri").constData()));
    OpenedPage page(*m_services);
    QTRY_VERIFY(page.messages().currentText().contains(QStringLiteral("could not be found out")));
    QVERIFY(buttonNamed(page.messages(), QStringLiteral("Try again")) != nullptr);
}

void WelcomeTest::firstStepsLeadOn() {
    WelcomePage page(m_services->all());
    QSignalSpy photos(&page, &WelcomePage::photosWanted);
    QSignalSpy picture(&page, &WelcomePage::firstPictureWanted);
    page.mainButton()->click();
    buttonNamed(page, QStringLiteral("Make a first picture"))->click();
    QVERIFY(textsOf(page).contains(QStringLiteral("For photos import a model: Stable Diffusion 1.x")));
    QCOMPARE(photos.size(), 1);
    QCOMPARE(picture.size(), 1);
}

void WelcomeTest::groupsOfSettingsScrollToTheirPlace() {
    SettingsPage page(m_services->settings);
    page.resize(900, 320);
    page.setVisible(true);
    auto* groups = page.findChild<QListView*>();
    QVERIFY(groups->model()->rowCount() > 3);
    QLabel* last = nullptr;
    const QString name = groups->model()->index(groups->model()->rowCount() - 1, 0).data().toString();
    for (auto* label : page.findChildren<QLabel*>())
        if (label->text() == name) last = label;
    QVERIFY(last != nullptr);
    QVERIFY(last->visibleRegion().isEmpty());
    groups->setCurrentIndex(groups->model()->index(groups->model()->rowCount() - 1, 0));
    QTRY_VERIFY(!last->visibleRegion().isEmpty());
}

void WelcomeTest::signsFollowTheColours() {
    QVERIFY(useEngine(m_place, doctorThatSays(kCard).constData()));
    m_services->theme.setScheme(ColourScheme::Light);
    OpenedPage page(*m_services);
    const auto signsOf = [&page](const QString& icon, const QColor& colour) {
        const QImage wanted = iconPixmap(icon, colour, kNavIconSize, page.devicePixelRatioF()).toImage();
        int count = 0;
        for (const auto* label : page.findChildren<QLabel*>())
            if (const QPixmap pixmap = label->pixmap(); label->isVisible() && pixmap.toImage() == wanted)
                ++count;
        return count;
    };
    QTRY_VERIFY(signsOf(QStringLiteral("ok"), colours().good) > 0);
    const QColor light = colours().good;
    m_services->theme.setScheme(ColourScheme::Dark);
    QTRY_VERIFY(signsOf(QStringLiteral("ok"), colours().good) > 0);
    QTRY_COMPARE(signsOf(QStringLiteral("ok"), light), 0);
    m_services->theme.setScheme(ColourScheme::Light);
}

HOMEBOOTH_APP_TEST_MAIN(WelcomeTest)
#include "tst_welcome.moc"
