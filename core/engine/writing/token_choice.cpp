// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/writing/token_choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>
#include <vector>

namespace homebooth::core {
namespace {

std::vector<float> penalized(std::span<const float> logits, std::span<const int64_t> before, double penalty) {
    std::vector<float> changed(logits.begin(), logits.end());
    if (penalty == 1.0) return changed;
    const auto by = static_cast<float>(penalty);
    for (const int64_t id : std::unordered_set<int64_t>(before.begin(), before.end())) {
        if (id < 0 || id >= std::ssize(changed)) continue;
        float& logit = changed[static_cast<size_t>(id)];
        logit = logit > 0.0F ? logit / by : logit * by;
    }
    return changed;
}

struct Candidate {
    int64_t id;
    double weight; // the probability times the sum of all
};

/// Tokens from the likeliest one on. A heap, since of a whole vocabulary few are asked for.
class Ranking {
public:
    Ranking(const std::vector<float>& logits, float most, double temperature)
        : m_logits(logits)
        , m_most(most)
        , m_temperature(temperature)
        , m_heap(logits.size()) {
        std::iota(m_heap.begin(), m_heap.end(), size_t{0});
        std::make_heap(m_heap.begin(), m_heap.end(), Less{m_logits});
    }
    [[nodiscard]] bool empty() const { return m_heap.empty(); }
    [[nodiscard]] double weightOf(size_t id) const {
        return std::exp((static_cast<double>(m_logits[id]) - static_cast<double>(m_most)) / m_temperature);
    }
    Candidate next() {
        std::pop_heap(m_heap.begin(), m_heap.end(), Less{m_logits});
        const size_t id = m_heap.back();
        m_heap.pop_back();
        return {static_cast<int64_t>(id), weightOf(id)};
    }

private:
    struct Less {
        const std::vector<float>& logits;
        bool operator()(size_t a, size_t b) const {
            return logits[a] == logits[b] ? a > b : logits[a] < logits[b];
        }
    };

    const std::vector<float>& m_logits;
    float m_most;
    double m_temperature;
    std::vector<size_t> m_heap;
};

/// The smallest set of the likeliest whose share of `all` reaches topP.
std::vector<Candidate> untilShare(double topP, double all, const std::vector<Candidate>& ranked) {
    std::vector<Candidate> kept;
    double share = 0.0;
    for (size_t index = 0; index < ranked.size() && (topP >= 1.0 || share < topP * all); ++index) {
        kept.push_back(ranked[index]);
        share += ranked[index].weight;
    }
    return kept;
}

/// Those that count, the likeliest one first.
std::vector<Candidate> candidates(const std::vector<float>& logits, float most, const TokenChoice& choice) {
    Ranking ranking(logits, most, choice.temperature);
    std::vector<Candidate> found;
    double all = 0.0;
    if (choice.topK > 0 && choice.topK < std::ssize(logits)) {
        while (std::ssize(found) < choice.topK) {
            found.push_back(ranking.next());
            all += found.back().weight;
        }
        return untilShare(choice.topP, all, found);
    }
    for (size_t id = 0; id < logits.size(); ++id) all += ranking.weightOf(id);
    for (double share = 0.0; (choice.topP >= 1.0 || share < choice.topP * all) && !ranking.empty();
         share += found.back().weight)
        found.push_back(ranking.next());
    return found;
}

} // namespace

int64_t chooseToken(std::span<const float> logits, std::span<const int64_t> before, const TokenChoice& choice,
                    double random) {
    for (const float logit : logits)
        if (std::isnan(logit)) return -1;
    const std::vector<float> weighed = penalized(logits, before, choice.repetitionPenalty);
    const auto likeliest = std::max_element(weighed.begin(), weighed.end());
    if (likeliest == weighed.end() || !std::isfinite(*likeliest)) return -1;
    if (choice.temperature == 0.0) return likeliest - weighed.begin();
    const std::vector<Candidate> counting = candidates(weighed, *likeliest, choice);
    double all = 0.0;
    for (const Candidate& one : counting) all += one.weight;
    double share = 0.0;
    for (const Candidate& one : counting) {
        share += one.weight;
        if (random * all < share) return one.id;
    }
    return counting.back().id; // where rounding left a gap at the end
}

} // namespace homebooth::core
