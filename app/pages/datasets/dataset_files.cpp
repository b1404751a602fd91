// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/dataset_files.h"

#include "core/base/files/atomic_file.h"
#include "core/media/picture_io.h"
#include "core/media/picture_list.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>

namespace homebooth::app {
namespace {

QString metadataFile(const QString& folder) {
    return folder + QStringLiteral("/metadata.jsonl");
}

QString captionFile(const QString& picture) {
    const QFileInfo file(picture);
    return file.path() + '/' + file.completeBaseName() + QStringLiteral(".txt");
}

QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
}

QMap<QString, QString> metadataCaptions(const QString& folder) {
    QMap<QString, QString> captions;
    for (const QString& line : textOf(metadataFile(folder)).split('\n', Qt::SkipEmptyParts)) {
        const QJsonObject object = QJsonDocument::fromJson(line.toUtf8()).object();
        const QString name = object.value(QLatin1String("file_name")).toString();
        if (!name.isEmpty())
            captions.insert(folder + '/' + name, object.value(QLatin1String("text")).toString());
    }
    return captions;
}

/// Other keys of a line stay as they are.
core::Result<void> writeMetadata(const QString& folder, const QMap<QString, QString>& captions) {
    QByteArray text;
    for (const QString& line : textOf(metadataFile(folder)).split('\n', Qt::SkipEmptyParts)) {
        QJsonObject object = QJsonDocument::fromJson(line.toUtf8()).object();
        const QString path = folder + '/' + object.value(QLatin1String("file_name")).toString();
        if (captions.contains(path)) {
            object.insert(QStringLiteral("text"), captions.value(path));
            text += QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
        } else {
            text += line.toUtf8() + '\n';
        }
    }
    return core::writeFileAtomically(metadataFile(folder).toStdString(), text.toStdString());
}

} // namespace

namespace {

DatasetItem missingItem(const QString& path, const QString& caption) {
    DatasetItem item;
    item.path = path;
    item.caption = caption;
    item.problem = QCoreApplication::translate("homebooth::app::DatasetModel", "The file is not there.");
    item.missing = true;
    return item;
}

/// Pictures that something names although they are not there.
void addMissing(const QString& folder, const QMap<QString, QString>& named, std::vector<DatasetItem>& items) {
    for (auto it = named.cbegin(); it != named.cend(); ++it)
        if (!QFileInfo::exists(it.key())) items.push_back(missingItem(it.key(), it.value()));
    if (!named.isEmpty()) return; // captions beside the pictures do not count then
    QSet<QString> bases;
    for (const DatasetItem& item : items) bases.insert(QFileInfo(item.path).completeBaseName());
    const QDir dir(folder);
    for (const QString& name : dir.entryList({QStringLiteral("*.txt")}, QDir::Files, QDir::Name)) {
        const QString base = QFileInfo(name).completeBaseName();
        if (!bases.contains(base))
            items.push_back(missingItem(dir.filePath(base), textOf(dir.filePath(name))));
    }
}

/// Whether a file may stand for a missing one: the same name, or for a caption's picture the same base.
bool standsFor(const QFileInfo& file, const QFileInfo& missing) {
    if (!missing.suffix().isEmpty() && file.fileName() == missing.fileName()) return true;
    return file.completeBaseName() == missing.fileName() &&
           core::pictureInfo(file.absoluteFilePath().toStdString());
}

} // namespace

core::Result<std::vector<DatasetItem>> readDataset(const QString& folder) {
    HOMEBOOTH_ASSIGN(const core::PictureList list, core::listPictures(folder.toStdString()));
    const QMap<QString, QString> named = metadataCaptions(folder);
    std::vector<DatasetItem> items;
    const auto captionOfPicture = [&named](const QString& path) {
        return named.contains(path) ? named.value(path) : textOf(captionFile(path));
    };
    for (const auto& path : list.pictures) {
        DatasetItem item;
        item.path = QString::fromStdString(path.string());
        item.caption = captionOfPicture(item.path);
        if (const auto info = core::pictureInfo(path)) {
            item.widthPixels = static_cast<int>(info->widthPixels);
            item.heightPixels = static_cast<int>(info->heightPixels);
        } else {
            item.problem = QString::fromStdString(info.error().message);
        }
        items.push_back(std::move(item));
    }
    for (const core::SkippedFile& file : list.skipped) {
        if (!file.meantAsPicture) continue;
        DatasetItem item;
        item.path = QString::fromStdString(file.path.string());
        item.caption = captionOfPicture(item.path);
        item.problem = QString::fromStdString(file.reason);
        items.push_back(std::move(item));
    }
    addMissing(folder, named, items);
    return items;
}

int findMissing(const std::vector<DatasetItem>& items, const QString& search) {
    int found = 0;
    for (const DatasetItem& item : items) {
        if (!item.missing) continue;
        const QFileInfo missing(item.path);
        const QString pattern =
            missing.suffix().isEmpty() ? missing.fileName() + QStringLiteral(".*") : missing.fileName();
        QDirIterator files(search, {pattern}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            files.next();
            const QFileInfo file = files.fileInfo();
            if (!standsFor(file, missing)) continue;
            const QString target = missing.suffix().isEmpty() ? item.path + '.' + file.suffix() : item.path;
            if (!QDir().mkpath(QFileInfo(target).path()) || !QFile::copy(file.absoluteFilePath(), target))
                continue;
            ++found;
            break;
        }
    }
    return found;
}

core::Result<void> leaveOutProblems(const QString& folder, const std::vector<DatasetItem>& items) {
    const QString aside = folder + QStringLiteral("/left out");
    QStringList gone;
    for (const DatasetItem& item : items) {
        if (item.problem.isEmpty()) continue;
        gone.append(item.path);
        const QString caption = item.missing && QFileInfo(item.path).suffix().isEmpty()
                                    ? item.path + QStringLiteral(".txt")
                                    : captionFile(item.path);
        for (const QString& file : {item.path, caption}) {
            if (!QFileInfo(file).isFile()) continue;
            const QString target = aside + '/' + QFileInfo(file).fileName();
            if (!QDir().mkpath(aside) || !QFile::rename(file, target))
                return core::badInput(
                    "leaving a file out: it could not be moved into \"left out\"; is there one of "
                    "that name already?",
                    file.toStdString());
        }
    }
    if (!QFileInfo::exists(metadataFile(folder))) return {};
    QByteArray text;
    for (const QString& line : textOf(metadataFile(folder)).split('\n', Qt::SkipEmptyParts)) {
        const QString name =
            QJsonDocument::fromJson(line.toUtf8()).object().value(QLatin1String("file_name")).toString();
        if (!gone.contains(folder + '/' + name)) text += line.toUtf8() + '\n';
    }
    return core::writeFileAtomically(metadataFile(folder).toStdString(), text.toStdString());
}

core::Result<void> copyDataset(const QString& from, const QString& to) {
    if (QFileInfo::exists(to) || !QDir().mkpath(to))
        return core::badInput("copying a data set: the folder exists already or cannot be made",
                              to.toStdString());
    HOMEBOOTH_ASSIGN(const std::vector<DatasetItem> items, readDataset(from));
    QStringList files;
    for (const DatasetItem& item : items)
        if (!item.missing) files << item.path << captionFile(item.path);
    files << metadataFile(from);
    for (const QString& file : files) {
        if (!QFileInfo(file).isFile()) continue;
        const QString target = to + file.mid(from.size());
        if (QDir().mkpath(QFileInfo(target).path()) && QFile::copy(file, target)) continue;
        QDir(to).removeRecursively();
        return core::badInput("copying a data set: a file could not be copied; is the disk full?",
                              file.toStdString());
    }
    return {};
}

core::Result<void> writeCaptions(const QString& folder, const QMap<QString, QString>& captions) {
    if (QFileInfo::exists(metadataFile(folder))) return writeMetadata(folder, captions);
    for (auto it = captions.cbegin(); it != captions.cend(); ++it)
        HOMEBOOTH_CHECK(core::writeFileAtomically(captionFile(it.key()).toStdString(), it->toStdString()));
    return {};
}

QString replaceWords(const QString& text, const QString& find, const QString& replace) {
    if (find.isEmpty()) return text;
    static const QRegularExpression word(QStringLiteral("^\\w.*\\w$|^\\w$"),
                                         QRegularExpression::UseUnicodePropertiesOption);
    const QString escaped = QRegularExpression::escape(find);
    const bool whole = word.match(find).hasMatch();
    const QRegularExpression pattern(whole ? QStringLiteral("\\b%1\\b").arg(escaped) : escaped,
                                     QRegularExpression::CaseInsensitiveOption |
                                         QRegularExpression::UseUnicodePropertiesOption);
    QString result;
    qsizetype end = 0;
    for (auto it = pattern.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        result += text.mid(end, match.capturedStart() - end) + replace; // no references: the words are meant
        end = match.capturedEnd();
    }
    return result + text.mid(end);
}

} // namespace homebooth::app
