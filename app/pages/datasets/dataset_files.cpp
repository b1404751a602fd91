// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/dataset_files.h"

#include "app/library/background.h"
#include "app/pages/datasets/caption_beside.h"
#include "app/pages/datasets/dataset_metadata.h"
#include "core/base/files/atomic_file.h"
#include "core/base/formats/caption_file.h"
#include "core/base/text/unicode.h"
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
core::Result<void> removeCaption(const QString& path) {
    std::error_code code;
    fs::remove(path.toStdString(), code);
    if (!code) return {};
    return core::badInput("taking a caption back: its file should go, but could not be removed (" +
                              code.message() +
                              "); make its folder writable and delete the file, or its caption stays",
                          path.toStdString());
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
/// pictures may lie in it. Errors: BadInput
core::Result<void> putAside(const QString& folder, const fs::path& file) {
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
    // A folder of pictures may be a link to another disk.
    if (code == std::errc::cross_device_link && fs::copy_file(file, target, code)) fs::remove(file, code);
    if (!code) return {};
    return core::badInput("leaving a file out: it could not be moved into \"left out\" (" + code.message() +
                              "); make its folder and \"left out\" writable, and try again",
                          core::displayName(file));
}

/// The files that a picture's path stands for: what is shown of names in another coding does not lead to
/// them, and may be the same of several.
std::vector<fs::path> filesCalled(const QString& path) {
    const fs::path shown = path.toStdString();
    if (!path.contains(QChar::ReplacementCharacter)) return {shown};
    std::vector<fs::path> files;
    std::error_code code;
    fs::directory_iterator entry(shown.parent_path(), code);
    for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
        const std::string name = entry->path().filename().native();
        if (!core::isUtf8(name) && QString::fromStdString(name) == QFileInfo(path).fileName())
            files.push_back(entry->path());
    }
    return files.empty() ? std::vector<fs::path>{shown} : files;
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
    for (const DatasetItem& item : items) paths << item.path << captionFile(item.path);
    return paths;
}

core::Result<void> leaveOutProblems(const QString& folder, const std::vector<DatasetItem>& items) {
    std::unordered_set<std::string> needed; // captions of pictures that stay
    for (const DatasetItem& item : items)
        if (item.problem.isEmpty()) needed.insert(core::captionFileOf(item.path.toStdString()).native());
    QStringList gone;
    core::Result<void> done;
    for (const DatasetItem& item : items) {
        if (item.problem.isEmpty()) continue;
        bool left = true;
        for (const fs::path& file : filesCalled(item.path)) {
            fs::path picture = file;
            if (knownByCaption(item)) picture += ".png"; // of whatever kind it is
            const fs::path caption = core::captionFileOf(picture);
            core::Result<void> moved = putAside(folder, file);
            left = left && moved.ok();
            if (moved && !needed.contains(caption.native())) moved = putAside(folder, caption);
            if (!moved && done) done = std::move(moved);
        }
        if (left) gone.append(item.path);
    }
    HOMEBOOTH_CHECK(dropFromMetadata(folder, gone)); // lines of what is gone would be new problems
    return done;
}

core::Result<void> writeCaptions(const QString& folder, const QMap<QString, QString>& captions,
                                 CaptionOriginals& originals) {
    if (QFileInfo::exists(metadataFile(folder))) return writeMetadata(folder, captions, originals);
    for (auto it = captions.cbegin(); it != captions.cend(); ++it) {
        HOMEBOOTH_CHECK(captionText(captionFile(it.key()))); // what cannot be read is not written over
        tellWriting();
    }
    for (auto it = captions.cbegin(); it != captions.cend(); ++it) {
        const QString file = captionFile(it.key());
        HOMEBOOTH_ASSIGN(const CaptionBytes now, captionBytes(file));
        HOMEBOOTH_ASSIGN(const QString before, captionText(file));
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
