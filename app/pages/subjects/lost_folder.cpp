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
    const auto look = [subjects = m_book.subjects(), folder = MovedFolder{before, QDir::cleanPath(now)}] {
        return movedFiles(subjects, folder.outermost());
    };
    inBackground(this, look,
                 [this, id, now](const std::map<std::string, std::string>& files) { mend(id, files, now); });
}

void LostFolder::mend(int64_t id, const std::map<std::string, std::string>& files, const QString& now) {
    std::vector<core::Subject> mended;
    bool asked = false;
    for (const core::Subject& before : m_book.subjects()) { // they may have been changed meanwhile
        core::Subject after = before;
        for (core::Photo& photo : after.photos)
            if (const auto file = files.find(photo.path); file != files.end()) photo.path = file->second;
        if (after == before) continue;
        asked = asked || after.id == id;
        mended.push_back(std::move(after));
    }
    const QString name = QFileInfo(now).fileName();
    if (!asked)
        return m_page.messages().show({MessageKind::Caution,
                                       tr("None of the photos lies in \"%1\".").arg(name.toHtmlEscaped()),
                                       {},
                                       QStringLiteral("not there")});
    m_book.changeAll(mended, tr("find folder %1").arg(name));
    Q_EMIT m_page.toast(tr("The photos of %n subject(s) were found again.", nullptr, int(mended.size())));
}

MovedFolder MovedFolder::outermost() const {
    MovedFolder outer = *this;
    while (true) {
        const QFileInfo from(outer.before);
        const QFileInfo to(outer.now);
        const bool same = !from.fileName().isEmpty() && from.fileName() == to.fileName();
        if (!same || from.path() == to.path()) return outer;
        outer = {from.path(), to.path()};
    }
}

std::map<std::string, std::string> movedFiles(const std::vector<core::Subject>& subjects,
                                              const MovedFolder& folder) {
    std::map<std::string, std::string> files;
    const QString before = folder.before.endsWith('/') ? folder.before : folder.before + '/';
    for (const core::Subject& subject : subjects)
        for (const core::Photo& photo : subject.photos) {
            const QString path = QString::fromStdString(photo.path);
            if (!path.startsWith(before) || QFileInfo::exists(path)) continue;
            const QString there = QDir(folder.now).absoluteFilePath(path.mid(before.size()));
            if (QFileInfo::exists(there)) files[photo.path] = there.toStdString();
        }
    return files;
}

} // namespace homebooth::app
