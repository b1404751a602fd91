// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the gallery does with the pictures that are chosen.
#include "app/engine/places.h"
#include "app/library/background.h"
#include "app/library/file_copy.h"
#include "app/library/picture_album.h"
#include "app/library/picture_clip.h"
#include "app/pages/gallery/gallery_page.h"
#include "app/theme/metrics.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/picture_actions.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileInfo>
#include <QGuiApplication>
#include <QItemSelection>
#include <QMimeData>
#include <QPushButton>
#include <QUrl>

#include <memory>
#include <utility>

namespace homebooth::app {
namespace {
constexpr const char* kCopyMessage = "copy";
} // namespace

QWidget* GalleryPage::makeActions() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapBlock);
    QSizePolicy policy = part->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // else the wall is wider while nothing is chosen
    part->setSizePolicy(policy);
    auto* use = makeButton(tr("Use settings"), QStringLiteral("reset"));
    auto* start = makeButton(tr("Start from this picture"), QStringLiteral("image"));
    auto* enlarge = makeButton(tr("Enlarge"), QStringLiteral("enlarge"));
    enlarge->setToolTip(tr("Makes the picture once more, twice as wide and high, with finer details."));
    auto* large = makeButton(tr("Large view"), QStringLiteral("zoom"));
    auto* favourite = makeButton(tr("Favourite"), QStringLiteral("favourite"));
    auto* copy = makeButton(tr("Copy"), QStringLiteral("copy"));
    auto* folder = makeButton(tr("Folder"), QStringLiteral("folder"));
    auto* remove = makeButton(tr("Delete"), QStringLiteral("trash"));
    for (QPushButton* button : {use, start, enlarge}) column->addWidget(button);
    for (const auto& [left, right] : {std::pair{large, favourite}, std::pair{copy, folder}}) {
        auto* row = new QHBoxLayout;
        row->setSpacing(kGapLabel);
        row->addWidget(left, 1);
        row->addWidget(right, 1);
        column->addLayout(row);
    }
    column->addWidget(m_save = makeButton(tr("Save a copy..."), QStringLiteral("export")));
    column->addWidget(remove);
    m_single = {use, start, enlarge, folder};
    m_files = {start, enlarge, large, copy, folder};
    connect(use, &QPushButton::clicked, this, &GalleryPage::useChosen);
    connect(start, &QPushButton::clicked, this, &GalleryPage::startFromChosen);
    connect(enlarge, &QPushButton::clicked, this, &GalleryPage::enlargeChosen);
    connect(large, &QPushButton::clicked, this, [this] { (void)command(Command::LargeView); });
    connect(favourite, &QPushButton::clicked, this, &GalleryPage::toggleFavourite);
    connect(copy, &QPushButton::clicked, this, &GalleryPage::copyChosen);
    connect(folder, &QPushButton::clicked, this, &GalleryPage::openFolder);
    connect(m_save, &QPushButton::clicked, this, &GalleryPage::saveCopies);
    connect(remove, &QPushButton::clicked, this, &GalleryPage::trashChosen);
    return part;
}

const core::PictureRecord* GalleryPage::chosenRecipe() {
    if (chosen().size() != 1) return nullptr;
    const core::PictureRecord& picture = m_model.at(chosen().front().row());
    if (!picture.parameters.empty()) return &picture;
    messages().show(
        {MessageKind::Note, tr("The picture does not say how it was made."), {}, QStringLiteral("settings")});
    return nullptr;
}

void GalleryPage::useChosen() {
    if (const core::PictureRecord* picture = chosenRecipe())
        Q_EMIT useSettings(QString::fromStdString(picture->parameters),
                           QString::fromStdString(picture->modelPath));
}

void GalleryPage::enlargeChosen() {
    if (chosenFiles().isEmpty()) return;
    if (const core::PictureRecord* picture = chosenRecipe())
        Q_EMIT enlargeWanted(
            QString::fromStdString(picture->path), {int(picture->widthPixels), int(picture->heightPixels)},
            QString::fromStdString(picture->parameters), QString::fromStdString(picture->modelPath));
}

void GalleryPage::startFromChosen() {
    if (chosen().size() == 1 && !chosenFiles().isEmpty())
        Q_EMIT startWanted(chosenFiles().front().data(PathRole).toString());
}

void GalleryPage::trashChosen() {
    const QModelIndexList all = chosen();
    if (all.isEmpty()) return;
    int next = m_model.rowCount();
    for (const QModelIndex& index : all) next = qMin(next, index.row());
    // The picture after the deleted ones is chosen next.
    auto once = std::make_shared<QMetaObject::Connection>();
    *once = connect(&m_model, &GalleryModel::reloaded, this, [this, next, once] {
        disconnect(*once);
        if (m_model.rowCount() > 0) chooseRow(qMin(next, m_model.rowCount() - 1));
    });
    messages().drop(QLatin1String(kCopyMessage)); // it may tell of these
    Q_EMIT toast(trashPictures(m_services.album, all));
}

void GalleryPage::toggleFavourite() {
    toggleFavourites(m_services.album, chosen());
}

void GalleryPage::copyChosen() {
    const QStringList files = chosenPaths();
    if (files.size() == 1) return copyPicture(this, files.front());
    if (!files.isEmpty()) QGuiApplication::clipboard()->setMimeData(mimeOfFiles(files));
}

void GalleryPage::openLarge(const QString& path) {
    // Where it is one of several that are chosen, those alone are walked through.
    const QStringList files = chosenPaths();
    const bool several = files.size() > 1 && files.contains(path);
    m_walked = several ? QSet<QString>(files.begin(), files.end()) : QSet<QString>();
    Q_EMIT largeWanted(path);
}

void GalleryPage::chooseWalked() {
    const QSet<QString> walked = std::exchange(m_walked, {});
    QItemSelection found;
    for (int row = 0; !walked.isEmpty() && row < m_model.rowCount(); ++row) {
        if (!walked.contains(QString::fromStdString(m_model.at(row).path))) continue;
        const QModelIndex one = m_model.index(row);
        if (!found.isEmpty() && found.last().bottom() == row - 1)
            found.last() = QItemSelectionRange(found.last().topLeft(), one);
        else
            found.select(one, one);
    }
    m_grid->selectionModel()->select(found, QItemSelectionModel::Select);
}

void GalleryPage::saveCopies() {
    const QStringList files = chosenPaths();
    if (files.isEmpty()) return;
    askForFile(this, {tr("Save a copy in"), QFileDialog::Directory},
               [this, files, gone = goneAmongChosen().size()](const QString& folder) {
                   copyTo(folder, files, static_cast<int>(gone));
               });
}

void GalleryPage::copyTo(const QString& folder, const QStringList& files, int gone) {
    const auto copy = [folder, files]() -> core::Result<void> {
        for (const QString& file : files) {
            const QFileInfo from(file);
            HOMEBOOTH_CHECK(copyFile(file, freeFile(folder, from.completeBaseName(), from.suffix())));
        }
        return {};
    };
    const auto count = static_cast<int>(files.size());
    inBackground(this, copy, [this, folder, count, gone](const core::Result<void>& copied) {
        QString text = tr("%n picture(s) copied to %1.", nullptr, count).arg(folder.toHtmlEscaped());
        if (gone > 0) text += ' ' + tr("The files of %n picture(s) are gone.", nullptr, gone);
        const QString key = QLatin1String(kCopyMessage);
        if (copied) return messages().show({MessageKind::Good, text, {}, key});
        messages().show({MessageKind::Error,
                         troubleText(tr("Not all pictures could be copied. Choose another folder."),
                                     QString::fromStdString(copied.error().text())),
                         {},
                         key});
    });
}

void GalleryPage::openFolder() {
    if (chosenFiles().isEmpty()) return;
    const QFileInfo file(chosenFiles().front().data(PathRole).toString());
    QDesktopServices::openUrl(QUrl::fromLocalFile(file.path()));
}

void GalleryPage::openMenu(const QPoint& place) {
    if (chosen().isEmpty()) return;
    const bool single = chosen().size() == 1;
    const bool files = !chosenFiles().isEmpty();
    const bool file = single && files;
    openPictureMenu(
        *m_grid, place,
        {{tr("Large view"), QStringLiteral("zoom"), [this] { (void)command(Command::LargeView); }, files},
         {tr("Use settings"), QStringLiteral("reset"), [this] { useChosen(); }, single},
         {tr("Start from this picture"), QStringLiteral("image"), [this] { startFromChosen(); }, file},
         {tr("Enlarge"), QStringLiteral("enlarge"), [this] { enlargeChosen(); }, file},
         {tr("Favourite"), QStringLiteral("favourite"), [this] { toggleFavourite(); }},
         {tr("Copy"), QStringLiteral("copy"), [this] { copyChosen(); }, files},
         {tr("Folder"), QStringLiteral("folder"), [this] { openFolder(); }, file},
         {tr("Save a copy..."), QStringLiteral("export"), [this] { saveCopies(); }, files},
         {tr("Delete"), QStringLiteral("trash"), [this] { trashChosen(); }}});
}

bool GalleryPage::ready(Command command) const {
    switch (command) {
    case Command::Copy:
    case Command::LargeView:
    case Command::Export:
        return !chosenFiles().isEmpty();
    case Command::UseSettings:
        return chosen().size() == 1;
    case Command::Delete:
    case Command::Favourite:
        return m_grid->selectionModel()->hasSelection();
    default:
        return true;
    }
}

bool GalleryPage::command(Command command) {
    if (!offers(command)) return false;
    switch (command) {
    case Command::Copy:
        copyChosen();
        return true;
    case Command::Export:
        saveCopies();
        return true;
    case Command::Delete:
        trashChosen();
        return true;
    case Command::LargeView:
        openLarge(chosenPaths().front());
        return true;
    case Command::Favourite:
        toggleFavourite();
        return true;
    case Command::UseSettings:
        useChosen();
        return true;
    case Command::ZoomIn:
    case Command::ZoomOut:
    case Command::ZoomReset:
        zoom(command);
        return true;
    default:
        return false;
    }
}

} // namespace homebooth::app
