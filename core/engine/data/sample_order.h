// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which samples a micro-step takes: every sample once an epoch, in an order that is a function of the seed
// and the epoch. Samples of one batch have one size (bucket). The cursor says how far each bucket has come,
// so a resumed run goes on in the middle of an epoch. Value type; one thread.
#pragma once

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// How far the order has come. `generation` counts changes of the data set.
struct OrderCursor {
    int64_t drawn = 0; ///< batches taken since the run began
    int64_t generation = 0;
    std::vector<int64_t> positions; ///< samples taken of each bucket since this generation began
    friend bool operator==(const OrderCursor&, const OrderCursor&) = default;
};

class SampleOrder {
public:
    /// @param buckets  for each sample the number of its bucket, 0 ... count of buckets - 1
    SampleOrder(uint64_t seed, const std::vector<int64_t>& buckets);

    /// Indices of the next `count` samples, all of one bucket. A batch may reach over the end of an epoch.
    [[nodiscard]] std::vector<int64_t> next(int64_t count);
    /// The same of a given bucket, e.g. class pictures in the size of the instance pictures.
    [[nodiscard]] std::vector<int64_t> nextOf(int64_t bucket, int64_t count);

    /// Passes through the samples of the present generation so far.
    [[nodiscard]] int64_t epoch() const;

    [[nodiscard]] const OrderCursor& cursor() const { return m_cursor; }
    /// Goes on from a saved cursor. One of another number of buckets or `changed` data begins a new
    /// generation: a fresh epoch over all samples.
    void restore(const OrderCursor& cursor, bool changed);

private:
    [[nodiscard]] int64_t chooseBucket() const;
    [[nodiscard]] int64_t sampleAt(int64_t bucket, int64_t position);

    uint64_t m_seed;
    int64_t m_count = 0;
    std::vector<std::vector<int64_t>> m_members; // of each bucket
    OrderCursor m_cursor;
    struct Permuted {
        int64_t epoch = -1;
        int64_t generation = -1;
        std::vector<int64_t> order;
    };
    std::vector<Permuted> m_permuted; // of each bucket, the epoch used last
};

} // namespace homebooth::core
