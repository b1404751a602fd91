// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/datasets_page.h"

#include "app/engine/places.h"
#include "app/library/library_service.h"
#include "app/pages/datasets/caption_panel.h"
#include "app/pages/datasets/dataset_stats.h"
#include "app/settings/settings.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPointer>
#include <QStackedWidget>
#include <QThreadPool>

namespace homebooth::app {
namespace {
constexpr int kPictureSide = 112;
constexpr int kCountingMs = 200;
constexpr int kTagLetters = 9; // of a tag that are seen at least
} // namespace

DatasetsPage::DatasetsPage(Services services, QWidget* parent)
    : Page(PageId::Datasets, tr("Datasets"), parent)
    , m_services(services)
    , m_model(services.undo) {
    auto* add = addButton(tr("Add folder"), QStringLiteral("folder"));
    auto* menu = new QMenu(add);
    menu->addAction(tr("Use it where it is..."), this, [this] { chooseFolder(false); });
    menu->addAction(tr("Copy it into Homebooth..."), this, [this] { chooseFolder(true); });
    add->setMenu(menu);
    connect(addMainButton(tr("Train on this")), &QPushButton::clicked, this, [this] {
        if (!m_model.folder().isEmpty())
            Q_EMIT trainWanted(QFileInfo(m_model.folder()).fileName(), m_model.folder());
    });
    m_stack = new QStackedWidget;
    auto* empty =
        new EmptyState(QStringLiteral("datasets"),
                       tr("A dataset is a folder of pictures with captions, for teaching a style or much new "
                          "material. For one thing or person make a subject instead."));
    connect(empty->addButton(tr("Add folder...")), &QPushButton::clicked, this,
            [this] { chooseFolder(false); });
    connect(empty->addButton(tr("Go to Subjects")), &QPushButton::clicked, this,
            [this] { Q_EMIT wanted(PageId::Subjects); });
    m_stack->addWidget(empty);
    auto* parts = new QWidget;
    auto* row = new QHBoxLayout(parts);
    tidy(row, 0, kGapBlock);
    row->addWidget(makeList());
    row->addWidget(makeContent(), 1);
    row->addWidget(makeDetails());
    m_stack->addWidget(parts);
    setContent(m_stack);
    m_counting.setSingleShot(true);
    m_counting.setInterval(kCountingMs);
    connect(&m_counting, &QTimer::timeout, this, [this] {
        fillTags();
        m_panel->showFigures();
    });
    connect(&m_model, &DatasetModel::changed, this, &DatasetsPage::refresh);
    connect(&m_model, &DatasetModel::failed, this, [this](const QString& message) {
        messages().show({MessageKind::Error, message.toHtmlEscaped(), {}, QStringLiteral("dataset")});
    });
    refresh();
}

QWidget* DatasetsPage::makeList() {
    m_list = new QListWidget;
    m_list->setFixedWidth(kListWidth - 56);
    m_list->setIconSize({kIconSize, kIconSize});
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("Datasets"));
    m_list->setMouseTracking(true);
    m_list->viewport()->setAutoFillBackground(false);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int at) {
        if (at < 0 || at >= static_cast<int>(m_records.size())) return;
        const QString folder = QString::fromStdString(m_records[static_cast<size_t>(at)].folder);
        if (folder == m_model.folder()) return;
        m_grid->setEmptyText(tr("Reading the pictures..."));
        m_model.open(folder);
    });
    return m_list;
}

QWidget* DatasetsPage::makeContent() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapLabel);
    auto* top = new QHBoxLayout;
    top->setSpacing(kGapLabel);
    m_filter = new QLineEdit;
    m_filter->setPlaceholderText(tr("Filter by words"));
    m_filter->setAccessibleName(tr("Filter captions by words"));
    m_filter->setClearButtonEnabled(true);
    m_tag = new QComboBox;
    m_tag->setAccessibleName(tr("Tag"));
    m_tag->setFocusPolicy(Qt::StrongFocus);
    m_tag->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_tag->setMinimumContentsLength(kTagLetters);
    m_problems = makeButton(tr("Problems"), QStringLiteral("caution"), "segment");
    top->addWidget(m_filter, 1);
    top->addWidget(m_tag);
    top->addWidget(m_problems);
    m_grid = new ThumbnailGrid(m_services.thumbnails);
    m_grid->setModel(&m_model);
    m_grid->setLook(kPictureSide, 1);
    m_grid->setAccessibleName(tr("Pictures"));
    m_grid->setEmptyText(tr("Nothing matches."));
    column->addLayout(top);
    column->addWidget(m_grid, 1);
    column->addWidget(m_repair = makeRepair());
    column->addWidget(makeReplace());
    const auto filter = [this] { applyFilter(m_model.filter().shape); };
    connect(m_filter, &QLineEdit::textChanged, this, filter);
    connect(m_tag, &QComboBox::currentIndexChanged, this, filter);
    connect(m_problems, &QPushButton::toggled, this, filter);
    connect(m_grid->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) { m_panel->showRow(now.row()); });
    return part;
}

QWidget* DatasetsPage::makeRepair() {
    auto* part = new QWidget;
    auto* row = new QHBoxLayout(part);
    tidy(row, 0, kGapLabel);
    m_state = new MutedLabel;
    m_findMissing = makeButton(tr("Find missing..."), QStringLiteral("search"));
    auto* leave = makeButton(tr("Leave out"), QStringLiteral("leave-out"));
    leave->setToolTip(tr("Broken files go into the folder \"left out\" beside the pictures."));
    row->addWidget(m_state, 1);
    row->addWidget(m_findMissing);
    row->addWidget(leave);
    connect(m_findMissing, &QPushButton::clicked, this, &DatasetsPage::chooseMissing);
    connect(leave, &QPushButton::clicked, this, &DatasetsPage::leaveOut);
    m_leave = leave;
    return part;
}

QWidget* DatasetsPage::makeReplace() {
    auto* part = new QWidget;
    auto* row = new QHBoxLayout(part);
    tidy(row, 0, kGapLabel);
    m_find = new QLineEdit;
    m_find->setPlaceholderText(tr("Find"));
    m_find->setAccessibleName(tr("Find in captions"));
    m_replace = new QLineEdit;
    m_replace->setPlaceholderText(tr("Replace"));
    m_replace->setAccessibleName(tr("Replace in captions"));
    auto* all = makeButton(tr("Replace in all shown"));
    row->addWidget(m_find, 1);
    row->addWidget(m_replace, 1);
    row->addWidget(all);
    connect(all, &QPushButton::clicked, this, [this] {
        const int count = m_model.replaceAll(m_find->text(), m_replace->text());
        if (count > 0) Q_EMIT toast(tr("%n caption(s) changed.", nullptr, count));
    });
    return part;
}

QWidget* DatasetsPage::makeDetails() {
    auto* card = new Card;
    card->setFixedWidth(kDetailsWidth - 40);
    auto* column = new QVBoxLayout(card);
    tidy(column, 1, 0);
    m_panel = new CaptionPanel(m_model);
    column->addWidget(makeScroll(m_panel));
    connect(m_panel, &CaptionPanel::stepped, this, [this](int by) {
        const int row = qBound(0, m_grid->currentIndex().row() + by, m_model.rowCount() - 1);
        m_grid->setCurrentIndex(m_model.index(row));
    });
    connect(m_panel, &CaptionPanel::shapeWanted, this, &DatasetsPage::applyFilter);
    return card;
}

void DatasetsPage::applyFilter(const QString& shape) {
    m_model.setFilter({m_filter->text(), m_tag->currentData().toString(), shape, m_problems->isChecked()});
}

void DatasetsPage::fillTags() {
    constexpr qsizetype kMostTags = 200;
    const QSignalBlocker quiet(m_tag);
    const QString chosen = m_tag->currentData().toString();
    m_tag->clear();
    m_tag->addItem(tr("All tags"), QString());
    const DatasetFigures figures = figuresOf(m_model.items());
    for (const auto& [tag, count] : figures.tags.first(qMin(kMostTags, figures.tags.size())))
        m_tag->addItem(QStringLiteral("%1 (%2)").arg(tag).arg(count), tag);
    m_tag->setCurrentIndex(qMax(0, m_tag->findData(chosen)));
}

void DatasetsPage::activated() {
    load();
}

void DatasetsPage::load() {
    m_services.library.ask<std::vector<core::DatasetRecord>>(
        this, [](core::Library& library) { return core::loadDatasets(library); },
        [this](const std::vector<core::DatasetRecord>& records) {
            m_records = records;
            fillList();
        });
}

void DatasetsPage::fillList() {
    const QString keep = m_wanted.isEmpty() ? m_model.folder() : m_wanted;
    m_wanted.clear();
    int chosen = m_records.empty() ? -1 : 0;
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (size_t i = 0; i < m_records.size(); ++i) {
            m_list->addItem(QString::fromStdString(m_records[i].name));
            m_list->item(static_cast<int>(i))->setIcon(icon(QStringLiteral("datasets")));
            m_list->item(static_cast<int>(i))->setToolTip(QString::fromStdString(m_records[i].folder));
            if (QString::fromStdString(m_records[i].folder) == keep) chosen = static_cast<int>(i);
        }
    }
    m_list->setCurrentRow(chosen);
    refresh();
}

void DatasetsPage::addFolder(const QString& folder) {
    core::DatasetRecord record;
    record.id = core::newRecordId();
    record.folder = QDir(folder).absolutePath().toStdString();
    record.name = QFileInfo(QString::fromStdString(record.folder)).fileName().toStdString();
    record.createdMs = core::nowMs();
    m_wanted = QString::fromStdString(record.folder);
    m_services.library.write([record](core::Library& library) { return core::saveDataset(library, record); });
    load();
}

void DatasetsPage::chooseFolder(bool copy) {
    auto* dialog = new QFileDialog(this, tr("Add a folder of pictures"), QDir::homePath());
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, [this, copy](const QString& folder) {
        if (copy)
            copyFolder(folder);
        else
            addFolder(folder);
    });
    dialog->open();
}

void DatasetsPage::copyFolder(const QString& folder) {
    const QString to = freeFolder(m_services.settings.text(keys::kHome) + QStringLiteral("/datasets"),
                                  safeFileName(QFileInfo(QDir(folder).absolutePath()).fileName()));
    messages().show(
        {MessageKind::Note, tr("Copying to %1...").arg(to.toHtmlEscaped()), {}, QStringLiteral("copy")});
    QPointer<DatasetsPage> self(this);
    QThreadPool::globalInstance()->start([self, from = QDir(folder).absolutePath(), to] {
        const auto copied = copyDataset(from, to);
        const QString problem = copied ? QString() : QString::fromStdString(copied.error().text());
        QMetaObject::invokeMethod(qApp, [self, to, problem] {
            if (!self) return;
            self->messages().drop(QStringLiteral("copy"));
            if (problem.isEmpty()) return self->addFolder(to);
            self->messages().show({MessageKind::Error, problem.toHtmlEscaped(), {}, QStringLiteral("copy")});
        });
    });
}

void DatasetsPage::chooseMissing() {
    auto* dialog = new QFileDialog(this, tr("Where may the missing pictures be?"), QDir::homePath());
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, &DatasetsPage::findBelow);
    dialog->open();
}

void DatasetsPage::findBelow(const QString& search) {
    QPointer<DatasetsPage> self(this);
    QThreadPool::globalInstance()->start([self, search, folder = m_model.folder(), items = m_model.items()] {
        const int found = findMissing(items, search);
        QMetaObject::invokeMethod(qApp, [self, folder, found] {
            if (!self) return;
            self->messages().show({found > 0 ? MessageKind::Good : MessageKind::Caution,
                                   found > 0 ? tr("%n picture(s) found and copied.", nullptr, found)
                                             : tr("None of the missing pictures lies there."),
                                   {},
                                   QStringLiteral("missing")});
            if (self->m_model.folder() == folder) self->m_model.open(folder);
        });
    });
}

void DatasetsPage::leaveOut() {
    QPointer<DatasetsPage> self(this);
    QThreadPool::globalInstance()->start([self, folder = m_model.folder(), items = m_model.items()] {
        const auto done = leaveOutProblems(folder, items);
        const QString problem = done ? QString() : QString::fromStdString(done.error().text());
        QMetaObject::invokeMethod(qApp, [self, folder, problem] {
            if (!self) return;
            if (!problem.isEmpty())
                self->messages().show(
                    {MessageKind::Error, problem.toHtmlEscaped(), {}, QStringLiteral("leave out")});
            if (self->m_model.folder() == folder) self->m_model.open(folder);
        });
    });
}

void DatasetsPage::refresh() {
    m_stack->setCurrentIndex(m_records.empty() ? 0 : 1);
    const int all = static_cast<int>(m_model.items().size());
    const int bare = m_model.withoutCaption();
    const int problems = m_model.broken() + m_model.missing();
    mainButton()->setEnabled(all > 0 && bare == 0 && problems == 0);
    mainButton()->setToolTip(bare > 0       ? tr("Every picture needs a caption first.")
                             : problems > 0 ? tr("Find or leave out what is missing or broken first.")
                                            : QString());
    setSubtitle(all > 0 ? tr("%n picture(s)", nullptr, all) : QString());
    if (all > 0) m_grid->setEmptyText(tr("Nothing matches."));
    QStringList state;
    if (bare > 0) state.append(tr("%n without caption", nullptr, bare));
    if (m_model.broken() > 0) state.append(tr("%n broken", nullptr, m_model.broken()));
    if (m_model.missing() > 0) state.append(tr("%n missing", nullptr, m_model.missing()));
    m_state->setText(state.join(QStringLiteral(", ")));
    m_repair->setVisible(!state.isEmpty());
    m_findMissing->setVisible(m_model.missing() > 0);
    m_leave->setVisible(problems > 0);
    m_counting.start(); // not at every key
    if (!m_grid->currentIndex().isValid() && m_model.rowCount() > 0)
        m_grid->setCurrentIndex(m_model.index(0));
    m_panel->showRow(m_grid->currentIndex().row());
}

bool DatasetsPage::command(Command command) {
    if (command == Command::Import) {
        chooseFolder(false);
        return true;
    }
    if (command != Command::Delete || !m_list->hasFocus() || m_list->currentRow() < 0) return false;
    const core::DatasetRecord record = m_records[static_cast<size_t>(m_list->currentRow())];
    m_services.library.write(
        [record](core::Library& library) { return core::removeDataset(library, record.id); });
    messages().show(
        {MessageKind::Note,
         tr("%1 is off the list. Its files stay.").arg(QString::fromStdString(record.name).toHtmlEscaped()),
         {{tr("Undo"), [this, record] { addFolder(QString::fromStdString(record.folder)); }}},
         QStringLiteral("removed")});
    m_model.open({});
    load();
    return true;
}

QWidget* DatasetsPage::searchField() {
    return m_filter;
}

} // namespace homebooth::app
