// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Encodes a data set's pictures while it is trained on: each shortly before the step that draws it, while a
// thread decodes those of later steps. Borrows job, model and groups. One thread.
#pragma once

#include "core/engine/data/job_context.h"
#include "core/engine/data/pictures_ahead.h"
#include "core/engine/data/sample_group.h"
#include "core/engine/training/model_bundle.h"

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace homebooth::core {

class EncodingAhead {
public:
    /// What a step will draw.
    struct Upcoming {
        SampleGroup* group = nullptr;
        std::vector<int64_t> samples;
    };
    /// Asked once for each step, the next one first.
    using Foresight = std::function<Upcoming(int64_t step)>;

    EncodingAhead(const JobContext& job, ModelBundle& model, std::vector<SampleGroup*> groups,
                  Foresight foresight)
        : m_job(job)
        , m_model(model)
        , m_groups(std::move(groups))
        , m_foresight(std::move(foresight)) {}
    ~EncodingAhead();
    EncodingAhead(const EncodingAhead&) = delete;
    EncodingAhead& operator=(const EncodingAhead&) = delete;

    /// Begins to decode what this step and later ones will draw. Before the step draws.
    void lookAhead(int64_t step);
    /// Encodes what a step has drawn, of several ranks what this one computes. In the place of a picture that
    /// cannot be used stands the next usable one of its size from then on, if broken pictures may be left
    /// out. Errors: throws TrainingFailure as LatentSet::add and BrokenPictures::settle
    [[nodiscard]] LoadSeconds prepare(SampleGroup& group, std::vector<int64_t>& samples);
    /// Everything is encoded: ends the thread and gives the autoencoder back.
    void finish();

private:
    using GroupSample = std::pair<const SampleGroup*, int64_t>;
    [[nodiscard]] bool add(SampleGroup& group, int64_t sample);
    [[nodiscard]] int64_t usable(SampleGroup& group, int64_t sample);
    [[nodiscard]] int64_t encoded(SampleGroup& group, int64_t sample);
    void see(int64_t step);
    void flush();
    [[nodiscard]] PicturesAhead& pictures();

    const JobContext& m_job;
    ModelBundle& m_model;
    std::vector<SampleGroup*> m_groups;
    Foresight m_foresight;
    std::optional<PicturesAhead> m_pictures;
    int64_t m_seenStep = 0;           // the last one that was looked at; 0: none was
    std::deque<int64_t> m_begunBytes; // of pictures, by step, up to that one
    std::set<GroupSample> m_begun;    // that are not encoded yet
    std::set<GroupSample> m_broken;
};

} // namespace homebooth::core
