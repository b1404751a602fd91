// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/moments.h"

#include "app/engine/places.h"
#include "app/library/file_copy.h"
#include "core/base/model/saved_moment.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/run_folder.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMap>
#include <QSet>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace homebooth::app {
namespace {

using GoesOn = std::function<bool()>;

constexpr qint64 kDaysInUse = 3; // since it was made or asked for

/// A part of a checkpoint, which a diffusers folder has in a folder of that name, and its file there.
struct Part {
    const char* folder;
    const char* name;
};
constexpr Part kParts[] = {{"unet", "diffusion_pytorch_model.safetensors"},
                           {"text_encoder", "model.safetensors"}};

QString weightsOf(const Part& part, const QString& checkpoint) {
    return QString::fromStdString(core::momentWeights(checkpoint.toStdString(), part.folder));
}

const Part* partOf(const QString& folder, const QString& checkpoint) {
    for (const Part& part : kParts)
        if (folder == QLatin1String(part.folder) && !weightsOf(part, checkpoint).isEmpty()) return &part;
    return nullptr;
}

core::Result<void> link(const QString& from, const QString& to) {
    if (QFile::link(from, to)) return {};
    return core::badInput("preparing a saved moment: the link could not be made; is the disk full?",
                          to.toStdString());
}

/// Another name of a file, or a copy where the disk has no such thing.
core::Result<void> keep(const QString& from, const QString& to, const GoesOn& goesOn) {
    std::error_code error;
    std::filesystem::create_hard_link(from.toStdString(), to.toStdString(), error);
    if (!error || copyLargeFile(from, to, goesOn)) return {};
    return core::badInput("keeping a saved moment: it could not be copied; is the disk full?",
                          to.toStdString());
}

/// A file or a folder with all in it, as files of its own.
core::Result<void> keepAll(const QFileInfo& from, const QString& to, const GoesOn& goesOn) {
    if (!from.isDir()) return keep(from.canonicalFilePath(), to, goesOn);
    if (!QDir().mkpath(to))
        return core::badInput("keeping a saved moment: the folder could not be made", to.toStdString());
    const auto wanted = QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot;
    for (const QFileInfo& entry : QDir(from.canonicalFilePath()).entryInfoList(wanted))
        HOMEBOOTH_CHECK(keepAll(entry, to + '/' + entry.fileName(), goesOn));
    return {};
}

/// Whether a path lies within the folder of a run, which may be deleted or moved.
bool liesInRun(const QString& path) {
    QDir folder(path);
    while (folder.cdUp())
        if (folder.exists(QStringLiteral("run.json"))) return true;
    return false;
}

/// What the links of a folder lead to, by their places in it.
using Links = QMap<QString, QString>;

/// A folder of the model with its weights taken from the checkpoint.
void mix(const QDir& base, const QString& checkpoint, const Part& part, Links& links) {
    const QString folder = QLatin1String(part.folder) + QStringLiteral("/");
    for (const QFileInfo& file : base.entryInfoList(QDir::Files)) {
        const bool weights = file.suffix() == QLatin1String("safetensors") ||
                             file.suffix() == QLatin1String("bin") ||
                             file.fileName().endsWith(QLatin1String(".index.json"));
        if (!weights) links.insert(folder + file.fileName(), file.absoluteFilePath());
    }
    links.insert(folder + QLatin1String(part.name), weightsOf(part, checkpoint));
}

Links wantedLinks(const QDir& base, const QString& checkpoint) {
    Links links;
    for (const QFileInfo& entry : base.entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot)) {
        const Part* part = entry.isDir() ? partOf(entry.fileName(), checkpoint) : nullptr;
        if (part != nullptr)
            mix(QDir(entry.absoluteFilePath()), checkpoint, *part, links);
        else
            links.insert(entry.fileName(), entry.absoluteFilePath());
    }
    return links;
}

/// What lies in a folder. Nothing is asked of the drives that the links lead to.
Links presentLinks(const QString& folder) {
    Links links;
    std::error_code error;
    const std::filesystem::path root(folder.toStdString());
    const std::filesystem::recursive_directory_iterator end;
    for (auto at = std::filesystem::recursive_directory_iterator(root, error); !error && at != end;
         at.increment(error)) {
        const bool leads = at->is_symlink(error);
        if (!leads && at->is_directory(error)) continue;
        const auto to = leads ? std::filesystem::read_symlink(at->path(), error) : std::filesystem::path();
        links.insert(QString::fromStdString(at->path().lexically_relative(root).string()),
                     QString::fromStdString(to.string()));
    }
    return links;
}

core::Result<void> makeLinks(const Links& links, const QString& folder) {
    for (auto at = links.cbegin(); at != links.cend(); ++at) {
        const QString to = folder + '/' + at.key();
        if (!QDir().mkpath(QFileInfo(to).path()))
            return core::badInput("preparing a saved moment: the folder could not be made", to.toStdString());
        HOMEBOOTH_CHECK(link(at.value(), to));
    }
    return {};
}

/// Makes a folder of links beside the one of before, which it takes the place of once it is whole.
core::Result<void> putLinks(const Links& links, const QString& folder) {
    const QString beside = folder + QStringLiteral(".new");
    QDir(beside).removeRecursively(); // of a time that ended too early. Links alone: what they lead to stays
    if (const auto made = makeLinks(links, beside); !made) {
        QDir(beside).removeRecursively();
        return made.error();
    }
    QDir(folder).removeRecursively();
    if (QDir().rename(beside, folder)) return {};
    return core::badInput("preparing a saved moment: the folder could not be made", folder.toStdString());
}

QString madeFolder() {
    return cacheFolder() + QStringLiteral("/moments");
}

/// What was made of a checkpoint.
struct Made {
    QString path;
    qint64 bytes = 0; ///< of files of its own: links take none
    qint64 usedMs = 0;
    bool known = false; ///< whether the checkpoint is still there
};

Made madeIn(const QFileInfo& folder, bool known) {
    Made made{folder.filePath(), 0, folder.lastModified().toMSecsSinceEpoch(), known};
    for (const QFileInfo& file :
         QDir(made.path).entryInfoList(QDir::Files | QDir::Hidden | QDir::NoSymLinks)) {
        made.bytes += file.size();
        made.usedMs = std::max(made.usedMs, file.lastModified().toMSecsSinceEpoch());
    }
    return made;
}

bool learnsLora(const QString& runFolder) {
    const auto run = core::RunFolder::open(runFolder.toStdString());
    const auto config = run ? run->config() : core::Result<core::TrainConfig>(run.error());
    return config && config->method == core::TrainMethod::Lora;
}

} // namespace

std::vector<Moment> momentsOf(const QString& runFolder) {
    std::vector<Moment> moments;
    const bool lora = learnsLora(runFolder);
    for (const core::CheckpointEntry& entry :
         core::listCheckpoints((runFolder + QStringLiteral("/checkpoints")).toStdString())) {
        const QString path = QString::fromStdString(entry.path);
        if (QFileInfo::exists(path + QStringLiteral("/manifest.json")) &&
            QFileInfo::exists(path + QStringLiteral("/unet.safetensors")) && !core::isRolling(entry.path))
            moments.push_back({entry.step, path, lora, core::isFavourite(entry.path)});
    }
    std::reverse(moments.begin(), moments.end());
    return moments;
}

QString momentFolder(const QString& checkpoint) {
    const QByteArray hash =
        QCryptographicHash::hash(checkpoint.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return madeFolder() + '/' + QString::fromLatin1(hash);
}

std::mutex& makingOf(const QString& checkpoint) {
    static std::mutex guard;
    // Never destroyed: what a drive holds that does not answer may have one at the program's end.
    static auto& turns = *new std::map<QString, std::mutex>;
    const std::lock_guard held(guard);
    return turns[checkpoint];
}

QStringList madeOfMoments(const QString& runFolder) {
    QStringList folders;
    for (const core::CheckpointEntry& entry :
         core::listCheckpoints((runFolder + QStringLiteral("/checkpoints")).toStdString()))
        folders.append(momentFolder(QString::fromStdString(entry.path)));
    return folders;
}

void tidyMoments(const QStringList& checkpoints, const QStringList& inUse, qint64 bytes) {
    QSet<QString> names;
    for (const QString& one : checkpoints) names.insert(QFileInfo(momentFolder(one)).fileName());
    std::vector<Made> all;
    qint64 sum = 0;
    for (const QFileInfo& folder : QDir(madeFolder()).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        all.push_back(madeIn(folder, names.contains(folder.fileName())));
        sum += all.back().bytes;
    }
    std::sort(all.begin(), all.end(), [](const Made& a, const Made& b) {
        return std::pair(a.known, a.usedMs) < std::pair(b.known, b.usedMs);
    });
    const auto isInUse = [&inUse](const QString& folder) {
        return std::any_of(inUse.begin(), inUse.end(), [&folder](const QString& path) {
            return path == folder || path.startsWith(folder + '/');
        });
    };
    const qint64 recently = QDateTime::currentDateTime().addDays(-kDaysInUse).toMSecsSinceEpoch();
    for (const Made& one : all) {
        const bool spare = !one.known || (one.bytes > 0 && sum > bytes);
        if (!spare || one.usedMs >= recently || isInUse(one.path)) continue;
        if (QDir(one.path).removeRecursively()) sum -= one.bytes;
    }
}

core::Result<QString> momentModel(const QString& checkpoint, const QString& base) {
    const std::lock_guard turn(makingOf(checkpoint));
    const QDir from(base);
    if (!from.exists(QStringLiteral("model_index.json")))
        return core::badInput(
            "preparing a saved moment: expected the folder of the model that the training began "
            "with, found none; wait until the training has ended, then try again",
            base.toStdString());
    if (!QFileInfo::exists(checkpoint + QStringLiteral("/unet.safetensors")))
        return core::badInput("preparing a saved moment: its files are gone; choose another one",
                              checkpoint.toStdString());
    const QString target = momentFolder(checkpoint);
    const Links links = wantedLinks(from, checkpoint);
    // An engine may be reading it, so what is as it should be stays.
    if (presentLinks(target) != links) HOMEBOOTH_CHECK(putLinks(links, target));
    std::error_code error; // without the time it lasts less long, no more
    std::filesystem::last_write_time(target.toStdString(), std::filesystem::file_time_type::clock::now(),
                                     error);
    return target;
}

core::Result<std::string> keptModel(const std::string& model, const QString& runFolder,
                                    const std::function<bool()>& goesOn) {
    const QString from = QString::fromStdString(model);
    if (!from.startsWith(madeFolder() + '/')) return model;
    const QString to = runFolder + QStringLiteral("/base");
    for (const QString& place : {QString(), QStringLiteral("/unet"), QStringLiteral("/text_encoder")}) {
        const QDir folder(from + place);
        if (!folder.exists() || QFileInfo(folder.path()).isSymLink()) continue; // none of its own
        if (!QDir().mkpath(to + place))
            return core::badInput("keeping a saved moment: the folder could not be made", to.toStdString());
        for (const QFileInfo& entry : folder.entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot)) {
            const QString target = to + place + '/' + entry.fileName();
            if (entry.isDir() && !entry.isSymLink()) continue; // one of the places
            const QString source = entry.canonicalFilePath();
            HOMEBOOTH_CHECK(liesInRun(source) ? keepAll(QFileInfo(source), target, goesOn)
                                              : link(source, target));
        }
    }
    return to.toStdString();
}

} // namespace homebooth::app
