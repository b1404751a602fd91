// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/sample_order.h"

#include "core/engine/learning/step_random.h"

#include <algorithm>
#include <c10/util/Exception.h>
#include <numeric>

namespace homebooth::core {

SampleOrder::SampleOrder(uint64_t seed, const std::vector<int64_t>& buckets)
    : m_seed(seed)
    , m_count(static_cast<int64_t>(buckets.size())) {
    TORCH_INTERNAL_ASSERT(!buckets.empty());
    m_members.resize(static_cast<size_t>(*std::max_element(buckets.begin(), buckets.end()) + 1));
    for (size_t sample = 0; sample < buckets.size(); ++sample)
        m_members[static_cast<size_t>(buckets[sample])].push_back(static_cast<int64_t>(sample));
    m_cursor.positions.assign(m_members.size(), 0);
    m_permuted.resize(m_members.size());
}

int64_t SampleOrder::chooseBucket() const {
    if (m_members.size() == 1) return 0;
    // Every bucket comes as often as its share of the samples, whatever the batch size.
    const uint64_t mixed = mixedSeed(m_seed, DrawPurpose::Bucket, static_cast<uint64_t>(m_cursor.drawn));
    auto left = static_cast<int64_t>(mixed % static_cast<uint64_t>(m_count));
    for (size_t bucket = 0; bucket < m_members.size(); ++bucket) {
        left -= static_cast<int64_t>(m_members[bucket].size());
        if (left < 0) return static_cast<int64_t>(bucket);
    }
    return static_cast<int64_t>(m_members.size()) - 1;
}

int64_t SampleOrder::sampleAt(int64_t bucket, int64_t position) {
    const std::vector<int64_t>& members = m_members[static_cast<size_t>(bucket)];
    const auto size = static_cast<int64_t>(members.size());
    Permuted& permuted = m_permuted[static_cast<size_t>(bucket)];
    const int64_t epoch = position / size;
    if (permuted.epoch != epoch || permuted.generation != m_cursor.generation) {
        const uint64_t seed = mixedSeed(m_seed, DrawPurpose::Order, static_cast<uint64_t>(bucket),
                                        static_cast<uint64_t>(m_cursor.generation));
        permuted = {epoch, m_cursor.generation,
                    permutation(size, mixedSeed(seed, DrawPurpose::Order, static_cast<uint64_t>(epoch)))};
    }
    return members[static_cast<size_t>(permuted.order[static_cast<size_t>(position % size)])];
}

std::vector<int64_t> SampleOrder::next(int64_t count) {
    return nextOf(chooseBucket(), count);
}

std::vector<int64_t> SampleOrder::nextOf(int64_t bucket, int64_t count) {
    int64_t& position = m_cursor.positions[static_cast<size_t>(bucket)];
    std::vector<int64_t> samples;
    for (int64_t i = 0; i < count; ++i) samples.push_back(sampleAt(bucket, position++));
    ++m_cursor.drawn;
    return samples;
}

int64_t SampleOrder::epoch() const {
    return std::accumulate(m_cursor.positions.begin(), m_cursor.positions.end(), int64_t{0}) / m_count;
}

void SampleOrder::restore(const OrderCursor& cursor, bool changed) {
    m_cursor = cursor;
    if (!changed && cursor.positions.size() == m_members.size()) return;
    ++m_cursor.generation;
    m_cursor.positions.assign(m_members.size(), 0);
}

} // namespace homebooth::core
