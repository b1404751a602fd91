// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/dataset_metadata.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_names.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"
#include "core/media/picture_list.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QSet>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

namespace homebooth::app {
namespace {

using Json = nlohmann::ordered_json; // keys keep their places
namespace fs = std::filesystem;

constexpr int64_t kMostBytes = int64_t{1} << 30;
constexpr const char* kMetadata = "metadata.jsonl";

bool blank(const std::string& text) {
    return text.find_first_not_of(" \t\r") == std::string::npos;
}

/// Where an object keeps its caption; null if nowhere yet.
Json* captionIn(Json& object) {
    const auto texts = object.find("texts");
    if (texts != object.end() && texts->is_array())
        for (Json& text : *texts)
            if (text.is_string()) return &text;
    const auto text = object.find("text");
    return text != object.end() && text->is_string() ? &*text : nullptr;
}

/// Texts of an object that might be meant as captions, by key.
QMap<QString, QString> otherTexts(const Json& object) {
    QMap<QString, QString> texts;
    for (const auto& [key, value] : object.items())
        if (key != "file_name" && key != "text" && value.is_string() &&
            !blank(value.get_ref<const std::string&>()))
            texts.insert(QString::fromStdString(key),
                         QString::fromStdString(value.get<std::string>()).trimmed());
    return texts;
}

core::Error badLine(const QString& folder, size_t number, const std::string& found) {
    return core::badInput(
        "reading captions: expected a JSON object with a file_name within the folder, found " + found +
            "; correct the line, nothing was changed",
        metadataFile(folder).toStdString() + " line " + std::to_string(number));
}

core::Result<MetadataLine> lineOf(const QString& folder, std::string bytes, size_t number) {
    MetadataLine line{std::move(bytes), {}, {}, {}};
    if (blank(line.bytes)) return line;
    Json object = core::parseShallow<Json>(line.bytes);
    if (!object.is_object()) return badLine(folder, number, "something else");
    const auto name = object.find("file_name");
    if (name == object.end() || !name->is_string()) return badLine(folder, number, "no file_name");
    const QString file = QString::fromStdString(name->get<std::string>());
    line.path = QDir::cleanPath(folder + '/' + file);
    if (file.isEmpty() || QDir::isAbsolutePath(file) || !line.path.startsWith(folder + '/'))
        return badLine(folder, number, '"' + file.toStdString() + '"');
    if (const Json* text = captionIn(object))
        line.caption = QString::fromStdString(text->get<std::string>()).trimmed();
    line.otherTexts = otherTexts(object);
    return line;
}

std::string withCaption(const std::string& bytes, const QString& caption) {
    Json object = core::parseShallow<Json>(bytes);
    if (Json* text = captionIn(object))
        *text = caption.toStdString();
    else
        object["text"] = caption.toStdString();
    return object.dump() + (bytes.ends_with('\r') ? "\r" : "");
}

std::string newLine(const QString& folder, const QString& picture, const QString& caption) {
    Json object;
    object["file_name"] = picture.mid(folder.size() + 1).toStdString();
    object["text"] = caption.toStdString();
    return object.dump();
}

/// What the originals call the line of a picture. @param number  of its lines before this one
QString placeOf(const QString& folder, const QString& picture, int number) {
    return QStringLiteral("%1\n%2\n%3").arg(metadataFile(folder), picture, QString::number(number));
}

/// The captions that pictures are shown with: that of the last line, where one has several.
QHash<QString, QString> shownCaptions(const std::vector<MetadataLine>& lines) {
    QHash<QString, QString> shown;
    for (const MetadataLine& line : lines) shown.insert(line.path, line.caption);
    return shown;
}

core::Result<void> writeLines(const QString& folder, const std::vector<MetadataLine>& lines) {
    std::string text;
    for (size_t i = 0; i < lines.size(); ++i) text += (i > 0 ? "\n" : "") + lines[i].bytes;
    return core::writeFileAtomically(metadataFile(folder).toStdString(), text);
}

/// The lines of a file, without their ends; none where there is no such file.
core::Result<std::vector<std::string>> plainLines(const std::string& path) {
    std::vector<std::string> lines;
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) return lines;
    HOMEBOOTH_ASSIGN(const std::string text, core::readRegularFile(path, kMostBytes));
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

core::Result<void> writePlainLines(const std::string& path, const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text.append(line).append("\n");
    return core::writeFileAtomically(path, text);
}

fs::path leftOutFolder(const QString& folder) {
    return fs::path(folder.toStdString()) / core::kLeftOutFolder;
}

/// Adds lines to those that were left out before, each once.
core::Result<void> keepDropped(const QString& folder, const std::vector<LeftOut::Line>& dropped) {
    const fs::path aside = leftOutFolder(folder);
    std::error_code code;
    fs::create_directories(aside, code);
    if (code)
        return core::badInput("leaving pictures out: their captions could not be kept in \"left out\" (" +
                                  code.message() + "); make the dataset's folder writable, and try again",
                              core::displayName(aside));
    const std::string file = aside / kMetadata;
    HOMEBOOTH_ASSIGN(std::vector<std::string> lines, plainLines(file));
    const std::set<std::string> known(lines.begin(), lines.end());
    for (const LeftOut::Line& line : dropped)
        if (!known.contains(line.bytes)) lines.push_back(line.bytes);
    return writePlainLines(file, lines);
}

/// Takes lines out of those that were left out; the file goes with the last one.
core::Result<void> forgetDropped(const QString& folder, const std::vector<LeftOut::Line>& dropped) {
    const std::string file = leftOutFolder(folder) / kMetadata;
    HOMEBOOTH_ASSIGN(std::vector<std::string> lines, plainLines(file));
    std::set<std::string> back;
    for (const LeftOut::Line& line : dropped) back.insert(line.bytes);
    if (std::erase_if(lines, [&back](const std::string& line) { return back.contains(line); }) == 0)
        return {};
    if (!lines.empty()) return writePlainLines(file, lines);
    std::error_code ignored; // what is left over of it does no harm
    fs::remove(file, ignored);
    return {};
}

} // namespace

QString metadataFile(const QString& folder) {
    return folder + '/' + QLatin1String(kMetadata);
}

core::Result<std::optional<std::vector<MetadataLine>>> readMetadata(const QString& folder) {
    const QFileInfo file(metadataFile(folder));
    if (!file.exists() && !file.isSymLink()) return std::optional<std::vector<MetadataLine>>();
    HOMEBOOTH_ASSIGN(const std::string text,
                     core::readRegularFile(metadataFile(folder).toStdString(), kMostBytes));
    std::vector<MetadataLine> lines;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        HOMEBOOTH_ASSIGN(MetadataLine line,
                         lineOf(QDir::cleanPath(folder), text.substr(begin, end - begin), lines.size() + 1));
        lines.push_back(std::move(line));
        begin = end + 1;
    }
    return std::optional(std::move(lines));
}

void spellAsOnDisk(const QString& folder, std::vector<MetadataLine>& lines) {
    const QString clean = QDir::cleanPath(folder);
    core::FileNames names;
    for (MetadataLine& line : lines) {
        if (line.path.isEmpty()) continue;
        const std::string name = line.path.mid(clean.size() + 1).toStdString();
        line.path = QString::fromStdString(names.find(clean.toStdString(), name).string());
    }
}

core::Result<void> writeMetadata(const QString& folder, const QMap<QString, QString>& captions,
                                 CaptionOriginals& originals) {
    HOMEBOOTH_ASSIGN(auto read, readMetadata(folder));
    std::vector<MetadataLine> lines = read ? std::move(*read) : std::vector<MetadataLine>();
    spellAsOnDisk(folder, lines);
    QMap<QString, QString> left = captions;
    // A picture may have several lines, which go back together when the caption that was shown comes back.
    const QHash<QString, QString> shown = shownCaptions(lines);
    QHash<QString, int> seen;
    std::vector<MetadataLine> kept;
    for (MetadataLine& line : lines) {
        const auto found = captions.constFind(line.path);
        if (!line.path.isEmpty() && found != captions.cend()) {
            left.remove(line.path);
            const QString place = placeOf(folder, line.path, seen[line.path]++);
            std::string made = line.caption == *found ? line.bytes : withCaption(line.bytes, *found);
            const CaptionBytes bytes =
                originals.bytesFor(place, line.bytes, shown.value(line.path), *found, std::move(made));
            if (!bytes) continue;
            line.bytes = *bytes;
        }
        kept.push_back(std::move(line));
    }
    const bool open = !kept.empty() && kept.back().bytes.empty(); // after the last line's end
    if (open) kept.pop_back();
    for (auto it = left.cbegin(); it != left.cend(); ++it) {
        const CaptionBytes bytes = originals.bytesFor(placeOf(folder, it.key(), 0), {}, {}, *it,
                                                      newLine(QDir::cleanPath(folder), it.key(), *it));
        if (bytes) kept.push_back({*bytes, it.key(), *it, {}});
    }
    if (open) kept.push_back({});
    return writeLines(folder, kept);
}

core::Result<void> dropFromMetadata(const QString& folder, const QStringList& pictures,
                                    std::vector<LeftOut::Line>* dropped) {
    HOMEBOOTH_ASSIGN(auto lines, readMetadata(folder));
    if (!lines) return {};
    const auto composed = [](const QString& path) { return path.normalized(QString::NormalizationForm_C); };
    QSet<QString> gone; // of these there may be no file any more that says how it is spelled
    for (const QString& picture : pictures) gone.insert(composed(picture));
    std::vector<MetadataLine> kept;
    std::vector<LeftOut::Line> out;
    for (size_t at = 0; at < lines->size(); ++at) {
        MetadataLine& line = (*lines)[at];
        if (!line.path.isEmpty() && gone.contains(composed(line.path)))
            out.push_back({at, line.bytes});
        else
            kept.push_back(std::move(line));
    }
    if (out.empty()) return {};
    HOMEBOOTH_CHECK(keepDropped(folder, out)); // first: if it ends here, they are in both
    HOMEBOOTH_CHECK(writeLines(folder, kept));
    if (dropped != nullptr) dropped->insert(dropped->end(), out.begin(), out.end());
    return {};
}

core::Result<void> returnToMetadata(const QString& folder, const std::vector<LeftOut::Line>& lines) {
    if (lines.empty()) return {};
    HOMEBOOTH_ASSIGN(auto read, readMetadata(folder));
    std::vector<MetadataLine> all = read ? std::move(*read) : std::vector<MetadataLine>(1);
    QSet<QString> listed;
    for (const MetadataLine& line : all) listed.insert(line.path);
    std::vector<LeftOut::Line> returned;
    for (const LeftOut::Line& line : lines) {
        HOMEBOOTH_ASSIGN(MetadataLine back, lineOf(QDir::cleanPath(folder), line.bytes, line.at + 1));
        if (listed.contains(back.path)) continue;
        const size_t end = all.size() - (all.back().bytes.empty() ? 1 : 0); // after the last line's end
        const size_t at = std::min(line.at, end);
        all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), std::move(back));
        returned.push_back(line);
    }
    HOMEBOOTH_CHECK(writeLines(folder, all));
    return forgetDropped(folder, returned);
}

} // namespace homebooth::app
