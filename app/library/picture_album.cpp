// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/picture_album.h"

#include "app/library/background.h"
#include "app/library/library_service.h"
#include "core/base/config/sample_config_json.h"
#include "core/base/files/deletable.h"
#include "core/base/files/process_files.h"
#include "core/base/text/generation_parameters.h"
#include "core/library/queue_store.h"
#include "core/media/picture_io.h"
#include "core/media/png_text.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QMultiHash>
#include <QPointer>
#include <QUndoCommand>
#include <QUndoStack>

#include <memory>
#include <set>
#include <utility>

namespace homebooth::app {

bool isGone(const QString& path) {
    const QFileInfo file(path);
    return !file.exists() && file.dir().exists();
}

core::PictureRecord pictureRecordOf(const QString& path) {
    core::PictureRecord record;
    record.id = core::newRecordId();
    record.path = path.toStdString();
    record.createdMs = QFileInfo(path).lastModified().toMSecsSinceEpoch();
    if (const auto info = core::pictureInfo(record.path)) {
        record.widthPixels = info->widthPixels;
        record.heightPixels = info->heightPixels;
    }
    const auto text = core::readPngText(record.path);
    if (!text) return record;
    const auto found = text->find("parameters");
    if (found == text->end()) return record;
    record.parameters = found->second;
    const core::GenerationParameters parameters = core::parseGenerationParameters(record.parameters);
    record.prompt = parameters.prompt;
    record.model = parameters.model;
    return record;
}

namespace {

/// The picture's own text names a model's file; a job that waited or was cut short says which model that was.
void nameModel(core::PictureRecord& record, const std::vector<core::QueuedRequest>& jobs) {
    const core::GenerationParameters facts = core::parseGenerationParameters(record.parameters);
    for (const core::QueuedRequest& job : jobs) {
        core::SampleConfig config;
        if (!facts.seed || !core::readJson(job.request, config)) continue;
        const bool seed =
            *facts.seed >= config.seed && *facts.seed - config.seed < static_cast<uint64_t>(config.count);
        if (!seed || facts.prompt != config.prompt || !record.path.starts_with(config.outputDir + "/"))
            continue;
        record.model = job.title;
        record.modelPath = config.model;
        return;
    }
}

/// What the library knows before a folder is looked through.
struct Known {
    std::vector<core::PictureRecord> shown;
    std::vector<core::PictureRecord> hidden;
    std::vector<core::QueuedRequest> jobs;
};

using AllKnown = std::shared_ptr<const Known>; // of many pictures: the window's thread hands it on

core::Result<AllKnown> allKnown(core::Library& library) {
    constexpr int64_t kAll = int64_t{1} << 40;
    auto known = std::make_shared<Known>();
    HOMEBOOTH_ASSIGN(known->shown, core::findPictures(library, {}, 0, kAll));
    HOMEBOOTH_ASSIGN(known->hidden, core::trashedPictures(library));
    HOMEBOOTH_ASSIGN(known->jobs, core::loadQueue(library));
    return AllKnown(std::move(known));
}

std::vector<core::PictureRecord> newPictures(const QString& folder, const Known& known) {
    std::set<std::string> paths; // also of hidden ones
    for (const auto* pictures : {&known.shown, &known.hidden})
        for (const core::PictureRecord& picture : *pictures) paths.insert(picture.path);
    std::vector<core::PictureRecord> fresh;
    QDirIterator files(folder, {QStringLiteral("*.png")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        if (paths.contains(path.toStdString())) continue;
        fresh.push_back(pictureRecordOf(path));
        nameModel(fresh.back(), known.jobs);
    }
    return fresh;
}

/// Whether a file is the picture that was taken up. A copy of it has another time; what does not say how it
/// was made has nothing else to be known by.
bool isSame(const core::PictureRecord& picture, const core::PictureRecord& file) {
    return picture.widthPixels == file.widthPixels && picture.heightPixels == file.heightPixels &&
           picture.parameters == file.parameters &&
           (!picture.parameters.empty() || picture.createdMs == file.createdMs);
}

/// What is new below a folder, and what is known already but lies elsewhere now.
struct Found {
    std::vector<core::PictureRecord> fresh;
    std::vector<core::MovedPicture> moved;
};

/// A folder with pictures may have been renamed, or the whole library moved: each keeps its mark. Of hidden
/// ones those alone that were in this folder: a copy of another one would go into the trash with it.
Found foundBelow(const QString& folder, const Known& known) {
    Found found{newPictures(folder, known), {}};
    if (found.fresh.empty()) return found;
    QMultiHash<QString, const core::PictureRecord*> byName;
    const auto note = [&byName](const core::PictureRecord& picture) {
        byName.insert(QFileInfo(QString::fromStdString(picture.path)).fileName(), &picture);
    };
    for (const core::PictureRecord& picture : known.shown) note(picture);
    for (const core::PictureRecord& picture : known.hidden)
        if (picture.path.starts_with(folder.toStdString() + "/")) note(picture);
    std::erase_if(found.fresh, [&byName, &found](const core::PictureRecord& file) {
        const QString name = QFileInfo(QString::fromStdString(file.path)).fileName();
        for (const core::PictureRecord* picture : byName.values(name)) {
            if (!isSame(*picture, file) || QFileInfo::exists(QString::fromStdString(picture->path))) continue;
            found.moved.push_back({picture->id, file.path});
            byName.remove(name, picture);
            return true;
        }
        return false;
    });
    return found;
}

/// Moves the file of a hidden picture to the desktop's trash, unless it is another one by now.
/// @returns whether there is nothing left to do
bool moveToTrash(const core::PictureRecord& picture) {
    const QString path = QString::fromStdString(picture.path);
    if (isGone(path)) return true;
    const core::PictureRecord file = pictureRecordOf(path);
    if (isSame(picture, file)) return QFile::moveToTrash(path);
    return file.widthPixels > 0; // else nobody can say what it is
}

/// Those whose files this user cannot take away.
std::vector<int64_t> stayingOf(const std::vector<core::PictureRecord>& hidden,
                               const std::vector<int64_t>& ids) {
    const std::set<int64_t> wanted(ids.begin(), ids.end());
    std::vector<int64_t> staying;
    for (const core::PictureRecord& picture : hidden)
        if (wanted.contains(picture.id) && !core::mayBeDeleted(picture.path)) staying.push_back(picture.id);
    return staying;
}

/// Takes away the rough views that killed engines have left beside pictures.
void removeRoughViews(const QString& folder) {
    const auto tidyUp = [](const QString& path) {
        core::removeFilesOfDead(path.toStdString(), core::kPreviewPrefix, ".png");
    };
    tidyUp(folder);
    QDirIterator days(folder, QDir::Dirs | QDir::NoDotAndDotDot);
    while (days.hasNext()) tidyUp(days.next());
}

/// Where below a folder the files of pictures lie now.
std::vector<core::MovedPicture> filesOf(const std::vector<core::PictureRecord>& gone, const QString& folder) {
    QMultiHash<QString, const core::PictureRecord*> wanted;
    for (const core::PictureRecord& picture : gone)
        wanted.insert(QFileInfo(QString::fromStdString(picture.path)).fileName(), &picture);
    std::vector<core::MovedPicture> moved;
    QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext() && !wanted.isEmpty()) {
        const QString path = files.next();
        for (const core::PictureRecord* picture : wanted.values(files.fileName())) {
            // Another picture may have the name.
            if (pictureRecordOf(path).parameters != picture->parameters) continue;
            moved.push_back({picture->id, path.toStdString()});
            wanted.remove(files.fileName(), picture);
        }
    }
    return moved;
}

} // namespace

class TrashCommand : public QUndoCommand {
public:
    TrashCommand(PictureAlbum& album, std::vector<int64_t> ids)
        : QUndoCommand(PictureAlbum::tr("delete %n picture(s)", nullptr, static_cast<int>(ids.size())))
        , m_album(album)
        , m_ids(std::move(ids)) {}
    void redo() override { m_album.setTrashed(m_ids, true); }
    void undo() override { m_album.setTrashed(m_ids, false); }

private:
    PictureAlbum& m_album;
    std::vector<int64_t> m_ids;
};

/// All of them had the other mark before.
class FavouriteCommand : public QUndoCommand {
public:
    FavouriteCommand(PictureAlbum& album, std::vector<int64_t> ids, bool favourite)
        : QUndoCommand(
              favourite
                  ? PictureAlbum::tr("mark %n picture(s) as favourite", nullptr, static_cast<int>(ids.size()))
                  : PictureAlbum::tr("unmark %n picture(s)", nullptr, static_cast<int>(ids.size())))
        , m_album(album)
        , m_ids(std::move(ids))
        , m_favourite(favourite) {}
    void redo() override { m_album.mark(m_ids, m_favourite); }
    void undo() override { m_album.mark(m_ids, !m_favourite); }

private:
    PictureAlbum& m_album;
    std::vector<int64_t> m_ids;
    bool m_favourite;
};

PictureAlbum::PictureAlbum(LibraryService& library, QUndoStack& undo, QObject* parent)
    : QObject(parent)
    , m_library(library)
    , m_undo(undo) {
    // What shows the library was told of a change before it was there.
    connect(&library, &LibraryService::roomCame, this, [this] { Q_EMIT changed({}); });
}

void PictureAlbum::lookThrough(const QString& folder, bool again) {
    const auto takeUp = [this, again](const Found& found) {
        if (again && found.fresh.empty() && found.moved.empty()) return;
        m_library.write(
            this,
            [found](core::Library& library) -> core::Result<void> {
                if (!found.moved.empty()) HOMEBOOTH_CHECK(core::movePictures(library, found.moved));
                return found.fresh.empty() ? core::Result<void>() : core::addPictures(library, found.fresh);
            },
            [this](const core::Result<void>& added) { tell(added); });
    };
    m_library.ask<AllKnown>(this, allKnown, [this, folder, takeUp](const AllKnown& known) {
        inBackground(
            this,
            [folder, known] {
                removeRoughViews(folder);
                return foundBelow(folder, *known);
            },
            takeUp, &lookPool());
    });
}

void PictureAlbum::add(const QString& path, const QString& modelName, const QString& modelPath) {
    const auto look = [path, modelName, modelPath] {
        core::PictureRecord record = pictureRecordOf(path);
        record.model = modelName.toStdString();
        record.modelPath = modelPath.toStdString();
        return record;
    };
    const auto takeUp = [this](const core::PictureRecord& record) {
        m_library.write(
            this, [record](core::Library& library) { return core::takeUpPicture(library, record); },
            [this, id = record.id](const core::Result<void>& added) { tell(added, {id}); });
    };
    inBackground(this, look, takeUp, &lookPool());
}

void PictureAlbum::tell(const core::Result<void>& added, const std::vector<int64_t>& ids) {
    if (!added) Q_EMIT failed(QString::fromStdString(added.error().text()));
    Q_EMIT changed(ids);
}

void PictureAlbum::setFavourite(const std::vector<int64_t>& ids, bool favourite) {
    if (!ids.empty()) m_undo.push(new FavouriteCommand(*this, ids, favourite));
}

void PictureAlbum::mark(const std::vector<int64_t>& ids, bool favourite) {
    m_library.write(
        [ids, favourite](core::Library& library) { return core::setFavourite(library, ids, favourite); });
    Q_EMIT changed(ids);
}

void PictureAlbum::trash(const std::vector<int64_t>& ids) {
    for (const int64_t id : ids) m_filesStay.erase(id);
    if (ids.empty()) return;
    m_undo.push(new TrashCommand(*this, ids));
    bringBackWhatStays(ids);
}

void PictureAlbum::bringBackWhatStays(const std::vector<int64_t>& ids) {
    using Pictures = std::vector<core::PictureRecord>;
    const auto take = [this](std::vector<int64_t> staying) {
        std::erase_if(staying, [this](int64_t id) { return m_filesStay.contains(id); }); // is only forgotten
        if (staying.empty()) return;
        setTrashed(staying, false);
        Q_EMIT stayed(static_cast<int>(staying.size()));
    };
    const auto look = [this, ids, take](const Pictures& hidden) {
        inBackground(
            this, [ids, hidden] { return stayingOf(hidden, ids); }, take, &lookPool());
    };
    m_library.ask<Pictures>(
        this, [](core::Library& library) { return core::trashedPictures(library); }, look);
}

QString PictureAlbum::trashedText(int count) {
    return tr("%n picture(s) in the trash.", nullptr, count);
}

void PictureAlbum::setTrashed(const std::vector<int64_t>& ids, bool trashed) {
    m_library.write(
        [ids, trashed](core::Library& library) { return core::setTrashed(library, ids, trashed); });
    Q_EMIT changed(ids);
}

void PictureAlbum::find(const std::vector<core::PictureRecord>& gone, const QString& folder,
                        QObject* receiver, const std::function<void(int)>& found) {
    const auto tellFound = [this, receiver = QPointer<QObject>(receiver),
                            found](const std::vector<core::MovedPicture>& moved) {
        if (!moved.empty()) {
            m_library.write([moved](core::Library& library) { return core::movePictures(library, moved); });
            Q_EMIT changed({});
        }
        if (receiver) found(static_cast<int>(moved.size()));
    };
    inBackground(
        this, [gone, folder] { return filesOf(gone, folder); }, tellFound, &lookPool());
}

void PictureAlbum::forget(const std::vector<int64_t>& ids) {
    trash(ids);
    m_filesStay.insert(ids.begin(), ids.end());
}

void PictureAlbum::emptyTrash() {
    m_library.writeLast([stay = m_filesStay](core::Library& library) -> core::Result<void> {
        HOMEBOOTH_ASSIGN(const std::vector<core::PictureRecord> pictures, core::trashedPictures(library));
        std::vector<int64_t> gone;
        for (const core::PictureRecord& picture : pictures) {
            if (stay.contains(picture.id) || moveToTrash(picture)) gone.push_back(picture.id);
            tellWriting(); // the drive answered
        }
        return core::forgetPictures(library, gone);
    });
}

} // namespace homebooth::app
