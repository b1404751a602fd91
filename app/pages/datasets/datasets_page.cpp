// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/datasets_page.h"

#include "app/engine/runs/run_centre.h"
#include "app/library/library_service.h"
#include "app/pages/datasets/captions/caption_panel.h"
#include "app/pages/datasets/figures/figures_view.h"
#include "app/pages/datasets/pictures_table.h"
#include "app/settings/settings.h"
#include "app/theme/metrics.h"
#include "app/widgets/choice_name.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/name_row.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>

namespace homebooth::app {
namespace {
constexpr int kPictureSide = 112;
constexpr int kLeastHeight = 144; // of pictures: a row of them is seen
constexpr int kCountingMs = 200;
constexpr int kTagLetters = 9; // of a tag that are seen at least

} // namespace

DatasetsPage::DatasetsPage(Services services, QWidget* parent)
    : Page(PageId::Datasets, tr("Datasets"), parent)
    , m_services(services)
    , m_model(services.undo)
    , m_rows(m_model) {
    auto* add = addButton(tr("Add folder"), QStringLiteral("folder"));
    auto* menu = new QMenu(add);
    menu->addAction(tr("Use it where it is..."), this, [this] { chooseFolder(false); });
    menu->addAction(tr("Copy it into Homebooth..."), this, [this] { chooseFolder(true); });
    add->setMenu(menu);
    m_scratch = addButton(tr("Train from scratch"));
    connect(m_scratch, &QPushButton::clicked, this, &DatasetsPage::askForShape);
    connect(addMainButton(tr("Train on this")), &QPushButton::clicked, this, [this] { train({}); });
    m_stack = new QStackedWidget;
    m_stack->addWidget(makeEmpty());
    auto* parts = new QWidget;
    auto* row = new QHBoxLayout(parts);
    tidy(row, 0, kGapBlock);
    row->addWidget(makeList());
    row->addWidget(makeContent(), 1);
    row->addWidget(m_drawer = new DetailsDrawer(makeDetails(), services.settings, "datasets"));
    m_stack->addWidget(parts);
    setContent(m_stack);
    letButtonsWrap(); // three long names, and all of the content scrolls
    setCommands({Command::Delete, Command::Import, Command::Search});
    setMenuList(*m_list);
    m_counting.setSingleShot(true);
    m_counting.setInterval(kCountingMs);
    connect(&m_counting, &QTimer::timeout, this, [this] {
        countCaptions();
        askHeldOut();
    });
    connect(&services.runs, &RunCentre::runsChanged, this, [this] {
        m_heldOutOf.clear();
        m_counting.start();
    });
    connectModel();
    m_wanted = services.settings.text(keys::kDataset);
    refresh();
}

void DatasetsPage::connectModel() {
    connect(&m_services.library, &LibraryService::roomCame, this, &DatasetsPage::load);
    connect(&m_model, &DatasetModel::changed, this, &DatasetsPage::refresh);
    connect(&m_model, &DatasetModel::readable, this, [this] {
        m_unreadable = false;
        m_counting.start();
        messages().drop(QStringLiteral("dataset"));
        if (m_model.items().empty()) m_grid->setEmptyText(tr("There are no pictures in this folder."));
    });
    connect(&m_model, &DatasetModel::filesChanged, &m_services.thumbnails, &Thumbnails::forgetAll);
    // The same picture stays chosen, wherever it is afterwards.
    connect(&m_model, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        const QModelIndex now = m_grid->currentIndex();
        if (now.isValid() && m_wantedPicture.isEmpty()) m_wantedPicture = now.data(PathRole).toString();
    });
    connect(&m_model, &DatasetModel::changedElsewhere, this,
            [this](const QString& folder, const QString& picture) {
                m_wanted = folder;
                m_wantedPicture = picture;
                fillList();
            });
    connect(&m_model, &DatasetModel::othersStay, this, [this](int captions) {
        messages().show(
            {MessageKind::Note,
             tr("%n caption(s) were changed by another program since, and stay.", nullptr, captions),
             {},
             QStringLiteral("others' captions")});
    });
    connect(&m_model, &DatasetModel::failed, this, [this](const QString& headline, const core::Error& error) {
        m_unreadable = m_model.items().empty();
        m_counting.start();
        if (m_model.items().empty()) m_grid->setEmptyText(headline);
        if (saysGone(error)) return tellGone();
        if (saysShards(error)) return tellShards();
        tellTrouble(headline, error, QStringLiteral("dataset"));
    });
    connectReading();
}

QWidget* DatasetsPage::makeEmpty() {
    auto* empty =
        new EmptyState(QStringLiteral("datasets"),
                       tr("A dataset is a folder of pictures with captions, for teaching a style or much new "
                          "material. For one thing or person make a subject instead."));
    connect(empty->addButton(tr("Add folder...")), &QPushButton::clicked, this,
            [this] { chooseFolder(false); });
    connect(empty->addButton(tr("Go to Subjects")), &QPushButton::clicked, this,
            [this] { Q_EMIT wanted(PageId::Subjects); });
    return empty;
}

QWidget* DatasetsPage::makeList() {
    m_list = new QListView;
    m_list->setObjectName(QStringLiteral("datasets"));
    m_list->setModel(&m_datasets);
    m_list->setItemDelegate(new NameRow(DatasetList::CountTextRole, DatasetList::HeadingRole, m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFixedWidth(kListWidth - 56);
    m_list->setIconSize({kIconSize, kIconSize});
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("Datasets"));
    m_list->setMouseTracking(true);
    m_list->viewport()->setAutoFillBackground(false);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) {
                const QString folder = now.data(DatasetList::FolderRole).toString();
                if (folder.isEmpty() || folder == m_model.folder()) return;
                m_grid->setEmptyText(tr("Reading the pictures..."));
                m_services.settings.set(keys::kDataset, folder);
                m_model.open(folder);
                applyFilter({}); // the shape was one of the dataset before
                takeColour();
            });
    return m_list;
}

QWidget* DatasetsPage::makeContent() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapLabel);
    column->addWidget(makeFilters());
    column->addWidget(makeViews(), 1);
    column->addWidget(m_repair = makeRepair());
    column->addWidget(makeReplace());
    return makeScroll(part); // large text needs more height than small screens have
}

QWidget* DatasetsPage::makeFilters() {
    auto* part = new QWidget;
    auto* top = new FlowLayout(part, kGapLabel); // large text takes two lines
    m_filter = new QLineEdit;
    m_filter->setPlaceholderText(tr("Filter by words"));
    m_filter->setAccessibleName(tr("Filter captions by words"));
    m_filter->setClearButtonEnabled(true);
    m_tag = makeNameList();
    nameChoice(*m_tag, tr("Tag"));
    m_tag->setMinimumContentsLength(kTagLetters);
    m_problems = makeButton(tr("Problems"), QStringLiteral("caution"), "segment");
    top->addWidget(m_filter);
    top->addWidget(m_tag);
    top->addWidget(m_problems);
    const auto filter = [this] { applyFilter(m_model.filter().shape); };
    connect(m_filter, &QLineEdit::textChanged, this, filter);
    connect(m_tag, &QComboBox::currentIndexChanged, this, filter);
    connect(m_problems, &QPushButton::toggled, this, filter);
    return part;
}

QWidget* DatasetsPage::makeViews() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapLabel);
    m_grid = new ThumbnailGrid(m_services.thumbnails);
    m_grid->setModel(&m_model);
    m_grid->setFittedLook(kPictureSide, 1);
    m_grid->setAccessibleName(tr("Pictures"));
    m_grid->setEmptyText(tr("Nothing matches."));
    connect(m_grid->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) {
                showChosen();
                m_table->setCurrentIndex(m_rows.index(m_rows.rowOf(now.row()), 0));
            });
    connect(m_grid->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &DatasetsPage::showChosen);
    m_views = new QStackedWidget;
    m_views->addWidget(m_grid);
    m_views->addWidget(makeTable());
    m_views->addWidget(m_figuresView = new FiguresView(m_figures));
    m_figuresView->setAccessibleName(tr("Figures of the dataset"));
    m_figuresView->setEmptyText(tr("Reading the pictures..."));
    m_views->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_views->setMinimumHeight(kLeastHeight);
    column->addWidget(makeViewChoice());
    column->addWidget(m_views, 1);
    return part;
}

QWidget* DatasetsPage::makeViewChoice() {
    auto* part = new QWidget;
    auto* row = new FlowLayout(part, kGapInside);
    auto* group = m_viewChoice = new QButtonGroup(this);
    for (const auto& [text, view] :
         {std::pair{tr("Pictures"), kPictures}, {tr("Table"), kTable}, {tr("Figures"), kFigures}}) {
        auto* button = makeButton(text, {}, "segment");
        group->addButton(button, view);
        row->addWidget(button);
    }
    connect(group, &QButtonGroup::idClicked, this, &DatasetsPage::showView);
    const int view = qBound<int>(kPictures, m_services.settings.number(keys::kDatasetView), kFigures);
    group->button(view)->setChecked(true);
    letTabFollowChoice(*group);
    showView(view);
    return part;
}

QWidget* DatasetsPage::makeTable() {
    m_table = new PicturesTable(m_rows);
    m_table->setAccessibleName(tr("Pictures as a table"));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                // Not one that is there: of several that are chosen it would be left alone.
                const QModelIndex picture = m_model.index(m_rows.sourceRow(now.row()));
                if (now.isValid() && picture != m_grid->currentIndex()) m_grid->setCurrentIndex(picture);
            });
    return m_table;
}

void DatasetsPage::showView(int view) {
    if (view == kTable && m_grid->currentIndex().isValid()) // which has one chosen at most
        m_grid->selectionModel()->select(m_grid->currentIndex(), QItemSelectionModel::ClearAndSelect);
    m_views->setCurrentIndex(view);
    if (m_services.settings.number(keys::kDatasetView) != view)
        m_services.settings.set(keys::kDatasetView, view);
}

void DatasetsPage::showProblems() {
    const bool some = m_model.withoutCaption() + m_model.broken() + m_model.missing() > 0;
    m_filter->clear();
    m_tag->setCurrentIndex(0);
    m_problems->setChecked(some);
    applyFilter({});
    if (m_views->currentIndex() == kFigures) m_viewChoice->button(kPictures)->click();
}

void DatasetsPage::step(int by) {
    if (m_model.rowCount() == 0) return;
    const int now = m_grid->currentIndex().row();
    const int last = m_model.rowCount() - 1;
    const bool table = m_views->currentIndex() == kTable; // then the neighbours are those of the table
    const int next = qBound(0, (table ? m_rows.rowOf(now) : now) + by, last);
    m_grid->setCurrentIndex(m_model.index(table ? m_rows.sourceRow(next) : next));
}

QWidget* DatasetsPage::makeRepair() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapInside);
    auto* counts = new QHBoxLayout;
    counts->setSpacing(kGapLabel);
    counts->addWidget(m_state = new MutedLabel, 1);
    m_show = makeButton(tr("Show"), QStringLiteral("caution"), "quiet");
    connect(m_show, &QPushButton::clicked, this, &DatasetsPage::showProblems);
    counts->addWidget(m_show);
    column->addLayout(counts);
    auto* remedies = new QWidget;
    column->addWidget(remedies);
    auto* row = new FlowLayout(remedies, kGapLabel);
    m_findMissing = makeButton(tr("Find again..."), QStringLiteral("search"));
    m_findMissing->setToolTip(tr("Copies whole pictures of these names from another folder."));
    auto* leave = makeButton(tr("Leave out"), QStringLiteral("leave-out"));
    leave->setToolTip(tr("Broken files, and captions of what is broken or missing, go into the folder "
                         "\"left out\" beside the pictures."));
    m_takeCaptions = makeButton(tr("Captions from"));
    m_takeCaptions->setToolTip(
        tr("metadata.jsonl says something of these pictures, under other names than \"text\"."));
    m_takeCaptions->setMenu(new QMenu(m_takeCaptions));
    connect(m_takeCaptions->menu(), &QMenu::aboutToShow, this, &DatasetsPage::offerCaptions);
    row->addWidget(m_takeCaptions);
    row->addWidget(m_findMissing);
    row->addWidget(leave);
    connect(m_findMissing, &QPushButton::clicked, this, &DatasetsPage::chooseMissing);
    connect(leave, &QPushButton::clicked, this, &DatasetsPage::leaveOut);
    m_leave = leave;
    return part;
}

QWidget* DatasetsPage::makeReplace() {
    auto* part = new QWidget;
    auto* row = new FlowLayout(part, kGapLabel);
    m_find = new QLineEdit;
    m_find->setPlaceholderText(tr("Find"));
    m_find->setAccessibleName(tr("Find in captions"));
    m_replace = new QLineEdit;
    m_replace->setPlaceholderText(tr("Replace"));
    m_replace->setAccessibleName(tr("Replace in captions"));
    m_replaceAll = makeButton(tr("Replace in all shown"));
    row->addWidget(m_find);
    row->addWidget(m_replace);
    row->addWidget(m_replaceAll);
    connect(m_replaceAll, &QPushButton::clicked, this, &DatasetsPage::replaceAll);
    connect(m_find, &QLineEdit::textChanged, this, &DatasetsPage::takeFind);
    return part;
}

QWidget* DatasetsPage::makeDetails() {
    auto* card = new Card;
    card->setFixedWidth(kDetailsWidth - 40);
    auto* column = new QVBoxLayout(card);
    tidy(column, 1, 0);
    m_panel = new CaptionPanel(m_model);
    column->addWidget(makeScroll(m_panel));
    connect(m_panel, &CaptionPanel::stepped, this, &DatasetsPage::step);
    connect(m_panel, &CaptionPanel::shapeWanted, this, &DatasetsPage::applyFilter);
    connect(m_panel, &CaptionPanel::colourWanted, this, &DatasetsPage::chooseColour);
    return card;
}

void DatasetsPage::activated() {
    load();
    m_model.rescan();
}

void DatasetsPage::refresh() {
    m_stack->setCurrentIndex(m_datasets.rowCount() == 0 ? 0 : 1);
    const int all = static_cast<int>(m_model.items().size());
    const bool some = all > 0 || m_model.packed();
    const int bare = m_model.withoutCaption();
    const int broken = m_model.broken();
    const QString hindrance = bare > 0                      ? tr("Every picture needs a caption first.")
                              : m_model.missing() > 0       ? tr("Find or leave out what is missing first.")
                              : broken > 0 && broken == all ? tr("No picture can be read.")
                                                            : QString();
    const QString remark = broken > 0 ? tr("Broken pictures will be skipped.") : QString();
    for (QPushButton* button : {mainButton(), m_scratch}) {
        button->setEnabled(some && hindrance.isEmpty());
        button->setToolTip(hindrance.isEmpty() ? remark : hindrance);
    }
    if (all > 0) m_datasets.setCount(m_model.folder(), all, true);
    setSubtitle(all > 0 ? tr("%n picture(s)", nullptr, all) : QString());
    const bool solved = all > 0 && m_problems->isChecked() && bare + broken + m_model.missing() == 0;
    if (all > 0) m_grid->setEmptyText(solved ? tr("No problem is left.") : tr("Nothing matches."));
    QStringList state;
    if (bare > 0) state.append(tr("%n without caption", nullptr, bare));
    if (broken > 0) state.append(tr("%n broken", nullptr, broken));
    if (m_model.missing() > 0) state.append(tr("%n missing", nullptr, m_model.missing()));
    if (solved) state.append(tr("No problem is left."));
    m_state->setText(state.join(QStringLiteral(", ")));
    m_show->setText(solved ? tr("Show all pictures") : tr("Show"));
    m_show->setToolTip(solved ? QString() : tr("Shows these pictures and no others."));
    m_repair->setVisible(!state.isEmpty());
    m_findMissing->setVisible(m_model.withoutPicture() > 0);
    m_leave->setVisible(broken + m_model.missing() > 0);
    m_takeCaptions->setVisible(m_model.hasOtherTexts());
    m_counting.start(); // not at every key
    chooseWanted();
    if (!m_grid->currentIndex().isValid() && m_model.rowCount() > 0)
        m_grid->setCurrentIndex(m_model.index(0));
    showChosen();
    refreshReplace();
    Q_EMIT commandsChanged();
}

QWidget* DatasetsPage::searchField() {
    return m_filter;
}

void DatasetsPage::setCompact(bool compact) {
    m_drawer->setCompact(compact);
}

} // namespace homebooth::app
