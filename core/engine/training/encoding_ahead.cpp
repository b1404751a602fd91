// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/encoding_ahead.h"

#include "core/base/util/log.h"
#include "core/engine/learning/training_failure.h"
#include "core/engine/memory/memory_relief.h"

#include <chrono>
#include <numeric>

namespace homebooth::core {
namespace {

// Of decoded pictures that wait for their step. Few, for they lie between what steps allocate meanwhile.
constexpr int64_t kMostBegunBytes = int64_t{16} << 20;
constexpr size_t kMostStepsAhead = 4;

int64_t bytesOf(PictureSize size) {
    return 3 * size.widthPixels * size.heightPixels;
}

} // namespace

EncodingAhead::~EncodingAhead() {
    try {
        flush();
    } catch (const std::exception& error) {
        log(LogLevel::Warning, std::string("latents are not kept for the next run: ") + error.what());
    }
}

void EncodingAhead::flush() {
    for (SampleGroup* group : m_groups)
        if (group->latents) group->latents->flush();
}

PicturesAhead& EncodingAhead::pictures() {
    if (!m_pictures) m_pictures.emplace(m_job.pictures);
    return *m_pictures;
}

void EncodingAhead::see(int64_t step) {
    const Upcoming next = m_foresight(step);
    int64_t bytes = 0;
    for (size_t place = 0; place < next.samples.size(); ++place) {
        if (!m_job.computes(place)) continue;
        const int64_t sample = next.samples[place];
        const auto index = static_cast<size_t>(sample);
        if (!next.group->latents->mustEncode(index)) continue;
        if (m_broken.contains({next.group, sample}) || !m_begun.insert({next.group, sample}).second) continue;
        pictures().begin(next.group->samples[index]);
        bytes += bytesOf(next.group->samples[index].size);
    }
    m_begunBytes.push_back(bytes);
}

void EncodingAhead::lookAhead(int64_t step) {
    if (m_seenStep == 0) m_seenStep = step - 1;
    while (!m_begunBytes.empty() && m_seenStep - std::ssize(m_begunBytes) + 1 < step)
        m_begunBytes.pop_front();
    const auto room = [this] {
        return m_begunBytes.size() < kMostStepsAhead &&
               std::accumulate(m_begunBytes.begin(), m_begunBytes.end(), int64_t{0}) < kMostBegunBytes;
    };
    while (m_seenStep < m_job.config.steps && (m_seenStep <= step || room())) see(++m_seenStep);
}

bool EncodingAhead::add(SampleGroup& group, int64_t sample) {
    if (m_broken.contains({&group, sample})) return false;
    const auto index = static_cast<size_t>(sample);
    BrokenPictures broken;
    const bool added = required(group.latents->add(
        index, group.samples[index], [this] { return m_model.vaeEncoder(); }, pictures(), broken));
    m_begun.erase({&group, sample});
    if (added) return true;
    m_broken.insert({&group, sample});
    const auto settled = broken.settle(m_job.config.data.skipBrokenImages, m_job.events);
    if (!settled) throw TrainingFailure(settled.error());
    return false;
}

int64_t EncodingAhead::usable(SampleGroup& group, int64_t sample) {
    const int64_t count = std::ssize(group.samples);
    const int64_t bucket = group.samples[static_cast<size_t>(sample)].bucket;
    for (int64_t i = 0; i < count; ++i) {
        const int64_t other = (sample + i) % count;
        if (group.samples[static_cast<size_t>(other)].bucket == bucket && add(group, other)) return other;
    }
    throw TrainingFailure(
        badInput("reading pictures: none of this one's size can be used; add some that open",
                 group.samples[static_cast<size_t>(sample)].path));
}

/// Once more where memory ran out, without what nobody uses.
int64_t EncodingAhead::encoded(SampleGroup& group, int64_t sample) {
    try {
        return usable(group, sample);
    } catch (const std::exception&) {
        if (!memoryRanOut()) throw;
    }
    releaseIdleMemory(m_job.options.device);
    return usable(group, sample);
}

LoadSeconds EncodingAhead::prepare(SampleGroup& group, std::vector<int64_t>& samples) {
    using Clock = std::chrono::steady_clock;
    const TierScope notTheSteps(Tier::Ram);
    const auto begin = Clock::now();
    for (SampleGroup* one : m_groups)
        if (one->latents) one->latents->forgetPassing(); // those of the step before
    const double encodedBefore = group.latents->encodedSeconds();
    for (size_t place = 0; place < samples.size(); ++place)
        if (m_job.computes(place)) samples[place] = encoded(group, samples[place]);
    LoadSeconds took;
    took.encoded = group.latents->encodedSeconds() - encodedBefore;
    took.waited = std::chrono::duration<double>(Clock::now() - begin).count() - took.encoded;
    return took;
}

void EncodingAhead::finish() {
    m_pictures.reset();
    flush();
    m_model.releaseEncoder();
}

} // namespace homebooth::core
