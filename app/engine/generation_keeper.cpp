// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/generation_keeper.h"

#include "app/engine/generator.h"
#include "app/engine/model_shelf.h"
#include "app/library/library_service.h"
#include "core/base/config/sample_config_json.h"
#include "core/library/queue_store.h"

namespace homebooth::app {
namespace {

constexpr const char* kPictures = "pictures";

/// What is left of a job: pictures that were made are not made again.
core::SampleConfig rest(const Generator& generator, size_t place) {
    core::SampleConfig config = generator.jobs()[place].config;
    const int done = place == 0 && generator.busy() ? generator.picturesDone() : 0;
    config.seed += static_cast<uint64_t>(done);
    config.count -= done;
    return config;
}

} // namespace

GenerationKeeper::GenerationKeeper(LibraryService& library, Generator& generator, const ModelShelf& models,
                                   QObject* parent)
    : QObject(parent)
    , m_library(library)
    , m_generator(generator)
    , m_models(models) {
    connect(&library, &LibraryService::opened, this, &GenerationKeeper::load);
    connect(&generator, &Generator::jobsChanged, this, &GenerationKeeper::save);
    connect(&generator, &Generator::made, this, &GenerationKeeper::save);
    load(); // for a library that is open already
}

void GenerationKeeper::load() {
    m_library.ask<std::vector<core::QueuedRequest>>(
        this, [](core::Library& library) { return core::loadQueue(library); },
        [this](const std::vector<core::QueuedRequest>& queue) {
            if (std::exchange(m_loaded, true)) return;
            std::vector<GenerationJob> jobs;
            for (const core::QueuedRequest& one : queue) {
                core::SampleConfig config;
                if (one.kind == kPictures && core::readJson(one.request, config))
                    jobs.push_back({one.id, config});
            }
            m_generator.restore(jobs);
        });
}

void GenerationKeeper::save() {
    if (!m_loaded) return;
    std::vector<core::QueuedRequest> queue;
    for (size_t place = 0; place < m_generator.jobs().size(); ++place) {
        const core::SampleConfig config = rest(m_generator, place);
        if (config.count <= 0) continue;
        core::QueuedRequest one;
        one.id = m_generator.jobs()[place].id;
        one.kind = kPictures;
        one.title = m_models.nameOf(QString::fromStdString(config.model)).toStdString();
        one.request = core::toJson(config);
        one.createdMs = core::nowMs();
        queue.push_back(std::move(one));
    }
    m_library.write([queue](core::Library& library) { return core::saveQueue(library, queue); });
}

} // namespace homebooth::app
