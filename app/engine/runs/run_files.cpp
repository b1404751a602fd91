// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/run_files.h"

#include "app/engine/pictures/photo_folder.h"
#include "app/engine/places.h"
#include "app/engine/runs/moments.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/training_recipe.h"
#include "app/library/background.h"
#include "app/library/work_count.h"
#include "core/base/config/train_config_json.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/made_folders.h"
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/middle_of_run.h"
#include "core/base/run/moved_run.h"
#include "core/base/run/run_folder.h"
#include "core/base/run/run_identity.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace homebooth::app {
namespace {

constexpr const char* kPhotos = "/photos";

/// What is learned from lasts as long as the run.
/// @param run  in the making, @param folder  where it will be
core::Result<void> keepModel(const QString& run, const QString& folder, core::TrainConfig& config,
                             const WorkCount* count) {
    const auto goesOn = [count] {
        tellWriting();
        return count == nullptr || !count->stopped;
    };
    HOMEBOOTH_ASSIGN(const std::string kept, keptModel(config.model, run, goesOn));
    if (kept != config.model) config.model = folder.toStdString() + kept.substr(run.toStdString().size());
    return {};
}

/// All that a run begins with. @param path  of its folder in the making, @param folder  where that will be
core::Result<void> fillRun(const RunOrder& order, const QString& path, const QString& folder,
                           WorkCount* count) {
    core::TrainConfig config = order.config;
    config.output.runDir = folder.toStdString();
    const QString photos = QLatin1String(kPhotos);
    const bool captions = config.mode == core::TrainMode::Dataset;
    if (!order.subjects.empty())
        (captions ? config.data.datasetDir : config.data.instanceDir) = (folder + photos).toStdString();
    HOMEBOOTH_ASSIGN(const core::RunFolder run, core::RunFolder::create(path.toStdString(), config));
    core::RunRecord notes;
    notes.title = order.title.toStdString();
    for (const core::Subject& subject : order.subjects) notes.subjects.push_back(subject.id);
    (void)run.addFacts(core::runNotes(notes)); // without them the index is rebuilt with the folder's name
    HOMEBOOTH_CHECK(keepModel(path, folder, config, count));
    HOMEBOOTH_CHECK(run.setConfig(config)); // with its place, not the one where it is made
    if (!order.subjects.empty())
        HOMEBOOTH_CHECK(preparePhotos(order.subjects, path + photos, captions, count));
    if (order.plan.decisions.empty()) return {};
    HOMEBOOTH_ASSIGN(const auto journal, core::JournalWriter::open(run.journalFile()));
    journal->emit(order.plan);
    return {};
}

/// Folders with saved moments of a run's own that lie elsewhere.
std::vector<std::string> ownMomentsOf(const std::string& run) {
    std::vector<std::string> moments = core::ownCheckpointsBefore(run);
    if (auto elsewhere = core::ownCheckpointsElsewhere(run)) moments.push_back(std::move(*elsewhere));
    return moments;
}

/// Whether one of these runs stands on moments of another one.
bool isNeededBy(const QStringList& runs, const QString& run) {
    const std::vector<std::string> moments = ownMomentsOf(run.toStdString());
    if (moments.empty()) return false; // nearly always: the others' folders are not read
    const auto isSame = [](const std::string& one, const std::string& other) {
        std::error_code ignored;
        return one == other || std::filesystem::equivalent(one, other, ignored);
    };
    return std::any_of(runs.begin(), runs.end(), [&](const QString& other) {
        const std::vector<std::string> linked =
            other == run ? std::vector<std::string>() : core::linkedFolders(other.toStdString());
        return std::find_first_of(linked.begin(), linked.end(), moments.begin(), moments.end(), isSame) !=
               linked.end();
    });
}

/// Runs whose saved moments this process moves.
struct Moves {
    std::mutex mutex;
    QStringList folders;
};

Moves& moves() {
    static Moves all;
    return all;
}

/// Has a run count among those; known before its lock is taken and until it is free again.
class Moving {
public:
    explicit Moving(QString folder)
        : m_folder(std::move(folder)) {
        const std::lock_guard lock(moves().mutex);
        moves().folders.append(m_folder);
    }
    ~Moving() {
        const std::lock_guard lock(moves().mutex);
        moves().folders.removeOne(m_folder);
    }
    Moving(const Moving&) = delete;
    Moving& operator=(const Moving&) = delete;

private:
    const QString m_folder;
};

/// As what goes on with a run begins, in another folder. A disk that takes no word takes no lock either.
core::Result<void> saveElsewhere(const core::RunFolder& run, const QString& folder, const std::string& to) {
    const Moving moving(folder);
    const auto lock = core::RunLock::acquire(run.lockFile());
    if (!lock && lock.error().code != core::ErrorCode::OutOfResources) return lock.error();
    HOMEBOOTH_CHECK(core::returnToCheckpointsBefore(run));
    HOMEBOOTH_CHECK(core::expectSavedThere(run));
    const auto moved = core::moveCheckpoints(run, to);
    return moved ? core::Result<void>() : moved.error();
}

/// Goes on to so many steps. An add-on that keeps all its moments keeps those that are added, too, one at the
/// step between others that the run went on from included.
void goOnTo(int64_t steps, core::TrainConfig& config) {
    core::OutputConfig& output = config.output;
    const int64_t every = output.checkpointEverySteps;
    if (config.method == core::TrainMethod::Lora && output.keepCheckpoints >= timesIn(config.steps, every))
        output.keepCheckpoints += timesIn(std::max<int64_t>(0, steps - config.steps), every) + 1;
    config.steps = steps;
}

/// Removes a run that nobody knows of yet.
void takeBack(const QString& folder) {
    QFile::remove(folder + QStringLiteral("/run.json")); // first: what a cut leaves is no run
    QDir(folder).removeRecursively();
}

} // namespace

core::Result<QString> makeRun(const RunOrder& order, const QString& runsFolder, WorkCount* count) {
    HOMEBOOTH_CHECK(core::MadeFolders::make(runsFolder.toStdString()));
    (void)core::removePartials(runsFolder.toStdString()); // of earlier starts that were cut
    const QString folder = freeFolder(runsFolder, safeFileName(order.title));
    // Whole or not at all: a run with some of its photos alone would be trained on those without a word.
    HOMEBOOTH_ASSIGN(core::AtomicFolder made, core::AtomicFolder::create(folder.toStdString()));
    HOMEBOOTH_CHECK(fillRun(order, QString::fromStdString(made.partialPath()), folder, count));
    HOMEBOOTH_CHECK(made.commit());
    if (count != nullptr && count->stopped) { // while it got its name
        takeBack(folder);
        return core::badInput("making a training: it was stopped");
    }
    return folder;
}

TrashedRun trashRun(const QString& folder, const std::vector<std::string>& known) {
    QStringList paths{folder};
    const std::string run = folder.toStdString();
    const std::string identity = core::identityOf(run);
    const std::vector<std::string> linked = core::linkedFolders(run);
    const std::vector<std::string> moments = ownMomentsOf(run);
    // What a copy stands on stays this run's: whoever takes it out of the trash again finds it.
    for (const std::string& one : moments) {
        const std::vector<std::string> others = core::othersThatNeed(one, run, known);
        for (const std::string& other : others) core::noteStanding(other); // for when it is taken out
        if (others.empty())
            paths.prepend(QString::fromStdString(one)); // nobody would know of them without the run
    }
    const QStringList made = madeOfMoments(folder); // the cache is nothing that people look through
    TrashedRun trashed;
    trashed.folder = folder;
    for (const QString& path : paths) {
        QString place;
        if (QFile::moveToTrash(path, &place))
            trashed.moved.emplace_back(path, place);
        else if (QFileInfo::exists(path)) {
            (void)bringBackRun(trashed); // it cannot be gone on with without its moments
            return {path, {}};
        }
    }
    for (const QString& path : made) QDir(path).removeRecursively();
    for (const std::string& one : linked) {
        core::forgetStanding(one, run, identity);
        if (core::lacksItsRun(one)) trashed.stays.append(QString::fromStdString(one));
    }
    trashed.stays.removeDuplicates();
    return trashed;
}

std::pair<QString, TrashedRun> trashNext(const QStringList& folders, const std::vector<std::string>& known) {
    const auto free = std::find_if(folders.cbegin(), folders.cend(),
                                   [&folders](const QString& one) { return !isNeededBy(folders, one); });
    const QString next = free == folders.cend() ? folders.front() : *free;
    if (!worksOn(next)) return {next, trashRun(next, known)};
    TrashedRun stays;
    stays.works = true;
    return {next, stays};
}

std::optional<QString> bringBackRun(const TrashedRun& trashed) {
    const QFileInfo place(trashed.folder);
    const bool taken = place.exists();
    // Of one that was put back in part, the next attempt would find the first paths taken.
    for (const auto& [path, in] : trashed.moved) {
        const QFileInfo inTrash(in);
        const bool inTheWay = path != trashed.folder && QFileInfo::exists(path);
        if (inTheWay || !(inTrash.exists() || inTrash.isSymLink())) return std::nullopt;
    }
    QString folder = trashed.folder;
    for (const auto& [path, in] : trashed.moved) {
        const bool isRun = path == trashed.folder;
        if (isRun && taken) folder = freeFolder(place.path(), place.fileName());
        if (!takeOutOfTrash(in, isRun ? folder : path)) return std::nullopt;
    }
    if (trashed.moved.empty()) return folder;
    if (const auto run = core::RunFolder::open(folder.toStdString()); run && folder != trashed.folder)
        (void)core::followMove(*run); // before a look takes it for a copy of the one that is there
    core::noteStanding(folder.toStdString());
    return folder;
}

bool takeOutOfTrash(const QString& in, const QString& path) {
    const QFileInfo inTrash(in);
    if (!QDir().rename(in, path)) return false;
    QFile::remove(QStringLiteral("%1/../info/%2.trashinfo").arg(inTrash.path(), inTrash.fileName()));
    return true;
}

bool worksOn(const QString& folder) {
    const auto owner = core::RunLock::owner((folder + QStringLiteral("/lock")).toStdString());
    return owner && owner->alive;
}

bool isMoving(const QString& folder) {
    const std::lock_guard lock(moves().mutex);
    return moves().folders.contains(folder);
}

core::Result<QString> followRun(const QString& before, const QString& found) {
    HOMEBOOTH_ASSIGN(const core::RunFolder run, core::RunFolder::open(found.toStdString()));
    const QString place = QString::fromStdString(run.path());
    if (place == before) return place; // put back
    const auto from = core::movedFrom(run.path());
    if (!from || *from != before.toStdString())
        return core::badInput("finding a training's folder: expected the one that began in " +
                                  before.toStdString() + ", found one that began elsewhere",
                              run.path());
    HOMEBOOTH_CHECK(core::followMove(run));
    return place;
}

core::Result<core::TrainConfig> changeConfig(const QString& folder, const ResumeOptions& options,
                                             const core::ResourceUse& seen) {
    HOMEBOOTH_ASSIGN(const core::RunFolder run, core::RunFolder::open(folder.toStdString()));
    HOMEBOOTH_ASSIGN(core::TrainConfig config, run.config());
    if (!options.savesIn.empty()) { // where the disk is full, nothing can be written before
        HOMEBOOTH_CHECK(saveElsewhere(run, folder, options.savesIn));
        return config;
    }
    const std::string before = core::trainConfigHash(config);
    if (options.steps > 0) goOnTo(options.steps, config);
    if (options.lessMemory) config = withLessMemory(config, seen);
    if (options.halfRate) config = atHalfRate(std::move(config));
    if (options.steadyRate) config = atSteadyRate(std::move(config));
    if (options.skipBroken) config.data.skipBrokenImages = true;
    if (options.onProcessor) {
        config.memory.device = core::ComputeDevice::Cpu;
        config.memory.deviceBytes = 0; // else a part of RAM stands for a card
    }
    if (options.inBf16) config.precision = core::Precision::Bf16;
    if (options.unlimited) config.memory.deviceBytes = config.memory.ramBytes = 0;
    if (options.alone) config.parallel = {};
    if (!options.model.empty()) config.model = options.model;
    if (options.swap) {
        config.memory.swapDir = options.swap->folder;
        config.memory.swapBytes = options.swap->bytes;
    }
    HOMEBOOTH_CHECK(run.setConfig(config));
    if (core::trainConfigHash(config) != before) HOMEBOOTH_CHECK(core::noteChosenSettings(run, config));
    return config;
}

} // namespace homebooth::app
