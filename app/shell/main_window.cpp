// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/main_window.h"

#include "app/engine/generator.h"
#include "app/engine/model_shelf.h"
#include "app/engine/places.h"
#include "app/engine/run_centre.h"
#include "app/engine/run_session.h"
#include "app/library/library_service.h"
#include "app/library/picture_album.h"
#include "app/library/subject_book.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/gallery/gallery_page.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/models/models_page.h"
#include "app/pages/queue/queue_page.h"
#include "app/pages/settings/settings_page.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/pages/train/train_page.h"
#include "app/pages/welcome/welcome_page.h"
#include "app/settings/settings.h"
#include "app/shell/drop_content.h"
#include "app/shell/drop_overlay.h"
#include "app/shell/event_rules.h"
#include "app/shell/job_bar.h"
#include "app/shell/navigation.h"
#include "app/shell/notification.h"
#include "app/theme/metrics.h"
#include "app/widgets/large_view.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/toast.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QCloseEvent>
#include <QMimeData>
#include <QStackedWidget>
#include <QUndoStack>

namespace homebooth::app {
namespace {
constexpr int kFirstWidth = 1180;
constexpr int kFirstHeight = 780;
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
    column->addWidget(m_jobBar);
    setCentralWidget(centre);
    m_large = new LargeView(centre);
    m_toast = new Toast(centre);
    m_overlay = new DropOverlay(centre);
    setAcceptDrops(true);
    makePages();
    connectPages();
    makeMenus();
    auto* rules = new EventRules(this);
    connect(rules, &EventRules::dragged, this, [this](const QMimeData* dragged) {
        const QStringList paths = pathsOf(*dragged, dropFolder());
        offerDrop(dropContentOf(paths));
    });
    restore();
}

MainWindow::~MainWindow() = default;

QString MainWindow::dropFolder() const {
    return m_services.settings.text(keys::kHome) + QStringLiteral("/photos");
}

void MainWindow::addPage(Page* page, const QString& iconName, const QString& name) {
    m_pages[page->id()] = page;
    m_stack->addWidget(page);
    m_navigation->add(page->id(), iconName, name);
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
    addPage(new SettingsPage(m_services.settings), QStringLiteral("settings"), tr("Settings"));
    connect(m_navigation, &Navigation::chosen, this, &MainWindow::showPage);
    makeWelcome();
}

void MainWindow::makeWelcome() {
    auto* welcome = new WelcomePage(m_services);
    m_pages[PageId::Welcome] = welcome;
    m_stack->addWidget(welcome);
    connect(welcome, &WelcomePage::photosWanted, this, [this] {
        showPage(PageId::Subjects);
        m_subjects->choosePhotos();
    });
    connect(welcome, &WelcomePage::firstPictureWanted, this, [this] {
        showPage(PageId::Generate);
        m_generate->makeWith(builtInModel(), {}, QStringLiteral("a red apple"));
    });
}

void MainWindow::connectPages() {
    connect(m_subjects, &SubjectsPage::trainWanted, this, [this](qlonglong subject) {
        m_train->prepareSubject(subject);
        showPage(PageId::Train);
    });
    connect(m_train, &TrainPage::picturesWanted, this,
            [this](const QString& model, const QString& lora, const QString& prompt) {
                showPage(PageId::Generate);
                m_generate->makeWith(model, lora, prompt);
            });
    connect(m_gallery, &GalleryPage::useSettings, this,
            [this](const QString& parameters, const QString& model) {
                if (m_generate->useParameters(parameters, model)) showPage(PageId::Generate);
            });
    const auto showRun = [this](const QString& folder) {
        if (!m_services.runs.busy() || m_services.runs.current()->folder() == folder)
            m_services.runs.show(folder);
        m_train->showRun();
        showPage(PageId::Train);
    };
    connect(m_datasets, &DatasetsPage::trainWanted, this, [this](const QString& name, const QString& folder) {
        m_train->prepareDataset(name, folder);
        showPage(PageId::Train);
    });
    connect(m_queue, &QueuePage::runWanted, this, showRun);
    connect(m_models, &ModelsPage::runWanted, this, showRun);
    connect(m_models, &ModelsPage::trainWanted, this, [this](const QString& model) {
        m_train->prepareModel(model);
        showPage(PageId::Train);
    });
    connect(m_models, &ModelsPage::picturesWanted, this, [this](const QString& model) {
        m_generate->setModel(model);
        showPage(PageId::Generate);
    });
    connect(m_train, &TrainPage::largeWanted, this, &MainWindow::showLarge);
    connect(m_generate, &GeneratePage::largeWanted, this, &MainWindow::showLarge);
    connect(m_gallery, &GalleryPage::largeWanted, this, &MainWindow::showLarge);
    connect(m_toast, &Toast::undone, &m_services.undo, &QUndoStack::undo);
    connect(m_jobBar, &JobBar::opened, this, [this](bool training) {
        if (training) m_train->showRun();
        showPage(training ? PageId::Train : PageId::Generate);
    });
    connect(&m_services.runs, &RunCentre::currentChanged, this, &MainWindow::refreshBadges);
    connect(&m_services.runs, &RunCentre::runsChanged, this, &MainWindow::refreshBadges);
    connect(&m_services.runs, &RunCentre::finished, this, &MainWindow::jobEnded);
    connect(&m_services.library, &LibraryService::failed, this, [this](const QString& message) {
        page(currentPage())
            ->messages()
            .show({MessageKind::Error, message.toHtmlEscaped(), {}, QStringLiteral("library")});
    });
    connect(
        &m_services.library, &LibraryService::opened, this, [this](const core::LibraryRecovery& recovery) {
            if (!recovery.recovered) return;
            const QString from =
                recovery.backupFile.empty()
                    ? tr("There was no backup: it begins anew.")
                    : tr("Restored from %1; runs and pictures were found again. Later captions are missing.")
                          .arg(QLocale().toString(QDateTime::fromMSecsSinceEpoch(recovery.backupMs),
                                                  QLocale::ShortFormat));
            page(currentPage())
                ->messages()
                .show({MessageKind::Caution,
                       tr("<b>The library was damaged.</b> %1").arg(from),
                       {},
                       QStringLiteral("recovery")});
        });
    connect(&m_services.library, &LibraryService::openFailed, this, [this](const QString& message) {
        for (const auto& [id, one] : m_pages)
            one->messages().show({MessageKind::Error,
                                  tr("<b>The library cannot be opened.</b> %1").arg(message.toHtmlEscaped()),
                                  {},
                                  QStringLiteral("library")});
    });
    connect(&m_services.models, &ModelShelf::refused, this, [this](const QString& message) {
        page(currentPage())
            ->messages()
            .show({MessageKind::Error, message.toHtmlEscaped(), {}, QStringLiteral("import")});
    });
    connect(&m_services.models, &ModelShelf::imported, this, [this](const QString& path) {
        m_generate->setModel(path);
        page(currentPage())
            ->messages()
            .show({MessageKind::Good,
                   tr("The model was imported. Its files stay where they are."),
                   {},
                   QStringLiteral("import")});
    });
}

void MainWindow::restore() {
    const QByteArray geometry = m_services.settings.value(keys::kGeometry).toByteArray();
    if (geometry.isEmpty() || !restoreGeometry(geometry)) resize(kFirstWidth, kFirstHeight);
    const auto last = static_cast<PageId>(m_services.settings.value(keys::kPage).toInt());
    const bool first = !m_services.settings.value(keys::kWelcomed).toBool();
    m_services.settings.set(keys::kWelcomed, true);
    showPage(first ? PageId::Welcome : page(last) != nullptr ? last : PageId::Subjects);
    refreshBadges();
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
    if (target == nullptr) return;
    m_stack->setCurrentWidget(target);
    m_navigation->select(id);
    if (id != PageId::Welcome) m_services.settings.set(keys::kPage, static_cast<int>(id));
    target->activated();
}

void MainWindow::openPaths(const QStringList& paths) {
    const DropContent content = dropContentOf(paths);
    if (!content.model.isEmpty()) m_services.models.import(content.model);
    if (content.photos.isEmpty()) return;
    m_services.subjects.addFromPhotos(content.photos);
    showPage(PageId::Subjects);
}

void MainWindow::offerDrop(const DropContent& content) {
    std::vector<DropZone> zones;
    const QStringList photos = content.photos;
    if (!photos.isEmpty()) {
        zones.push_back({QStringLiteral("subjects"),
                         tr("Make a subject of %n photo(s)", nullptr, int(photos.size())), [this, photos] {
                             m_services.subjects.addFromPhotos(photos);
                             showPage(PageId::Subjects);
                         }});
        const int64_t current = m_subjects->currentSubject();
        if (const core::Subject* subject = m_services.subjects.find(current);
            subject != nullptr && currentPage() == PageId::Subjects)
            zones.push_back({QStringLiteral("add-photos"),
                             tr("Add to %1").arg(QString::fromStdString(subject->name)),
                             [this, current, photos] { m_services.subjects.addPhotos(current, photos); }});
        if (photos.size() == 1 && currentPage() == PageId::Generate)
            zones.push_back({QStringLiteral("image"), tr("Start from this picture"),
                             [this, photos] { m_generate->startFrom(photos.front()); }});
    }
    if (!content.datasetFolder.isEmpty())
        zones.push_back(
            {QStringLiteral("datasets"), tr("New dataset"), [this, folder = content.datasetFolder] {
                 m_datasets->addFolder(folder);
                 showPage(PageId::Datasets);
             }});
    if (!content.parameters.isEmpty())
        zones.push_back({QStringLiteral("reset"), tr("Use its settings"), [this, text = content.parameters] {
                             if (m_generate->useParameters(text, {})) showPage(PageId::Generate);
                         }});
    if (!content.model.isEmpty())
        zones.push_back({QStringLiteral("import"), tr("Import model"),
                         [this, path = content.model] { m_services.models.import(path); }});
    m_overlay->show(std::move(zones));
}

void MainWindow::pressMain() {
    QPushButton* main = page(currentPage())->mainButton();
    if (main != nullptr && main->isEnabled() && main->isVisible()) main->click();
}

void MainWindow::paste() {
    const QMimeData* copied = QApplication::clipboard()->mimeData();
    if (copied != nullptr && maybeOurs(*copied)) openPaths(pathsOf(*copied, dropFolder()));
}

void MainWindow::walkAreas(bool back) {
    const QList<QWidget*> areas{m_navigation->button(currentPage()), m_stack->currentWidget(), m_jobBar};
    int now = 1;
    for (int i = 0; i < areas.size(); ++i)
        if (areas[i] != nullptr && (areas[i]->hasFocus() || areas[i]->isAncestorOf(focusWidget()))) now = i;
    QWidget* next = areas[(now + (back ? areas.size() - 1 : 1)) % areas.size()];
    for (QWidget* one = next; one != nullptr; one = one->nextInFocusChain()) {
        if (one != next && !next->isAncestorOf(one)) continue;
        if ((one->focusPolicy() & Qt::TabFocus) && one->isVisible() && one->isEnabled())
            return one->setFocus(Qt::TabFocusReason);
        if (one->nextInFocusChain() == next) return;
    }
}

void MainWindow::showLarge(const QString& path) {
    m_large->open(path, currentPage() == PageId::Gallery ? m_gallery->paths() : QStringList{path});
}

void MainWindow::toast(const QString& text) {
    m_toast->show(text);
}

void MainWindow::refreshBadges() {
    const bool busy = m_services.runs.busy();
    m_navigation->button(PageId::Train)
        ->setBadge(busy ? QStringLiteral("\u25CF") : QString(), busy ? tr("working") : QString());
    if (auto* queue = m_navigation->button(PageId::Queue)) {
        const auto waiting = m_services.runs.queue().size();
        queue->setBadge(waiting > 0 ? QString::number(waiting) : QString(),
                        waiting > 0 ? tr("%n waiting", nullptr, int(waiting)) : QString());
    }
}

void MainWindow::jobEnded(const QString& folder) {
    m_services.models.refresh();
    if (!m_services.settings.flag(keys::kNotify)) return;
    const core::RunRecord* run = m_services.runs.find(folder);
    if (run == nullptr) return;
    const QString title = QString::fromStdString(run->title);
    notify(run->state == "done" ? tr("%1 is ready").arg(title) : tr("%1 needs you").arg(title),
           tr("%1 of %2 steps").arg(run->stepsDone).arg(run->steps));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    m_services.settings.set(keys::kGeometry, saveGeometry());
    if (m_services.runs.busy()) notify(QStringLiteral("Homebooth"), tr("Training goes on."));
    m_services.album.emptyTrash();
    event->accept();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    const bool compact = width() < kCompactBelow;
    if (compact == m_compact) return;
    m_compact = compact;
    m_navigation->setCompact(compact);
    m_jobBar->setCompact(compact);
    for (const auto& [id, one] : m_pages) one->setCompact(compact);
}

} // namespace homebooth::app
