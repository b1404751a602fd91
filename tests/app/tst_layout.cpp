// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every page at 1024 x 640 in a language whose texts are 40 % longer, and at 1024 x 700 in one whose texts
// are twice as long: nothing is cut off, nothing leaves the page.
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/prompt/prompt_card.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/settings/settings.h"
#include "app/shell/help/help_dialogs.h"
#include "app/shell/job_bar.h"
#include "app/shell/main_window.h"
#include "app/theme/colours.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app_fixture.h"
#include "core/base/text/generation_parameters.h"
#include "core/library/dataset_store.h"
#include "core/library/picture_store.h"
#include "layout_checks.h"

#include <QAbstractButton>
#include <QAbstractItemDelegate>
#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFormLayout>
#include <QLabel>
#include <QListView>
#include <QRadioButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// As people write them for Stable Diffusion.
std::string longWords() {
    std::string words = "a photo of ohwx car";
    while (words.size() < 600) words += ", on a long road, in the evening";
    return words;
}

/// What is cut off of all that is seen in it.
QStringList cutOffIn(const QWidget& whole) {
    QStringList problems;
    for (const auto* widget : whole.findChildren<QWidget*>()) {
        if (!widget->isVisible()) continue;
        if (const QString text = cutOff(widget); !text.isEmpty()) problems.append(text);
    }
    return problems;
}

} // namespace

class LayoutTest : public QObject {
    Q_OBJECT
public:
    explicit LayoutTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init() { failOnAnyWarning(); }
    void nothingIsCutOffInALongLanguage_data() { addPages(); }
    void nothingIsCutOffInALongLanguage();
    void windowRemembersWhereItWas();
    void windowFitsTheScreenWhereItIsNowShown();
    void whatAPageSaysBelowItsTitleHasTwoLines();
    void everyPageHasHelp();
    void dialogsFitIntoASmallWindow();
    void longPromptsOfPicturesScroll();
    void nothingIsCutOffInTextsOfTwiceTheLength();
    void nothingIsCutOffInTextOfTwiceTheSize();
    void nothingIsCutOffOnASmallScreen_data();
    void nothingIsCutOffOnASmallScreen();
    void promptsScrollOnASmallScreen();
    void rowsOfTheQueueHaveRoomForBothLinesOfLargeText();
    void theFormOfPicturesIsAsWideAsLargeText();
    void anEmptyPageIsNarrowBesideTwoSides();
    void namesOfColumnsAreSeen_data();
    void namesOfColumnsAreSeen();
    void whatIsCutOffIsFound();
    void aLongNameInAChoiceEndsWithDots();
    void openedListsHaveABorder();
    void wordsOfFieldsBeginAtOnePlace();
    void namesInListsKeepAwayFromTheTintOfTheirRow();
    void aFactsNameStandsOnTheFirstLineBesideIt();

private:
    void open();
    void reopen();
    void addPages() const;
    /// What is cut off or leaves its parent on a page that shows a message, too.
    QStringList problemsOn(Page& page);
    [[nodiscard]] QStringList problemsNow() const;
    const TestPlace& m_place;
    LongWords m_words;
    std::unique_ptr<TestServices> m_services;
    std::unique_ptr<MainWindow> m_window;
};

void LayoutTest::open() {
    m_services = std::make_unique<TestServices>(m_place);
    m_window = std::make_unique<MainWindow>(m_services->all());
    m_window->show();
}

void LayoutTest::reopen() {
    m_window->close();
    m_window.reset();
    m_services.reset();
    open();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get())); // keys go to the active one
}

void LayoutTest::initTestCase() {
    QCoreApplication::installTranslator(&m_words);
    open();
    m_window->resize(1024, 640);
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    QStringList photos;
    QDir().mkpath(m_place.path(u"red_car"_s));
    for (int i = 0; i < 3; ++i)
        photos.append(writeTestPicture(m_place.path(u"red_car/%1.png"_s.arg(i)), i, {80, 60}));
    m_services->subjects.addFromPhotos(photos);
    QFile caption(m_place.path(u"red_car/1.txt"_s));
    QVERIFY(caption.open(QIODevice::WriteOnly));
    caption.write("car, red, fast, on a road");
    caption.close();
    core::DatasetRecord data{core::newRecordId(), "red car", m_place.path(u"red_car"_s).toStdString(), 1};
    core::PictureRecord picture;
    picture.id = 1;
    picture.path = photos.front().toStdString();
    picture.prompt = longWords(); // the details beside it have to scroll
    core::GenerationParameters made;
    made.prompt = made.negativePrompt = longWords();
    picture.parameters = core::writeGenerationParameters(made);
    picture.createdMs = core::nowMs();
    core::RunRecord run;
    run.id = 2;
    run.folder = "/runs/red car";
    run.title = "red car";
    run.state = "failed";
    m_services->library.write([=](core::Library& library) -> core::Result<void> {
        HOMEBOOTH_CHECK(core::saveDataset(library, data));
        HOMEBOOTH_CHECK(core::saveRun(library, run));
        return core::addPictures(library, {picture});
    });
    m_services->runs.open(m_services->settings.runsFolder());
    QTest::qWait(500);
}

void LayoutTest::cleanupTestCase() {
    m_window.reset();
    m_services.reset();
    QCoreApplication::removeTranslator(&m_words);
}

void LayoutTest::addPages() const {
    QTest::addColumn<int>("page");
    for (const PageId id : kPages)
        QTest::newRow(qPrintable(QString(m_window->page(id)->accessibleName()).section(' ', 0, 0)))
            << int(id);
}

QStringList LayoutTest::problemsNow() const {
    QStringList problems;
    for (const auto* widget : m_window->findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != m_window.get()) continue;
        if (const QString text = cutOff(widget); !text.isEmpty()) problems.append(text);
        if (leavesItsParent(widget))
            problems.append(nameOf(widget, widget->accessibleName()) + u" leaves its parent"_s);
    }
    return problems;
}

QStringList LayoutTest::problemsOn(Page& page) {
    m_window->showPage(page.id());
    page.messages().show({MessageKind::Caution,
                          u"<b>Something is so.</b> A sentence that explains it and says what to do, at "
                          "some length."_s,
                          {{u"Do it with a long name"_s, [] {}}},
                          u"layout"_s});
    // What the page shows comes from other threads, which a busy machine keeps waiting.
    constexpr int kTurns = 8;
    QStringList problems;
    for (int turn = 0; turn < kTurns; ++turn) {
        QTest::qWait(400);
        problems = problemsNow();
        if (problems.isEmpty()) break;
    }
    page.messages().clear();
    return problems;
}

void LayoutTest::nothingIsCutOffInALongLanguage() {
    QFETCH(int, page);
    Page* shown = m_window->page(static_cast<PageId>(page));
    m_window->showPage(shown->id());
    (void)shown->command(Page::Command::Expert);
    const QStringList problems = problemsOn(*shown);
    QVERIFY2(problems.isEmpty(), qPrintable('\n' + problems.join('\n')));
    QCOMPARE(m_window->size(), QSize(1024, 640)); // nor does a page force the window wider
}

void LayoutTest::windowRemembersWhereItWas() {
    Page* settings = m_window->page(PageId::Settings);
    m_window->showPage(PageId::Settings);
    auto* area = settings->findChild<QScrollArea*>();
    QTRY_VERIFY(area->verticalScrollBar()->maximum() > 40);
    area->verticalScrollBar()->setValue(40);
    const bool expert = m_services->settings.value(keys::kGenerateExpert).toBool();
    QTest::qWait(500);
    m_window->resize(800, 560);
    reopen();
    QCOMPARE(m_window->size(), QSize(800, 560));
    QCOMPARE(m_window->currentPage(), PageId::Settings);
    m_window->resize(1024, 640);
    area = m_window->page(PageId::Settings)->findChild<QScrollArea*>();
    QTRY_COMPARE(area->verticalScrollBar()->value(), 40);
    QVERIFY(m_window->page(PageId::Generate)->command(Page::Command::Expert)); // turns what was remembered
    QCOMPARE(m_services->settings.value(keys::kGenerateExpert).toBool(), !expert);
}

void LayoutTest::windowFitsTheScreenWhereItIsNowShown() {
    const QSize room = m_window->screen()->availableSize();
    m_window->resize(room + QSize(300, -100)); // as on a larger screen
    reopen();
    const QSize seen = (room - QSize(8, 0)).expandedTo(m_window->minimumSize()); // within a frame
    QCOMPARE(m_window->size(), seen - QSize(0, 100));
    m_window->resize(room + QSize(300, 100));
    reopen();
    QVERIFY(m_window->height() + 30 <= room.height()); // a frame has room, too
    const QSize small(533, 400);                       // of 800 x 600 with text at 144 dpi
    m_window->fitInto(small);
    m_window->resize(small);
    QCOMPARE(m_window->size(), small);
    auto* area = qobject_cast<QScrollArea*>(m_window->centralWidget());
    auto* bar = m_window->findChild<JobBar*>();
    QVERIFY(area != nullptr && area->isAncestorOf(bar));
    QTRY_VERIFY(bar->isVisible() && area->verticalScrollBar()->maximum() > 0);
    area->ensureWidgetVisible(bar);
    const int bottom = bar->mapTo(area->viewport(), QPoint(0, bar->height())).y();
    QVERIFY(bottom <= area->viewport()->height()); // no longer out of reach
    m_window->fitInto(small - QSize(0, 20));       // its frame was higher than was thought
    QCOMPARE(m_window->centralWidget(), area);
    QVERIFY(area->isAncestorOf(bar) && qobject_cast<QScrollArea*>(area->widget()) == nullptr);
    reopen();
    m_window->resize(1024, 640);
}

void LayoutTest::whatAPageSaysBelowItsTitleHasTwoLines() {
    class Said : public Page {
    public:
        Said()
            : Page(PageId::Queue, u"Queue"_s) {}
    } page;
    const QString words = u"One job waits: press Go on in the queue, and it begins by itself then."_s;
    page.resize(page.fontMetrics().horizontalAdvance(words) * 3 / 4, 200);
    page.setSubtitle(words);
    page.show();
    const auto labels = page.findChildren<ElidedLabel*>();
    const auto said = std::find_if(labels.begin(), labels.end(),
                                   [&words](const ElidedLabel* one) { return one->fullText() == words; });
    QVERIFY(said != labels.end());
    const ElidedLabel& label = **said;
    QTRY_COMPARE(label.text().count('\n'), 1);
    QCOMPARE(label.text().simplified(), words);
    QTRY_VERIFY(label.height() >= 2 * label.fontMetrics().height());
    page.resize(2 * page.width(), 200);
    QTRY_COMPARE(label.text(), words);
}

void LayoutTest::everyPageHasHelp() {
    QSet<QString> texts;
    for (const PageId id : kPages) {
        m_window->showPage(id);
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        auto* dialog = m_window->findChild<QDialog*>(u"help"_s);
        QVERIFY(dialog != nullptr);
        QString text;
        for (const auto* label : dialog->findChildren<QLabel*>()) text += label->text() + '\n';
        QVERIFY(text.size() > 100);
        texts.insert(text);
        QTRY_VERIFY2(cutOffIn(*dialog).isEmpty(), qPrintable(cutOffIn(*dialog).join('\n')));
        dialog->close();
        QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
    }
    QCOMPARE(texts.size(), qsizetype(std::size(kPages)));
}

void LayoutTest::dialogsFitIntoASmallWindow() {
    m_window->resize(960, 540);
    showAbout(*m_window);
    QDialog* dialog = nullptr;
    for (auto* one : m_window->findChildren<QDialog*>())
        if (one->isVisible()) dialog = one;
    QVERIFY(dialog != nullptr);
    const QSize size = dialog->size();
    dialog->close();
    QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
    m_window->resize(1024, 640);
    QVERIFY2(size.height() <= 540, qPrintable(QString::number(size.height())));
}

void LayoutTest::longPromptsOfPicturesScroll() {
    m_window->resize(1024, 640);
    m_window->showPage(PageId::Gallery);
    const QString prompt = QString::fromStdString(longWords());
    QLabel* shown = nullptr;
    const auto found = [this, &shown, &prompt] {
        for (auto* label : m_window->page(PageId::Gallery)->findChildren<QLabel*>())
            if (label->text() == prompt && label->isVisible()) shown = label;
        return shown != nullptr;
    };
    QTRY_VERIFY(found()); // the library is read elsewhere
    QTRY_COMPARE(cutOff(shown), QString());
    QScrollArea* area = nullptr;
    for (QWidget* one = shown; one != nullptr && area == nullptr; one = one->parentWidget())
        area = qobject_cast<QScrollArea*>(one);
    QVERIFY(area != nullptr);
    QScrollBar* bar = area->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    shown->setFocus(Qt::TabFocusReason);
    for (int page = 0; page < 10; ++page) QTest::keyClick(shown, Qt::Key_PageDown);
    QCOMPARE(bar->value(), bar->maximum());
}

void LayoutTest::nothingIsCutOffInTextsOfTwiceTheLength() {
    constexpr QSize kRoom(1024, 700);
    m_words.setMore(1.0);
    m_window.reset();
    m_services.reset();
    open();
    m_window->resize(kRoom);
    QTest::qWait(300);
    QStringList problems;
    for (const PageId id : kPages) {
        Page& page = *m_window->page(id);
        for (const QString& problem : problemsOn(page))
            problems.append(page.accessibleName().section(' ', 0, 0) + u": "_s + problem);
    }
    m_words.setMore(0.4);
    QVERIFY2(problems.isEmpty(), qPrintable('\n' + problems.join('\n')));
    QCOMPARE(m_window->size(), kRoom); // nor does a page force the window wider
}

void LayoutTest::nothingIsCutOffInTextOfTwiceTheSize() {
    constexpr QSize kRoom(1920, 1000);
    QCoreApplication::removeTranslator(&m_words); // in English: both together are more than any screen has
    m_window.reset();
    m_services.reset();
    open();
    m_services->theme.setTextSize(200);
    m_window->resize(kRoom);
    QTest::qWait(500);
    QStringList problems;
    for (const PageId id : kPages) {
        Page& page = *m_window->page(id);
        for (const QString& problem : problemsOn(page))
            problems.append(page.accessibleName() + u": "_s + problem);
    }
    m_services->theme.setTextSize(100);
    QVERIFY2(problems.isEmpty(), qPrintable('\n' + problems.join('\n')));
    QCOMPARE(m_window->size(), kRoom); // nor does a page force the window wider
}

void LayoutTest::nothingIsCutOffOnASmallScreen_data() {
    QTest::addColumn<int>("page");
    QTest::addColumn<int>("textSize");
    for (const auto& [name, id] : {std::pair{"datasets", PageId::Datasets},
                                   {"models", PageId::Models},
                                   {"settings", PageId::Settings}})
        for (const int size : {100, 200}) QTest::addRow("%s, text of %d %%", name, size) << int(id) << size;
}

void LayoutTest::nothingIsCutOffOnASmallScreen() {
    QFETCH(int, page);
    QFETCH(int, textSize);
    constexpr QSize kRoom(960, 540); // of 1920 x 1080 at twice the size
    Page& shown = *m_window->page(static_cast<PageId>(page));
    m_window->resize(kRoom);
    m_services->settings.set(keys::kReduceMotion, true); // a changed one has its default beside it
    m_services->theme.setTextSize(textSize);
    QTest::qWait(300);
    const QStringList problems = problemsOn(shown);
    const QSize size = m_window->size();
    m_services->theme.setTextSize(100);
    m_services->settings.reset(keys::kReduceMotion);
    QVERIFY2(problems.isEmpty(), qPrintable('\n' + problems.join('\n')));
    QCOMPARE(size, kRoom); // nor does a page force the window wider
}

void LayoutTest::promptsScrollOnASmallScreen() {
    QCoreApplication::removeTranslator(&m_words);
    m_window.reset();
    m_services.reset();
    open();
    m_window->resize(960, 540);
    m_window->showPage(PageId::Generate);
    Page& page = *m_window->page(PageId::Generate);
    const auto* card = page.findChild<PromptCard*>();
    QVERIFY(card != nullptr);
    if (!card->isVisible()) QVERIFY(page.command(Page::Command::Prompts));
    QTRY_VERIFY2(cutOffIn(*card).isEmpty(), qPrintable(cutOffIn(*card).join('\n')));
    QVERIFY(page.command(Page::Command::Prompts));
    QVERIFY(!card->isVisible());
}

void LayoutTest::rowsOfTheQueueHaveRoomForBothLinesOfLargeText() {
    const auto* list = m_window->page(PageId::Queue)->findChild<QListView*>();
    m_window->resize(1024, 700);
    m_window->showPage(PageId::Queue);
    m_services->runs.open(m_services->settings.runsFolder()); // there is one that failed
    QTRY_VERIFY(list->isVisible());
    for (const int percent : {100, 200}) {
        m_services->theme.setTextSize(percent);
        QTest::qWait(300);
        QStyleOptionViewItem option;
        option.initFrom(list);
        const int lines =
            list->fontMetrics().height() + QFontMetrics(m_services->theme.font(TypeRole::Caption)).height();
        const int high = list->itemDelegate()->sizeHint(option, {}).height();
        const QStringList cut = cutOffIn(*m_window->page(PageId::Queue)); // buttons need two lines
        m_services->theme.setTextSize(100);
        QVERIFY2(high >= lines, qPrintable(u"%1 for %2"_s.arg(high).arg(lines)));
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join('\n')));
    }
}

void LayoutTest::theFormOfPicturesIsAsWideAsLargeText() {
    m_window->resize(1024, 700);
    m_window->showPage(PageId::Generate);
    const auto* form = m_window->page(PageId::Generate)->findChild<GenerateForm*>();
    const QWidget* viewport = form->parentWidget();
    QTRY_VERIFY(form->width() <= viewport->width());
    m_services->theme.setTextSize(200);
    QTest::qWait(500); // it is laid out, and on a busy machine later
    const bool fits = QTest::qWaitFor([&] { return form->width() <= viewport->width(); });
    const QString widths = u"%1 in %2"_s.arg(form->width()).arg(viewport->width());
    m_services->theme.setTextSize(100);
    QVERIFY2(fits, qPrintable(widths));
}

void LayoutTest::anEmptyPageIsNarrowBesideTwoSides() {
    EmptyState state(u"generate"_s, u"Describe a picture, or begin with one of these."_s);
    const QPushButton* one = state.addButton(u"A red apple"_s);
    const QPushButton* other = state.addButton(u"A rocket"_s);
    const int least = state.minimumSizeHint().width();
    QVERIFY(least < one->sizeHint().width() + other->sizeHint().width());
    state.resize(least, 600);
    state.show();
    QTRY_VERIFY(other->y() > one->y()); // in two lines
    state.resize(700, 600);
    QTRY_COMPARE(other->y(), one->y());
    const int left = one->mapTo(&state, QPoint()).x();
    const int right = state.width() - other->mapTo(&state, QPoint(other->width(), 0)).x();
    QVERIFY(qAbs(left - right) <= 2);
}

void LayoutTest::namesOfColumnsAreSeen_data() {
    QTest::addColumn<int>("textSize");
    for (const int size : {100, 200}) QTest::addRow("text of %d %%", size) << size;
}

void LayoutTest::namesOfColumnsAreSeen() {
    QFETCH(int, textSize);
    m_window->resize(1024, 700);
    m_window->showPage(PageId::Datasets);
    const Page* page = m_window->page(PageId::Datasets);
    const auto choose = [page](const QString& view) {
        for (auto* button : page->findChildren<QAbstractButton*>())
            if (button->text().startsWith(view)) button->click();
    };
    choose(u"Table"_s);
    const auto tables = page->findChildren<QTableView*>();
    const auto one = std::find_if(tables.begin(), tables.end(), [](const QTableView* any) {
        return any->accessibleName() == QLatin1String("Pictures as a table");
    });
    QVERIFY(one != tables.end());
    const QTableView* table = *one;
    QTRY_VERIFY(table->isVisible());
    m_services->theme.setTextSize(textSize);
    QTest::qWait(300); // it is laid out, and on a busy machine later
    (void)QTest::qWaitFor([table] { return cutOff(table->horizontalHeader()).isEmpty(); });
    const QString problem = cutOff(table->horizontalHeader());
    m_services->theme.setTextSize(100);
    choose(u"Pictures"_s);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void LayoutTest::whatIsCutOffIsFound() {
    QComboBox choice;
    choice.addItem(u"As the desktop has it"_s);
    choice.resize(choice.sizeHint());
    QCOMPARE(cutOff(&choice), QString());
    choice.resize(choice.width() / 2, choice.height());
    QVERIFY(!cutOff(&choice).isEmpty());
    QTableWidget table(1, 2);
    table.setHorizontalHeaderLabels({u"A name of a column"_s, u"b"_s});
    const QHeaderView* header = table.horizontalHeader();
    table.setColumnWidth(0, header->sectionSizeHint(0));
    QCOMPARE(cutOff(header), QString());
    table.setColumnWidth(0, header->sectionSizeHint(0) / 2);
    QVERIFY(!cutOff(header).isEmpty());
    QTabBar tabs;
    tabs.addTab(u"A long name of a tab"_s);
    tabs.resize(tabs.sizeHint());
    tabs.show();
    QCOMPARE(cutOff(&tabs), QString());
    tabs.resize(20, tabs.height());
    QVERIFY(!cutOff(&tabs).isEmpty());
}

void LayoutTest::aLongNameInAChoiceEndsWithDots() {
    const QString name = u"Sketch of a model with a very long name"_s;
    const auto drawn = [](const QString& text) {
        QComboBox box;
        box.addItem(text);
        box.resize(140, 32);
        return box.grab().toImage();
    };
    const QImage shown = drawn(name);
    QString found;
    for (int room = 30; room < 140 && found.isEmpty(); ++room) {
        const QString shortened = QFontMetrics(QComboBox().font()).elidedText(name, Qt::ElideRight, room);
        if (drawn(shortened) == shown) found = shortened;
    }
    QVERIFY2(found.endsWith(QChar(0x2026)), qPrintable(found));
}

void LayoutTest::openedListsHaveABorder() {
    QComboBox box;
    box.addItems({u"64 x 64"_s, u"96 x 64"_s});
    QWidget* list = box.view()->parentWidget();
    list->resize(120, 60);
    const QImage drawn = list->grab().toImage();
    for (const QPoint edge : {QPoint(0, 30), QPoint(60, 59)})
        QCOMPARE(drawn.pixelColor(edge * drawn.devicePixelRatio()).rgb(), colours().outline.rgb());
}

void LayoutTest::wordsOfFieldsBeginAtOnePlace() {
    QComboBox choice;
    choice.setEditable(true);
    QSpinBox number;
    for (QWidget* field : std::initializer_list<QWidget*>{&choice, &number}) {
        field->resize(140, 32);
        (void)field->grab(); // lays it out
    }
    QCOMPARE(choice.lineEdit()->x(), number.findChild<QLineEdit*>()->x());
}

void LayoutTest::namesInListsKeepAwayFromTheTintOfTheirRow() {
    constexpr int kTintsEdge = 2; // within the row
    const QListView list;
    QStyleOptionViewItem row;
    row.initFrom(&list);
    row.rect = QRect(0, 0, 200, 28);
    row.widget = &list;
    row.features = QStyleOptionViewItem::HasDisplay | QStyleOptionViewItem::HasDecoration;
    row.decorationSize = QSize(16, 16);
    row.decorationAlignment = Qt::AlignCenter; // as lists have it
    row.text = u"a name"_s;
    const QStyle* style = list.style();
    const QRect icon = style->subElementRect(QStyle::SE_ItemViewItemDecoration, &row, &list);
    QVERIFY2(icon.left() >= kTintsEdge + 4, qPrintable(QString::number(icon.left())));
    row.features = QStyleOptionViewItem::HasDisplay;
    const QRect words = style->subElementRect(QStyle::SE_ItemViewItemText, &row, &list);
    QVERIFY2(words.left() >= kTintsEdge + 2, qPrintable(QString::number(words.left())));
    QVERIFY(words.right() < row.rect.right());
}

void LayoutTest::aFactsNameStandsOnTheFirstLineBesideIt() {
    QWidget form;
    QFormLayout rows(&form);
    QLabel* name = makeFactName(u"Parts"_s);
    auto* value = new QLabel(u"one\ntwo\nthree"_s);
    rows.addRow(name, value);
    form.resize(300, rows.sizeHint().height());
    (void)form.grab();
    QVERIFY(name->alignment().testFlag(Qt::AlignTop));
    const int line = name->y() + name->contentsRect().top() + name->fontMetrics().ascent();
    const int first = value->y() + value->contentsRect().top() + value->fontMetrics().ascent();
    QVERIFY2(qAbs(line - first) <= 1, qPrintable(u"%1, not %2"_s.arg(line).arg(first)));
}

HOMEBOOTH_APP_TEST_MAIN(LayoutTest)
#include "tst_layout.moc"
