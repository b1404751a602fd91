// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/subjects/subjects_page.h"

#include "app/engine/models/model_shelf.h"
#include "app/engine/places.h"
#include "app/engine/runs/run_centre.h"
#include "app/library/search.h"
#include "app/pages/subjects/crop_view.h"
#include "app/pages/subjects/lost_folder.h"
#include "app/pages/subjects/photo_reading.h"
#include "app/pages/subjects/subject_details.h"
#include "app/pages/subjects/subject_row.h"
#include "app/settings/settings.h"
#include "app/theme/metrics.h"
#include "app/widgets/details_drawer.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/picture_actions.h"
#include "core/media/picture_list.h"

#include <QBoxLayout>
#include <QDir>
#include <QLineEdit>
#include <QListView>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QStackedWidget>

#include <algorithm>

namespace homebooth::app {
namespace {
constexpr int kPhotoSide = 144;
constexpr int kSubjectsWidth = 176;
constexpr int kSubjectWidth = 264; // all three parts fit into 1024 px

} // namespace

QString photoFilter() {
    QStringList endings;
    for (const std::string& ending : core::pictureEndings())
        endings.append('*' + QString::fromStdString(ending));
    return QStringLiteral("%1 (%2)").arg(SubjectsPage::tr("Pictures"), endings.join(' '));
}

SubjectsPage::SubjectsPage(Services services, QWidget* parent)
    : Page(PageId::Subjects, tr("Subjects"), parent)
    , m_services(services)
    , m_vocabularies(services.models, services.subjects)
    , m_list(services.subjects)
    , m_photos(services.subjects, m_inspector) {
    m_add = addButton(tr("Add photos..."), QStringLiteral("add-photos"));
    connect(m_add, &QPushButton::clicked, this, &SubjectsPage::choosePhotos);
    connect(addMainButton(tr("Train this subject")), &QPushButton::clicked, this,
            [this] { Q_EMIT trainWanted(currentSubject()); });
    m_stack = new QStackedWidget;
    m_stack->addWidget(makeEmpty());
    m_stack->addWidget(makeParts());
    setContent(m_stack);
    setCommands({Command::Rename, Command::Delete, Command::LargeView, Command::Import, Command::Search});
    connect(m_details, &SubjectDetails::findPhoto, this, &SubjectsPage::findPhoto);
    connect(m_details, &SubjectDetails::colourWanted, this, &SubjectsPage::chooseColour);
    connect(m_details, &SubjectDetails::moveWanted, this, &SubjectsPage::move);
    connect(&m_photos, &PhotoModel::verdictsChanged, this, &SubjectsPage::refresh);
    new LostFolder(services.subjects, m_photos, *this);
    new PhotoReading(services.subjects, m_photos, m_inspector, *this);
    connect(&m_inspector, &PhotoInspector::fileChanged, &services.thumbnails, &Thumbnails::forget);
    connect(&m_inspector, &PhotoInspector::forgotten, &services.thumbnails, &Thumbnails::forgetAll);
    setMenuList(*m_listView);
    connectBook();
    refresh();
}

void SubjectsPage::connectBook() {
    const SubjectBook* book = &m_services.subjects;
    connect(book, &SubjectBook::changed, this, &SubjectsPage::refresh);
    connect(book, &SubjectBook::inserted, this,
            [this](int at) { select(m_services.subjects.subjects()[static_cast<size_t>(at)].id); });
    connect(book, &SubjectBook::removed, this, [this](int at) {
        const auto& all = m_services.subjects.subjects();
        const QModelIndex next = m_listView->currentIndex(); // among those that are found
        if (!m_search->text().isEmpty() && next.isValid())
            return select(next.data(SubjectListModel::IdRole).toLongLong());
        select(all.empty() ? 0 : all[static_cast<size_t>(qMin(at, int(all.size()) - 1))].id);
    });
    connect(book, &SubjectBook::loadedAll, this, [this] {
        const auto& all = m_services.subjects.subjects();
        const int64_t last = m_services.settings.value(keys::kSubject).toLongLong();
        select(m_services.subjects.find(last) != nullptr ? last : all.empty() ? 0 : all.front().id);
    });
}

QWidget* SubjectsPage::makeParts() {
    auto* parts = new QWidget;
    auto* row = new QHBoxLayout(parts);
    tidy(row, 0, kGapBlock);
    row->addWidget(m_listPart = makeList());
    row->addWidget(makePhotos(), 1);
    row->addWidget(m_drawer = new DetailsDrawer(makeDetails(), m_services.settings, "subjects"));
    return parts;
}

QWidget* SubjectsPage::makeDetails() {
    m_details = new SubjectDetails(m_services.subjects, m_photos);
    m_detailsCard = new Card;
    auto* column = new QVBoxLayout(m_detailsCard);
    tidy(column, 1, 0);
    column->addWidget(m_detailsScroll = makeScroll(m_details));
    m_detailsCard->setFixedWidth(kSubjectWidth);
    return m_detailsCard;
}

QWidget* SubjectsPage::makeEmpty() {
    auto* empty = new EmptyState(
        QStringLiteral("subjects"),
        tr("Drop 3 to 5 photos of one thing here. Different sides and backgrounds teach most."));
    connect(empty->addButton(tr("Choose photos...")), &QPushButton::clicked, this,
            &SubjectsPage::choosePhotos);
    connect(empty->addButton(tr("Try the example")), &QPushButton::clicked, this, [this] {
        const QDir folder(resourcesFolder() + QStringLiteral("/drawings/blue_dog"));
        QStringList paths;
        for (const QString& name :
             folder.entryList({QStringLiteral("*.png"), QStringLiteral("*.jpg")}, QDir::Files))
            paths.append(folder.filePath(name));
        if (!paths.isEmpty()) m_services.subjects.addFromPhotos(paths);
    });
    return empty;
}

QWidget* SubjectsPage::makeList() {
    auto* part = new QWidget;
    part->setFixedWidth(kSubjectsWidth);
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapLabel);
    m_search = new QLineEdit;
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search subjects"));
    m_search->setClearButtonEnabled(true);
    m_found = new QSortFilterProxyModel(this);
    m_found->setSourceModel(&m_list);
    m_found->setFilterRole(SubjectListModel::SearchRole);
    m_found->setDynamicSortFilter(false); // or who renames what was found would go on with the next one
    m_nothing = new MutedLabel(tr("Nothing matches."));
    m_nothing->hide();
    const auto tell = [this] {
        m_nothing->setVisible(m_found->rowCount() == 0 && !m_search->text().isEmpty());
    };
    connect(m_search, &QLineEdit::textChanged, m_found, [this, tell](const QString& text) {
        find(text);
        tell();
    });
    connect(m_found, &QAbstractItemModel::rowsInserted, m_nothing, tell);
    connect(m_found, &QAbstractItemModel::rowsRemoved, m_nothing, tell);
    auto* fresh = makeButton(tr("New"), QStringLiteral("add"), "quiet");
    connect(fresh, &QPushButton::clicked, this, [this] {
        select(m_services.subjects.addEmpty());
        askForName();
    });
    makeListView();
    column->addWidget(m_search);
    column->addWidget(m_nothing);
    column->addWidget(m_listView, 1);
    column->addWidget(fresh, 0, Qt::AlignLeft);
    return part;
}

void SubjectsPage::find(const QString& words) {
    m_found->setFilterFixedString(searchForm(words));
    if (m_listView->currentIndex().isValid()) return;
    // Words on the way to these found nothing. What is shown is chosen again, or what is found is shown.
    const int row = m_services.subjects.rowOf(currentSubject());
    const QModelIndex shown = m_found->mapFromSource(m_list.index(row));
    const QModelIndex next = shown.isValid() ? shown : m_found->index(0, 0);
    if (next.isValid()) m_listView->setCurrentIndex(next);
}

void SubjectsPage::makeListView() {
    m_listView = new QListView;
    m_listView->setModel(m_found);
    m_listView->setItemDelegate(
        new SubjectRow(m_services.thumbnails, m_services.runs, m_services.models, m_listView));
    m_listView->setFrameShape(QFrame::NoFrame);
    m_listView->setUniformItemSizes(true);
    m_listView->setMouseTracking(true);
    m_listView->setAccessibleName(tr("Subjects"));
    m_listView->viewport()->setAutoFillBackground(false);
    const auto draw = qOverload<>(&QWidget::update);
    connect(&m_services.thumbnails, &Thumbnails::ready, m_listView->viewport(), draw);
    connect(&m_services.runs, &RunCentre::runsChanged, m_listView->viewport(), draw); // what is trained
    connect(&m_services.models, &ModelShelf::changed, m_listView->viewport(), draw);
    connect(m_listView->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) {
                if (!now.isValid()) return Q_EMIT commandsChanged(); // the search hides all
                m_photos.setSubject(now.data(SubjectListModel::IdRole).toLongLong());
                m_services.settings.set(keys::kSubject, now.data(SubjectListModel::IdRole));
                m_content->setCurrentWidget(m_content->widget(0));
                if (m_photos.rowCount() > 0) m_grid->setCurrentIndex(m_photos.index(0));
                refresh();
            });
}

QWidget* SubjectsPage::makePhotos() {
    m_content = new QStackedWidget;
    auto* photos = new QWidget;
    auto* column = new QVBoxLayout(photos);
    tidy(column, 0, kGapLabel);
    m_grid = new ThumbnailGrid(m_services.thumbnails);
    m_grid->setModel(&m_photos);
    m_grid->setLook(kPhotoSide, 1);
    m_grid->setAccessibleName(tr("Photos"));
    m_grid->setEmptyText(tr("Drop photos of this one here: different sides and backgrounds teach most."));
    connect(m_grid->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SubjectsPage::refreshActions);
    connect(m_grid, &ThumbnailGrid::opened, this, &SubjectsPage::crop);
    connect(m_grid, &ThumbnailGrid::large, this, &SubjectsPage::crop);
    m_grid->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_grid, &QWidget::customContextMenuRequested, this, &SubjectsPage::openPhotoMenu);
    m_grid->setReorders(true);
    connect(m_grid, &ThumbnailGrid::moved, this, &SubjectsPage::moveTo);
    auto* part = new QWidget; // in long languages it takes two lines
    auto* actions = new FlowLayout(part, kGapLabel);
    m_cropButton = makeButton(tr("Crop"), QStringLiteral("crop"));
    m_turnButton = makeButton(tr("Turn"), QStringLiteral("turn"));
    m_leaveButton = makeButton(tr("Leave out"), QStringLiteral("leave-out"));
    connect(m_cropButton, &QPushButton::clicked, this, &SubjectsPage::crop);
    connect(m_turnButton, &QPushButton::clicked, this, &SubjectsPage::turn);
    connect(m_leaveButton, &QPushButton::clicked, this, &SubjectsPage::leaveOut);
    for (QPushButton* one : {m_cropButton, m_turnButton, m_leaveButton}) actions->addWidget(one);
    column->addWidget(m_grid, 1);
    column->addWidget(part);
    m_crop = new CropView;
    connect(m_crop, &CropView::dropped, this, [this] { m_content->setCurrentIndex(0); });
    connect(m_crop, &CropView::kept, this, &SubjectsPage::keepCrop);
    m_content->addWidget(photos);
    m_content->addWidget(m_crop);
    return m_content;
}

void SubjectsPage::select(int64_t subject) {
    m_photos.setSubject(subject);
    const int row = m_services.subjects.rowOf(subject);
    if (row >= 0 && !m_found->mapFromSource(m_list.index(row)).isValid())
        m_search->clear(); // whose words hide it
    if (row >= 0) m_listView->setCurrentIndex(m_found->mapFromSource(m_list.index(row)));
    refresh();
}

void SubjectsPage::refresh() {
    const core::Subject* subject = m_photos.subject();
    m_stack->setCurrentIndex(m_services.subjects.subjects().empty() ? 0 : 1);
    const bool usable = m_photos.hasUsable();
    mainButton()->setEnabled(usable);
    mainButton()->setToolTip(usable || m_photos.rowCount() == 0 ? QString()
                                                                : tr("None of the photos can be learned."));
    if (subject == nullptr) {
        setSubtitle({});
    } else {
        const QString photos = tr("%n photo(s)", nullptr, m_photos.rowCount());
        setSubtitle(
            tr("%1: %2, %3 good").arg(shortName(*subject), photos, QString::number(m_photos.goodCount())));
    }
    refreshActions();
}

QList<int> SubjectsPage::selectedRows() const {
    QList<int> rows;
    for (const QModelIndex& index : m_grid->selectionModel()->selectedIndexes()) rows.append(index.row());
    std::sort(rows.begin(), rows.end());
    return rows;
}

void SubjectsPage::refreshActions() {
    const QList<int> rows = selectedRows();
    m_cropButton->setEnabled(rows.size() == 1);
    m_turnButton->setEnabled(!rows.isEmpty());
    m_leaveButton->setEnabled(!rows.isEmpty());
    const core::Subject* subject = m_photos.subject();
    bool out = !rows.isEmpty() && subject != nullptr;
    for (const int row : rows)
        out = out && row < int(subject->photos.size()) && subject->photos[static_cast<size_t>(row)].leftOut;
    m_leaveButton->setText(out ? tr("Take back") : tr("Leave out"));
    m_details->showPhoto(rows.size() == 1 ? rows.front() : -1);
    Q_EMIT commandsChanged();
}

void SubjectsPage::changePhotos(const QString& text, const std::function<void(core::Photo&)>& change) {
    const core::Subject* subject = m_photos.subject();
    const QList<int> rows = selectedRows();
    if (subject == nullptr || rows.isEmpty()) return;
    core::Subject after = *subject;
    for (const int row : rows) change(after.photos[static_cast<size_t>(row)]);
    const QString what = rows.size() == 1 ? tr("%1 photo %2").arg(text).arg(rows.front() + 1)
                                          : tr("%1 %2 photos").arg(text).arg(rows.size());
    m_services.subjects.change(after, what);
}

void SubjectsPage::crop() {
    const QList<int> rows = selectedRows();
    if (rows.size() != 1) return;
    const core::Photo& photo = m_photos.subject()->photos[static_cast<size_t>(rows.front())];
    m_cropped = {currentSubject(), photo.id};
    m_content->setCurrentWidget(m_crop);
    m_crop->open(QString::fromStdString(photo.path), photo.edit);
}

void SubjectsPage::keepCrop(const core::PhotoEdit& edit) {
    m_content->setCurrentIndex(0);
    // Since it was opened, undo or a drop may have moved the photo, or taken it away.
    changePhoto(m_cropped, tr("crop photo %1"), [&edit](core::Photo& photo) { photo.edit = edit; });
    m_grid->setFocus();
}

void SubjectsPage::changePhoto(const PhotoPlace& place, const QString& text,
                               const std::function<void(core::Photo&)>& change) {
    const core::Subject* subject = m_services.subjects.find(place.subject);
    if (subject == nullptr) return;
    core::Subject after = *subject;
    const auto photo = std::find_if(after.photos.begin(), after.photos.end(),
                                    [&place](const core::Photo& one) { return one.id == place.photo; });
    if (photo == after.photos.end()) return;
    change(*photo);
    m_services.subjects.change(after, text.arg(photo - after.photos.begin() + 1));
}

void SubjectsPage::turn() {
    changePhotos(tr("turn"), [](core::Photo& photo) { photo.edit = core::turnedOnce(photo.edit); });
}

void SubjectsPage::leaveOut() {
    const bool out = m_leaveButton->text() == tr("Leave out");
    changePhotos(out ? tr("leave out") : tr("take back"), [out](core::Photo& photo) { photo.leftOut = out; });
}

void SubjectsPage::openPhotoMenu(const QPoint& place) {
    if (selectedRows().isEmpty()) return;
    openPictureMenu(
        *m_grid, m_grid->viewport()->mapToGlobal(place),
        {{m_cropButton->text(), QStringLiteral("crop"), [this] { crop(); }, m_cropButton->isEnabled()},
         {m_turnButton->text(), QStringLiteral("turn"), [this] { turn(); }},
         {m_leaveButton->text(), QStringLiteral("leave-out"), [this] { leaveOut(); }},
         {tr("Remove"), QStringLiteral("trash"), [this] { removePhotos(); }}});
}

void SubjectsPage::removePhotos() {
    const QList<int> rows = selectedRows();
    const core::Subject* subject = m_photos.subject();
    if (rows.isEmpty() || subject == nullptr) return;
    core::Subject after = *subject;
    for (auto row = rows.crbegin(); row != rows.crend(); ++row)
        after.photos.erase(after.photos.begin() + *row);
    const QString name = QString::fromStdString(subject->name);
    m_services.subjects.change(after, tr("remove %n photo(s)", nullptr, int(rows.size())));
    Q_EMIT toast(tr("%n photo(s) removed from %1. The files stay.", nullptr, int(rows.size())).arg(name));
}

void SubjectsPage::removeSubject() {
    const core::Subject* subject = m_photos.subject();
    if (subject == nullptr) return;
    const QString name = QString::fromStdString(subject->name);
    m_services.subjects.remove(subject->id);
    Q_EMIT toast(tr("%1 removed. The photos' files stay.").arg(name));
}

void SubjectsPage::askForName() {
    if (!m_drawer->isOpen()) m_drawer->setOpen(true);
    m_details->focusName();
}

void SubjectsPage::askForClass(int64_t subject) {
    select(subject);
    if (!m_drawer->isOpen()) m_drawer->setOpen(true);
    m_detailsScroll->ensureWidgetVisible(m_details->focusClass());
}

void SubjectsPage::choosePhotos() {
    askForFiles(this, {tr("Choose photos"), QFileDialog::ExistingFiles, photoFilter()},
                [this](const QStringList& paths) {
                    const core::Subject* subject = m_photos.subject();
                    if (subject == nullptr) {
                        m_services.subjects.addFromPhotos(paths);
                        return;
                    }
                    const QString name = QString::fromStdString(subject->name);
                    m_services.subjects.addPhotos(subject->id, paths);
                    Q_EMIT toast(tr("%n photo(s) added to %1.", nullptr, int(paths.size())).arg(name));
                });
}

void SubjectsPage::chooseForNew() {
    askForFiles(this, {tr("Choose photos"), QFileDialog::ExistingFiles, photoFilter()},
                [this](const QStringList& paths) { m_services.subjects.addFromPhotos(paths); });
}

void SubjectsPage::findPhoto(int row) {
    const core::Subject* subject = m_photos.subject();
    if (subject == nullptr || row < 0 || row >= int(subject->photos.size())) return;
    const PhotoPlace place{currentSubject(), subject->photos[static_cast<size_t>(row)].id};
    askForFile(this, {tr("Find the photo"), QFileDialog::ExistingFile, photoFilter()},
               [this, place](const QString& path) {
                   changePhoto(place, tr("find photo %1"),
                               [&path](core::Photo& photo) { photo.path = path.toStdString(); });
               });
}

QWidget* SubjectsPage::searchField() {
    return m_search;
}

bool SubjectsPage::ready(Command command) const {
    switch (command) {
    case Command::Rename:
        return m_photos.subject() != nullptr;
    case Command::Delete:
        return m_listView->hasFocus() ? m_listView->currentIndex().isValid() : !selectedRows().isEmpty();
    case Command::LargeView:
        return selectedRows().size() == 1;
    default:
        return true;
    }
}

bool SubjectsPage::command(Command command) {
    if (!offers(command)) return false;
    switch (command) {
    case Command::Rename:
        askForName();
        return true;
    case Command::Delete:
        if (m_listView->hasFocus())
            removeSubject();
        else
            removePhotos();
        return true;
    case Command::LargeView:
        crop();
        return true;
    case Command::Import:
        choosePhotos();
        return true;
    default:
        return false;
    }
}

void SubjectsPage::setCompact(bool compact) {
    m_listPart->setFixedWidth(compact ? kSubjectsWidth - 24 : kSubjectsWidth);
    m_detailsCard->setFixedWidth(compact ? kSubjectWidth - 24 : kSubjectWidth);
    m_drawer->setCompact(compact);
}

} // namespace homebooth::app
