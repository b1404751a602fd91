// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/dataset_files.h"

#include "app/library/background.h"
#include "app/pages/datasets/dataset_metadata.h"
#include "core/base/files/atomic_file.h"
#include "core/base/formats/caption_file.h"
#include "core/base/formats/packed_files.h"
#include "core/base/util/regular_file.h"
#include "core/media/picture_fault.h"
#include "core/media/picture_io.h"
#include "core/media/picture_list.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QStringDecoder>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int64_t kMostCaptionBytes = int64_t{1} << 20;
constexpr const char* kFolderGone = "reading a data set: expected a folder, found nothing of that name";
constexpr const char* kShardsAlone =
    "reading a data set: expected pictures, found WebDataset shards (.tar) alone; unpack them into a folder";

constexpr const char* kOtherCoding =
    "reading a caption: expected a text in UTF-8, found another coding; save it as UTF-8";

/// The file of a caption; nothing if there is none.
core::Result<CaptionBytes> captionBytes(const QString& path) {
    const QFileInfo file(path);
    if (!file.exists() && !file.isSymLink()) return CaptionBytes();
    HOMEBOOTH_ASSIGN(std::string bytes, core::readRegularFile(path.toStdString(), kMostCaptionBytes));
    return CaptionBytes(std::move(bytes));
}

/// The remedy is a caption's own: another place, or another name, is no way out here.
core::Result<void> removeCaption(const QString& path) {
    std::error_code code;
    std::filesystem::remove(path.toStdString(), code);
    if (!code) return {};
    return core::badInput("taking a caption back: its file should go, but could not be removed (" +
                              code.message() +
                              "); make its folder writable and delete the file, or its caption stays",
                          path.toStdString());
}

/// The caption beside a picture; empty if there is none. Errors: BadInput for one that cannot be read
core::Result<QString> textOf(const QString& path) {
    HOMEBOOTH_ASSIGN(const CaptionBytes bytes, captionBytes(path));
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString text = decoder(QByteArray::fromStdString(bytes.value_or(std::string())));
    if (decoder.hasError()) return core::badInput(kOtherCoding, path.toStdString());
    return text.trimmed();
}

DatasetItem missingItem(const QString& path, const QString& caption) {
    DatasetItem item;
    item.path = path;
    item.caption = caption;
    item.problem = QCoreApplication::translate("homebooth::app::DatasetModel", "The file is not there.");
    item.missing = true;
    return item;
}

core::Result<void> checkNoShards(const QString& folder) {
    const auto shards = core::listShards(folder.toStdString());
    if (!shards || shards->empty()) return {};
    return core::badInput(kShardsAlone, folder.toStdString());
}

/// Captions beside pictures that are not there.
void addMissing(const QString& folder, std::vector<DatasetItem>& items) {
    QSet<QString> bases;
    for (const DatasetItem& item : items) bases.insert(QFileInfo(item.path).completeBaseName());
    const QDir dir(folder);
    for (const QString& name : dir.entryList({QStringLiteral("*.txt")}, QDir::Files, QDir::Name)) {
        const QString base = QFileInfo(name).completeBaseName();
        if (bases.contains(base)) continue;
        const auto caption = textOf(dir.filePath(name));
        items.push_back(missingItem(dir.filePath(base), caption ? *caption : QString()));
    }
}

QString words(const char* text) {
    return QCoreApplication::translate("homebooth::app::DatasetModel", text);
}

/// Why a file is no picture that can be read, and what to do.
QString brokenText(const QString& path) {
    switch (core::pictureFault(path.toStdString())) {
    case core::PictureFault::Gone:
        return words(QT_TRANSLATE_NOOP("homebooth::app::DatasetModel",
                                       "The file is gone, or it is a link that leads nowhere."));
    case core::PictureFault::NotAFile:
        return words(QT_TRANSLATE_NOOP("homebooth::app::DatasetModel", "This is no file. Take it out."));
    case core::PictureFault::NoAccess:
        return words(QT_TRANSLATE_NOOP("homebooth::app::DatasetModel",
                                       "The file cannot be read. Look at its permissions and its disk."));
    case core::PictureFault::Empty:
        return words(QT_TRANSLATE_NOOP("homebooth::app::DatasetModel", "The file is empty. Copy it again."));
    case core::PictureFault::OtherKind:
        return words(QT_TRANSLATE_NOOP("homebooth::app::DatasetModel",
                                       "This is no picture that can be read. Save it as JPEG or PNG."));
    case core::PictureFault::TooLarge:
        return words(
            QT_TRANSLATE_NOOP("homebooth::app::DatasetModel", "The picture is too large. Save it smaller."));
    default:
        return words(
            QT_TRANSLATE_NOOP("homebooth::app::DatasetModel", "The picture is damaged. Copy it again."));
    }
}

QString captionTrouble(const core::Error& error) {
    return words(error.message == kOtherCoding
                     ? QT_TRANSLATE_NOOP("homebooth::app::DatasetModel",
                                         "Its caption is in another coding. Save it as UTF-8.")
                     : QT_TRANSLATE_NOOP("homebooth::app::DatasetModel",
                                         "Its caption cannot be read. Look at the file beside it."));
}

/// What the engine would say of an animation, or of a kind that nobody here reads.
QString notStill(core::PictureFormat format) {
    return QCoreApplication::translate(
               "homebooth::app::DatasetModel",
               "Animations and GIF cannot be learned, and this is a %1. Save one of its "
               "pictures as PNG.")
        .arg(QString::fromStdString(std::string(core::pictureFormatName(format))));
}

/// A picture with what can be said of it. @param problem  why it is none, where that is known
DatasetItem itemOf(const QString& path, const QString& problem = {}) {
    DatasetItem item;
    item.path = path;
    item.problem = problem;
    const QFileInfo file(path);
    item.bytes = file.size();
    item.changedMs = file.lastModified().toMSecsSinceEpoch();
    if (!problem.isEmpty()) return item;
    if (const auto info = core::pictureInfo(path.toStdString())) {
        item.widthPixels = static_cast<int>(info->widthPixels);
        item.heightPixels = static_cast<int>(info->heightPixels);
        item.transparent = info->alpha;
        if (info->animated || info->format == core::PictureFormat::Gif) item.problem = notStill(info->format);
    } else {
        item.problem = brokenText(path);
    }
    return item;
}

/// A file that is no picture, though its name ends as those of pictures do.
DatasetItem skippedItem(const QString& path) {
    return itemOf(path, brokenText(path));
}

void takeCaptionBeside(DatasetItem& item) {
    const auto caption = textOf(captionFile(item.path));
    if (caption)
        item.caption = *caption;
    else if (item.problem.isEmpty())
        item.problem = captionTrouble(caption.error());
}

/// How many pictures metadata.jsonl names that do not lie in the folder itself.
int countNamed(const std::vector<MetadataLine>& lines, const core::PictureList& list) {
    QSet<QString> known{QString()}; // blank lines name none
    for (const auto& path : list.pictures) known.insert(QString::fromStdString(path.string()));
    for (const core::SkippedFile& file : list.skipped)
        if (file.meantAsPicture) known.insert(QString::fromStdString(file.path.string()));
    const qsizetype before = known.size();
    for (const MetadataLine& line : lines) known.insert(line.path);
    return static_cast<int>(known.size() - before);
}

/// Those of the folder itself first; then what metadata.jsonl names further down or what is gone.
void takeNamed(const std::vector<MetadataLine>& lines, std::vector<DatasetItem>& items, WorkCount& read) {
    QHash<QString, size_t> places;
    for (size_t i = 0; i < items.size(); ++i) places.insert(items[i].path, i);
    for (const MetadataLine& line : lines) {
        if (line.path.isEmpty()) continue;
        if (const auto known = places.constFind(line.path); known != places.cend()) {
            items[*known].caption = line.caption;
            items[*known].otherTexts = line.otherTexts;
            continue;
        }
        if (read.stopped) continue; // perhaps one that was not read
        places.insert(line.path, items.size());
        items.push_back(QFileInfo::exists(line.path) ? itemOf(line.path) : missingItem(line.path, {}));
        items.back().caption = line.caption;
        items.back().otherTexts = line.otherTexts;
        ++read.done;
    }
}

/// Whether a missing picture is known by its caption alone, so that nobody knows how its name ends.
bool knownByCaption(const DatasetItem& item) {
    return item.missing && !core::hasPictureEnding(item.path.toStdString());
}

/// What would mend a dataset, by the names of files: of a caption's picture the base counts, too.
QMultiHash<QString, const DatasetItem*> wantedFiles(const std::vector<DatasetItem>& items) {
    QMultiHash<QString, const DatasetItem*> wanted;
    for (const DatasetItem& item : items)
        if (item.wantsCopy()) wanted.insert(QFileInfo(item.path).fileName(), &item);
    return wanted;
}

/// The item that a file would mend; null if none. Reads no file.
const DatasetItem* wantedBy(const QFileInfo& file, const QMultiHash<QString, const DatasetItem*>& wanted) {
    for (const DatasetItem* named : wanted.values(file.fileName())) // several folders may have one
        if (QFileInfo(named->path).dir().dirName() == file.dir().dirName()) return named;
    if (const DatasetItem* named = wanted.value(file.fileName())) return named;
    const DatasetItem* based = wanted.value(file.completeBaseName());
    return based != nullptr && knownByCaption(*based) ? based : nullptr;
}

/// Moves a file into "left out", under a number where that name is taken.
bool putAside(const QString& folder, const QString& path) {
    const QFileInfo file(path);
    if (!file.exists()) return true;
    const QDir aside(folder + '/' + QLatin1String(core::kLeftOutFolder));
    QString name = file.fileName();
    for (int number = 2; aside.exists(name); ++number)
        name =
            QStringLiteral("%1 %2.%3").arg(file.completeBaseName(), QString::number(number), file.suffix());
    return QDir().mkpath(aside.path()) && QFile::rename(path, aside.filePath(name));
}

/// What is found, whole words only where it is a word. Marks in one piece and in two are the same, as in a
/// search: the text must be composed.
QRegularExpression patternOf(const QString& find) {
    static const QRegularExpression word(QStringLiteral("^\\w.*\\w$|^\\w$"),
                                         QRegularExpression::UseUnicodePropertiesOption);
    const QString wanted = find.normalized(QString::NormalizationForm_C);
    const QString escaped = QRegularExpression::escape(wanted);
    const bool whole = word.match(wanted).hasMatch();
    return QRegularExpression(whole ? QStringLiteral("\\b%1\\b").arg(escaped) : escaped,
                              QRegularExpression::CaseInsensitiveOption |
                                  QRegularExpression::UseUnicodePropertiesOption);
}

} // namespace

QString captionFile(const QString& picture) {
    return QString::fromStdString(core::captionFileOf(picture.toStdString()).string());
}

int countPictures(const QString& folder) {
    int count = 0;
    for (QDirIterator files(folder, QDir::Files); files.hasNext();)
        count += core::hasPictureEnding(files.next().toStdString()) ? 1 : 0;
    return count;
}

bool saysShards(const core::Error& error) {
    return error.message == kShardsAlone;
}

bool saysGone(const core::Error& error) {
    return error.message == kFolderGone;
}

core::Result<std::vector<DatasetItem>> readDataset(const QString& folder, WorkCount* count) {
    WorkCount uncounted;
    WorkCount& read = count != nullptr ? *count : uncounted;
    if (!QFileInfo::exists(folder)) return core::badInput(kFolderGone, folder.toStdString());
    HOMEBOOTH_ASSIGN(const core::PictureList list, core::listPictures(folder.toStdString()));
    HOMEBOOTH_ASSIGN(const std::optional<std::vector<MetadataLine>> lines, readMetadata(folder));
    std::vector<DatasetItem> items;
    const auto add = [&items, &lines](DatasetItem item) {
        if (!lines) takeCaptionBeside(item); // else captions beside the pictures do not count
        items.push_back(std::move(item));
    };
    read.total = static_cast<int>(list.pictures.size()) + (lines ? countNamed(*lines, list) : 0);
    for (const auto& path : list.pictures) {
        if (read.stopped) break;
        add(itemOf(QString::fromStdString(path.string())));
        ++read.done;
    }
    const bool whole = items.size() == list.pictures.size();
    for (const core::SkippedFile& file : list.skipped)
        if (file.meantAsPicture && whole) add(skippedItem(QString::fromStdString(file.path.string())));
    if (lines)
        takeNamed(*lines, items, read);
    else if (whole)
        addMissing(folder, items);
    for (DatasetItem& item : items) item.listed = lines.has_value();
    if (items.empty() && whole) HOMEBOOTH_CHECK(checkNoShards(folder));
    return items;
}

int findMissing(const QString& folder, const std::vector<DatasetItem>& items, const QString& search,
                WorkCount* count) {
    QMultiHash<QString, const DatasetItem*> wanted = wantedFiles(items);
    WorkCount uncounted;
    WorkCount& found = count != nullptr ? *count : uncounted;
    found.total = static_cast<int>(
        std::count_if(items.begin(), items.end(), [](const DatasetItem& item) { return item.wantsCopy(); }));
    // Names are compared, not matched: "[1]" in one is no pattern. Each folder is read once.
    for (QDirIterator files(search, QDir::Files, QDirIterator::Subdirectories);
         !found.stopped && files.hasNext() && !wanted.isEmpty();) {
        files.next();
        const QFileInfo file = files.fileInfo();
        const DatasetItem* item = wantedBy(file, wanted);
        if (item == nullptr || !core::pictureInfo(file.absoluteFilePath().toStdString())) continue;
        const bool named = file.fileName() == QFileInfo(item->path).fileName();
        const QString target = named ? item->path : item->path + '.' + file.suffix();
        if (!QDir().mkpath(QFileInfo(target).path()) || !putAside(folder, target) ||
            !QFile::copy(file.absoluteFilePath(), target))
            continue;
        wanted.remove(QFileInfo(item->path).fileName(), item);
        ++found.done;
    }
    return found.done;
}

QStringList watchedPaths(const QString& folder, const std::vector<DatasetItem>& items) {
    QStringList paths{QFileInfo(folder).path(), folder,
                      metadataFile(folder)}; // a folder that goes is told by its own
    for (const DatasetItem& item : items) paths.append(QFileInfo(item.path).path());
    for (const DatasetItem& item : items) paths << item.path << captionFile(item.path);
    return paths;
}

core::Result<void> leaveOutProblems(const QString& folder, const std::vector<DatasetItem>& items) {
    const QString aside = folder + '/' + QLatin1String(core::kLeftOutFolder);
    QStringList gone;
    for (const DatasetItem& item : items) {
        if (item.problem.isEmpty()) continue;
        gone.append(item.path);
        const QString caption =
            captionFile(knownByCaption(item) ? item.path + QStringLiteral(".png") : item.path);
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
    return dropFromMetadata(folder, gone);
}

core::Result<void> writeCaptions(const QString& folder, const QMap<QString, QString>& captions,
                                 CaptionOriginals& originals) {
    if (QFileInfo::exists(metadataFile(folder))) return writeMetadata(folder, captions, originals);
    for (auto it = captions.cbegin(); it != captions.cend(); ++it) {
        HOMEBOOTH_CHECK(textOf(captionFile(it.key()))); // what cannot be read is not written over
        tellWriting();
    }
    for (auto it = captions.cbegin(); it != captions.cend(); ++it) {
        const QString file = captionFile(it.key());
        HOMEBOOTH_ASSIGN(const CaptionBytes now, captionBytes(file));
        HOMEBOOTH_ASSIGN(const QString before, textOf(file));
        const CaptionBytes bytes = originals.bytesFor(file, now, before, *it, it->toStdString());
        HOMEBOOTH_CHECK(bytes ? core::writeFileAtomically(file.toStdString(), *bytes) : removeCaption(file));
        tellWriting();
    }
    return {};
}

int captionsToReplace(const std::vector<DatasetItem>& items, const QString& find) {
    if (find.isEmpty()) return 0;
    const QRegularExpression pattern = patternOf(find);
    return static_cast<int>(std::count_if(items.begin(), items.end(), [&pattern](const DatasetItem& item) {
        return item.caption.normalized(QString::NormalizationForm_C).contains(pattern);
    }));
}

QString replaceWords(const QString& text, const QString& find, const QString& replace) {
    if (find.isEmpty()) return text;
    const QString composed = text.normalized(QString::NormalizationForm_C);
    QString result;
    qsizetype end = 0;
    for (auto it = patternOf(find).globalMatch(composed); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        result +=
            composed.mid(end, match.capturedStart() - end) + replace; // no references: the words are meant
        end = match.capturedEnd();
    }
    return end == 0 ? text : result + composed.mid(end);
}

} // namespace homebooth::app
