// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/datasets_page.h"

#include "app/library/library_service.h"
#include "app/theme/metrics.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QStackedWidget>

#include <map>

namespace homebooth::app {
namespace {
constexpr int kPictureSide = 112;
constexpr int kCaptionHeight = 120;
} // namespace

DatasetsPage::DatasetsPage(Services services, QWidget* parent)
    : Page(PageId::Datasets, tr("Datasets"), parent)
    , m_services(services)
    , m_model(services.undo) {
    connect(addButton(tr("Add folder..."), QStringLiteral("folder")), &QPushButton::clicked, this,
            &DatasetsPage::chooseFolder);
    connect(addMainButton(tr("Train on this")), &QPushButton::clicked, this, [this] {
        if (!m_model.folder().isEmpty())
            Q_EMIT trainWanted(QFileInfo(m_model.folder()).fileName(), m_model.folder());
    });
    m_stack = new QStackedWidget;
    auto* empty =
        new EmptyState(QStringLiteral("datasets"),
                       tr("A dataset is a folder of pictures with captions, for teaching a style or much new "
                          "material. For one thing or person make a subject instead."));
    connect(empty->addButton(tr("Add folder...")), &QPushButton::clicked, this, &DatasetsPage::chooseFolder);
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
    connect(&m_model, &DatasetModel::changed, this, &DatasetsPage::refresh);
    connect(&m_model, &DatasetModel::failed, this, [this](const QString& message) {
        messages().show({MessageKind::Error, message.toHtmlEscaped(), {}, QStringLiteral("dataset")});
    });
    refresh();
}

QWidget* DatasetsPage::makeList() {
    m_list = new QListWidget;
    m_list->setFixedWidth(kListWidth - 24);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("Datasets"));
    m_list->setMouseTracking(true);
    m_list->viewport()->setAutoFillBackground(false);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int at) {
        if (at < 0 || at >= static_cast<int>(m_records.size())) return;
        const QString folder = QString::fromStdString(m_records[static_cast<size_t>(at)].folder);
        if (folder != m_model.folder()) m_model.open(folder);
    });
    return m_list;
}

QWidget* DatasetsPage::makeContent() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapLabel);
    auto* top = new QHBoxLayout;
    m_filter = new QLineEdit;
    m_filter->setPlaceholderText(tr("Filter by words"));
    m_filter->setAccessibleName(tr("Filter captions by words"));
    m_filter->setClearButtonEnabled(true);
    m_problems = makeButton(tr("Problems"), QStringLiteral("caution"), "segment");
    top->addWidget(m_filter, 1);
    top->addWidget(m_problems);
    m_grid = new ThumbnailGrid(m_services.thumbnails);
    m_grid->setModel(&m_model);
    m_grid->setLook(kPictureSide, 1);
    m_grid->setAccessibleName(tr("Pictures"));
    m_grid->setEmptyText(tr("Nothing matches."));
    m_state = new MutedLabel;
    auto* replace = new QHBoxLayout;
    replace->setSpacing(kGapLabel);
    m_find = new QLineEdit;
    m_find->setPlaceholderText(tr("Find"));
    m_find->setAccessibleName(tr("Find in captions"));
    m_replace = new QLineEdit;
    m_replace->setPlaceholderText(tr("Replace"));
    m_replace->setAccessibleName(tr("Replace in captions"));
    auto* all = makeButton(tr("Replace in all shown"));
    replace->addWidget(m_find, 1);
    replace->addWidget(m_replace, 1);
    replace->addWidget(all);
    column->addLayout(top);
    column->addWidget(m_grid, 1);
    column->addWidget(m_state);
    column->addLayout(replace);
    const auto filter = [this] { m_model.setFilter(m_filter->text(), m_problems->isChecked()); };
    connect(m_filter, &QLineEdit::textChanged, this, filter);
    connect(m_problems, &QPushButton::toggled, this, filter);
    connect(all, &QPushButton::clicked, this, [this] {
        const int count = m_model.replaceAll(m_find->text(), m_replace->text());
        if (count > 0) Q_EMIT toast(tr("%n caption(s) changed.", nullptr, count));
    });
    connect(m_grid->selectionModel(), &QItemSelectionModel::currentChanged, this, &DatasetsPage::showCaption);
    return part;
}

QWidget* DatasetsPage::makeDetails() {
    auto* card = new Card;
    card->setFixedWidth(kDetailsWidth - 24);
    auto* column = new QVBoxLayout(card);
    tidy(column, kGapBlock, kGapBlock);
    m_caption = new QPlainTextEdit;
    m_caption->setProperty("look", QStringLiteral("field"));
    m_caption->setFixedHeight(kCaptionHeight);
    m_caption->setTabChangesFocus(true);
    m_facts = new MutedLabel;
    auto* walk = new QHBoxLayout;
    auto* previous = makeButton(tr("Previous"));
    auto* next = makeButton(tr("Next"));
    walk->addWidget(previous);
    walk->addWidget(next);
    m_figures = new MutedLabel;
    column->addWidget(labelled(tr("Caption"), m_caption));
    column->addWidget(m_facts);
    column->addLayout(walk);
    column->addWidget(makeRule(Qt::Horizontal));
    column->addWidget(makeLabel(tr("Figures"), TypeRole::Section));
    column->addWidget(m_figures);
    column->addStretch();
    const auto step = [this](int by) {
        const int row = qBound(0, m_grid->currentIndex().row() + by, m_model.rowCount() - 1);
        m_grid->setCurrentIndex(m_model.index(row));
    };
    connect(previous, &QPushButton::clicked, this, [step] { step(-1); });
    connect(next, &QPushButton::clicked, this, [step] { step(1); });
    connect(m_caption, &QPlainTextEdit::textChanged, this, [this] {
        const QModelIndex now = m_grid->currentIndex();
        if (!m_filling && now.isValid()) m_model.setCaption(now.row(), m_caption->toPlainText().simplified());
    });
    return card;
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

void DatasetsPage::chooseFolder() {
    auto* dialog = new QFileDialog(this, tr("Add a folder of pictures"), QDir::homePath());
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, &DatasetsPage::addFolder);
    dialog->open();
}

void DatasetsPage::refresh() {
    m_stack->setCurrentIndex(m_records.empty() ? 0 : 1);
    const int all = static_cast<int>(m_model.items().size());
    const int bare = m_model.withoutCaption();
    mainButton()->setEnabled(all > 0 && bare == 0);
    mainButton()->setToolTip(bare > 0 ? tr("Every picture needs a caption first.") : QString());
    setSubtitle(all > 0 ? tr("%n picture(s)", nullptr, all) : QString());
    QStringList state;
    if (bare > 0) state.append(tr("%n without caption", nullptr, bare));
    if (m_model.broken() > 0) state.append(tr("%n broken", nullptr, m_model.broken()));
    m_state->setText(state.join(QStringLiteral(", ")));
    m_state->setVisible(!state.isEmpty());
    m_figures->setText(figures());
    if (!m_grid->currentIndex().isValid() && m_model.rowCount() > 0)
        m_grid->setCurrentIndex(m_model.index(0));
    showCaption();
}

void DatasetsPage::showCaption() {
    const QModelIndex now = m_grid->currentIndex();
    m_caption->setEnabled(now.isValid());
    m_filling = true;
    if (now.isValid()) {
        const DatasetItem& item = m_model.at(now.row());
        if (m_caption->toPlainText().simplified() != item.caption) m_caption->setPlainText(item.caption);
        m_facts->setText(item.problem.isEmpty() ? tr("%1, %2 x %3")
                                                      .arg(QFileInfo(item.path).fileName())
                                                      .arg(item.widthPixels)
                                                      .arg(item.heightPixels)
                                                : item.problem);
    } else {
        m_caption->clear();
        m_facts->clear();
    }
    m_filling = false;
}

QString DatasetsPage::figures() const {
    std::map<QString, int> shapes;
    int words = 0;
    int least = 0;
    for (const DatasetItem& item : m_model.items()) {
        if (item.widthPixels <= 0) continue;
        const double ratio = double(item.widthPixels) / item.heightPixels;
        ++shapes[ratio > 1.1 ? tr("wide") : ratio < 0.9 ? tr("tall") : tr("square")];
        words += static_cast<int>(item.caption.split(' ', Qt::SkipEmptyParts).size());
        const int side = qMin(item.widthPixels, item.heightPixels);
        least = least == 0 ? side : qMin(least, side);
    }
    QStringList lines;
    for (const auto& [shape, count] : shapes) lines.append(QStringLiteral("%1: %2").arg(shape).arg(count));
    if (least > 0) lines.append(tr("shortest side: %1 px").arg(least));
    if (!m_model.items().empty())
        lines.append(tr("words in a caption: %1")
                         .arg(QLocale().toString(double(words) / double(m_model.items().size()), 'f', 1)));
    return lines.join('\n');
}

bool DatasetsPage::command(Command command) {
    if (command == Command::Import) {
        chooseFolder();
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
