// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/dataset_files.h"

#include "app/library/background.h"
#include "app/pages/datasets/captions/caption_beside.h"
#include "app/pages/datasets/dataset_metadata.h"
#include "app/pages/datasets/masks_beside.h"
#include "app/pages/datasets/other_disk.h"
#include "app/pages/datasets/shown_files.h"
#include "core/base/files/atomic_file.h"
#include "core/base/formats/caption_file.h"
#include "core/base/util/regular_file.h"
#include "core/media/picture_io.h"
#include "core/media/picture_list.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace homebooth::app {
namespace {

namespace fs = std::filesystem;

/// The remedy is a caption's own: another place, or another name, is no way out here.
core::Result<void> removeCaption(const fs::path& path) {
    std::error_code code;
    fs::remove(path, code);
    if (!code) return {};
    return core::badInput("taking a caption back: its file should go, but could not be removed (" +
                              code.message() +
                              "); make its folder writable and delete the file, or its caption stays",
                          core::displayName(path));
}

/// Whether a missing picture is known by its caption alone, so that nobody knows how its name ends.
bool knownByCaption(const DatasetItem& item) {
    return item.missing && !core::hasPictureEnding(item.path.toStdString());
}

/// What a file is called, in one way of composing its letters and marks.
QString nameOf(const QString& path) {
    return QFileInfo(path).fileName().normalized(QString::NormalizationForm_C);
}

/// What would mend a dataset, by the names of files: of a caption's picture the base counts, too.
QMultiHash<QString, const DatasetItem*> wantedFiles(const std::vector<DatasetItem>& items) {
    QMultiHash<QString, const DatasetItem*> wanted;
    for (const DatasetItem& item : items)
        if (item.wantsCopy()) wanted.insert(nameOf(item.path), &item);
    return wanted;
}

/// The item that a file would mend; null if none. Reads no file.
const DatasetItem* wantedBy(const QFileInfo& file, const QMultiHash<QString, const DatasetItem*>& wanted) {
    const QString name = nameOf(file.filePath());
    for (const DatasetItem* named : wanted.values(name)) // several folders may have one
        if (nameOf(QFileInfo(named->path).path()) == nameOf(file.path())) return named;
    if (const DatasetItem* named = wanted.value(name)) return named;
    const DatasetItem* based = wanted.value(QFileInfo(name).completeBaseName());
    return based != nullptr && knownByCaption(*based) ? based : nullptr;
}

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

/// Moves a file into "left out", under a number where that name is taken. A folder stays where it is: good
/// pictures may lie in it. @param out  receives where it went; null: nobody asks
/// Errors: OutOfResources, BadInput
core::Result<void> putAside(const QString& folder, const fs::path& file, LeftOut* out = nullptr) {
    std::error_code code;
    if (!isThere(file) || fs::is_directory(file, code)) return {};
    const fs::path aside = fs::path(folder.toStdString()) / core::kLeftOutFolder;
    fs::path target = aside / file.filename();
    for (int number = 2; isThere(target); ++number) {
        std::string name = file.stem().string();
        name.append(" ").append(std::to_string(number)).append(file.extension().string());
        target = aside / name;
    }
    fs::create_directories(aside, code);
    if (!code) fs::rename(file, target, code);
    if (code == std::errc::cross_device_link) {
        HOMEBOOTH_CHECK(moveToOtherDisk("leaving a file out", file, target));
        code.clear();
    }
    if (!code && out != nullptr) out->files.push_back({file, target});
    if (!code) return {};
    return core::badInput("leaving a file out: it could not be moved into \"left out\" (" + code.message() +
                              "); make its folder and \"left out\" writable, and try again",
                          core::displayName(file));
}

/// A picture's captions, of all endings: one that stayed would be that of a picture that is not there.
/// @param needed  captions of pictures that stay. Errors: as putAside
core::Result<void> putCaptionsAside(const QString& folder, const fs::path& picture,
                                    const std::unordered_set<std::string>& needed, core::FileNames& names,
                                    LeftOut* out) {
    fs::path last;
    for (;;) {
        const fs::path caption = core::captionFileOf(picture, names);
        if (caption == last || needed.contains(caption.native())) return {};
        HOMEBOOTH_CHECK(putAside(folder, caption, out));
        last = caption;
    }
}

/// Where captions lie beside their pictures, one for each.
core::Result<std::vector<fs::path>> filesOf(const QMap<QString, QString>& captions) {
    ShownFiles shown;
    core::FileNames names;
    std::vector<fs::path> files;
    for (auto it = captions.cbegin(); it != captions.cend(); ++it) {
        HOMEBOOTH_ASSIGN(const fs::path picture, shown.one(it.key()));
        files.push_back(core::captionFileOf(picture, names));
    }
    return files;
}

/// JSON is UTF-8: a line with what is shown of another coding would lead to no picture.
core::Result<void> checkCanBeListed(const QMap<QString, QString>& captions) {
    ShownFiles shown;
    for (auto it = captions.cbegin(); it != captions.cend(); ++it) {
        HOMEBOOTH_ASSIGN(const fs::path picture, shown.one(it.key()));
        if (picture != fs::path(it.key().toStdString()))
            return core::badInput("writing captions: expected a name in UTF-8, by which metadata.jsonl can "
                                  "list the picture, found another coding; rename the picture",
                                  core::displayName(picture));
    }
    return {};
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

/// What stands there. What cannot be read is not written over, but by the words that it most likely says.
core::Result<QString> captionBefore(const fs::path& file, const QString& caption) {
    auto text = captionText(file);
    const bool guessed = !text && saysOtherCoding(text.error()) && !caption.isEmpty();
    return guessed && guessedCaption(file) == caption ? core::Result<QString>(QString()) : text;
}

} // namespace

QString captionFile(const QString& picture, core::FileNames& names) {
    return QString::fromStdString(core::captionFileOf(picture.toStdString(), names).string());
}

int countPictures(const QString& folder) {
    int count = 0;
    std::unordered_set<std::string> stems;
    std::vector<std::string> ofMasks; // the stems of their pictures
    for (QDirIterator files(folder, QDir::Files); files.hasNext();) {
        const fs::path file = files.next().toStdString();
        if (!core::hasPictureEnding(file)) continue;
        ++count;
        stems.insert(file.stem().native());
        if (std::string ofPicture = core::pictureOfMask(file); !ofPicture.empty())
            ofMasks.push_back(std::move(ofPicture));
    }
    const auto isThere = [&stems](const std::string& stem) { return stems.contains(stem); };
    return count - static_cast<int>(std::count_if(ofMasks.begin(), ofMasks.end(), isThere));
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
        const bool named = nameOf(file.filePath()) == nameOf(item->path);
        const QString target = named ? item->path : item->path + '.' + file.suffix();
        if (!QDir().mkpath(QFileInfo(target).path()) || !putAside(folder, target.toStdString()) ||
            !QFile::copy(file.absoluteFilePath(), target))
            continue;
        wanted.remove(nameOf(item->path), item);
        ++found.done;
    }
    return found.done;
}

QStringList watchedPaths(const QString& folder, const std::vector<DatasetItem>& items) {
    QStringList paths{QFileInfo(folder).path(), folder,
                      metadataFile(folder)}; // a folder that goes is told by its own
    QSet<QString> folders;
    for (const DatasetItem& item : items) folders.insert(QFileInfo(item.path).path());
    paths += folders.values();
    core::FileNames names;
    for (const DatasetItem& item : items) paths << item.path << captionFile(item.path, names);
    return paths;
}

core::Result<void> leaveOutProblems(const QString& folder, const std::vector<DatasetItem>& items,
                                    LeftOut* out) {
    ShownFiles shown;
    core::FileNames names;
    MasksBeside masks(items);
    std::unordered_set<std::string> needed; // captions of pictures that stay
    for (const DatasetItem& item : items)
        if (item.problem.isEmpty())
            needed.insert(core::captionFileOf(item.path.toStdString(), names).native());
    QStringList gone;
    core::Result<void> done;
    for (const DatasetItem& item : items) {
        if (item.problem.isEmpty()) continue;
        bool left = true;
        for (const fs::path& file : shown.all(item.path)) {
            fs::path picture = file;
            if (knownByCaption(item)) picture += ".png"; // of whatever kind it is
            core::Result<void> moved = putAside(folder, file, out);
            left = left && moved.ok();
            if (moved) moved = putCaptionsAside(folder, picture, needed, names, out);
            for (const fs::path& mask : masks.of(picture))
                if (moved) moved = putAside(folder, mask, out);
            if (!moved && done) done = std::move(moved);
            tellWriting();
        }
        if (left) gone.append(item.path);
    }
    // Lines of what is gone would be new problems.
    HOMEBOOTH_CHECK(dropFromMetadata(folder, gone, out != nullptr ? &out->lines : nullptr));
    return done;
}

core::Result<void> writeCaptions(const QString& folder, const QMap<QString, QString>& captions,
                                 CaptionOriginals& originals) {
    if (QFileInfo::exists(metadataFile(folder))) {
        HOMEBOOTH_CHECK(checkCanBeListed(captions));
        return writeMetadata(folder, captions, originals);
    }
    HOMEBOOTH_ASSIGN(const std::vector<fs::path> files, filesOf(captions));
    auto file = files.cbegin();
    for (auto it = captions.cbegin(); it != captions.cend(); ++it, ++file) {
        HOMEBOOTH_CHECK(captionBefore(*file, *it)); // none or all
        tellWriting();
    }
    file = files.cbegin();
    for (auto it = captions.cbegin(); it != captions.cend(); ++it, ++file) {
        HOMEBOOTH_ASSIGN(const CaptionBytes now, captionBytes(*file));
        HOMEBOOTH_ASSIGN(const QString before, captionBefore(*file, *it));
        const QString place = QString::fromLatin1(QByteArray::fromStdString(file->native())); // each its own
        const CaptionBytes bytes = originals.bytesFor(place, now, before, *it, it->toStdString());
        HOMEBOOTH_CHECK(bytes ? core::writeFileAtomically(file->native(), *bytes) : removeCaption(*file));
        tellWriting();
    }
    return {};
}

core::Result<QMap<QString, QString>> captionsNow(const QString& folder,
                                                 const QMap<QString, QString>& captions) {
    QMap<QString, QString> now;
    if (captions.isEmpty()) return now;
    if (!QFileInfo::exists(folder)) // else all of its captions would be others'
        return core::badInput("writing captions: expected this folder, found none of its name; connect its "
                              "drive, or put the folder back, and try again",
                              folder.toStdString());
    HOMEBOOTH_ASSIGN(auto lines, readMetadata(folder));
    if (lines) {
        spellAsOnDisk(folder, *lines);
        for (const MetadataLine& line : *lines) // the last one of a picture counts
            if (captions.contains(line.path)) now.insert(line.path, line.caption);
        return now;
    }
    HOMEBOOTH_ASSIGN(const std::vector<fs::path> files, filesOf(captions));
    auto file = files.cbegin();
    for (auto it = captions.cbegin(); it != captions.cend(); ++it, ++file) {
        HOMEBOOTH_ASSIGN(const QString caption, captionBefore(*file, *it));
        now.insert(it.key(), caption);
        tellWriting();
    }
    return now;
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
