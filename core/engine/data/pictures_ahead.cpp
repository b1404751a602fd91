// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/pictures_ahead.h"

#include "core/base/util/log.h"

#include <algorithm>
#include <system_error>

namespace homebooth::core {

PicturesAhead::~PicturesAhead() {
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

void PicturesAhead::work() {
    for (;;) {
        Task task;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_ending || !m_tasks.empty(); });
            if (m_ending) return;
            task = std::move(m_tasks.front());
            m_tasks.pop_front();
        }
        task();
    }
}

Result<Picture> PicturesAhead::load(const TrainingSample& sample) {
    auto picture = m_source.load(sample.path, sample.size);
    if (!picture) return picture;
    // Latents are kept under its contents' hash, and the run's data are known by it, perhaps for hours.
    HOMEBOOTH_ASSIGN(const std::string hash, m_files.sha256(sample.path));
    if (hash != sample.contentHash)
        return badInput("reading a picture: its contents have changed since the run began; put them back",
                        sample.path);
    return picture;
}

void PicturesAhead::begin(const TrainingSample& sample) {
    Task task([this, sample] { return load(sample); });
    std::list<Begun> begun; // joins the others when all that may throw is done
    begun.push_back({sample.path, sample.size, task.get_future()});
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    m_begun.splice(m_begun.end(), begun);
    m_changed.notify_all();
    if (!m_thread.joinable()) start();
}

/// Without a thread, which a system may refuse, pictures are decoded when they are taken.
void PicturesAhead::start() {
    try {
        m_thread = std::thread([this] { work(); });
    } catch (const std::system_error& error) {
        log(LogLevel::Warning, std::string("pictures are not decoded ahead: ") + error.what());
        m_begun.clear();
        m_tasks.clear();
    }
}

std::list<PicturesAhead::Begun>::iterator PicturesAhead::find(const TrainingSample& sample) {
    return std::find_if(m_begun.begin(), m_begun.end(), [&](const Begun& begun) {
        return begun.path == sample.path && begun.size == sample.size;
    });
}

Result<Picture> PicturesAhead::take(const TrainingSample& sample) {
    if (!m_thread.joinable()) return load(sample);
    auto begun = find(sample);
    if (begun == m_begun.end()) {
        begin(sample); // the source serves one thread at a time
        if (!m_thread.joinable()) return load(sample);
        begun = std::prev(m_begun.end());
    }
    std::future<Result<Picture>> picture = std::move(begun->picture);
    m_begun.erase(begun);
    return picture.get();
}

void PicturesAhead::drop(const TrainingSample& sample) {
    if (const auto begun = find(sample); begun != m_begun.end()) m_begun.erase(begun);
}

} // namespace homebooth::core
