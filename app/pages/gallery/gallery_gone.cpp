// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the gallery that deals with pictures whose files are gone: says so, finds them, forgets them.
#include "app/library/picture_album.h"
#include "app/pages/gallery/gallery_page.h"
#include "app/settings/settings.h"
#include "app/theme/metrics.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>

#include <algorithm>

namespace homebooth::app {
namespace {

constexpr const char* kFindMessage = "find";

QModelIndexList withGone(const QModelIndexList& all, bool gone) {
    QModelIndexList some;
    for (const QModelIndex& index : all)
        if (index.data(GoneRole).toBool() == gone) some.append(index);
    return some;
}

} // namespace

QModelIndexList GalleryPage::chosenFiles() const {
    return withGone(chosen(), false);
}

QStringList GalleryPage::chosenPaths() const {
    QModelIndexList files = chosenFiles();
    std::sort(files.begin(), files.end()); // as they stand, in whichever order they were chosen
    QStringList paths;
    for (const QModelIndex& index : files) paths.append(index.data(PathRole).toString());
    return paths;
}

QModelIndexList GalleryPage::goneAmongChosen() const {
    return withGone(chosen(), true);
}

QWidget* GalleryPage::makeGone() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapLabel);
    m_gone = new QLabel;
    m_gone->setWordWrap(true);
    column->addWidget(m_gone);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapLabel);
    auto* find = makeButton(tr("Find..."), QStringLiteral("search"));
    auto* remove = makeButton(tr("Remove"), QStringLiteral("close"));
    find->setToolTip(tr("Looks for the file in another folder"));
    remove->setToolTip(tr("Takes the picture out of the gallery"));
    for (QPushButton* button : {find, remove}) row->addWidget(button, 1);
    column->addLayout(row);
    part->hide();
    connect(find, &QPushButton::clicked, this, &GalleryPage::findGone);
    connect(remove, &QPushButton::clicked, this, &GalleryPage::removeGone);
    return part;
}

void GalleryPage::showGone() {
    const auto gone = static_cast<int>(goneAmongChosen().size());
    m_gonePart->setVisible(gone > 0);
    m_gone->setText(chosen().size() == 1 ? tr("The file is gone.")
                                         : tr("The files of %n picture(s) are gone.", nullptr, gone));
    if (gone == chosen().size())
        for (QWidget* button : m_files) button->setEnabled(false);
}

void GalleryPage::findGone() {
    askForFile(this, {tr("Find the folder with the pictures"), QFileDialog::Directory},
               [this](const QString& folder) { lookFor(folder); });
}

void GalleryPage::lookFor(const QString& folder) {
    // Those that were not chosen are likely to have gone the same way.
    std::vector<core::PictureRecord> gone;
    for (int row = 0; row < m_model.rowCount(); ++row)
        if (m_model.gone(row)) gone.push_back(m_model.at(row));
    messages().drop(QLatin1String(kFindMessage));
    m_services.album.find(gone, folder, this, [this, folder](int found) {
        const QString text = found > 0 ? tr("%n picture(s) found again.", nullptr, found)
                                       : tr("None of them is in %1.").arg(folder.toHtmlEscaped());
        messages().show(
            {found > 0 ? MessageKind::Good : MessageKind::Note, text, {}, QLatin1String(kFindMessage)});
    });
}

void GalleryPage::lookForGone() {
    if (m_model.anyGone()) m_services.album.lookAgain(m_services.settings.picturesFolder());
}

void GalleryPage::removeGone() {
    std::vector<int64_t> ids;
    for (const QModelIndex& index : goneAmongChosen()) ids.push_back(index.data(RecordIdRole).toLongLong());
    if (ids.empty()) return;
    m_services.album.forget(ids);
    Q_EMIT toast(tr("%n picture(s) removed.", nullptr, static_cast<int>(ids.size())));
}

} // namespace homebooth::app
