// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Decodes pictures on a thread of its own, in the order in which they were begun, while the caller does
// something else. Borrows the source, which nobody else may use meanwhile. One caller; the thread ends with
// this object, after the picture that it is at.
#pragma once

#include "core/base/formats/packed_files.h"
#include "core/base/util/picture.h"
#include "core/engine/data/data_set.h"
#include "core/engine/jobs/picture_source.h"

#include <condition_variable>
#include <deque>
#include <future>
#include <list>
#include <mutex>
#include <string>
#include <thread>

namespace homebooth::core {

class PicturesAhead {
public:
    explicit PicturesAhead(PictureSource& source)
        : m_source(source) {}
    ~PicturesAhead();
    PicturesAhead(const PicturesAhead&) = delete;
    PicturesAhead& operator=(const PicturesAhead&) = delete;

    /// Puts a picture behind those that were begun before.
    void begin(const TrainingSample& sample);
    /// The picture, waited for if it was begun, else decoded now.
    /// Errors: as PictureSource::load; BadInput when its contents are others than the sample's. Throws what
    ///         decoding throws
    [[nodiscard]] Result<Picture> take(const TrainingSample& sample);
    /// Gives up a picture that may have been begun.
    void drop(const TrainingSample& sample);

private:
    using Task = std::packaged_task<Result<Picture>()>;
    struct Begun {
        std::string path;
        PictureSize size;
        std::future<Result<Picture>> picture;
    };
    [[nodiscard]] std::list<Begun>::iterator find(const TrainingSample& sample);
    [[nodiscard]] Result<Picture> load(const TrainingSample& sample);
    void start();
    void work();

    PictureSource& m_source;
    PackedFiles m_files; // the thread's, once there is one
    std::list<Begun> m_begun;
    std::mutex m_mutex; // of the next two
    std::deque<Task> m_tasks;
    bool m_ending = false;
    std::condition_variable m_changed;
    std::thread m_thread; // from the first picture that is begun
};

} // namespace homebooth::core
