// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/step_tuner.h"

#include "core/base/util/log.h"
#include "core/engine/memory/memory_relief.h"
#include "core/engine/planning/gradient_room.h"
#include "core/engine/planning/memory_room.h"
#include "core/engine/planning/placement_planner.h"
#include "core/engine/planning/rank_exchange.h"

#include <algorithm>

namespace homebooth::core {
namespace {

/// Of what a plan needed whose memory ran out.
constexpr double kLess = 0.9;

/// With more memory it would be another plan.
bool couldUseMore(const TrainConfig& config, const StepPlan& plan) {
    if (!plan.placement.streaming) return plan.recomputed + plan.partlyKept > 0;
    return plan.recomputed > 0 || config.memory.policy == PlacementPolicy::Auto;
}

/// Where gradients rest until a step's end, the second step was seen to be slow, too (SD 1.5, clipped); why
/// is not known. It is not measured then.
StepTuner::Options watching(StepTuner::Options options, const StepPlan& plan) {
    if (plan.need.gradientBytes == 0 || options.rule.warmUpSteps <= options.rule.fillingSteps) return options;
    ++options.rule.fillingSteps;
    ++options.rule.warmUpSteps;
    return options;
}

Recompute leaner(Recompute recompute) {
    return recompute == Recompute::Never ? Recompute::CheapParts : Recompute::Always;
}

} // namespace

StepTuner::StepTuner(const TrainConfig& config, const ModelSource& model, Learner& learner, StepPlan plan,
                     const MachineSpeed& speed, BudgetNow budget, Options options)
    : m_config(config)
    , m_model(model)
    , m_learner(learner)
    , m_plan(std::move(plan))
    , m_speed(speed)
    , m_budget(std::move(budget))
    , m_options(watching(options, m_plan))
    , m_rule(m_options.rule)
    , m_takeBack(m_options.restSeconds)
    , m_now(m_plan.placement)
    , m_times(learner.partCount())
    , m_turns(m_plan.need.blocks.size()) {
    follow();
}

/// Watches that the present plan holds. Where all stays on the device RAM may lack from the start, by the
/// limit that somebody set: what is watched then is that it does not become less.
void StepTuner::follow() {
    const RamWatch ram = ramOf(m_budget());
    const bool less = !m_plan.placement.streaming && ram.bytes && *ram.bytes < ram.neededBytes;
    m_rule.planned(m_plan.stepSeconds, m_plan.need.devicePeakBytes, m_plan.budgetBytes,
                   couldUseMore(m_config, m_plan), less ? *ram.bytes : ram.neededBytes);
}

/// Of streamed steps what they need, with the device's where both lie in one memory. Where all stays on
/// the device it is what the process holds itself, with program, texts and pictures: the last of these
/// can be given up, and where nothing can, people hear of it.
StepTuner::RamWatch StepTuner::ramOf(const StepBudget& now) const {
    const int64_t ofSteps = m_plan.need.ramPeakBytes;
    const auto bytes = now.ramBeside(m_plan.need.devicePeakBytes);
    if (m_plan.placement.streaming)
        return {ofSteps + (now.oneMemory ? m_plan.need.devicePeakBytes : 0), bytes};
    if (!bytes) return {};
    return {ofSteps + now.ramProgramBytes, *bytes + now.ramProgramBytes};
}

StepTuner::~StepTuner() {
    stopClocks();
}

void StepTuner::stopClocks() {
    for (size_t part = 0; part < m_learner.partCount(); ++part) component(part).executor().setTimes(nullptr);
}

void StepTuner::stepBegins() {
    const bool measuredBefore = m_measuring;
    m_measuring = m_rule.measures();
    if (!m_measuring) return;
    if (!measuredBefore) { // what was measured long ago no longer counts
        m_turns.assign(m_plan.need.blocks.size(), {});
        m_besideSeconds = 0.0;
        m_linkTraffic = {};
        m_waitedSeconds = 0.0;
        m_measuredSteps = 0;
    } else if (!m_options.fixed) {
        useLeanerWays();
    }
    measure();
}

void StepTuner::measure() {
    for (size_t part = 0; part < m_learner.partCount(); ++part) {
        m_times[part] = {};
        component(part).executor().setTimes(&m_times[part]);
    }
    m_trafficBefore = traffic();
    m_tailBefore = m_learner.visitTailSeconds();
    m_waitedBefore = waitedForRanks();
    m_reliefsBefore = reliefs();
}

/// A step in which every block keeps less than planned, so that both ways are known: what it costs in time is
/// made good by a better plan. Where everything is kept there is nothing to find out.
void StepTuner::useLeanerWays() {
    if (!couldUseMore(m_config, m_plan)) return;
    StepPlacement other = m_plan.placement;
    other.gradientRoom.clear(); // was granted beside what the present ways hold
    for (std::vector<Recompute>& ofPart : other.recompute)
        for (Recompute& recompute : ofPart) recompute = leaner(recompute);
    const auto need = rehearseStep(m_config, m_model, other);
    if (!need || need->devicePeakBytes > m_plan.need.devicePeakBytes) return;
    if (other.streaming) other.gradientRoom = gradientRoomWithin(*need, m_plan.need.devicePeakBytes);
    use(other);
}

LinkTraffic StepTuner::traffic() const {
    LinkTraffic sum;
    for (size_t part = 0; part < m_learner.partCount(); ++part) {
        const LinkTraffic one = component(part).store().streamTraffic();
        sum.bytes += one.bytes;
        sum.busySeconds += one.busySeconds;
    }
    return sum;
}

double StepTuner::waitedForRanks() const {
    return m_options.ranks->collective().traffic().waitedSeconds;
}

void StepTuner::addTurns(size_t part, const BlockTimes& times) {
    const std::vector<Recompute>& ways = m_now.recompute.at(part);
    size_t node = 0;
    for (size_t index = 0; index < m_plan.need.blocks.size(); ++index) {
        const RehearsedBlock& block = m_plan.need.blocks[index];
        if (block.part != part) continue;
        const auto place = static_cast<size_t>(block.block);
        const Recompute way = place < ways.size() ? ways[place] : Recompute::Always;
        Sum& sum = m_turns[index][static_cast<size_t>(keptBy(way))];
        const TurnSeconds& turn = times.nodes.at(node++);
        sum.seconds.forward += turn.forward;
        sum.seconds.backward += turn.backward;
        sum.seconds.handOver += turn.handOver;
        sum.passes += times.passes;
    }
}

void StepTuner::absorb(double seconds) {
    double inside = 0.0;
    for (size_t part = 0; part < m_learner.partCount(); ++part) {
        const BlockTimes& times = m_times[part];
        for (const TurnSeconds& turn : times.nodes) inside += turn.forward + turn.backward + turn.handOver;
        // Streamed steps are simulated with what they wait for; others wait for other ranks' parameters
        // alone.
        if (m_now.streaming) inside += times.waitingSeconds;
        addTurns(part, times);
    }
    const LinkTraffic now = traffic();
    m_linkTraffic.bytes += now.bytes - m_trafficBefore.bytes;
    m_linkTraffic.busySeconds += now.busySeconds - m_trafficBefore.busySeconds;
    inside += m_learner.visitTailSeconds() - m_tailBefore; // is simulated, too
    m_besideSeconds += std::max(0.0, seconds - inside);
    m_waitedSeconds += waitedForRanks() - m_waitedBefore;
    ++m_measuredSteps;
    m_measuredPlaces.clear();
    for (const RehearsedBlock& block : m_plan.need.blocks) m_measuredPlaces.push_back(updatePlaceOf(block));
}

MeasuredStep StepTuner::measured() const {
    MeasuredStep found;
    if (m_measuredSteps == 0) return found;
    found.blocks.resize(m_turns.size());
    found.places = m_measuredPlaces;
    for (size_t block = 0; block < m_turns.size(); ++block)
        for (size_t way = 0; way < kWaysToKeep; ++way) {
            const Sum& sum = m_turns[block][way];
            if (sum.passes == 0) continue;
            const auto passes = static_cast<double>(sum.passes);
            found.blocks[block][way] = TurnSeconds{
                sum.seconds.forward / passes, sum.seconds.backward / passes, sum.seconds.handOver / passes};
        }
    found.besideSeconds = m_besideSeconds / m_measuredSteps;
    const bool visits = std::any_of(m_measuredPlaces.begin(), m_measuredPlaces.end(),
                                    [](const UpdatePlace& place) { return place.visits; });
    if (m_linkTraffic.busySeconds > 0.0 && !visits) // whose copies share the way with these
        found.linkBytesPerSecond = static_cast<double>(m_linkTraffic.bytes) / m_linkTraffic.busySeconds;
    return found;
}

StepBudget StepTuner::budget() const {
    StepBudget now = m_budget();
    const int64_t spared = m_capBytes > 0 ? std::max<int64_t>(now.deviceBytes - m_capBytes, 0) : 0;
    now.deviceBytes -= spared;
    if (now.partOfRam && now.ramBytes) *now.ramBytes += spared; // RAM has what the device shall not take
    return now;
}

Result<StepPlan> StepTuner::planned() const {
    Result<StepPlan> plan =
        m_options.fixed
            ? timedAgain(m_config, m_model, m_speed, measured(), m_plan, m_options.fixedDeviceBytes)
            : planAgain(m_config, m_model, budget(), m_speed, measured(), m_plan);
    if (plan) addRanks(*plan);
    return plan;
}

/// What measured steps waited for other ranks is in what their turns took; else it is simulated.
void StepTuner::addRanks(StepPlan& plan) const {
    plan.exchange.reset();
    const auto& link = m_options.ranks->link();
    if (!link) return;
    const NamedLink named{kMeasuredAsRanksMet, *link};
    if (!plan.measured) return addExchange(named, m_config, m_speed, plan);
    plan.exchange = exchangeOf(named, stepOfRanks(*link, m_config, m_speed, plan));
    plan.exchange->waitedSeconds = m_waitedSeconds / m_measuredSteps;
}

/// Whether there is the memory that the present plan needs. @param besideBytes  and that much more RAM
bool StepTuner::hasRoom(int64_t besideBytes) const {
    const StepBudget now = besideHeld(budget(), besideBytes);
    const RamWatch ram = ramOf(now);
    return now.deviceBytes >= m_plan.need.devicePeakBytes &&
           (!ram.bytes || ram.neededBytes == 0 || *ram.bytes >= ram.neededBytes);
}

/// A plan that has all on a GPU takes no less of RAM than any other one.
bool StepTuner::mayPlanForLess(ReplanReason reason) const {
    const bool partOfRam = m_budget().partOfRam && m_config.memory.policy == PlacementPolicy::Auto;
    return reason != ReplanReason::LessRam || m_plan.placement.streaming || partOfRam;
}

/// Where RAM is what other programs have taken, less is held beside the steps until the present plan has
/// room: to read a few pictures again takes less of a step than any plan with less memory.
/// @returns  whether it has
bool StepTuner::makesRoom(ReplanReason reason) {
    const bool ofRam =
        reason == ReplanReason::LessRam || (reason == ReplanReason::LessMemory && m_budget().inRam);
    if (!ofRam || !m_options.holdFewer) return false;
    bool enough = false;
    bool fewer = false;
    while (!enough && m_options.holdFewer()) {
        fewer = true;
        enough = hasRoom();
    }
    if (!fewer) return enough;
    m_takeBack.gaveUp();
    releaseIdleMemory(at::kCPU);
    follow();
    return enough;
}

/// Where RAM has come back, a part of what was given up is held again. Some of it may be gone soon:
/// there has to be more room than that part takes.
/// @returns  whether it is
bool StepTuner::takesBack(double seconds) {
    const int64_t bytes = m_options.givenUpBytes ? m_options.givenUpBytes() : 0;
    if (bytes == 0 || !m_options.holdMore) return false;
    if (!m_takeBack.stepEnded(seconds, hasRoom(bytes + bytes / 4))) return false;
    m_options.holdMore();
    follow();
    return true;
}

ReplanReason StepTuner::stepEnded(double seconds) {
    if (m_measuring) stopClocks();
    if (m_measuring && reliefs() == m_reliefsBefore) absorb(seconds); // else blocks did other than planned
    use(m_plan.placement);                                            // after a step with leaner ways
    StepBudget now = budget();
    const ReplanReason reason = m_rule.stepEnded(seconds, now.deviceBytes, ramOf(now).bytes);
    if (reason == ReplanReason::None)
        return takesBack(seconds) ? ReplanReason::MoreMemory : ReplanReason::None;
    if (makesRoom(reason)) return reason;
    now = budget(); // less may be held
    const RamWatch ram = ramOf(now);
    Result<StepPlan> plan = mayPlanForLess(reason) ? planned() : Error{ErrorCode::OutOfResources, "", {}};
    const bool gone = reason == ReplanReason::LessMemory || reason == ReplanReason::LessRam;
    if (plan && adopt(std::move(*plan))) {
        if (gone) releaseIdleMemory(m_learner.part(0).component->device());
        return reason;
    }
    if (reason == ReplanReason::LessMemory)
        m_shortage = MemoryShortage{false, m_plan.need.devicePeakBytes, now.deviceBytes};
    if (reason == ReplanReason::LessRam)
        m_shortage = MemoryShortage{true, ram.neededBytes, ram.bytes.value_or(0)};
    m_rule.stays(reason, now.deviceBytes, ram.bytes); // and shall not come back to it at every step
    return ReplanReason::None;
}

bool StepTuner::lower() {
    if (m_measuring) stopClocks(); // what is begun anew took the time of two
    m_measuring = false;
    if (m_options.fixed) return false;
    const auto less = static_cast<int64_t>(kLess * static_cast<double>(m_plan.need.devicePeakBytes));
    m_capBytes = m_capBytes > 0 ? std::min(m_capBytes, less) : less;
    const int64_t before = m_plan.need.devicePeakBytes;
    Result<StepPlan> plan = planned();
    if (!plan && m_plan.partlyKept + m_plan.wholeGraphs > 0) plan = leanest();
    const bool another = plan && adopt(std::move(*plan));
    // What goes on has to fit, or it would be told that other programs have taken the rest.
    m_capBytes = std::max(m_capBytes, budgetFor(m_plan.need.devicePeakBytes));
    return another && m_plan.need.devicePeakBytes < before;
}

/// The homes that there are, with nothing kept but inputs, made for what it takes.
Result<StepPlan> StepTuner::leanest() const {
    HOMEBOOTH_ASSIGN(StepPlan plan,
                     planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, m_plan.placement));
    plan.budgetBytes = budgetFor(plan.need.devicePeakBytes);
    addRanks(plan);
    return plan;
}

int64_t StepTuner::reliefs() const {
    int64_t sum = m_learner.refusedCopies();
    for (size_t part = 0; part < m_learner.partCount(); ++part) sum += component(part).executor().reliefs();
    return sum;
}

void StepTuner::use(const StepPlacement& placement) {
    if (placement == m_now) return;
    m_learner.place(placement);
    m_now = placement;
}

/// @returns  whether there was memory to go over to it; if not, the present plan goes on
bool StepTuner::adopt(StepPlan plan) {
    try {
        use(plan.placement);
    } catch (const std::exception& error) {
        if (!memoryRanOut()) throw;
        log(LogLevel::Warning, std::string("another plan found no memory to move to: ") + error.what());
        m_learner.place(m_plan.placement);
        m_now = m_plan.placement;
        return false;
    }
    m_plan = std::move(plan);
    follow();
    return true;
}

} // namespace homebooth::core
