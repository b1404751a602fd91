// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The keyboard alone, on pages with contents: Tab reaches everything that can be used, in the order in which
// one reads, what has the focus can be seen and has a name, and lists, charts and messages take their keys.
#include "app/charts/chart.h"
#include "app/charts/loss_chart.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/train/train_page.h"
#include "app/shell/job_bar.h"
#include "app/shell/main_window.h"
#include "app/shell/navigation.h"
#include "app/widgets/choice_name.h"
#include "app/widgets/message_bar.h"
#include "app_files.h"
#include "core/base/run/queue/job_queue.h"
#include "core/library/dataset_store.h"
#include "core/library/picture_store.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>

#include <functional>

using namespace homebooth;
using namespace homebooth::app;

namespace {

QString nameOf(const QWidget* widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    const auto* label = qobject_cast<const QLabel*>(widget);
    QString name = widget->accessibleName();
    if (name.isEmpty() && button != nullptr) name = button->text();
    if (name.isEmpty() && label != nullptr) name = label->text();
    return name;
}

QString wordsOf(const QWidget* widget) {
    return u"%1 \"%2\""_s.arg(QString::fromLatin1(widget->metaObject()->className()),
                              nameOf(widget).left(40));
}

/// Of an exclusive group Tab reaches one; arrows lead to the others.
bool reachedByArrows(const QWidget* widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    if (button == nullptr || !button->isCheckable() || button->isChecked()) return false;
    const bool grouped = button->group() != nullptr && button->group()->exclusive();
    return grouped || button->autoExclusive();
}

/// What Tab must reach below a widget.
QList<QWidget*> focusableIn(const QWidget& root) {
    QList<QWidget*> all;
    for (auto* widget : root.findChildren<QWidget*>()) {
        const bool partOfField = qobject_cast<QLineEdit*>(widget) != nullptr &&
                                 (qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                                  qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr);
        if (!widget->isVisible() || !widget->isEnabled() || partOfField) continue;
        if (!(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy() != nullptr) continue;
        if (!reachedByArrows(widget)) all.append(widget);
    }
    return all;
}

/// What a screen reader says of a widget. Of a choice Qt itself says what is chosen, and on Linux
/// nothing else: what it is for is said by a label beside it.
QString readName(QWidget* widget) {
    const QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(widget);
    if (reader == nullptr) return widget->accessibleName();
    if (qobject_cast<QComboBox*>(widget) == nullptr)
        return widget->accessibleName().isEmpty() ? reader->text(QAccessible::Name).trimmed()
                                                  : widget->accessibleName();
    const auto labels = reader->relations(QAccessible::Label);
    return labels.isEmpty() ? QString() : labels.front().first->text(QAccessible::Name);
}

/// Rows of a list that say nothing.
QStringList namelessRows(const QAbstractItemView& view) {
    constexpr int kMostRows = 50;
    QStringList problems;
    for (int row = 0; view.model() != nullptr && row < qMin(kMostRows, view.model()->rowCount()); ++row) {
        const QModelIndex index = view.model()->index(row, 0);
        if (index.data(Qt::AccessibleTextRole).toString().isEmpty() && index.data().toString().isEmpty())
            problems.append(u"row %1 of %2"_s.arg(row).arg(wordsOf(&view)));
    }
    return problems;
}

/// Rows of a list that a screen reader does not find, or of which it hears nothing.
QStringList unreadRows(QAbstractItemView& view) {
    constexpr int kMostRows = 50;
    const int rows = view.model() != nullptr ? view.model()->rowCount(view.rootIndex()) : 0;
    const QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(&view);
    if (rows == 0) return {};
    if (reader == nullptr || reader->childCount() < rows)
        return {wordsOf(&view) + u" has no rows for a screen reader"_s};
    const bool list = reader->role() == QAccessible::List && reader->childCount() == rows;
    if (!list) return {}; // tables have headers and more cells among them
    QStringList problems;
    for (int row = 0; row < qMin(kMostRows, rows); ++row) {
        const QAccessibleInterface* child = reader->child(row);
        if (child == nullptr || child->text(QAccessible::Name).isEmpty())
            problems.append(u"row %1 of %2 is not read"_s.arg(row).arg(wordsOf(&view)));
    }
    return problems;
}

/// The list of a page that is filled here; empty for pages without one.
QString storeOf(PageId page) {
    return page == PageId::Subjects                              ? u"Photos"_s
           : page == PageId::Gallery || page == PageId::Datasets ? u"Pictures"_s
           : page == PageId::Models                              ? u"Models"_s
           : page == PageId::Queue                               ? u"Jobs"_s
                                                                 : QString();
}

/// What is shown below a widget, can be used, and has no name; rows of lists, too.
QStringList namelessIn(const QWidget& root) {
    QStringList problems;
    for (auto* widget : root.findChildren<QWidget*>()) {
        if (!widget->isVisible() || qobject_cast<QHeaderView*>(widget) != nullptr) continue;
        const QWidget* parent = widget->parentWidget();
        const bool inside = qobject_cast<const QAbstractSpinBox*>(parent) != nullptr ||
                            qobject_cast<const QComboBox*>(parent) != nullptr ||
                            qobject_cast<const QLineEdit*>(parent) != nullptr ||
                            qobject_cast<const QAbstractItemView*>(parent) != nullptr;
        if (auto* view = qobject_cast<QAbstractItemView*>(widget)) {
            problems.append(namelessRows(*view));
            problems.append(unreadRows(*view));
        }
        const bool focusable = widget->focusPolicy() & Qt::TabFocus;
        const bool used = focusable || qobject_cast<QAbstractButton*>(widget) != nullptr;
        if (used && !inside && readName(widget).isEmpty())
            problems.append(
                u"%1 in %2"_s.arg(wordsOf(widget), QString::fromLatin1(parent->metaObject()->className())));
    }
    return problems;
}

/// Where a widget lies in the window.
QRect placeOf(const QWidget* widget) {
    return {widget->mapTo(widget->window(), QPoint()), widget->size()};
}

} // namespace

class KeyboardTest : public QObject {
    Q_OBJECT
public:
    explicit KeyboardTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init() { failOnAnyWarning(); }
    void tabReachesEverything_data() { addPages(); }
    void tabReachesEverything();
    void allThatIsShownHasAName_data() { addPages(); }
    void allThatIsShownHasAName();
    void tabGoesAsOneReads_data() { addPages(); }
    void tabGoesAsOneReads();
    void f6WalksThroughTheAreas_data() { addPages(); }
    void f6WalksThroughTheAreas();
    void keysMeanThePageInView();
    void tabStopsAtWhatIsChosen();
    void whatHasTheFocusIsSeen_data() { addPages(); }
    void whatHasTheFocusIsSeen();
    void chartsAreReadWithArrows();
    void theNameOfAChoiceGoesWhereTheChoiceGoes();
    void aMessageIsAnsweredByKeys();
    void aTrainingIsWatchedByKeys();

private:
    void addPages() const;
    void addStores();
    /// Shows a page with its fields unfolded. @returns it
    Page& open(PageId id);
    /// All that Tab visits on the page, once around the window.
    [[nodiscard]] QList<QWidget*> walk(const Page& page, const std::function<void(QWidget*)>& at = {});

    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
    std::unique_ptr<MainWindow> m_window;
    QString m_run;
};

void KeyboardTest::addPages() const {
    QTest::addColumn<int>("page");
    for (const PageId id : kPages) QTest::newRow(qPrintable(m_window->page(id)->accessibleName())) << int(id);
}

void KeyboardTest::addStores() {
    QStringList photos;
    for (int i = 0; i < 3; ++i) {
        const QString path = m_place.path(u"red_car/%1.png"_s.arg(i));
        QDir().mkpath(QFileInfo(path).path());
        photos.append(writeTestPicture(path, i, {80, 60}));
    }
    writeBytes(m_place.path(u"red_car/0.txt"_s), "car, red, on a road");
    m_services->subjects.addFromPhotos(photos);
    core::DatasetRecord data{core::newRecordId(), "red car", m_place.path(u"red_car"_s).toStdString(), 1};
    core::PictureRecord picture;
    picture.id = 1;
    picture.path = photos.front().toStdString();
    picture.prompt = "a photo of ohwx car";
    picture.createdMs = core::nowMs();
    m_services->library.write([=](core::Library& library) -> core::Result<void> {
        HOMEBOOTH_CHECK(core::saveDataset(library, data));
        return core::addPictures(library, {picture});
    });
    m_run = makeRunFolder(m_services->settings.runsFolder(), u"red car"_s, 40);
    const auto journal = journalOf(m_run);
    for (int64_t step = 1; step <= 40; ++step) {
        core::MemoryEvent memory;
        memory.step = step;
        memory.ram.parameterBytes = int64_t{300} << 20;
        journal->emit(core::StepEvent{step, 1, 0.5 / double(step), 1e-4, 0.5, 2.0, {}, {}, {}, {}});
        journal->emit(memory);
    }
    journal->emit(core::OutcomeEvent{"cancelled", {}, {}, 0, "", ""});
    const QString waiting = makeRunFolder(m_services->settings.runsFolder(), u"waits"_s, 40);
    QVERIFY(core::JobQueue().add(waiting.toStdString()));
    QVERIFY(core::JobQueue().setHeld(true));
}

void KeyboardTest::initTestCase() {
    m_services = std::make_unique<TestServices>(m_place);
    m_window = std::make_unique<MainWindow>(m_services->all());
    m_window->resize(1280, 800);
    m_window->show();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    addStores();
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_COMPARE(m_services->runs.runs().size(), size_t{2});
    QTRY_COMPARE(m_services->runs.queue().size(), qsizetype{1});
}

void KeyboardTest::cleanupTestCase() {
    m_window.reset();
    m_services.reset();
}

Page& KeyboardTest::open(PageId id) {
    Page& page = *m_window->page(id);
    m_window->showPage(id);
    QTest::qWait(300); // its contents come from other threads
    for (auto* view : page.findChildren<QAbstractItemView*>())
        if (view->isVisible() && !view->currentIndex().isValid() && view->model() != nullptr)
            view->setCurrentIndex(view->model()->index(0, 0));
    if (id == PageId::Train && m_services->runs.current() == nullptr) // made later than the fields around it
        static_cast<TrainPage&>(page).prepareDataset(
            {.name = u"red car"_s, .folder = m_place.path(u"red_car"_s)});
    const bool unfold = page.offers(Page::Command::Expert) && page.property("unfolded").isNull();
    if (unfold) (void)page.command(Page::Command::Expert);
    page.setProperty("unfolded", true);
    QTest::qWait(250); // more than a question waits until it is asked
    [this] { QTRY_VERIFY(openQuestions() == 0 && m_services->models.settled()); }(); // nothing comes any more
    return page;
}

QList<QWidget*> KeyboardTest::walk(const Page& page, const std::function<void(QWidget*)>& at) {
    constexpr int kMostStops = 200;
    QList<QWidget*> visited;
    // The entry of the page itself: what comes next is the page.
    m_window->findChild<Navigation*>()->button(PageId::Subjects)->setFocus(Qt::TabFocusReason);
    const QWidget* first = QApplication::focusWidget();
    for (int stop = 0; stop < kMostStops; ++stop) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QWidget* now = QApplication::focusWidget();
        if (now == first) return visited;
        if (!page.isAncestorOf(now)) continue;
        visited.append(now);
        if (at) at(now);
    }
    qWarning("Tab never comes back: it is caught in %s", qPrintable(wordsOf(visited.last())));
    return visited;
}

void KeyboardTest::tabReachesEverything() {
    QFETCH(int, page);
    const Page& shown = open(static_cast<PageId>(page));
    const QList<QWidget*> visited = walk(shown);
    QStringList problems;
    for (const auto* widget : focusableIn(shown))
        if (!visited.contains(widget)) problems.append(wordsOf(widget) + u" is not reached"_s);
    for (const auto* widget : visited)
        if (nameOf(widget).isEmpty())
            problems.append(wordsOf(widget) + u" has no name, in "_s + wordsOf(widget->parentWidget()));
    QVERIFY2(problems.isEmpty(), qPrintable('\n' + problems.join('\n')));
    QVERIFY(!visited.isEmpty());
}

void KeyboardTest::allThatIsShownHasAName() {
    QFETCH(int, page);
    const Page& shown = open(static_cast<PageId>(page));
    const QString store = storeOf(shown.id());
    for (const auto* view : shown.findChildren<QAbstractItemView*>())
        if (!store.isEmpty() && view->accessibleName() == store)
            QTRY_VERIFY(view->model()->rowCount() > 0); // a page without contents would say nothing
    const QStringList problems = namelessIn(shown);
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u", "_s)));
}

void KeyboardTest::tabGoesAsOneReads() {
    QFETCH(int, page);
    const Page& shown = open(static_cast<PageId>(page));
    const QList<QWidget*> visited = walk(shown);
    for (const auto* area : shown.findChildren<QScrollArea*>()) // which the walk has moved
        area->verticalScrollBar()->setValue(0);
    QStringList problems;
    for (qsizetype i = 1; i < visited.size(); ++i) {
        const QRect before = placeOf(visited[i - 1]);
        const QRect now = placeOf(visited[i]);
        // Up again only in a column further right, back to the left only further down.
        const bool up = now.bottom() < before.top() && now.left() <= before.left();
        const bool back =
            now.right() < before.left() && now.bottom() < before.bottom() && now.top() <= before.top();
        if (up || back) problems.append(wordsOf(visited[i]) + u" comes after "_s + wordsOf(visited[i - 1]));
    }
    QVERIFY2(problems.isEmpty(), qPrintable('\n' + problems.join('\n')));
}

void KeyboardTest::f6WalksThroughTheAreas() {
    QFETCH(int, page);
    const Page& shown = open(static_cast<PageId>(page));
    const QWidget* navigation = m_window->findChild<Navigation*>();
    m_window->findChild<Navigation*>()->button(PageId::Subjects)->setFocus(Qt::TabFocusReason);
    // With nothing at work the bar below has no place to stop at: back and forth between the other two.
    for (const Qt::KeyboardModifiers with :
         {Qt::KeyboardModifiers(), Qt::KeyboardModifiers(Qt::ShiftModifier)}) {
        QTest::keyClick(m_window.get(), Qt::Key_F6, with);
        QVERIFY(shown.isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(m_window.get(), Qt::Key_F6, with);
        QVERIFY(navigation->isAncestorOf(QApplication::focusWidget()));
    }
}

void KeyboardTest::keysMeanThePageInView() {
    Page& page = open(PageId::Subjects);
    const auto* navigation = m_window->findChild<Navigation*>();
    const auto goTo = [this](Qt::Key key) {
        QTest::keyClick(m_window.get(), key, Qt::ControlModifier);
        return QApplication::focusWidget();
    };
    navigation->button(PageId::Subjects)->setFocus(Qt::TabFocusReason);
    QCOMPARE(goTo(Qt::Key_5), navigation->button(PageId::Datasets));
    QWidget* search = m_window->page(PageId::Gallery)->searchField();
    m_window->showPage(PageId::Gallery);
    search->setFocus();
    QVERIFY(goTo(Qt::Key_1) != search);
    page.mainButton()->setFocus();
    QVERIFY(page.mainButton()->hasFocus());
    QCOMPARE(goTo(Qt::Key_4), search); // where it was
    // What goes takes the focus neither to the words of a message nor to another page's entry.
    QCOMPARE(goTo(Qt::Key_1), page.mainButton());
    page.messages().show({MessageKind::Note, u"It is so."_s, {}, u"so"_s});
    page.mainButton()->setEnabled(false);
    QCOMPARE(QApplication::focusWidget(), navigation->button(PageId::Subjects));
    page.mainButton()->setEnabled(true);
    page.messages().clear();
}

void KeyboardTest::tabStopsAtWhatIsChosen() {
    const Page& train = open(PageId::Train);
    const auto* navigation = m_window->findChild<Navigation*>();
    navigation->button(PageId::Settings)->setFocus(Qt::TabFocusReason);
    for (auto* one : train.findChildren<QRadioButton*>())
        if (one->isChecked()) one->setFocus(Qt::TabFocusReason);
    m_window->showPage(PageId::Gallery);
    m_window->page(PageId::Gallery)->searchField()->setFocus();
    m_window->showPage(PageId::Train); // where the focus was
    QVERIFY(navigation->button(PageId::Train)->focusPolicy() & Qt::TabFocus);
    QVERIFY(!(navigation->button(PageId::Settings)->focusPolicy() & Qt::TabFocus));
    for (const auto* one : train.findChildren<QRadioButton*>())
        QCOMPARE((one->focusPolicy() & Qt::TabFocus) != 0, one->isChecked());
    QVERIFY(train.offers(Page::Command::Search)); // its expert settings
    const auto* bar = m_window->findChild<JobBar*>();
    const QWidget* next = navigation->button(PageId::Train);
    while (!bar->isAncestorOf(next) && !train.isAncestorOf(next)) next = next->nextInFocusChain();
    QVERIFY(train.isAncestorOf(next)); // on the way to a page nobody pauses a training
}

void KeyboardTest::whatHasTheFocusIsSeen() {
    QFETCH(int, page);
    const Page& shown = open(static_cast<PageId>(page));
    QStringList problems;
    (void)walk(shown, [this, &problems](QWidget* widget) {
        if (auto* field = qobject_cast<QLineEdit*>(widget)) field->deselect();
        QCoreApplication::processEvents();
        const QRect there = placeOf(widget).adjusted(-4, -4, 4, 4).intersected(m_window->rect());
        const QImage with = m_window->grab(there).toImage();
        if (widget->visibleRegion().isEmpty()) problems.append(wordsOf(widget) + u" is out of sight"_s);
        widget->clearFocus();
        QCoreApplication::processEvents();
        const QImage without = m_window->grab(there).toImage();
        if (with == without) problems.append(wordsOf(widget) + u" looks the same"_s);
        widget->setFocus(Qt::TabFocusReason);
    });
    QVERIFY2(problems.isEmpty(), qPrintable('\n' + problems.join('\n')));
}

void KeyboardTest::chartsAreReadWithArrows() {
    m_services->runs.show(m_run);
    static_cast<TrainPage*>(m_window->page(PageId::Train))->showRun();
    Page& page = open(PageId::Train);
    auto* chart = page.findChild<Chart*>();
    QTRY_COMPARE(m_services->runs.current()->data().step(), int64_t{40});
    chart->setFocus(Qt::TabFocusReason);
    QSignalSpy moved(chart, &Chart::crosshairMoved);
    QTest::keyClick(chart, Qt::Key_Home);
    QTest::keyClick(chart, Qt::Key_Right);
    QVERIFY(moved.size() >= 2);
    const double before = moved.last()[0].toDouble();
    QTest::keyClick(chart, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(moved.last()[0].toDouble(), before + 10);
    QVERIFY(!chart->accessibleDescription().isEmpty());
}

void KeyboardTest::theNameOfAChoiceGoesWhereTheChoiceGoes() {
    QWidget first;
    QWidget second;
    auto* choice = new QComboBox; // which a layout takes later
    choice->addItem(u"hat"_s);
    nameChoice(*choice, u"Add-on 2"_s);
    choice->setParent(&first);
    QCOMPARE(readName(choice), u"Add-on 2"_s);
    nameChoice(*choice, u"This & that"_s);
    choice->setParent(&second);
    QCOMPARE(readName(choice), u"This & that"_s);
    QVERIFY(first.findChildren<QLabel*>().isEmpty());
    const QList<QLabel*> labels = second.findChildren<QLabel*>();
    QCOMPARE(labels.size(), 1);
    QVERIFY(labels.front()->isHidden());
    delete choice;
    QVERIFY(second.findChildren<QLabel*>().isEmpty());
}

void KeyboardTest::aMessageIsAnsweredByKeys() {
    Page& page = open(PageId::Gallery);
    bool answered = false;
    page.messages().show({MessageKind::Caution,
                          u"Something is so."_s,
                          {{u"Do it"_s, [&answered] { answered = true; }}},
                          u"keys"_s});
    QCoreApplication::processEvents();
    const QList<QWidget*> visited = walk(page);
    QPushButton* remedy = buttonNamed(page.messages(), u"Do it"_s);
    const auto* search = page.searchField();
    QVERIFY(visited.contains(remedy) && visited.indexOf(remedy) < visited.indexOf(search));
    remedy->setFocus(Qt::TabFocusReason);
    QTest::keyClick(remedy, Qt::Key_Space);
    QVERIFY(answered);
    page.messages().clear();
}

void KeyboardTest::aTrainingIsWatchedByKeys() {
    m_services->runs.show(m_run);
    static_cast<TrainPage*>(m_window->page(PageId::Train))->showRun();
    const Page& page = open(PageId::Train);
    const QList<QWidget*> visited = walk(page);
    QStringList problems;
    for (const auto* widget : focusableIn(page))
        if (!visited.contains(widget)) problems.append(wordsOf(widget));
    problems.append(namelessIn(page));
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u", "_s)));
    QVERIFY(visited.indexOf(buttonNamed(page, u"Logarithmic"_s)) <
            visited.indexOf(page.findChild<LossChart*>())); // left of it and above
    m_services->runs.dismiss();
}

HOMEBOOTH_APP_TEST_MAIN(KeyboardTest)
#include "tst_keyboard.moc"
