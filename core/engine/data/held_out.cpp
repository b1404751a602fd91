// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/held_out.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace homebooth::core {
namespace {

constexpr size_t kMostLookedAt = 64; // a validation takes about as long as a few steps

} // namespace

std::vector<TrainingSample> takeHeldOut(std::vector<TrainingSample>& samples, double share) {
    if (share <= 0.0 || samples.size() < 2) return {};
    const auto wanted =
        std::max<size_t>(1, static_cast<size_t>(std::lround(share * static_cast<double>(samples.size()))));
    std::vector<std::string> hashes;
    for (const TrainingSample& sample : samples) hashes.push_back(sample.contentHash);
    std::sort(hashes.begin(), hashes.end());
    const std::string& last = hashes[wanted - 1];
    if (last == hashes.back()) return {}; // nothing would be left to train on
    const auto kept =
        std::stable_partition(samples.begin(), samples.end(),
                              [&](const TrainingSample& sample) { return sample.contentHash > last; });
    std::vector<TrainingSample> heldOut(std::make_move_iterator(kept),
                                        std::make_move_iterator(samples.end()));
    samples.erase(kept, samples.end());
    return heldOut;
}

void warnIfNoneHeldOut(double share, size_t heldOut, size_t left, EventSink& events) {
    if (share <= 0.0 || heldOut > 0 || left == 0) return; // without any left the run ends, and says so
    events.emit(WarningEvent{
        "nothing-held-out",
        "expected to hold some pictures out for a validation curve, found " + std::to_string(left) +
            (left == 1 ? " picture" : " pictures, too many of them equal") +
            ", and at least one must be left to train on; add others, or leave --validation-share out"});
}

std::vector<size_t> heldOutToLookAt(const std::vector<TrainingSample>& heldOut) {
    const size_t count = std::min(heldOut.size(), kMostLookedAt);
    std::vector<size_t> chosen;
    for (size_t i = 0; i < count; ++i) chosen.push_back(i * heldOut.size() / count);
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](size_t a, size_t b) { return heldOut[a].bucket < heldOut[b].bucket; });
    return chosen;
}

} // namespace homebooth::core
