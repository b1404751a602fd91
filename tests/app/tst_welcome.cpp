// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first-run page: what the machine can do, the disk of the folder that was chosen, and the first steps;
// and what the settings say of that disk.
#include "app/engine/figures.h"
#include "app/engine/gpu_answer.h"
#include "app/engine/runs/disk_use.h"
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
    const QString shared = u"/dev/shm"_s;
    const QStorageInfo one(place.path(u"."_s));
    const QStorageInfo other(shared);
    const bool differs = other.isValid() && other.isReady() && other.device() != one.device() &&
                         diskText(other.bytesAvailable()) != diskText(one.bytesAvailable());
    return differs ? shared + u"/not/made/yet"_s : QString();
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
    const QString looking = u"Looking for a graphics card..."_s;
    QVERIFY(textsOf(page).contains(looking));
    m_services->gpus.want(); // as the job bar does
    page.activated();
    QTRY_VERIFY2(textsOf(page).contains(u"RTX 3060"_s), qPrintable(textsOf(page)));
    QTRY_VERIFY(!textsOf(page).contains(looking));
    WelcomePage next(m_services->all()); // when all is known
    next.show();
    next.activated();
    QVERIFY(textsOf(next).contains(u"RTX 3060"_s));
    QTest::qWait(300);
    QCOMPARE(bytesOf(calls), QByteArray("doctor --json --gpus-only\n"));
}

void WelcomeTest::saysWhatTheMachineCanDo_data() {
    QTest::addColumn<QByteArray>("report");
    QTest::addColumn<QStringList>("says");
    QTest::newRow("no card") << QByteArray(kNoCard) << QStringList{u"No usable graphics card"_s, u"RAM"_s};
    QTest::newRow("a card that is too old")
        << QByteArray(kOldCard)
        << QStringList{u"No usable graphics card; too old: NVIDIA GeForce GTX 1060 6GB"_s,
                       u"The built-in model trains in minutes"_s};
    QTest::newRow("several cards") << QByteArray(kTwoCards)
                                   << QStringList{u"RTX 3060, 12.0 GB\nRTX 3070, 8.0 GB\ndriver 580"_s,
                                                  u"Whole models up to SD 2.1; SDXL with parts"_s};
    QTest::newRow("a large card") << QByteArray(kLargeCard)
                                  << QStringList{u"RTX 4080, 15.7 GB"_s, u"Whole models up to SDXL"_s};
    QTest::newRow("one card, no worker")
        << QByteArray(kCard) << QStringList{u"RTX 3070, 8.0 GB, driver 580"_s, u"A part is missing"_s};
}

void WelcomeTest::saysWhatTheMachineCanDo() {
    QFETCH(QByteArray, report);
    QFETCH(QStringList, says);
    QVERIFY(useEngine(m_place, doctorThatSays(report.constData()).constData()));
    OpenedPage page(*m_services);
    for (const QString& text : says) QTRY_VERIFY2(textsOf(page).contains(text), qPrintable(textsOf(page)));
    QTRY_VERIFY(textsOf(page).contains(u"Disk"_s));
}

void WelcomeTest::memoryIsSaidWithWhatItIsGoodFor() {
    constexpr int64_t kGibi = int64_t{1} << 30;
    const auto factOf = [](int64_t total, int64_t free) {
        return memoryFactOf({total * kGibi, free * kGibi, 0, 0});
    };
    QCOMPARE(factOf(16, 12).found, u"16.0 GB, 12.0 GB free"_s);
    QCOMPARE(factOf(16, 12).meaning, u"Enough"_s);
    QCOMPARE(factOf(16, 12).state, FactState::Good);
    QCOMPARE(factOf(8, 5).meaning, u"Enough for small add-ons"_s);
    QCOMPARE(factOf(4, 2).meaning, u"Enough for the built-in model only"_s);
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
    QTRY_VERIFY(textsOf(page).contains(u"The graphics card does not answer"_s));
    QVERIFY(!textsOf(page).contains(u"English"_s));
    QVERIFY(page.messages().isHidden()); // its row says it
    QVERIFY(buttonNamed(page, u"How to update"_s) != nullptr);
    QVERIFY(buttonNamed(page, u"Use the processor, slower"_s) != nullptr);
    QTRY_VERIFY(textsOf(page).contains(u"RAM"_s) &&
                textsOf(page).contains(u"Disk"_s)); // no news of these comes any more
    const QPointer<QPushButton> button = buttonNamed(page, u"How to update"_s);
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
    QTRY_VERIFY2(textsOf(page).contains(u"too old: 535.183.01, needed 580"_s), qPrintable(textsOf(page)));
    QVERIFY(!textsOf(page).contains(u"English"_s)); // it has words of the user's own
    auto* how = buttonNamed(page, u"How to update"_s);
    QVERIFY(how != nullptr);
    how->click();
    QVERIFY(page.messages().currentText().contains(u"driver 580 or newer"_s));
    QVERIFY(!m_services->settings.flag(keys::kProcessorOnly));
    buttonNamed(page, u"Use the processor, slower"_s)->click();
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
    const QString processor = u"The processor computes, far slower."_s;
    QTest::newRow("a card that could be used")
        << QByteArray(kCard) << u"RTX 3070, 8.0 GB, driver 580"_s
        << u"Not used, as chosen: the processor computes, far slower."_s << true;
    QTest::newRow("an old driver") << QByteArray(kOldDriver) << u"too old: 535.183.01"_s << processor
                                   << false;
    QTest::newRow("a driver that does not answer")
        << QByteArray(kBroken) << u"The graphics card does not answer"_s << processor << false;
}

void WelcomeTest::theRowSaysThatTheProcessorIsWanted() {
    QFETCH(QByteArray, report);
    QFETCH(QString, found);
    QFETCH(QString, meaning);
    QFETCH(bool, usable);
    const QString useCard = u"Use the graphics card"_s;
    const QString useProcessor = u"Use the processor, slower"_s;
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
    QCOMPARE(buttonNamed(page, u"How to update"_s) == nullptr, usable);
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
    const QString useProcessor = u"Use the processor, slower"_s;
    const QString useCard = u"Use the graphics card"_s;
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
    QTRY_VERIFY2(textsOf(page).contains(u"NVIDIA card found, its driver does not work"_s),
                 qPrintable(textsOf(page)));
    QVERIFY(!textsOf(page).contains(u"English"_s));
    QVERIFY(buttonNamed(page, u"What would help"_s) == nullptr); // it need not be bought
    auto* what = buttonNamed(page, u"What to do"_s);
    QVERIFY(what != nullptr);
    what->click();
    for (const char* part : {"driver 580 or newer", "Secure Boot"})
        QVERIFY2(page.messages().currentText().contains(QLatin1String(part)), part);
}

void WelcomeTest::withoutACardThePageSaysWhatWouldHelp() {
    QVERIFY(useEngine(m_place, doctorThatSays(kNoCard).constData()));
    OpenedPage page(*m_services);
    QTRY_VERIFY(buttonNamed(page, u"What would help"_s) != nullptr);
    QVERIFY(buttonNamed(page, u"How to update"_s) == nullptr);
    buttonNamed(page, u"What would help"_s)->click();
    QVERIFY(page.messages().currentText().contains(u"GTX 16 or RTX 20"_s));
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
        return says(u"/dev/shm"_s);
    };
    QTRY_VERIFY2(saysOfOther(), qPrintable(textsOf(page)));
    QCOMPARE(diskFactOf(-1).state, FactState::Caution);
    QCOMPARE(diskFactOf(qint64{9} << 30).state, FactState::Caution); // one training
    QCOMPARE(diskFactOf(qint64{99} << 30).state, FactState::Good);
    QCOMPARE(diskFactOf(qint64{99} << 30).meaning, u"Enough"_s);
    QCOMPARE(diskFactOf(qint64{30} << 30).state, FactState::Good);
    QCOMPARE(diskFactOf(qint64{30} << 30).meaning, // what fits: it stands beside a tick
             u"Enough for small add-ons, and for whole models up to SD 2.1"_s);
}

void WelcomeTest::aDiskWithLittleRoomIsLeftByAButton() {
    const std::vector<FactHelp> another{FactHelp::AnotherDisk};
    QVERIFY(diskFactOf(-1).help == another);
    QVERIFY(diskFactOf(qint64{9} << 30).help == another);
    QVERIFY(diskFactOf(qint64{99} << 30).help.empty());
    const QString full = u"/proc/of/no/room"_s;
    QVERIFY(diskFactOf(freeBytesAt(full)).help == another); // it has no byte of room on any Linux
    QVERIFY(useEngine(m_place, doctorThatSays(kNoCard).constData()));
    m_services->settings.set(keys::kHome, full);
    OpenedPage page(*m_services);
    QTRY_VERIFY(buttonNamed(page, u"Choose another disk"_s) != nullptr);
    buttonNamed(page, u"Choose another disk"_s)->click();
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
    QTRY_VERIFY(textsOf(page).contains(u"free on that disk"_s));
    const QString home = m_services->settings.text(keys::kHome);
    const auto saysOfOther = [&] { // others may write to that disk meanwhile
        m_services->settings.set(keys::kHome, home);
        m_services->settings.set(keys::kHome, other);
        const auto says = [&page] {
            const QString free = diskText(QStorageInfo(u"/dev/shm"_s).bytesAvailable());
            return textsOf(page).contains(free + u" free on that disk"_s);
        };
        return QTest::qWaitFor(says, kMeasuredMs);
    };
    QTRY_VERIFY2(saysOfOther(), qPrintable(textsOf(page)));
}

void WelcomeTest::anEngineThatFailsIsToldAndAskedAgain() {
    QVERIFY(useEngine(m_place, "#!/bin/bash\necho 'error: doctor: no luck' >&2\nexit 1\n"));
    OpenedPage page(*m_services);
    QTRY_VERIFY(page.messages().currentText().contains(u"No luck"_s));
    const QString looking = u"Looking for a graphics card..."_s;
    QTRY_VERIFY(!textsOf(page).contains(looking));
    const QString answers = m_place.path("answers");
    QByteArray engine = doctorThatSays(kNoCard);
    engine.replace("cat <<'END'",
                   "until [ -e '" + answers.toUtf8() + "' ]; do sleep 0.05; done\ncat <<'END'");
    QVERIFY(useEngine(m_place, engine.constData()));
    buttonNamed(page.messages(), u"Try again"_s)->click();
    QTRY_VERIFY(textsOf(page).contains(looking)); // else the press seems to do nothing
    writeBytes(answers, "");
    QTRY_VERIFY(textsOf(page).contains(u"No usable graphics card"_s));
    QVERIFY(page.messages().isHidden());
}

void WelcomeTest::aReportThatIsCutShortIsTold() {
    QVERIFY(useEngine(m_place, doctorThatSays("{\"gpu\":{\"state\":\"no dri").constData()));
    OpenedPage page(*m_services);
    QTRY_VERIFY(page.messages().currentText().contains(u"could not be found out"_s));
    QVERIFY(buttonNamed(page.messages(), u"Try again"_s) != nullptr);
}

void WelcomeTest::firstStepsLeadOn() {
    WelcomePage page(m_services->all());
    QSignalSpy photos(&page, &WelcomePage::photosWanted);
    QSignalSpy picture(&page, &WelcomePage::firstPictureWanted);
    page.mainButton()->click();
    buttonNamed(page, u"Make a first picture"_s)->click();
    QVERIFY(textsOf(page).contains(u"For photos import a model: Stable Diffusion 1.x"_s));
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
    QTRY_VERIFY(signsOf(u"ok"_s, colours().good) > 0);
    const QColor light = colours().good;
    m_services->theme.setScheme(ColourScheme::Dark);
    QTRY_VERIFY(signsOf(u"ok"_s, colours().good) > 0);
    QTRY_COMPARE(signsOf(u"ok"_s, light), 0);
    m_services->theme.setScheme(ColourScheme::Light);
}

HOMEBOOTH_APP_TEST_MAIN(WelcomeTest)
#include "tst_welcome.moc"
