// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/drops/drop_content.h"

#include "app/engine/places.h"
#include "core/base/formats/caption_file.h"
#include "core/base/model/language/language_folder.h"
#include "core/base/text/unicode.h"
#include "core/media/picture_list.h"
#include "core/media/picture_text.h"

#include <QBuffer>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QMimeData>
#include <QSaveFile>
#include <QSet>
#include <QUrl>

#include <filesystem>
#include <system_error>

namespace homebooth::app {
namespace {

constexpr int kMostOfASubject = 30; // photos in a folder; more are a dataset
constexpr int kMostLooks = 300;     // at folders for what is not taken: a whole disk may be dropped

/// By the name's ending; where there is none, or blanks or dots are behind it, by the first bytes.
bool isPicture(const QFileInfo& file) {
    if (!file.isFile()) return false;
    const std::string path = file.filePath().toStdString();
    if (core::hasPictureEnding(path)) return true;
    const QString name = file.fileName();
    QString bare = name;
    while (bare.endsWith('.') || bare.endsWith(' ')) bare.chop(1);
    if (bare == name ? name.contains('.') : !core::hasPictureEnding(bare.toStdString())) return false;
    const auto content = core::fileContent(path);
    return content && *content == core::FileContent::Picture;
}

bool isModel(const QFileInfo& file) {
    if (file.isDir()) // of language models the import says what they are
        return QFileInfo::exists(file.filePath() + QStringLiteral("/model_index.json")) ||
               QFileInfo::exists(file.filePath() + QStringLiteral("/unet/config.json")) ||
               QFileInfo::exists(file.filePath() + QStringLiteral("/adapter_config.json")) || // a LoRA
               core::isLanguageFolder(file.filePath().toStdString());
    static const QStringList kEndings{QStringLiteral("safetensors"), QStringLiteral("ckpt"),
                                      QStringLiteral("pt"), QStringLiteral("bin")};
    return kEndings.contains(file.suffix().toLower());
}

/// Pictures that are packed: WebDataset's shards, and no pictures beside them.
bool isPacked(const QDir& folder, const QStringList& pictures) {
    return pictures.isEmpty() && !folder.entryList({QStringLiteral("*.tar")}, QDir::Files).isEmpty();
}

/// Without masks of other programs that stand beside their pictures.
QStringList withoutMasks(const QStringList& files, DropRest& rest) {
    QSet<QString> stems;
    for (const QString& file : files)
        stems.insert(QFileInfo(file).path() + '/' + QFileInfo(file).completeBaseName());
    QStringList pictures;
    for (const QString& file : files) {
        const QString ofPicture = QString::fromStdString(core::pictureOfMask(file.toStdString()));
        if (ofPicture.isEmpty() || !stems.contains(QFileInfo(file).path() + '/' + ofPicture))
            pictures.append(file);
        else
            rest.files.push_back({QFileInfo(file).fileName(), OtherFile::Mask});
    }
    return pictures;
}

/// Whether a list says which pictures count, which may lie in folders within it.
bool listsPictures(const QDir& folder) {
    return QFileInfo::exists(folder.filePath(QStringLiteral("metadata.jsonl")));
}

/// Pictures of other kinds, unless one of the same name is taken: a raw photo beside its JPEG.
void addOthers(const QDir& folder, const QStringList& pictures, DropRest& rest) {
    QSet<QString> taken;
    for (const QString& picture : pictures) taken.insert(QFileInfo(picture).completeBaseName());
    for (const QFileInfo& file : folder.entryInfoList(QDir::Files, QDir::Name | QDir::LocaleAware)) {
        const OtherFile kind = otherFile(file.fileName());
        const bool meant = kind == OtherFile::Raw || kind == OtherFile::Picture;
        if (meant && !taken.contains(file.completeBaseName())) rest.files.push_back({file.fileName(), kind});
    }
    std::error_code code; // Qt leaves out what has such a name
    for (std::filesystem::directory_iterator entry(folder.path().toStdString(), code), last;
         !code && entry != last; entry.increment(code))
        if (const std::string name = entry->path().filename().string();
            !core::isUtf8(name) && core::hasPictureEnding(name))
            rest.files.push_back({QString::fromStdString(name), OtherFile::Named});
}

/// Models and add-ons that lie in a folder.
/// @param rest  what else may have been meant; null: not asked for
QStringList modelsIn(const QString& folder, DropRest* rest = nullptr) {
    QStringList models;
    for (const QFileInfo& one : QDir(folder).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot,
                                                           QDir::Name | QDir::LocaleAware)) {
        const OtherFile kind = otherFile(one.fileName());
        const bool meant = kind == OtherFile::Unfinished || kind == OtherFile::Weights;
        if (isModel(one))
            models.append(one.absoluteFilePath());
        else if (rest != nullptr && meant && one.isFile())
            rest->files.push_back({one.fileName(), kind});
    }
    return models;
}

/// Without what shows what a model beside it makes: "toy.png" or "toy.preview.png" of "toy.safetensors".
QStringList withoutPreviews(const QStringList& pictures, const QStringList& models) {
    QSet<QString> stems;
    for (const QString& model : models) stems.insert(QFileInfo(model).completeBaseName());
    QStringList own;
    for (const QString& picture : pictures) {
        QString stem = QFileInfo(picture).completeBaseName();
        if (!stems.contains(stem)) stem = QFileInfo(stem).completeBaseName();
        if (!stems.contains(stem)) own.append(picture);
    }
    return own;
}

/// @returns whether the folder has pictures or models of its own, and is taken for them
bool takeFolder(const QFileInfo& folder, DropContent& content) {
    const QDir dir(folder.filePath());
    QStringList pictures;
    core::FileNames names;
    bool captioned = listsPictures(dir);
    for (const QFileInfo& file : dir.entryInfoList(QDir::Files, QDir::Name | QDir::LocaleAware)) {
        if (!isPicture(file)) continue;
        pictures.append(file.absoluteFilePath());
        const auto caption = core::captionFileOf(file.absoluteFilePath().toStdString(), names);
        captioned = captioned || QFileInfo::exists(QString::fromStdString(caption.string()));
    }
    addOthers(dir, pictures, content.rest);
    pictures = withoutMasks(pictures, content.rest);
    captioned = captioned || isPacked(dir, pictures);
    if (!captioned && pictures.isEmpty()) return false;
    const QStringList models = modelsIn(folder.absoluteFilePath(), &content.rest);
    if (!captioned) pictures = withoutPreviews(pictures, models);
    (captioned || !pictures.isEmpty() ? content.rest.models : content.models) += models;
    if (captioned || pictures.size() > kMostOfASubject)
        content.datasets.push_back({folder.absoluteFilePath(), pictures});
    else if (!pictures.isEmpty())
        content.subjects.push_back(pictures);
    return true;
}

/// The folders below one that have pictures of their own, and the models in all of them.
void addBelow(const QString& folder, DropRest& rest, QStringList& models, int& looks) {
    const QDir dir(folder);
    if (listsPictures(dir)) return;
    for (const QFileInfo& one : dir.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks,
                                                  QDir::Name | QDir::LocaleAware)) {
        if (one.fileName() == QLatin1String(core::kLeftOutFolder) || isModel(one)) continue;
        if (--looks < 0) return;
        QStringList pictures;
        for (const QFileInfo& file : QDir(one.filePath()).entryInfoList(QDir::Files))
            if (isPicture(file)) pictures.append(file.fileName());
        const QStringList within = modelsIn(one.absoluteFilePath());
        pictures = withoutPreviews(pictures, within);
        if (!pictures.isEmpty())
            rest.folders.push_back({one.absoluteFilePath(), static_cast<int>(pictures.size())});
        models += within;
        addBelow(one.absoluteFilePath(), rest, models, looks);
    }
}

void addFolder(const QFileInfo& folder, DropContent& content) {
    int looks = kMostLooks;
    const auto taken = [&content] { return content.subjects.size() + content.datasets.size(); };
    const size_t before = taken();
    QStringList deep; // of folders of photos they may be anything, such as what a training keeps
    if (takeFolder(folder, content)) {
        addBelow(folder.absoluteFilePath(), content.rest, deep, looks);
        if (taken() == before) content.rest.models += deep;
        return;
    }
    const QDir dir(folder.filePath());
    const QStringList models = modelsIn(folder.absoluteFilePath(), &content.rest);
    QStringList within; // folders without pictures
    for (const QFileInfo& one :
         dir.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name | QDir::LocaleAware)) {
        if (isModel(one)) continue; // the pictures in a model's folder show what it makes
        if (!takeFolder(one, content)) within += modelsIn(one.absoluteFilePath());
        addBelow(one.absoluteFilePath(), content.rest, deep, looks);
    }
    if (taken() > before) {
        content.rest.models += models + within;
        return;
    }
    content.models += models + within;
    content.rest.models += deep;
}

/// Of what lies on a phone or another machine.
bool isAddress(const QString& path) {
    const auto scheme = path.indexOf(QLatin1String(":/")); // KDE writes "mtp:/phone/a.jpg"
    return scheme > 0 && !path.left(scheme).contains('/') && !QFileInfo::exists(path);
}

FileNotTaken notFetched(const QString& address) {
    const QString name = QUrl(address).fileName();
    return {name.isEmpty() ? address : name, OtherFile::Elsewhere};
}

/// Empty: it lies elsewhere. The address of a file may name the machine, which then is this one.
QString localPath(QUrl url) {
    const QString host = url.host();
    const bool here = host.isEmpty() || host == QLatin1String("localhost") ||
                      host.compare(QSysInfo::machineHostName(), Qt::CaseInsensitive) == 0;
    if (!here || !url.isLocalFile()) return {};
    url.setHost({});
    return url.toLocalFile();
}

/// What a single generated picture says of itself.
void takeParameters(DropContent& content) {
    const QStringList photos = content.photos();
    if (photos.size() != 1 || !content.datasets.empty()) return;
    const auto text = core::readPictureText(photos.front().toStdString());
    if (!text) return;
    content.parameters = QString::fromStdString(text->parameters);
    content.rest.ofComfy = text->unread;
}

} // namespace

QString parametersOf(const QByteArray& png) {
    const auto text = core::decodePictureText({png.constData(), static_cast<size_t>(png.size())});
    return QString::fromStdString(text.parameters);
}

QStringList DropContent::photos() const {
    QStringList all;
    for (const QStringList& subject : subjects) all += subject;
    return all;
}

QStringList DropContent::allPictures() const {
    QStringList all = photos();
    for (const DatasetFolder& dataset : datasets) all += dataset.pictures;
    return all;
}

DropContent dropContentOf(const QStringList& paths) {
    DropContent content;
    QStringList loose;
    for (const QString& path : paths) {
        const QFileInfo file(path);
        if (isAddress(path))
            content.rest.files.push_back(notFetched(path));
        else if (isModel(file))
            content.models.append(file.absoluteFilePath());
        else if (file.isDir())
            addFolder(file, content);
        else if (isPicture(file))
            loose.append(file.absoluteFilePath());
        else if (file.isFile() && file.suffix().toLower() == QLatin1String("txt"))
            content.wordLists.append(file.absoluteFilePath());
        else if (const OtherFile kind = otherFile(file.fileName());
                 file.isFile() && kind != OtherFile::Beside)
            content.rest.files.push_back({file.fileName(), kind});
    }
    std::erase_if(content.rest.folders, [&paths](const FolderNotTaken& one) { // came by itself
        return paths.contains(one.path);
    });
    content.rest.models.removeDuplicates();
    content.rest.models.removeIf([&content](const QString& one) { return content.models.contains(one); });
    loose = withoutPreviews(withoutMasks(loose, content.rest), content.models);
    if (!loose.isEmpty()) content.subjects.insert(content.subjects.begin(), loose);
    const bool others = !content.subjects.empty() || !content.datasets.empty() || !content.models.isEmpty();
    if (others) content.wordLists.clear(); // their captions
    takeParameters(content);
    const bool together = content.subjects.size() + content.datasets.size() == 1; // all in one folder
    if (const QStringList pictures = content.allPictures();
        paths.size() == 1 && together && !pictures.isEmpty() && QFileInfo(paths.front()).isDir())
        content.folder = QFileInfo(pictures.front()).path();
    content.unusable = !paths.isEmpty() && content.empty();
    return content;
}

QStringList modelsOf(const QStringList& paths) {
    QStringList models;
    for (const QString& path : paths) {
        const QFileInfo file(path);
        const QStringList within = file.isDir() && !isModel(file) ? modelsIn(path) : QStringList();
        models += within.isEmpty() ? QStringList{path} : within; // else the import says what it lacks
    }
    return models;
}

QStringList localPathsOf(const QMimeData& data) {
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (const QString path = localPath(url); !path.isEmpty()) paths.append(path);
    return paths;
}

QStringList pathsOf(const QMimeData& data) {
    QStringList paths = localPathsOf(data);
    if (paths.isEmpty()) return {};
    for (const QUrl& url : data.urls())
        if (localPath(url).isEmpty()) paths.append(url.toString());
    return paths;
}

bool isElsewhere(const QMimeData& data) {
    return data.hasUrls() && localPathsOf(data).isEmpty() && !data.hasImage();
}

QString savePicture(const QImage& picture, const QString& folder) {
    const QString name = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd hhmmss.zzz"));
    const QString path = QStringLiteral("%1/%2.png").arg(folder, name);
    QSaveFile file(path); // which asks nobody whether its last bytes were taken: hence the flush
    const bool written = makeFolder(folder) && file.open(QIODevice::WriteOnly) &&
                         picture.save(&file, "PNG") && file.flush() && file.commit();
    return written ? path : QString();
}

qint64 pictureBytes(const QImage& picture) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    return buffer.open(QIODevice::WriteOnly) && picture.save(&buffer, "PNG") ? bytes.size() : 0;
}

bool maybeOurs(const QMimeData& data) {
    return data.hasUrls() || data.hasImage();
}

} // namespace homebooth::app
