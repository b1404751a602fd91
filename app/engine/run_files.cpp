// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/run_files.h"

#include "app/engine/moments.h"
#include "app/engine/photo_folder.h"
#include "app/engine/places.h"
#include "app/engine/run_centre.h"
#include "core/base/run/checkpoints_elsewhere.h"
#include "core/base/run/journal.h"
#include "core/base/run/moved_run.h"
#include "core/base/run/run_folder.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace homebooth::app {
namespace {

constexpr const char* kPhotos = "/photos";

/// What is learned from lasts as long as the run.
core::Result<void> keepModel(const core::RunFolder& run, core::TrainConfig& config) {
    HOMEBOOTH_ASSIGN(const std::string kept, keptModel(config.model, QString::fromStdString(run.path())));
    if (kept == config.model) return {};
    config.model = kept;
    return run.setConfig(config);
}

} // namespace

core::Result<QString> makeRun(const RunOrder& order, const QString& runsFolder, WorkCount* count) {
    const QString folder = freeFolder(runsFolder, safeFileName(order.title));
    core::TrainConfig config = order.config;
    config.output.runDir = folder.toStdString();
    const QString photos = folder + QLatin1String(kPhotos);
    const bool captions = config.mode == core::TrainMode::Dataset;
    if (!order.subjects.empty())
        (captions ? config.data.datasetDir : config.data.instanceDir) = photos.toStdString();
    HOMEBOOTH_ASSIGN(const core::RunFolder run, core::RunFolder::create(folder.toStdString(), config));
    core::RunRecord notes;
    notes.title = order.title.toStdString();
    for (const core::Subject& subject : order.subjects) notes.subjects.push_back(subject.id);
    (void)run.addFacts(core::runNotes(notes)); // without them the index is rebuilt with the folder's name
    auto filled = keepModel(run, config);
    if (filled && !order.subjects.empty()) filled = preparePhotos(order.subjects, photos, captions, count);
    if (filled && !order.plan.decisions.empty()) {
        const auto journal = core::JournalWriter::open(run.journalFile());
        if (journal) (*journal)->emit(order.plan);
        if (!journal) filled = journal.error();
    }
    if (filled) return folder;
    QDir(folder).removeRecursively();
    return filled.error();
}

QString trashRun(const QString& folder) {
    QStringList paths{folder};
    if (const auto moments = core::ownCheckpointsElsewhere(folder.toStdString()))
        paths.prepend(QString::fromStdString(*moments)); // nobody would know of them without the run
    for (const QString& path : paths)
        if (!QFile::moveToTrash(path) && QFileInfo::exists(path)) return path;
    return {};
}

bool worksOn(const QString& folder) {
    const auto owner = core::RunLock::owner((folder + QStringLiteral("/lock")).toStdString());
    return owner && owner->alive;
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
    if (options.steps > 0) config.steps = options.steps;
    if (options.lessMemory) config = withLessMemory(config, seen);
    if (options.halfRate) {
        config.optimizer.learningRate /= 2.0;
        config.optimizer.textEncoderLearningRate /= 2.0;
    }
    if (options.skipBroken) config.data.skipBrokenImages = true;
    HOMEBOOTH_CHECK(run.setConfig(config));
    return config;
}

} // namespace homebooth::app
