// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/dataset_metadata.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_names.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QSet>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

using Json = nlohmann::ordered_json; // keys keep their places
constexpr int64_t kMostBytes = int64_t{1} << 30;

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

} // namespace

QString metadataFile(const QString& folder) {
    return folder + QStringLiteral("/metadata.jsonl");
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

core::Result<void> dropFromMetadata(const QString& folder, const QStringList& pictures) {
    HOMEBOOTH_ASSIGN(auto lines, readMetadata(folder));
    if (!lines) return {};
    const auto composed = [](const QString& path) { return path.normalized(QString::NormalizationForm_C); };
    QSet<QString> dropped; // of these there may be no file any more that says how it is spelled
    for (const QString& picture : pictures) dropped.insert(composed(picture));
    const size_t before = lines->size();
    std::erase_if(*lines, [&](const MetadataLine& line) {
        return !line.path.isEmpty() && dropped.contains(composed(line.path));
    });
    return lines->size() == before ? core::Result<void>() : writeLines(folder, *lines);
}

} // namespace homebooth::app
