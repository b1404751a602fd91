// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was dropped on the window, pasted into it or named on the command line.
#include "app/engine/models/model_shelf.h"
#include "app/engine/runs/disk_use.h"
#include "app/library/background.h"
#include "app/library/drive_pools.h"
#include "app/library/subject_book.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/pages/train/train_page.h"
#include "app/settings/settings.h"
#include "app/shell/drops/drop_content.h"
#include "app/shell/drops/drop_overlay.h"
#include "app/shell/drops/import_news.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/room_message.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMap>
#include <QMimeData>

#include <utility>

namespace homebooth::app {
namespace {

QString unusableText(const DropContent& content) {
    const QString rest = restText(content.rest);
    const QString text =
        MainWindow::tr("Nothing of this can be used: expected pictures, folders of pictures, a model "
                       "or an add-on (.safetensors, .ckpt, .pt, .bin or a diffusers folder) or a "
                       "text file of words.");
    return rest.isEmpty() ? text : text + ' ' + rest;
}

/// Where the form of a training names a folder of example pictures, one that is dropped may be that.
void offerExamples(TrainPage& page, const DropContent& content, std::vector<DropZone>& zones) {
    if (!content.folder.isEmpty() && page.isVisible() && page.takesExamples())
        zones.push_back({QStringLiteral("folder"), MainWindow::tr("Learn as example pictures"),
                         [&page, folder = content.folder](const QImage&) { page.takeExamples(folder); }});
}

/// With what a zone leaves of it as a part of its rest.
DropContent leftBy(const DropZone& zone, DropContent content) {
    if (zone.models)
        content.rest.photos = content.allPictures();
    else
        content.rest.models = content.models + content.rest.models;
    return content;
}

QString elsewhereText() {
    return MainWindow::tr("These are still on the phone or on a web page. Copy them to this computer first, "
                          "then drop them here.");
}

} // namespace

QString MainWindow::dropFolder() const {
    return m_services.settings.text(keys::kHome) + QStringLiteral("/photos");
}

void MainWindow::withPhotos(const QStringList& photos, const QImage& picture,
                            const std::function<void(const QStringList&)>& use) {
    if (picture.isNull()) return use(photos);
    keepPicture(picture, dropFolder(), use);
}

void MainWindow::keepPicture(const QImage& picture, const QString& folder,
                             const std::function<void(const QStringList&)>& use) {
    const auto save = [picture, folder] {
        const QString path = savePicture(picture, folder);
        return std::pair(path,
                         path.isEmpty() ? Shortage{pictureBytes(picture), freeBytesAt(folder)} : Shortage());
    };
    // It is held by the message alone, which no other one may replace.
    const QString key = QStringLiteral("picture %1").arg(++m_kept);
    inBackground(this, save, [this, picture, folder, use, key](const std::pair<QString, Shortage>& saved) {
        const auto& [path, shortage] = saved;
        if (!path.isEmpty()) return use({path});
        Page* here = page(currentPage());
        tellNoRoom(*here, here->messages(), {folder, shortage, tr("The picture is not kept yet."), key},
                   [this, picture, use](const QString& other) { keepPicture(picture, other, use); });
    });
}

void MainWindow::makeSubject(const QStringList& photos, bool namedByFolder) {
    // A subject gets a word that all models keep whole, and the window may have begun just now.
    m_subjects->vocabularies().whenKnown([this, photos, namedByFolder] {
        if (!usable()) return;
        showPage(PageId::Subjects); // first, so that the step of undo belongs to it
        const core::Subject* twin = m_services.subjects.holding(photos);
        const QString other = twin != nullptr ? QString::fromStdString(twin->name) : QString();
        m_services.subjects.addFromPhotos(photos, namedByFolder ? QString() : SubjectBook::newName());
        if (!other.isEmpty()) toast(tr("%1 has these photos, too.").arg(other));
    });
}

void MainWindow::makeSubjects(const std::vector<QStringList>& photos) {
    if (photos.size() == 1) return makeSubject(photos.front(), true);
    m_subjects->vocabularies().whenKnown([this, photos] {
        if (!usable()) return;
        showPage(PageId::Subjects);   // first, so that the step of undo belongs to it
        QMap<int64_t, QString> twins; // by their keys
        for (const QStringList& one : photos)
            if (const core::Subject* twin = m_services.subjects.holding(one); twin != nullptr)
                twins[twin->id] = QString::fromStdString(twin->name);
        m_services.subjects.addEach(photos);
        if (twins.size() > 1)
            toast(tr("%n subject(s) have these photos, too.", nullptr, static_cast<int>(twins.size())));
        else if (!twins.isEmpty())
            toast(tr("%1 has these photos, too.").arg(twins.first()));
    });
}

void MainWindow::sayUnusable(const DropContent& content) {
    sayRest(MessageKind::Caution, unusableText(content), content);
}

void MainWindow::tellRest(const DropContent& content, int64_t subject) {
    if (content.unusable || content.rest.empty()) return;
    m_subjects->vocabularies().whenKnown([this, content, subject] { // when its subjects come
        if (usable()) sayRest(MessageKind::Note, restText(content.rest), content, subject);
    });
}

void MainWindow::sayRest(MessageKind kind, const QString& text, const DropContent& content, int64_t subject) {
    std::vector<Remedy> remedies;
    const bool photos = !content.rest.photos.isEmpty();
    if (const QStringList folders = content.rest.folderPaths(); photos || !folders.isEmpty())
        remedies.push_back({tr("Add them too"), [this, content, photos, folders, subject] {
                                unsay(QStringLiteral("drop"));
                                DropContent left = content;
                                left.rest.photos.clear();
                                left.rest.folders.clear();
                                if (photos) makeAll(content);
                                if (folders.isEmpty()) return tellRest(left, subject);
                                if (subject == 0) return openPaths(folders); // tells what it leaves itself
                                addFolders(subject, folders);
                                tellRest(left, subject);
                            }});
    if (!content.rest.models.isEmpty())
        remedies.push_back({tr("Import models"), [this, content, subject] {
                                unsay(QStringLiteral("drop"));
                                importModels(content.rest.models);
                                DropContent left = content;
                                left.rest.models.clear();
                                tellRest(left, subject);
                            }});
    page(currentPage())->messages().show({kind, text.toHtmlEscaped(), remedies, QStringLiteral("drop")});
}

void MainWindow::addFolders(int64_t subject, const QStringList& folders) {
    inBackground(
        this, [folders] { return dropContentOf(folders).allPictures(); },
        [this, subject](const QStringList& photos) { m_services.subjects.addPhotos(subject, photos); });
}

void MainWindow::sayElsewhere() {
    say(MessageKind::Caution, elsewhereText().toHtmlEscaped(), QStringLiteral("drop"));
}

void MainWindow::makeDatasets(const DropContent& content) {
    showPage(PageId::Datasets); // first, so that the step of undo belongs to it
    for (const DatasetFolder& dataset : content.datasets)
        m_datasets->takeFolder(dataset.path, dataset.pictures);
}

void MainWindow::makeBoth(const DropContent& content) {
    makeDatasets(content);
    makeSubjects(content.subjects);
    QStringList names;
    for (const DatasetFolder& dataset : content.datasets) names.append(QFileInfo(dataset.path).fileName());
    const QString text = content.subjects.size() == 1
                             ? tr("<b>%1 became a dataset</b>, the other photos a subject.")
                             : tr("<b>%1 became a dataset</b>, the other photos %n subject(s).", nullptr,
                                  static_cast<int>(content.subjects.size()));
    const QString told = text.arg(names.join(QStringLiteral(", ")).toHtmlEscaped());
    // On the page of the subjects, which comes when they do.
    m_subjects->vocabularies().whenKnown(
        [this, told] { say(MessageKind::Note, told, QStringLiteral("both")); });
}

void MainWindow::importModels(const QStringList& models) {
    m_importNews->begin(static_cast<int>(models.size()));
    for (const QString& path : models) m_services.models.import(path);
}

void MainWindow::importChosen(const QStringList& paths) {
    inBackground(
        this, [paths] { return modelsOf(paths); },
        [this](const QStringList& models) { importModels(models); }, modelDrives(), paths.value(0));
}

void MainWindow::makeWordLists(const QStringList& files) {
    showPage(PageId::Generate); // first, so that the step of undo belongs to it
    m_generate->addWordLists(files);
}

void MainWindow::openPaths(const QStringList& paths) {
    if (!usable()) return;
    inBackground(
        this, [paths] { return dropContentOf(paths); },
        [this](const DropContent& content) {
            unsay(QStringLiteral("drop")); // of one before
            if (content.unusable) return sayUnusable(content);
            importModels(content.models);
            makeAll(content);
            tellRest(content);
        });
}

std::function<void(const QString&)> MainWindow::takeLate() {
    return [this, asked = m_generate->awaitSettings(), where = currentPage()](const QString& parameters) {
        const bool taken = m_generate->useLate(asked, parameters, {});
        if (taken && where == currentPage()) showPage(PageId::Generate); // else somebody is elsewhere by now
    };
}

void MainWindow::pasteFile(const QString& path) {
    inBackground(
        this, [path] { return dropContentOf({path}).parameters; },
        [this, path, take = takeLate()](const QString& parameters) {
            if (parameters.isEmpty()) return openPaths({path});
            take(parameters);
        });
}

void MainWindow::makeAll(const DropContent& content) {
    if (!content.datasets.empty() && !content.subjects.empty())
        makeBoth(content);
    else if (!content.datasets.empty())
        makeDatasets(content);
    else if (!content.subjects.empty())
        makeSubjects(content.subjects);
    if (!content.wordLists.isEmpty()) makeWordLists(content.wordLists);
}

void MainWindow::paste() {
    const QMimeData* copied = QApplication::clipboard()->mimeData();
    if (copied == nullptr || !maybeOurs(*copied) || !usable()) return;
    const QStringList paths = pathsOf(*copied);
    // Where photos are gathered, a generated picture is one, too.
    if (paths.size() == 1 && QFileInfo(paths.front()).isFile() && currentPage() != PageId::Subjects)
        return pasteFile(paths.front());
    if (!paths.isEmpty()) return openPaths(paths);
    // Decoded it would not say any more how it was made: the bytes do, where another program gives them.
    const QByteArray png = copied->data(QStringLiteral("image/png"));
    if (!png.isEmpty() && currentPage() != PageId::Subjects) return pastePng(png);
    if (isElsewhere(*copied)) return sayElsewhere();
    pastePicture(qvariant_cast<QImage>(copied->imageData()));
}

void MainWindow::pastePng(const QByteArray& png) {
    const auto read = [png] { return std::pair(parametersOf(png), QImage::fromData(png)); };
    inBackground(this, read, [this, take = takeLate()](const std::pair<QString, QImage>& found) {
        const auto& [parameters, picture] = found;
        if (!parameters.isEmpty()) return take(parameters);
        if (picture.isNull()) return sayUnusable({});
        pastePicture(picture);
    });
}

void MainWindow::pastePicture(const QImage& picture) {
    if (!picture.isNull())
        withPhotos({}, picture, [this](const QStringList& saved) { makeSubject(saved, false); });
}

void MainWindow::offerDrop(const QMimeData& dragged) {
    if (!usable()) return;
    // The files may lie on a disk that takes its time; the zones come when it is known what they are.
    inBackground(
        this, [paths = pathsOf(dragged)] { return dropContentOf(paths); },
        [this, drag = ++m_drag, picture = dragged.hasImage(),
         elsewhere = isElsewhere(dragged)](DropContent& content) {
            content.picture = content.empty() && picture;
            content.elsewhere = elsewhere;
            if (drag == m_drag) showZones(content);
        });
}

void MainWindow::dragLeft() {
    ++m_drag;
    m_overlay->hideUnlessEntered();
}

void MainWindow::showZones(const DropContent& content) {
    std::vector<DropZone> zones;
    offerDatasets(content, zones); // first: the likelier ones
    offerSubjects(content, zones);
    offerPhotos(content, zones);
    offerExamples(*m_train, content, zones);
    if (content.unusable && !content.picture)
        zones.push_back({QStringLiteral("caution"), unusableText(content),
                         [this, content](const QImage&) { sayUnusable(content); }});
    if (content.elsewhere)
        zones.push_back(
            {QStringLiteral("caution"), elsewhereText(), [this](const QImage&) { sayElsewhere(); }});
    if (!content.wordLists.isEmpty())
        zones.push_back({QStringLiteral("prompt"), tr("New word list"),
                         [this, files = content.wordLists](const QImage&) { makeWordLists(files); }});
    if (!content.parameters.isEmpty())
        zones.push_back({QStringLiteral("reset"), tr("Use its settings"),
                         [this, text = content.parameters](const QImage&) {
                             if (m_generate->useParameters(text, {})) showPage(PageId::Generate);
                         }});
    if (!content.models.isEmpty())
        zones.push_back({QStringLiteral("import"),
                         content.models.size() == 1 ? tr("Import model")
                                                    : tr("Import %1 models").arg(content.models.size()),
                         [this, models = content.models](const QImage&) { importModels(models); }, 0, true});
    for (DropZone& zone : zones)
        zone.act = [this, act = std::move(zone.act), left = leftBy(zone, content),
                    to = zone.subject](const QImage& picture) {
            unsay(QStringLiteral("drop")); // of one before
            act(picture);
            tellRest(left, to);
        };
    m_overlay->show(std::move(zones));
}

void MainWindow::offerDatasets(const DropContent& content, std::vector<DropZone>& zones) {
    if (content.datasets.empty()) return;
    if (!content.subjects.empty()) {
        const auto photos = static_cast<int>(content.photos().size());
        const auto subjects = static_cast<int>(content.subjects.size());
        return zones.push_back({QStringLiteral("datasets"),
                                subjects == 1
                                    ? tr("New dataset, and a subject of %n photo(s)", nullptr, photos)
                                    : tr("New dataset, and %n subject(s)", nullptr, subjects),
                                [this, content](const QImage&) { makeBoth(content); }});
    }
    zones.push_back({QStringLiteral("datasets"),
                     content.datasets.size() == 1 ? tr("New dataset") : tr("New datasets"),
                     [this, datasets = content.datasets](const QImage&) {
                         showPage(PageId::Datasets); // first, so that the step of undo belongs to it
                         for (const DatasetFolder& dataset : datasets) m_datasets->addFolder(dataset.path);
                     }});
}

void MainWindow::offerSubjects(const DropContent& content, std::vector<DropZone>& zones) {
    if (!content.datasets.empty() || content.subjects.size() < 2) return;
    zones.push_back(
        {QStringLiteral("subjects"),
         tr("Make %n subject(s), one of each folder", nullptr, static_cast<int>(content.subjects.size())),
         [this, photos = content.subjects](const QImage&) { makeSubjects(photos); }});
}

void MainWindow::offerPhotos(const DropContent& content, std::vector<DropZone>& zones) {
    const QStringList photos = content.allPictures();
    const int count = content.picture ? 1 : static_cast<int>(photos.size());
    if (count == 0) return;
    zones.push_back({QStringLiteral("subjects"), tr("Make a subject of %n photo(s)", nullptr, count),
                     [this, photos](const QImage& picture) {
                         withPhotos(photos, picture,
                                    [this, named = picture.isNull()](const QStringList& all) {
                                        makeSubject(all, named);
                                    });
                     }});
    const int64_t current = m_subjects->currentSubject();
    if (const core::Subject* subject = m_services.subjects.find(current);
        subject != nullptr && currentPage() == PageId::Subjects)
        zones.push_back({QStringLiteral("add-photos"),
                         tr("Add to %1").arg(QString::fromStdString(subject->name)),
                         [this, current, photos](const QImage& picture) {
                             withPhotos(photos, picture, [this, current](const QStringList& all) {
                                 m_services.subjects.addPhotos(current, all);
                             });
                         },
                         current});
    if (count == 1 && currentPage() == PageId::Generate)
        zones.push_back(
            {QStringLiteral("image"), tr("Start from this picture"), [this, photos](const QImage& picture) {
                 withPhotos(photos, picture,
                            [this](const QStringList& all) { m_generate->startFrom(all.front()); });
             }});
}

} // namespace homebooth::app
