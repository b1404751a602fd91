// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/wanted_file.h"

#include "core/base/text/generation_parameters.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <utility>
#include <vector>

namespace homebooth::app {
namespace {

constexpr qint64 kMostReadBytes = 2'000'000'000; // of add-ons with other names, which takes seconds

using Entries = std::vector<const ModelEntry*>;

/// Of the hashes that programs write, those that are worked out here, too; older ones are of a part.
bool isComparable(const Wanted& wanted) {
    const size_t digits = wanted.hash.size();
    return digits == 10 || digits == 64 || (wanted.kind == ModelEntry::Kind::Lora && digits == 12);
}

/// What of a file may have such a hash; first what is read at once. What the header says need not be of
/// the tensors, but A1111 takes its word.
std::vector<FileToHash::Of> hashedParts(const Wanted& wanted) {
    if (wanted.hash.size() == 12) return {FileToHash::Of::Header, FileToHash::Of::Tensors};
    return {FileToHash::Of::Whole};
}

/// Case is as programs like it.
bool isHash(const std::string& whole, const std::string& wanted) {
    const QString digits = QString::fromStdString(whole);
    return digits.startsWith(QString::fromStdString(wanted), Qt::CaseInsensitive);
}

/// As modelNameOf, but without a look at the disk, whose drive may sleep.
QString fileNameOf(const ModelEntry& entry) {
    static const QStringList kEndings{QStringLiteral("safetensors"), QStringLiteral("ckpt"),
                                      QStringLiteral("pt"), QStringLiteral("pth"), QStringLiteral("bin")};
    const QFileInfo path(entry.path);
    const bool isFile = entry.isAddOn() || kEndings.contains(path.suffix(), Qt::CaseInsensitive);
    return isFile ? path.completeBaseName() : path.fileName();
}

/// As core::modelName, likewise.
QString pictureNameOf(const ModelEntry& entry) {
    const QString name = fileNameOf(entry);
    const QFileInfo folder(QFileInfo(entry.path).path());
    const bool isResult = folder.fileName() == QStringLiteral("result") &&
                          (name == QStringLiteral("model") || name == QStringLiteral("lora"));
    const QString run = QFileInfo(folder.path()).fileName();
    return isResult && !run.isEmpty() ? run : name;
}

/// Lists of add-ons lack what parts them.
QString comparable(const QString& name, ModelEntry::Kind kind) {
    return kind == ModelEntry::Kind::Lora ? QString::fromStdString(core::listedLoraName(name.toStdString()))
                                          : name;
}

bool hasPictureName(const ModelEntry& entry, const Wanted& wanted) {
    return comparable(pictureNameOf(entry), entry.kind) ==
           comparable(QString::fromStdString(wanted.name), entry.kind);
}

/// Whether people see it under the name, also with the number that the shelf tells trainings apart by.
bool hasTitle(const ModelEntry& entry, const Wanted& wanted) {
    static const QRegularExpression number(QStringLiteral(" \\(\\d+\\)$"));
    const QString name = comparable(QString::fromStdString(wanted.name), entry.kind);
    QString title = comparable(entry.name, entry.kind);
    if (title == name) return true;
    return entry.origin == ModelEntry::Origin::Run && title.remove(number) == name;
}

/// Those of the name; first what present pictures call so, folders of trainings being unlike each other.
Entries entriesCalled(const Wanted& wanted, const ModelShelf& models) {
    Entries called;
    for (const ModelEntry& entry : models.entries())
        if (entry.kind == wanted.kind &&
            (hasTitle(entry, wanted) || hasPictureName(entry, wanted) ||
             fileNameOf(entry) == QString::fromStdString(wanted.name))) // as older pictures say it
            called.push_back(&entry);
    std::stable_partition(called.begin(), called.end(),
                          [&wanted](const ModelEntry* entry) { return hasPictureName(*entry, wanted); });
    return called;
}

QString momentCalled(const Wanted& wanted, const ModelShelf& models) {
    const QString name = QString::fromStdString(wanted.name);
    for (const MomentEntry& moment : models.moments())
        if (wanted.kind == ModelEntry::Kind::Lora && moment.lora &&
            QFileInfo(moment.usable).completeBaseName() == name)
            return moment.path;
    return {};
}

/// The one that pictures call so, else the one that people see under the name; empty: none, or several.
QString likelyOne(const Wanted& wanted, const Entries& called) {
    for (const auto& has : {hasPictureName, hasTitle}) {
        Entries those;
        for (const ModelEntry* entry : called)
            if (has(*entry, wanted)) those.push_back(entry);
        if (!those.empty()) return those.size() == 1 ? those.front()->path : QString();
    }
    return {};
}

/// What a name means that comes without a hash.
Found byName(const Wanted& wanted, const Entries& called) {
    if (const QString path = likelyOne(wanted, called); !path.isEmpty()) return {path};
    if (called.size() == 1) return {called.front()->path};
    Found none;
    none.missing = called.empty();
    none.several = !called.empty();
    return none;
}

/// An entry with the hash, or what is to be read to find it; neither: none has it.
struct Match {
    QString path;
    std::optional<FileToHash> next = std::nullopt;
};

Match matchOf(const Entries& entries, FileToHash::Of part, const Wanted& wanted, const FileHashes& hashes) {
    for (const ModelEntry* entry : entries) {
        const FileToHash file{entry->path, part};
        const auto known = hashes.find(file);
        if (known == hashes.end()) return {{}, file};
        if (isHash(known->second, wanted.hash)) return {entry->path};
    }
    return {};
}

/// Leaves so many as can be read in seconds. @returns the next whose size is to be known for that
std::optional<FileToHash> keepReadable(Entries& entries, const FileHashes& hashes) {
    qint64 bytes = 0;
    Entries kept;
    for (const ModelEntry* entry : entries) {
        const FileToHash file{entry->path, FileToHash::Of::Size};
        const auto known = hashes.find(file);
        if (known == hashes.end()) return file;
        const qint64 own = QString::fromStdString(known->second).toLongLong();
        if (bytes + own > kMostReadBytes) continue;
        bytes += own;
        kept.push_back(entry);
    }
    entries = std::move(kept);
    return std::nullopt;
}

/// A file that has another name by now: of add-ons any, of models, which are large, one of which the hash is
/// known; it is read again where it has changed since.
Match byHashAlone(const Wanted& wanted, const ModelShelf& models, const FileHashes& hashes) {
    Entries all;
    for (const ModelEntry& entry : models.entries())
        if (entry.isModel() && wanted.kind == entry.kind && !entry.facts.gone && !entry.sha256.isEmpty() &&
            isHash(entry.sha256.toStdString(), wanted.hash))
            all.push_back(&entry);
    if (wanted.kind == ModelEntry::Kind::Model) return matchOf(all, FileToHash::Of::Whole, wanted, hashes);
    for (const ModelEntry& entry : models.entries())
        if (entry.kind == ModelEntry::Kind::Lora && wanted.kind == entry.kind) all.push_back(&entry);
    for (const FileToHash::Of part : hashedParts(wanted)) {
        if (part != FileToHash::Of::Header) // which is read at once
            if (const auto next = keepReadable(all, hashes)) return {{}, next};
        if (Match match = matchOf(all, part, wanted, hashes); match.next || !match.path.isEmpty())
            return match;
    }
    return {};
}

} // namespace

Found findWanted(const Wanted& wanted, const ModelShelf& models, const FileHashes& hashes) {
    const Entries called = entriesCalled(wanted, models);
    if (called.empty())
        if (const QString moment = momentCalled(wanted, models); !moment.isEmpty()) return {moment};
    if (!isComparable(wanted)) return byName(wanted, called);
    for (const FileToHash::Of part : hashedParts(wanted)) {
        const Match match = matchOf(called, part, wanted, hashes);
        if (match.next) return {likelyOne(wanted, called), match.next};
        if (!match.path.isEmpty()) return {match.path};
    }
    const Match other = byHashAlone(wanted, models, hashes);
    if (other.next || !other.path.isEmpty()) return {other.path, other.next};
    // Without an add-on there is a picture; a model has to be chosen.
    const bool needed = wanted.kind == ModelEntry::Kind::Model;
    return {needed ? likelyOne(wanted, called) : QString(), std::nullopt, true, !called.empty()};
}

} // namespace homebooth::app
