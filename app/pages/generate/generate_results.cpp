// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Generate does with the pictures that are there: choosing, deleting, marking, as in the
// gallery.
#include "app/engine/pictures/generator.h"
#include "app/library/background.h"
#include "app/library/library_service.h"
#include "app/library/picture_album.h"
#include "app/library/picture_clip.h"
#include "app/pages/generate/compare_view.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/generate/prompt/prompt_panel.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/pictures/picture_actions.h"

#include <QGuiApplication>
#include <QStackedWidget>

namespace homebooth::app {

std::vector<ThumbnailGrid*> GeneratePage::grids() const {
    if (m_stack->currentWidget() != m_compare) return {m_grid};
    return {&m_compare->grid(0), &m_compare->grid(1)};
}

QStringList GeneratePage::paths() const {
    return m_stack->currentWidget() == m_compare ? m_compare->paths() : m_results.paths();
}

void GeneratePage::connectGrid(ThumbnailGrid& grid) {
    const auto open = [this](const QModelIndex& index) {
        if (index.data(ResultModel::DoneRole).toBool()) Q_EMIT largeWanted(index.data(PathRole).toString());
    };
    connect(&grid, &ThumbnailGrid::opened, this, open);
    connect(&grid, &ThumbnailGrid::large, this, open);
    // One click is enough here; with Ctrl or Shift it chooses several.
    connect(&grid, &QAbstractItemView::clicked, this, [open](const QModelIndex& index) {
        constexpr auto kChoosing = Qt::ControlModifier | Qt::ShiftModifier;
        if (!(QGuiApplication::keyboardModifiers() & kChoosing)) open(index);
    });
    grid.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&grid, &QWidget::customContextMenuRequested, this,
            [this, &grid](QPoint at) { openMenu(grid, grid.viewport()->mapToGlobal(at)); });
    connect(grid.selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &GeneratePage::refreshActions);
    const QAbstractItemModel* model = grid.model();
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(model, signal, this, &GeneratePage::refreshActions);
    connect(model, &QAbstractItemModel::modelReset, this, &GeneratePage::refreshActions); // takes the choice
    // A chosen one may be ready now.
    connect(model, &QAbstractItemModel::dataChanged, this, &GeneratePage::refreshActions);
    refreshActions();
}

void GeneratePage::refreshActions() {
    for (QPushButton* button : std::as_const(m_forOne)) button->setEnabled(chosen().isValid());
    for (QPushButton* button : std::as_const(m_forMany)) button->setEnabled(!allChosen().isEmpty());
    Q_EMIT commandsChanged();
}

bool GeneratePage::ready(Command command) const {
    const bool prompts = m_prompts->listHasFocus();
    switch (command) {
    case Command::Copy:
    case Command::UseSettings:
        return allChosen().size() == 1;
    case Command::LargeView:
        return !allChosen().isEmpty();
    case Command::Delete:
    case Command::Favourite:
        return prompts ? m_prompts->hasCurrent() : !allChosen().isEmpty();
    default:
        return true;
    }
}

void GeneratePage::openMenu(ThumbnailGrid& grid, const QPoint& place) {
    const QModelIndexList all = allChosen();
    if (all.isEmpty()) return;
    const bool single = all.size() == 1;
    const bool again = chosen().isValid();
    openPictureMenu(
        grid, place,
        {{tr("Large view"), QStringLiteral("zoom"), [this] { (void)command(Command::LargeView); }, single},
         {tr("Use settings"), QStringLiteral("reset"), [this] { (void)useChosen(); }, single},
         {tr("Same seed"), QStringLiteral("lock"), [this] { vary(true); }, again},
         {tr("Vary"), QStringLiteral("dice"), [this] { vary(false); }, again},
         {tr("Enlarge"), QStringLiteral("enlarge"), [this] { enlarge(); }, again},
         {tr("Favourite"), QStringLiteral("favourite"), [this] { toggleFavourite(); }},
         {tr("Copy"), QStringLiteral("copy"),
          [this, path = all.front().data(PathRole).toString()] { copyPicture(this, path); }, single},
         {tr("Delete"), QStringLiteral("trash"), [this] { trashChosen(); }}});
}

bool GeneratePage::useChosen() {
    const QModelIndexList all = allChosen();
    if (all.size() != 1) return false;
    // Of this session's pictures the model is known, whose name others may have.
    const auto* results = static_cast<const ResultModel*>(all.front().model());
    const QString used = QString::fromStdString(results->configOf(all.front().row()).model);
    const QString model = m_services.models.knows(used) ? used : QString();
    inBackground(
        this,
        [path = all.front().data(PathRole).toString()] {
            return QString::fromStdString(pictureRecordOf(path).parameters);
        },
        [this, model, asked = awaitSettings()](const QString& text) {
            if (!text.isEmpty()) return void(useLate(asked, text, model));
            messages().show({MessageKind::Note,
                             tr("This picture does not say how it was made."),
                             {},
                             QStringLiteral("settings")});
        },
        &lookPool());
    return true;
}

QModelIndex GeneratePage::chosen() const {
    if (m_stack->currentWidget() == m_compare) return {};
    const QModelIndexList all = m_grid->selectionModel()->selectedIndexes();
    const bool one = all.size() == 1 && all.front().data(ResultModel::DoneRole).toBool();
    return one ? all.front() : QModelIndex();
}

QModelIndexList GeneratePage::allChosen() const {
    QModelIndexList all;
    for (const ThumbnailGrid* grid : grids())
        for (const QModelIndex& index : grid->selectionModel()->selectedIndexes())
            if (index.data(ResultModel::DoneRole).toBool()) all.append(index);
    return all;
}

void GeneratePage::choose(const QString& path) {
    for (ThumbnailGrid* grid : grids()) {
        const int row = static_cast<const ResultModel*>(grid->model())->rowOf(path);
        if (row < 0)
            grid->selectionModel()->clearSelection(); // one of the two columns alone
        else
            grid->selectionModel()->setCurrentIndex(grid->model()->index(row, 0),
                                                    QItemSelectionModel::ClearAndSelect);
    }
}

void GeneratePage::askStates() {
    for (ResultModel* model : {&m_results, &m_compare->column(0), &m_compare->column(1)}) takeStates(*model);
}

void GeneratePage::takeStates(ResultModel& model) {
    const std::vector<std::string> files = model.files();
    if (files.empty()) return;
    m_services.library.ask<std::vector<core::PictureState>>(
        this, [files](core::Library& library) { return core::pictureStates(library, files); },
        [this, &model, files](const std::vector<core::PictureState>& states) {
            if (!model.setStates(files, states)) return;
            // The last one in view was deleted, or came back.
            if (&model == &m_results && m_stack->currentWidget() != m_compare)
                m_stack->setCurrentIndex(model.rowCount() == 0 ? kEmptyView : kResultsView);
            Q_EMIT picturesChanged();
        });
}

void GeneratePage::trashChosen() {
    const QModelIndexList all = allChosen();
    if (all.isEmpty()) return;
    QStringList left = paths();
    qsizetype next = left.size();
    for (const QModelIndex& index : all) next = qMin(next, left.indexOf(index.data(PathRole).toString()));
    for (const QModelIndex& index : all) left.removeOne(index.data(PathRole).toString());
    const QString told = trashPictures(m_services.album, all);
    if (told.isEmpty()) return;
    if (!left.isEmpty()) choose(left[qBound<qsizetype>(0, next, left.size() - 1)]); // that after them
    Q_EMIT toast(told);
}

void GeneratePage::toggleFavourite() {
    toggleFavourites(m_services.album, allChosen());
}

} // namespace homebooth::app
