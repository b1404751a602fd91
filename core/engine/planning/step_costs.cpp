// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/step_costs.h"

#include "core/base/plan/training/pass_simulation.h"
#include "core/engine/optim/gradient_return.h"

#include <algorithm>

namespace homebooth::core {
namespace {

/// That a copy to or from the device takes beside its bytes. Assumed, for a GPU; never measured.
constexpr double kSecondsPerCopy = 6e-6;

size_t place(KeptForBackward kept) {
    return static_cast<size_t>(kept);
}

double ratio(double wanted, double known) {
    return known > 0.0 ? wanted / known : 1.0;
}

/// What is put together on the device without an arena, as parts that are spread over ranks, comes while the
/// use before it computes, as values do.
void addFetchesOfVisits(const RehearsedStream& stream, const std::vector<bool>& streamed,
                        std::vector<SimulatedUse>& uses) {
    const std::vector<int>& stays = stream.residency.stayOfUse;
    for (size_t use = 1; use < std::min(uses.size(), stays.size()); ++use) {
        const auto block = static_cast<size_t>(stream.order[use]);
        const bool visits = stays[use] < 0 && streamed[block] && stream.order[use - 1] != stream.order[use];
        if (visits) uses[use - 1].fetchedBytes += stream.fetchBytes[block];
    }
}

/// What a streamed block's gradients, and what comes to them, take of the link and of the device.
void addWaysOfUpdate(const RehearsedBlock& block, SimulatedUse& use) {
    use.returnedBytes = block.trainedBytes;
    use.visitFetchedBytes = block.visitFetchedBytes;
    use.visitReturnedBytes = block.visitReturnedBytes;
    use.visitCopiedBytes = block.visitCopiedBytes;
}

bool anyVisits(const std::vector<UpdatePlace>& places) {
    return std::any_of(places.begin(), places.end(), [](const UpdatePlace& one) { return one.visits; });
}

} // namespace

KeptForBackward keptBy(Recompute recompute) {
    if (recompute == Recompute::Never) return KeptForBackward::Everything;
    return recompute == Recompute::CheapParts ? KeptForBackward::Products : KeptForBackward::Inputs;
}

Recompute recomputeFor(KeptForBackward kept) {
    if (kept == KeptForBackward::Everything) return Recompute::Never;
    return kept == KeptForBackward::Products ? Recompute::CheapParts : Recompute::Always;
}

void StepCosts::learn(KeptForBackward kept, const Rehearsal& rehearsal) {
    m_reckoned.resize(rehearsal.blocks.size());
    m_places.resize(rehearsal.blocks.size());
    for (size_t block = 0; block < rehearsal.blocks.size(); ++block) {
        const RehearsedBlock& found = rehearsal.blocks[block];
        m_places[block] = updatePlaceOf(found);
        TurnSeconds& turn = m_reckoned[block][place(kept)].emplace();
        turn.forward = m_speed.seconds(found.forward.work);
        turn.backward = m_speed.seconds(found.backward.work);
        const bool atHome = found.streamed && !found.visits();
        const double rate = atHome ? m_speed.updatedInRamPerSecond : m_speed.updatedElementsPerSecond;
        turn.handOver = static_cast<double>(found.updatedElements) / rate /
                        static_cast<double>(m_microSteps); // the last one alone updates
        turn.handOver += kSecondsPerCopy * static_cast<double>(found.visitTransfers);
    }
}

TurnSeconds StepCosts::scaled(size_t block, KeptForBackward kept, const TurnSeconds& reference,
                              KeptForBackward referenceKept) const {
    const auto& wanted = m_reckoned[block][place(kept)];
    const auto& known = m_reckoned[block][place(referenceKept)];
    if (!wanted || !known) return reference;
    TurnSeconds turn{reference.forward * ratio(wanted->forward, known->forward),
                     reference.backward * ratio(wanted->backward, known->backward), reference.handOver};
    // Who keeps less computes more, whatever the noise of a measurement makes of it.
    constexpr double kLeastMore = 0.01;
    const double whole = reference.forward + reference.backward;
    if (place(kept) > place(referenceKept))
        turn.backward = std::max(turn.backward, (1.0 + kLeastMore) * whole - turn.forward);
    else
        turn.backward = std::min(turn.backward, (1.0 - kLeastMore) * whole - turn.forward);
    return turn;
}

/// For a block that was never measured: as far off as all others together.
TurnSeconds StepCosts::scaledByAll(size_t block, KeptForBackward kept) const {
    double reckoned = 0.0;
    double measured = 0.0;
    for (size_t other = 0; other < std::min(m_reckoned.size(), m_measured->blocks.size()); ++other)
        for (size_t way = 0; way < kWaysToKeep; ++way)
            if (m_measured->blocks[other][way] && m_reckoned[other][way]) {
                measured +=
                    m_measured->blocks[other][way]->forward + m_measured->blocks[other][way]->backward;
                reckoned += m_reckoned[other][way]->forward + m_reckoned[other][way]->backward;
            }
    TurnSeconds turn = m_reckoned.at(block)[place(kept)].value_or(TurnSeconds{});
    turn.forward *= ratio(measured, reckoned);
    turn.backward *= ratio(measured, reckoned);
    return turn;
}

/// What was measured of its hand-over is no longer what it takes.
bool StepCosts::movedSinceMeasured(size_t block) const {
    return m_measured != nullptr && block < m_places.size() && block < m_measured->places.size() &&
           m_places[block] != m_measured->places[block];
}

/// Whether the update goes on beside the turns and what it takes was not measured: where states of any block
/// visit the device a hand-over is waiting for them, which is simulated.
bool StepCosts::reckonsUpdate(size_t block) const {
    if (!m_speed.updatesBeside) return false;
    return m_measured == nullptr || movedSinceMeasured(block) || anyVisits(m_places) ||
           anyVisits(m_measured->places);
}

/// In each direction. While states visit both are in use, and then a bus may carry less in each.
double StepCosts::linkBytesPerSecond() const {
    const double measured = m_measured != nullptr ? m_measured->linkBytesPerSecond : 0.0;
    const double alone = measured > 0.0 ? measured : m_speed.linkBytesPerSecond;
    const double both = m_speed.linkBothWaysBytesPerSecond;
    return both > 0.0 && anyVisits(m_places) ? std::min(alone, both) : alone;
}

TurnSeconds StepCosts::turn(size_t block, KeptForBackward kept) const {
    if (m_measured == nullptr) return m_reckoned.at(block)[place(kept)].value_or(TurnSeconds{});
    TurnSeconds turn = measuredTurn(block, kept);
    // The same cores update what stays and what is streamed, the latter during other turns: of the sum of all
    // turns, which was measured, a move changes nothing.
    if (!reckonsUpdate(block)) return turn;
    for (const auto& way : m_reckoned[block])
        if (way) turn.handOver = way->handOver; // the same for every way
    return turn;
}

std::vector<TurnSeconds> StepCosts::turns(const std::vector<KeptForBackward>& kept) const {
    std::vector<TurnSeconds> turns;
    for (size_t block = 0; block < kept.size(); ++block) turns.push_back(turn(block, kept[block]));
    return turns;
}

TurnSeconds StepCosts::measuredTurn(size_t block, KeptForBackward kept) const {
    if (block >= m_measured->blocks.size()) return scaledByAll(block, kept);
    const auto& ways = m_measured->blocks[block];
    if (ways[place(kept)]) return *ways[place(kept)];
    // What is nearest to it: Products lie between the two others.
    for (const KeptForBackward other :
         {KeptForBackward::Products, KeptForBackward::Inputs, KeptForBackward::Everything})
        if (ways[place(other)]) return scaled(block, kept, *ways[place(other)], other);
    return scaledByAll(block, kept);
}

double StepCosts::streamedSeconds(const Rehearsal& need, const RehearsedStream& stream,
                                  const std::vector<KeptForBackward>& kept) const {
    size_t first = 0;
    while (need.blocks[first].part != stream.part) ++first;
    std::vector<size_t> indexOf(stream.fetchBytes.size(), first); // by block
    std::vector<bool> streamedBlocks(stream.fetchBytes.size(), false);
    size_t nodes = 0;
    for (size_t index = first; index < need.blocks.size() && need.blocks[index].part == stream.part;
         ++index) {
        indexOf[static_cast<size_t>(need.blocks[index].block)] = index;
        streamedBlocks[static_cast<size_t>(need.blocks[index].block)] = need.blocks[index].streamed;
        ++nodes;
    }
    std::vector<SimulatedUse> uses;
    for (const int block : stream.order) {
        const size_t index = indexOf[static_cast<size_t>(block)];
        const TurnSeconds seconds = turn(index, kept[index]);
        const bool forward = uses.size() < nodes;
        const RehearsedTurn& turnTaken = forward ? need.blocks[index].forward : need.blocks[index].backward;
        SimulatedUse use;
        use.computeSeconds = forward ? seconds.forward : seconds.backward;
        use.fetchedBytes = turnTaken.values.fetchedBytes;
        use.leftBytes = turnTaken.values.leftBytes;
        const bool streamed = need.blocks[index].streamed;
        const bool beside = reckonsUpdate(index);
        if (!forward) use.gradientRoomBytes = need.blocks[index].gradientRoomBytes;
        if (!forward && streamed) addWaysOfUpdate(need.blocks[index], use);
        if (!forward) (beside && streamed ? use.updateSeconds : use.computeSeconds) += seconds.handOver;
        uses.push_back(use);
    }
    addFetchesOfVisits(stream, streamedBlocks, uses);
    const SimulatedLink link{linkBytesPerSecond(), 0.0, GradientReturn::landing(updatesBeside()).bytes()};
    return simulatePass(stream.residency, uses, stream.fetchBytes, link, m_fetchesForNextPass).seconds;
}

double StepCosts::stepSeconds(const Rehearsal& need, const std::vector<KeptForBackward>& kept) const {
    double pass = 0.0;
    if (need.streams.empty()) {
        for (size_t block = 0; block < need.blocks.size(); ++block) {
            const TurnSeconds seconds = turn(block, kept[block]);
            pass += seconds.forward + seconds.backward + seconds.handOver;
        }
    }
    for (const RehearsedStream& stream : need.streams) pass += streamedSeconds(need, stream, kept);
    const double beside = m_measured != nullptr ? m_measured->besideSeconds : 0.0;
    return static_cast<double>(m_microSteps) * pass + beside;
}

} // namespace homebooth::core
