// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/drop_content.h"

#include "core/base/formats/caption_file.h"
#include "core/base/model/language_folder.h"
#include "core/media/picture_list.h"
#include "core/media/png_text.h"

#include <QBuffer>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QMimeData>
#include <QSaveFile>
#include <QSet>
#include <QUrl>

namespace homebooth::app {
namespace {

constexpr int kMostOfASubject = 30; // photos in a folder; more are a dataset

bool isPicture(const QFileInfo& file) {
    return file.isFile() && core::hasPictureEnding(file.filePath().toStdString());
}

bool isModel(const QFileInfo& file) {
    if (file.isDir()) // of language models the import says what they are
        return QFileInfo::exists(file.filePath() + QStringLiteral("/model_index.json")) ||
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
QStringList withoutMasks(const QStringList& files) {
    QSet<QString> stems;
    for (const QString& file : files)
        stems.insert(QFileInfo(file).path() + '/' + QFileInfo(file).completeBaseName());
    QStringList pictures;
    for (const QString& file : files) {
        const QString ofPicture = QString::fromStdString(core::pictureOfMask(file.toStdString()));
        if (ofPicture.isEmpty() || !stems.contains(QFileInfo(file).path() + '/' + ofPicture))
            pictures.append(file);
    }
    return pictures;
}

/// @returns whether the folder has pictures of its own
bool takeFolder(const QFileInfo& folder, DropContent& content) {
    const QDir dir(folder.filePath());
    QStringList pictures;
    core::FileNames names;
    bool captioned = QFileInfo::exists(dir.filePath(QStringLiteral("metadata.jsonl")));
    for (const QFileInfo& file : dir.entryInfoList(QDir::Files, QDir::Name | QDir::LocaleAware)) {
        if (!isPicture(file)) continue;
        pictures.append(file.absoluteFilePath());
        const auto caption = core::captionFileOf(file.absoluteFilePath().toStdString(), names);
        captioned = captioned || QFileInfo::exists(QString::fromStdString(caption.string()));
    }
    pictures = withoutMasks(pictures);
    captioned = captioned || isPacked(dir, pictures);
    if (captioned || pictures.size() > kMostOfASubject)
        content.datasets.push_back({folder.absoluteFilePath(), pictures});
    else if (!pictures.isEmpty())
        content.subjects.push_back(pictures);
    return captioned || !pictures.isEmpty();
}

void addFolder(const QFileInfo& folder, DropContent& content) {
    if (takeFolder(folder, content)) return;
    const QDir dir(folder.filePath());
    for (const QFileInfo& one :
         dir.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name | QDir::LocaleAware))
        if (!isModel(one)) takeFolder(one, content); // the pictures in a model's folder show what it makes
}

QString parametersIn(const core::PngText& text) {
    const auto found = text.find("parameters");
    return found == text.end() ? QString() : QString::fromStdString(found->second);
}

/// What a single generated picture says of itself.
QString parametersOf(const QStringList& photos) {
    if (photos.size() != 1 || !photos.front().endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) return {};
    const auto text = core::readPngText(photos.front().toStdString());
    return text ? parametersIn(*text) : QString();
}

} // namespace

QString parametersOf(const QByteArray& png) {
    return parametersIn(core::decodePngText({png.constData(), static_cast<size_t>(png.size())}));
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
        if (isModel(file))
            content.models.append(file.absoluteFilePath());
        else if (file.isDir())
            addFolder(file, content);
        else if (isPicture(file))
            loose.append(file.absoluteFilePath());
        else if (file.isFile() && file.suffix().toLower() == QLatin1String("txt"))
            content.wordLists.append(file.absoluteFilePath());
    }
    loose = withoutMasks(loose);
    if (!loose.isEmpty()) content.subjects.insert(content.subjects.begin(), loose);
    const bool others = !content.subjects.empty() || !content.datasets.empty() || !content.models.isEmpty();
    if (others) content.wordLists.clear(); // their captions
    if (content.datasets.empty()) content.parameters = parametersOf(content.photos());
    content.unusable = !paths.isEmpty() && content.empty();
    return content;
}

QStringList localPathsOf(const QMimeData& data) {
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile()) paths.append(url.toLocalFile());
    return paths;
}

bool isElsewhere(const QMimeData& data) {
    return data.hasUrls() && localPathsOf(data).isEmpty() && !data.hasImage();
}

QString savePicture(const QImage& picture, const QString& folder) {
    const QString name = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd hhmmss.zzz"));
    const QString path = QStringLiteral("%1/%2.png").arg(folder, name);
    QSaveFile file(path); // which asks nobody whether its last bytes were taken: hence the flush
    const bool written = QDir().mkpath(folder) && file.open(QIODevice::WriteOnly) &&
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
