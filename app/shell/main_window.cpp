// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/main_window.h"

#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/generation_keeper.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/places.h"
#include "app/engine/queue/job_turns.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_session.h"
#include "app/library/library_service.h"
#include "app/library/picture_album.h"
#include "app/library/subject_book.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/gallery/gallery_page.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/models/models_page.h"
#include "app/pages/queue/queue_page.h"
#include "app/pages/settings/kept_copies.h"
#include "app/pages/settings/settings_page.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/pages/train/train_page.h"
#include "app/pages/welcome/welcome_page.h"
#include "app/settings/settings.h"
#include "app/shell/drops/drop_overlay.h"
#include "app/shell/drops/import_news.h"
#include "app/shell/event_rules.h"
#include "app/shell/job_bar.h"
#include "app/shell/navigation.h"
#include "app/shell/notices.h"
#include "app/shell/notification.h"
#include "app/shell/sleep_lock.h"
#include "app/shell/trouble_page.h"
#include "app/shell/window_place.h"
#include "app/theme/metrics.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/large_view.h"
#include "app/widgets/toast.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QUndoStack>

#include <array>

namespace homebooth::app {
namespace {

/// The first place in an area where the Tab key stops, once the window is shown; null if there is none.
QWidget* firstStopIn(QWidget& area) {
    QWidget* one = &area;
    do {
        const bool within = one == &area || area.isAncestorOf(one);
        const bool usable = one->isVisibleTo(one->window()) && one->isEnabled();
        if (within && usable && (one->focusPolicy() & Qt::TabFocus)) return one;
        one = one->nextInFocusChain();
    } while (one != nullptr && one != &area);
    return nullptr;
}

/// Gives the focus to where it was on a page, else to the page's entry: keys mean what is seen.
void takeFocusTo(QWidget* last, QWidget* entry, Page& page) {
    const bool usable = last != nullptr && last->isVisible() && last->isEnabled();
    QWidget* place = usable ? last : entry != nullptr ? entry : firstStopIn(page);
    if (place != nullptr) place->setFocus(Qt::OtherFocusReason);
}

} // namespace

MainWindow::MainWindow(Services services, QWidget* parent)
    : QMainWindow(parent)
    , m_services(services)
    , m_navigation(new Navigation)
    , m_stack(new QStackedWidget)
    , m_jobBar(new JobBar(services)) {
    setWindowTitle(QStringLiteral("Homebooth"));
    setMinimumSize(800, 480);
    auto* centre = new QWidget;
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_navigation);
    row->addWidget(m_stack, 1);
    column->addLayout(row, 1);
    setCentralWidget(centre);
    m_large = new LargeView(centre);
    m_toast = new Toast(centre);
    m_overlay = new DropOverlay(centre);
    setAcceptDrops(true);
    makePages();
    column->addWidget(m_jobBar); // Tab comes to it last: nobody pauses a training on the way to a page
    m_jobBar->lower();           // below the large view
    connectPages();
    makeMenus();
    new GenerationKeeper(m_services.library, m_services.generator, m_services.models, this,
                         [this] { return todaysPictures(m_services.settings); });
    new JobTurns(m_services.runs, m_services.generator, this);
    new SleepLock(m_services.generator, this);
    m_notices = new Notices(m_services, *this);
    connect(m_notices, &Notices::missed, this, &MainWindow::tellMissed);
    auto* rules = new EventRules(this); // no field of the pages was shown yet, which its rules wait for
    connect(rules, &EventRules::dragged, this, [this](const QMimeData* dragged) { offerDrop(*dragged); });
    connect(rules, &EventRules::dragLeft, this, &MainWindow::dragLeft);
    restore();
    followScreen(*this);
}

MainWindow::~MainWindow() {
    // What goes with the window moves the focus and empties lists: nobody is left to be told.
    disconnect(qApp, nullptr, this, nullptr);
    for (const auto& [id, one] : m_pages) disconnect(one, nullptr, this, nullptr);
}

void MainWindow::addPage(Page* page, const QString& iconName, const QString& name) {
    m_pages[page->id()] = page;
    m_navigation->add(page->id(), iconName, name); // Tab comes from it to the page
    m_stack->addWidget(page);
    connect(page, &Page::wanted, this, &MainWindow::showPage);
    connect(page, &Page::toast, this, &MainWindow::toast);
}

void MainWindow::makePages() {
    addPage(m_subjects = new SubjectsPage(m_services), QStringLiteral("subjects"), tr("Subjects"));
    addPage(m_train = new TrainPage(m_services), QStringLiteral("train"), tr("Train"));
    addPage(m_generate = new GeneratePage(m_services), QStringLiteral("generate"), tr("Generate"));
    addPage(m_gallery = new GalleryPage(m_services), QStringLiteral("gallery"), tr("Gallery"));
    m_navigation->addRule();
    addPage(m_datasets = new DatasetsPage(m_services), QStringLiteral("datasets"), tr("Datasets"));
    addPage(m_models = new ModelsPage(m_services), QStringLiteral("models"), tr("Models"));
    addPage(m_queue = new QueuePage(m_services), QStringLiteral("queue"), tr("Queue"));
    m_navigation->addStretch();
    addPage(new SettingsPage(m_services.settings, new KeptCopies(m_services), &m_services.undo),
            QStringLiteral("settings"), tr("Settings"));
    connect(m_navigation, &Navigation::chosen, this, &MainWindow::showPage);
    makeWelcome();
    makeTrouble();
}

void MainWindow::makeTrouble() {
    m_trouble = new TroublePage(m_services);
    m_pages[PageId::Trouble] = m_trouble;
    m_stack->addWidget(m_trouble);
    connect(&m_services.library, &LibraryService::openFailed, this, [this](const QString& message) {
        m_trouble->setProblem(message);
        m_navigation->setEnabled(false);
        m_large->leave();
        m_stack->setCurrentWidget(m_trouble);
        refreshCommands();
    });
}

void MainWindow::makeWelcome() {
    auto* welcome = new WelcomePage(m_services);
    m_pages[PageId::Welcome] = welcome;
    m_stack->addWidget(welcome);
    connect(welcome, &WelcomePage::photosWanted, this, [this] {
        showPage(PageId::Subjects);
        m_subjects->chooseForNew();
    });
    connect(welcome, &WelcomePage::firstPictureWanted, this, [this] {
        showPage(PageId::Generate);
        m_generate->makeWith(builtInModel(), {}, QStringLiteral("a red apple"));
    });
}

void MainWindow::fitInto(const QSize& screen) {
    const QSize least = minimumSize();
    if (screen.width() >= least.width() && screen.height() >= least.height()) return;
    if (qobject_cast<QScrollArea*>(centralWidget()) == nullptr) { // its frame may be higher than was thought
        QWidget* focus = focusWidget(); // which hiding it for a moment takes from it
        QWidget* centre = takeCentralWidget();
        centre->setMinimumSize(least.width(), least.height() - menuBar()->sizeHint().height());
        QScrollArea* scroll = makeScroll(centre);
        scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
        setCentralWidget(scroll);
        if (focus != nullptr) focus->setFocus(Qt::OtherFocusReason); // once it is shown
    }
    setMinimumSize(least.boundedTo(screen));
}

void MainWindow::restore() {
    restorePlace(*this, m_services.settings);
    const auto last = static_cast<PageId>(m_services.settings.value(keys::kPage).toInt());
    const bool first = !m_services.settings.value(keys::kWelcomed).toBool();
    const bool known = page(last) != nullptr && last != PageId::Trouble;
    showPage(first ? PageId::Welcome : known ? last : PageId::Subjects);
    if (m_services.library.state() == LibraryService::State::Open) begin();
}

void MainWindow::begin() {
    m_navigation->setEnabled(true);
    if (currentPage() == PageId::Trouble) return restore();
    m_services.settings.set(keys::kWelcomed, true);
    page(currentPage())->activated();
    refreshBadges();
}

bool MainWindow::usable() const {
    return m_services.library.state() != LibraryService::State::Refused;
}

Page* MainWindow::page(PageId id) const {
    const auto found = m_pages.find(id);
    return found == m_pages.end() ? nullptr : found->second;
}

PageId MainWindow::currentPage() const {
    return static_cast<Page*>(m_stack->currentWidget())->id();
}

void MainWindow::showPage(PageId id) {
    Page* target = page(id);
    if (target == nullptr || !usable()) return;
    m_large->leave();
    const bool turns = m_stack->currentWidget() != target;
    const QWidget* before = focusWidget();
    const bool ofPage = before != nullptr && m_stack->isAncestorOf(before);
    QWidget* last = ofPage ? target->focusWidget() : nullptr; // when the page was left
    m_stack->setCurrentWidget(target);
    m_navigation->select(id);
    if (turns && (before == nullptr || ofPage || m_navigation->isAncestorOf(before)))
        takeFocusTo(last, m_navigation->button(id), *target);
    if (id != PageId::Welcome) m_services.settings.set(keys::kPage, static_cast<int>(id));
    if (m_services.library.state() == LibraryService::State::Open) target->activated();
    refreshCommands();
}

QPushButton* MainWindow::nextStep() const {
    QPushButton* main = page(currentPage())->mainButton();
    // Under the large view it is covered: nobody knows what the key would begin.
    const bool seen = main != nullptr && main->isVisible() && !m_large->isVisible();
    return seen && main->isEnabled() ? main : nullptr;
}

void MainWindow::pressMain() {
    if (QPushButton* main = nextStep()) main->click();
}

void MainWindow::walkAreas(bool back) {
    const std::array<QWidget*, 3> areas{m_navigation, m_stack->currentWidget(), m_jobBar};
    size_t now = 1;
    for (size_t i = 0; i < areas.size(); ++i)
        if (areas[i]->hasFocus() || areas[i]->isAncestorOf(focusWidget())) now = i;
    for (size_t step = 1; step < areas.size(); ++step) { // an area may have nothing to stop at
        const size_t at = (now + (back ? areas.size() - step : step)) % areas.size();
        QWidget* stop = at == 0 ? m_navigation->button(currentPage()) : nullptr;
        if (stop == nullptr) stop = firstStopIn(*areas[at]);
        if (stop != nullptr) return stop->setFocus(Qt::TabFocusReason);
    }
}

void MainWindow::toast(const QString& text) {
    m_toastStep = m_services.undo.index();
    m_toast->show(text);
}

void MainWindow::refreshBadges() {
    const bool busy = m_services.runs.busy();
    m_navigation->button(PageId::Train)
        ->setBadge(busy ? QStringLiteral("\u25CF") : QString(), busy ? tr("working") : QString());
    if (auto* queue = m_navigation->button(PageId::Queue)) {
        const auto& pictures = m_services.generator;
        const auto waiting =
            m_services.runs.queue().size() + qsizetype(pictures.jobs().size()) - (pictures.busy() ? 1 : 0);
        queue->setBadge(waiting > 0 ? QString::number(waiting) : QString(),
                        waiting > 0 ? tr("%n waiting", nullptr, int(waiting)) : QString());
    }
    m_navigation->fit();
}

void MainWindow::askToClose() {
    if (m_closing && m_closing->isVisible()) return;
    auto* box = new QMessageBox(QMessageBox::Question, tr("Close Homebooth"),
                                tr("<b>Close and lose changes?</b> The disk of the library is full, and "
                                   "changes wait for room. To keep them, free some space first."),
                                QMessageBox::Cancel, this);
    QPushButton* go = box->addButton(tr("Close anyway"), QMessageBox::DestructiveRole);
    box->button(QMessageBox::Cancel)->setText(tr("Keep open"));
    box->setDefaultButton(QMessageBox::Cancel);
    connect(go, &QPushButton::clicked, this, [this] {
        m_closesAnyway = true;
        close();
    });
    connect(&m_services.library, &LibraryService::roomCame, box, &QWidget::close); // nothing is lost any more
    m_closing = box;
    openQuestion(*box);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_services.library.waits() && !m_closesAnyway) {
        event->ignore();
        return askToClose();
    }
    if (m_large->isHidden()) keepPlace(*this, m_services.settings);
    if (m_services.runs.busy())
        notify(QStringLiteral("Homebooth"),
               hasLid() ? tr("Training goes on while the lid is open.") : tr("Training goes on."));
    else if (m_services.runs.prepares())
        notify(QStringLiteral("Homebooth"), tr("The training begins once its photos are copied."));
    m_notices->close();
    m_services.album.emptyTrash();
    event->accept();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    m_navigation->fit();
    const bool compact = width() < kCompactBelow;
    if (compact == m_compact) return;
    m_compact = compact;
    m_navigation->setCompact(compact);
    m_jobBar->setCompact(compact);
    for (const auto& [id, one] : m_pages) one->setCompact(compact);
}

} // namespace homebooth::app
