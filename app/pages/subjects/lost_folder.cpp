// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/subjects/lost_folder.h"

#include "app/library/background.h"
#include "app/shell/page.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/message_bar.h"

#include <QDir>
#include <QFileInfo>

#include <utility>

namespace homebooth::app {
namespace {

const QString& messageKey() {
    static const QString key = QStringLiteral("lost folder");
    return key;
}

} // namespace

LostFolder::LostFolder(SubjectBook& book, PhotoModel& photos, Page& page)
    : QObject(&page)
    , m_book(book)
    , m_photos(photos)
    , m_page(page) {
    connect(&photos, &PhotoModel::verdictsChanged, this, &LostFolder::look);
}

void LostFolder::look() {
    QStringList folders;
    for (int row = 0; row < m_photos.rowCount(); ++row)
        if (const QString path = m_photos.missingPath(row); !path.isEmpty())
            if (const QString folder = QFileInfo(path).path(); !folders.contains(folder))
                folders.append(folder);
    if (folders == m_looked && m_subject == m_photos.subjectId()) return;
    m_looked = folders;
    m_subject = m_photos.subjectId();
    if (std::exchange(m_told, false)) m_page.messages().drop(messageKey());
    if (folders.isEmpty()) return;
    const auto gone = [folders] {
        for (const QString& folder : folders)
            if (!QFileInfo::exists(folder)) return folder;
        return QString();
    };
    inBackground(this, gone, [this, folders, subject = m_subject](const QString& folder) {
        if (!folder.isEmpty() && folders == m_looked && subject == m_subject) tell(subject, folder);
    });
}

void LostFolder::tell(int64_t subject, const QString& folder) {
    m_told = true;
    m_page.messages().show(
        {MessageKind::Caution,
         tr("<b>Folder \"%1\" is gone.</b> Crops and captions are kept. Connect the drive.")
             .arg(QFileInfo(folder).fileName().toHtmlEscaped()),
         {{tr("Find folder"), [this, subject, folder] { find(subject, folder); }}},
         messageKey()});
}

void LostFolder::find(int64_t subject, const QString& folder) {
    askForFile(&m_page, {tr("Where is the folder now?"), QFileDialog::Directory},
               [this, subject, folder](const QString& now) { take(subject, folder, now); });
}

void LostFolder::take(int64_t id, const QString& before, const QString& now) {
    const core::Subject* subject = m_book.find(id);
    if (subject == nullptr) return;
    inBackground(
        this, [subject = *subject, before, now] { return withFolder(subject, before, now); },
        [this, id, now](const core::Subject& found) {
            const core::Subject* known = m_book.find(id);
            if (known == nullptr) return;
            core::Subject after = *known; // it may have been changed meanwhile
            int count = 0;
            for (core::Photo& photo : after.photos)
                for (const core::Photo& one : found.photos)
                    if (one.id == photo.id && one.path != photo.path) {
                        photo.path = one.path;
                        ++count;
                    }
            if (count > 0) return m_book.change(after, tr("find folder %1").arg(QFileInfo(now).fileName()));
            m_page.messages().show(
                {MessageKind::Caution,
                 tr("None of the photos lies in \"%1\".").arg(QFileInfo(now).fileName().toHtmlEscaped()),
                 {},
                 QStringLiteral("not there")});
        });
}

core::Subject withFolder(const core::Subject& subject, const QString& before, const QString& now) {
    core::Subject after = subject;
    for (core::Photo& photo : after.photos) {
        const QString path = QString::fromStdString(photo.path);
        if (!path.startsWith(before + '/')) continue;
        const QString there = QDir(now).absoluteFilePath(path.mid(before.size() + 1));
        if (!QFileInfo::exists(path) && QFileInfo::exists(there)) photo.path = there.toStdString();
    }
    return after;
}

} // namespace homebooth::app
