// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/pictures/generation_keeper.h"

#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/generator.h"
#include "app/library/library_service.h"
#include "app/library/picture_album.h"
#include "core/base/config/sample_config_json.h"
#include "core/library/queue_store.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <optional>
#include <utility>

namespace homebooth::app {
namespace {

constexpr const char* kPictures = "pictures";
constexpr const char* kCompared = "compared"; // wrapped, with what belongs together and what was made

/// With all its pictures, since a configuration asks for one at least.
std::string wrapped(GenerationJob job) {
    job.config.seed -= static_cast<uint64_t>(job.made.size());
    job.config.count += job.made.size();
    const QByteArray config = QByteArray::fromStdString(core::toJson(job.config));
    const QJsonObject object{
        {QStringLiteral("config"), QString::fromUtf8(config)},
        {QStringLiteral("request"), QString::number(qlonglong(job.request))}, // has more digits than a double
        {QStringLiteral("made"), QJsonArray::fromStringList(job.made)}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

std::optional<GenerationJob> jobOf(const core::QueuedRequest& kept) {
    GenerationJob job;
    job.id = kept.id;
    std::string config = kept.request;
    if (kept.kind == kCompared) {
        const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(kept.request)).object();
        job.request = object.value(QLatin1String("request")).toString().toLongLong();
        for (const QJsonValue& path : object.value(QLatin1String("made")).toArray())
            job.made.append(isGone(path.toString()) ? QString() : path.toString());
        config = object.value(QLatin1String("config")).toString().toStdString();
    } else if (kept.kind != kPictures) {
        return std::nullopt;
    }
    if (!core::readJson(config, job.config)) return std::nullopt;
    job.config.seed += static_cast<uint64_t>(job.made.size());
    job.config.count -= job.made.size();
    return job;
}

/// Looks for files. A folder that is gone is not made anew: the library may have been moved since, or the
/// place be that of a drive which is away. @param today  where its pictures go then; empty: there
std::vector<GenerationJob> keptJobs(const std::vector<core::QueuedRequest>& queue, const QString& today) {
    std::vector<GenerationJob> jobs;
    for (const core::QueuedRequest& one : queue) {
        std::optional<GenerationJob> job = jobOf(one);
        if (!job) continue;
        std::string& folder = job->config.outputDir;
        if (!today.isEmpty() && !QFileInfo::exists(QString::fromStdString(folder)))
            folder = today.toStdString();
        jobs.push_back(std::move(*job));
    }
    return jobs;
}

} // namespace

GenerationKeeper::GenerationKeeper(LibraryService& library, Generator& generator, const ModelShelf& models,
                                   QObject* parent, std::function<QString()> today)
    : QObject(parent)
    , m_library(library)
    , m_generator(generator)
    , m_models(models)
    , m_today(std::move(today)) {
    connect(&library, &LibraryService::opened, this, &GenerationKeeper::load);
    connect(&generator, &Generator::jobsChanged, this, &GenerationKeeper::save);
    connect(&generator, &Generator::made, this, &GenerationKeeper::save);
    load(); // for a library that is open already
}

void GenerationKeeper::load() {
    const auto take = [this](const std::vector<GenerationJob>& kept) {
        if (std::exchange(m_loaded, true)) return;
        std::vector<GenerationJob> jobs;
        std::vector<GenerationJob> done;
        for (const GenerationJob& job : kept)
            if (job.config.count > 0)
                jobs.push_back(job);
            else if (!job.made.join(QString()).isEmpty()) // else all that it made is gone
                done.push_back(job);
        m_generator.restore(jobs, done);
    };
    m_library.ask<std::vector<core::QueuedRequest>>(
        this, core::loadQueue, [this, take](const std::vector<core::QueuedRequest>& queue) {
            const QString today = m_today ? m_today() : QString();
            inBackground(
                this, [queue, today] { return keptJobs(queue, today); }, take, &lookPool());
        });
}

void GenerationKeeper::save() {
    if (!m_loaded) return;
    std::vector<core::QueuedRequest> queue;
    const auto keep = [this, &queue](const GenerationJob& job) {
        if (!job.config.predictionType.empty()) return; // whoever asked is gone with the window
        const bool compared = m_generator.together(job.request).size() > 1;
        if (job.config.count <= 0 && !compared) return;
        core::QueuedRequest one;
        one.id = job.id;
        one.kind = compared ? kCompared : kPictures;
        one.title = m_models.nameOf(QString::fromStdString(job.config.model)).toStdString();
        one.request = compared ? wrapped(job) : core::toJson(job.config);
        one.createdMs = core::nowMs();
        queue.push_back(std::move(one));
    };
    for (const GenerationJob& job : m_generator.companions()) keep(job);
    for (const GenerationJob& job : m_generator.jobs()) keep(m_generator.restOf(job));
    m_library.write([queue](core::Library& library) { return core::saveQueue(library, queue); });
}

} // namespace homebooth::app
