// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/dataset_reading.h"

#include "app/library/background.h"
#include "app/pages/datasets/captions/caption_beside.h"
#include "core/base/formats/caption_file.h"
#include "core/base/formats/packed_files.h"
#include "core/base/text/unicode.h"
#include "core/media/picture_fault.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QHash>
#include <QSet>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace homebooth::app {
namespace {

constexpr const char* kFolderGone = "reading a data set: expected a folder, found nothing of that name";
constexpr const char* kShardsAlone =
    "reading a data set: expected pictures, found WebDataset shards (.tar) alone; unpack them into a folder";

QString words(const char* text) {
    return QCoreApplication::translate("homebooth::app::DatasetModel", text);
}

DatasetItem missingItem(const QString& path, const QString& caption) {
    DatasetItem item;
    item.path = path;
    item.caption = caption;
    item.problem = words(QT_TRANSLATE_NOOP("homebooth::app::DatasetModel", "The file is not there."));
    item.missing = true;
    return item;
}

core::Result<void> checkNoShards(const QString& folder) {
    const auto shards = core::listShards(folder.toStdString());
    if (!shards || shards->empty()) return {};
    return core::badInput(kShardsAlone, folder.toStdString());
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
    return words(saysOtherCoding(error)
                     ? QT_TRANSLATE_NOOP("homebooth::app::DatasetModel",
                                         "Its caption is in another encoding. Save it as UTF-8.")
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

/// A picture whose name is no text, so that what is shown of it does not lead to it.
DatasetItem badlyNamed(const std::filesystem::path& path) {
    DatasetItem item;
    item.path = QString::fromStdString(path.string());
    item.problem = words(
        QT_TRANSLATE_NOOP("homebooth::app::DatasetModel", "Its name is in another encoding. Rename it."));
    if (const auto info = core::pictureInfo(path)) { // else a copy would mend it
        item.widthPixels = static_cast<int>(info->widthPixels);
        item.heightPixels = static_cast<int>(info->heightPixels);
    }
    return item;
}

/// Asks the files of a data set, those that are as they were by what is known of them.
class Files {
public:
    explicit Files(const DatasetKnown& before)
        : m_before(before) {}

    [[nodiscard]] core::Result<core::PictureList> list(const QString& folder);
    [[nodiscard]] core::Result<DatasetKnown::Lines> lines(const QString& folder);
    [[nodiscard]] core::Result<QString> caption(const std::filesystem::path& file);
    /// Where the caption of a picture lies if it has one beside it.
    [[nodiscard]] std::filesystem::path captionFile(const std::filesystem::path& picture) {
        return core::captionFileOf(picture, m_names);
    }
    /// Whether a caption's file of that name belongs to a picture, whose name may be composed otherwise.
    [[nodiscard]] bool wasAsked(const QString& name) const { return m_asked.contains(name); }
    /// A picture with what can be said of it. @param problem  why it is none, where that is known
    [[nodiscard]] DatasetItem item(const QString& path, const QString& problem = {});
    /// What was found of all that were asked.
    [[nodiscard]] DatasetKnown takeKnown() { return std::move(m_known); }

private:
    const DatasetKnown& m_before;
    DatasetKnown m_known;
    core::FileNames m_names;
    QSet<QString> m_asked; // names of captions' files
};

core::Result<core::PictureList> Files::list(const QString& folder) {
    return core::listPictures(folder.toStdString(), [this](const std::filesystem::path& file) {
        return m_known.contents.find(QString::fromStdString(file.string()), m_before.contents,
                                     [&file] { return core::fileContent(file); });
    });
}

core::Result<DatasetKnown::Lines> Files::lines(const QString& folder) {
    using Lines = DatasetKnown::Lines;
    const auto read = [&folder]() -> core::Result<Lines> {
        HOMEBOOTH_ASSIGN(std::optional<std::vector<MetadataLine>> lines, readMetadata(folder));
        if (!lines) return Lines();
        for (MetadataLine& line : *lines) std::string().swap(line.bytes); // they would be kept all the time
        return Lines(std::make_shared<std::vector<MetadataLine>>(*std::move(lines)));
    };
    HOMEBOOTH_ASSIGN(const Lines written, m_known.lines.find(metadataFile(folder), m_before.lines, read));
    if (!written) return written;
    auto lines = std::make_shared<std::vector<MetadataLine>>(*written);
    spellAsOnDisk(folder, *lines); // each time: pictures come and go while the lines stay
    return Lines(std::move(lines));
}

core::Result<QString> Files::caption(const std::filesystem::path& file) {
    m_asked.insert(QString::fromStdString(file.filename().string()));
    // By a name in another coding nothing is known: what is shown of it may be the name of several.
    if (!core::isUtf8(file.native())) return captionText(file);
    return m_known.captions.find(QString::fromStdString(file.string()), m_before.captions,
                                 [&file] { return captionText(file); });
}

DatasetItem Files::item(const QString& path, const QString& problem) {
    DatasetItem item;
    item.path = path;
    item.problem = problem;
    item.file = core::identityAt(path.toStdString()).value_or(core::FileIdentity());
    if (!problem.isEmpty()) return item;
    const auto info = m_known.pictures.find(path, m_before.pictures,
                                            [&path] { return core::pictureInfo(path.toStdString()); });
    if (info) {
        item.widthPixels = static_cast<int>(info->widthPixels);
        item.heightPixels = static_cast<int>(info->heightPixels);
        item.transparent = info->alpha;
        if (info->animated || info->format == core::PictureFormat::Gif) item.problem = notStill(info->format);
    } else {
        item.problem = brokenText(path);
    }
    return item;
}

void takeCaptionBeside(DatasetItem& item, const std::filesystem::path& picture, Files& files) {
    const std::filesystem::path file = files.captionFile(picture);
    const auto caption = files.caption(file);
    if (caption) {
        item.caption = *caption;
    } else if (item.problem.isEmpty()) {
        item.problem = captionTrouble(caption.error());
        if (saysOtherCoding(caption.error())) item.guessedCaption = guessedCaption(file);
    }
}

/// Captions beside pictures that are not there.
void addMissing(const QString& folder, std::vector<DatasetItem>& items, Files& files) {
    QSet<QString> bases;
    for (const DatasetItem& item : items) bases.insert(QFileInfo(item.path).completeBaseName());
    const QDir dir(folder);
    QStringList names; // those that count come first
    for (const char* ending : core::kCaptionEndings)
        names +=
            dir.entryList({'*' + QString::fromLatin1(ending)}, QDir::Files | QDir::CaseSensitive, QDir::Name);
    for (const QString& name : names) {
        const QString base = QFileInfo(name).completeBaseName();
        if (bases.contains(base) || files.wasAsked(name)) continue;
        bases.insert(base);
        const auto caption = files.caption(dir.filePath(name).toStdString());
        items.push_back(missingItem(dir.filePath(base), caption ? *caption : QString()));
    }
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
void takeNamed(const std::vector<MetadataLine>& lines, std::vector<DatasetItem>& items, Files& files,
               WorkCount& read) {
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
        items.push_back(QFileInfo::exists(line.path) ? files.item(line.path) : missingItem(line.path, {}));
        items.back().caption = line.caption;
        items.back().otherTexts = line.otherTexts;
        ++read.done;
    }
}

} // namespace

bool saysShards(const core::Error& error) {
    return error.message == kShardsAlone;
}

bool saysGone(const core::Error& error) {
    return error.message == kFolderGone;
}

std::vector<DatasetItem> problemsNow(const QString& folder, std::vector<DatasetItem> items) {
    const DatasetKnown nothing;
    Files files(nothing);
    const auto composed = [](const QString& name) { return name.normalized(QString::NormalizationForm_C); };
    QSet<QString> pictures; // by the bases of their names, as captions name them
    for (QDirIterator all(folder, QDir::Files); all.hasNext();)
        if (core::hasPictureEnding(all.next().toStdString()))
            pictures.insert(composed(QFileInfo(all.fileName()).completeBaseName()));
    for (DatasetItem& item : items) {
        if (item.problem.isEmpty()) continue;
        tellWriting();
        if (item.missing && !core::hasPictureEnding(item.path.toStdString())) { // known by its caption
            if (pictures.contains(composed(QFileInfo(item.path).fileName()))) item.problem.clear();
            continue;
        }
        if (item.missing && !QFileInfo::exists(item.path)) continue;
        DatasetItem now = files.item(item.path);
        if (!item.listed) takeCaptionBeside(now, item.path.toStdString(), files);
        item.problem = now.problem;
        item.missing = false;
    }
    return items;
}

core::Result<std::vector<DatasetItem>> readDataset(const QString& folder, WorkCount* count) {
    WorkCount uncounted;
    HOMEBOOTH_ASSIGN(DatasetReading reading,
                     readDatasetAgain(folder, {}, count != nullptr ? *count : uncounted));
    return std::move(reading.items);
}

core::Result<DatasetReading> readDatasetAgain(const QString& folder, const DatasetKnown& before,
                                              WorkCount& read) {
    Files files(before);
    if (!QFileInfo::exists(folder)) return core::badInput(kFolderGone, folder.toStdString());
    HOMEBOOTH_ASSIGN(const core::PictureList list, files.list(folder));
    HOMEBOOTH_ASSIGN(const DatasetKnown::Lines lines, files.lines(folder));
    std::vector<DatasetItem> items;
    const auto add = [&](const std::filesystem::path& file, bool broken) {
        const QString path = QString::fromStdString(file.string());
        DatasetItem item = !core::isUtf8(file.native()) ? badlyNamed(file)
                           : broken                     ? files.item(path, brokenText(path))
                                                        : files.item(path);
        if (!lines) takeCaptionBeside(item, file, files); // else captions beside the pictures do not count
        items.push_back(std::move(item));
    };
    read.total = static_cast<int>(list.pictures.size()) + (lines ? countNamed(*lines, list) : 0);
    for (const auto& path : list.pictures) {
        if (read.stopped) break;
        add(path, false);
        ++read.done;
    }
    const bool whole = items.size() == list.pictures.size();
    for (const core::SkippedFile& file : list.skipped)
        if (file.meantAsPicture && whole) add(file.path, true);
    if (lines)
        takeNamed(*lines, items, files, read);
    else if (whole)
        addMissing(folder, items, files);
    for (DatasetItem& item : items) item.listed = lines != nullptr;
    if (items.empty() && whole) HOMEBOOTH_CHECK(checkNoShards(folder));
    QStringList watched = watchedPaths(folder, items);
    return DatasetReading{std::move(items), files.takeKnown(), std::move(watched)};
}

} // namespace homebooth::app
