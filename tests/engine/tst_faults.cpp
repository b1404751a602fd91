// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole runs in which every allocation of a tensor or of an object, every mapping of pages, and every read
// and write of the swap fails once, one after another. The run goes on to the bytes of an undisturbed one, or
// it ends with a reason and a checkpoint that is whole, from which it goes on to these bytes. Nothing hangs
// and nothing is left behind. HOMEBOOTH_FAULTS: calls of each kind to fail, spread over the run; `all` (takes
// days), or `places`: of memory, the first call from each place in the program, whatever runs beside it.
// Otherwise six, and two of runs that are placed by the test.
// HOMEBOOTH_FAULTS_STEPS: of a run; 3 where it is not given.
#include "core/base/model/model_open.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/engine/planning/rehearsal.h"
#include "tests/base/support/faulty_swap_device.h"

#include "failing_once.h"
#include "placed_plans.h"
#include "training_support.h"

#include <sys/mman.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>

namespace homebooth::core::testing {
namespace {

FailOnce& mappings() {
    static FailOnce one;
    return one;
}

FailOnce& objects() {
    static FailOnce one;
    return one;
}

} // namespace
} // namespace homebooth::core::testing

// The linker puts these in front of the system's for what the engine maps and makes (not for the system's own
// libraries and LibTorch, whose promises of not throwing are not ours to test).
extern "C" void* __real_mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset);
extern "C" void* __wrap_mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
    if (!homebooth::core::testing::mappings().strikes())
        return __real_mmap(address, bytes, protection, flags, file, offset);
    errno = ENOMEM;
    return MAP_FAILED;
}
extern "C" void* __real__Znwm(size_t bytes); // operator new(size_t)
extern "C" void* __wrap__Znwm(size_t bytes) {
    if (homebooth::core::testing::objects().strikes()) throw std::bad_alloc();
    return __real__Znwm(bytes);
}

namespace homebooth::core::testing {
namespace {

struct Setting {
    const char* name;
    std::function<void(TrainConfig&)> change;
    bool allOnDisk = false; ///< RAM has no room for parameters, averages and gradients that rest
    Placing place = {};     ///< of its steps; empty: as they are planned
};

/// What is made to fail.
struct Fault {
    const char* name;
    FailOnce* (*point)() = nullptr; ///< allocations, objects or mappings
    SwapFault swap = {};            ///< otherwise
    SwapLacks lacks = {};
    bool visible = true; ///< whether some runs end of it
};

Fault tensors() {
    return {"tensors", [] { return &FailingAllocator::installed().any; }};
}

Fault pages() {
    return {"pages", [] { return &mappings(); }};
}

Fault news() {
    return {"objects", [] { return &objects(); }};
}

struct Case {
    Setting setting;
    Fault fault;
};

std::ostream& operator<<(std::ostream& stream, const Case& one) {
    return stream << one.setting.name << ", " << one.fault.name;
}

/// What a process holds, and a run gives back.
struct Held {
    int64_t deviceBytes = tierUse(Tier::Device).currentBytes;
    int64_t ramBytes = tierUse(Tier::Ram).currentBytes;
    int64_t files = entriesOf("/proc/self/fd");
    int64_t threads = entriesOf("/proc/self/task");
    friend bool operator==(const Held&, const Held&) = default;

    static int64_t entriesOf(const char* folder) { return std::distance(fs::directory_iterator(folder), {}); }
};

std::ostream& operator<<(std::ostream& stream, const Held& held) {
    return stream << held.deviceBytes << " B on the device, " << held.ramBytes << " B in RAM, " << held.files
                  << " files, " << held.threads << " threads";
}

/// Ends the test program when a run hangs.
class Watchdog {
public:
    explicit Watchdog(std::string what)
        : m_what(std::move(what))
        , m_thread([this] { watch(); }) {}
    ~Watchdog() {
        {
            const std::lock_guard lock(m_mutex);
            m_ended = true;
        }
        m_changed.notify_one();
        m_thread.join();
    }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

private:
    void watch() {
        constexpr auto kLongest = std::chrono::minutes(5); // a run takes a second, ten under a sanitizer
        std::unique_lock lock(m_mutex);
        if (m_changed.wait_for(lock, kLongest, [this] { return m_ended; })) return;
        std::fprintf(stderr, "%s: hangs\n", m_what.c_str());
        std::abort();
    }

    std::string m_what;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_ended = false;
    std::thread m_thread; // last: it uses the others
};

/// Which call fails.
struct Strike {
    int64_t number = 0; ///< 0: none, or by its place
    uint64_t place = 0; ///< where it comes from; 0: by its number
};

struct Attempt {
    OutcomeEvent outcome;
    int64_t calls = 0; ///< that could have failed
    bool struck = false;
    TierMemory onDisk = {};
    std::map<std::string, double> planned = {}; ///< figures of its last plan, by their names
};

/// By its last memory event; nothing before the first step.
TierMemory onDisk(const JobWorld& world) {
    const auto events = world.events.of<MemoryEvent>();
    return events.empty() ? TierMemory{} : events.back().swap;
}

std::map<std::string, double> plannedIn(const JobWorld& world) {
    std::map<std::string, double> found;
    const auto plans = world.events.of<PlanEvent>();
    if (!plans.empty())
        for (const PlanDecision& decision : plans.back().decisions)
            found.insert(decision.facts.begin(), decision.facts.end());
    return found;
}

/// @param ramBytes  that steps are planned with; 0: what is free
/// @param places    of calls: heard of where none fails; null: they do not matter
Attempt attempt(const TrainConfig& config, const Fault& fault, const Strike& strike, int64_t ramBytes,
                CallPlaces* places) {
    const Watchdog watchdog(config.output.runDir);
    SwapFault swap = fault.swap;
    swap.first = static_cast<int>(strike.number) - 1;
    if (strike.number == 0) swap.error = 0;
    FaultySwapDevice device(swap, fault.lacks);
    JobWorld world;
    world.options.swapDevice = &device;
    world.options.ramTierBytes = ramBytes;
    const RunFolder run = makeRun(config);
    if (fault.point == nullptr) {
        const OutcomeEvent outcome = runJob(config, run, world);
        return {outcome, device.calls(fault.swap.call), device.struck(), onDisk(world), plannedIn(world)};
    }
    FailOnce& point = *fault.point();
    point.restartCount();
    point.usePlaces(places, strike.number == 0 && strike.place == 0);
    if (strike.place != 0)
        point.armAt(strike.place);
    else
        point.arm(strike.number);
    const OutcomeEvent outcome = runJob(config, run, world);
    const bool struck = point.struck();
    point.arm(0);
    point.usePlaces(nullptr, false);
    return {outcome, point.counted(), struck, onDisk(world), plannedIn(world)};
}

/// RAM in which steps have room when all goes to a disk, and none when parameters stay, bytes.
int64_t ramForAllOnDisk(const TrainConfig& config) {
    const auto model = openModel(config.model);
    if (!model) throw std::runtime_error(model.error().text());
    const auto needed = [&](bool parametersOut) {
        StepPlacement placement{.streaming = StreamingOptions{}};
        placement.allStatesOnDisk = true;
        placement.streaming->homeOnDisk = parametersOut;
        const auto need = rehearseStep(config, *model, placement);
        if (!need) throw std::runtime_error(need.error().text());
        return need->ramPeakBytes;
    };
    return (needed(true) + needed(false)) / 2;
}

/// @param quick  where nobody says how many
std::string wantedFaults(const char* quick) {
    const char* wanted = std::getenv("HOMEBOOTH_FAULTS");
    return wanted == nullptr ? quick : wanted;
}

/// Where calls of a kind come from, if that is how they are chosen. LibTorch's own frames lie between ours
/// and its allocator.
std::unique_ptr<CallPlaces> placesOf(const Fault& fault) {
    constexpr int kFrames = 6;
    constexpr int kFramesOfTensors = 24;
    if (wantedFaults("") != "places" || fault.point == nullptr) return nullptr;
    return std::make_unique<CallPlaces>(fault.point == tensors().point ? kFramesOfTensors : kFrames);
}

/// Those that are made to fail, one run each.
std::vector<Strike> strikesOf(int64_t calls, const CallPlaces* places, const char* quick) {
    std::vector<Strike> strikes;
    if (places != nullptr) {
        for (const uint64_t place : places->all()) strikes.push_back({.place = place});
        return strikes;
    }
    const std::string wanted = wantedFaults(quick);
    const bool all = wanted == "all" || wanted == "places";
    const int64_t stride = all ? 1 : std::max<int64_t>(calls / std::stoll(wanted), 1);
    for (int64_t number = 1; number <= calls; number += stride) strikes.push_back({.number = number});
    return strikes;
}

void tellProgress(std::ptrdiff_t done, size_t all) {
    constexpr std::ptrdiff_t kOften = 100;
    if (done > 0 && done % kOften == 0) std::fprintf(stderr, "%td of %zu runs\n", done, all);
}

int64_t wantedSteps() {
    const char* wanted = std::getenv("HOMEBOOTH_FAULTS_STEPS");
    return wanted == nullptr ? 3 : std::atoll(wanted);
}

class Faults : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { FailingAllocator::installed(); }
    void SetUp() override { placing() = GetParam().setting.place; }
    void TearDown() override { placing() = {}; }

    static TrainConfig configIn(const std::string& root, const std::string& run) {
        TrainConfig config = tinyDreamBooth(root);
        config.steps = wantedSteps();
        config.output.checkpointEverySteps = 1;
        config.output.keepCheckpoints = 5;
        GetParam().setting.change(config);
        if (!config.memory.swapDir.empty()) {
            config.memory.swapDir = root + "/swap";
            fs::create_directories(config.memory.swapDir);
        }
        return inFolder(config, root + "/" + run);
    }

    /// A run that could not go on says why, and its newest checkpoint is good.
    static void expectReason(const TrainConfig& config, const Attempt& disturbed) {
        const OutcomeEvent& outcome = disturbed.outcome;
        EXPECT_TRUE(disturbed.struck);
        EXPECT_EQ(outcome.result, "failed");
        const bool memory = GetParam().fault.point != nullptr;
        EXPECT_TRUE(outcome.code == 4 || (!memory && outcome.code == 3))
            << outcome.code << ": " << outcome.message;
        EXPECT_NE(outcome.message.find(memory ? "memory" : "swap"), std::string::npos) << outcome.message;
        const auto checkpoints = listCheckpoints(config.output.runDir + "/checkpoints");
        if (checkpoints.empty()) return;
        const auto verified = verifyCheckpoint(checkpoints.front().path);
        EXPECT_TRUE(verified.ok()) << verified.error().text();
    }

    /// A thread that was joined leaves the kernel's list a moment later.
    static Held whenThreadsHaveLeft(int64_t threads) {
        constexpr auto kLongest = std::chrono::seconds(10);
        const auto end = std::chrono::steady_clock::now() + kLongest;
        Held held;
        while (held.threads > threads && std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            held = Held();
        }
        return held;
    }

    /// That a setting is what it says.
    static void expectPlaced(const Attempt& run) {
        if (GetParam().setting.place) expectHomes(run.planned, homesBy(GetParam().setting.place));
        if (!GetParam().setting.allOnDisk) return;
        EXPECT_GT(run.onDisk.parameterBytes, 0);
        EXPECT_GT(run.onDisk.stateBytes, 0);
        EXPECT_GT(run.onDisk.gradientBytes, 0); // and with them averages
    }

    static void expectHomes(const std::map<std::string, double>& planned, const StepPlacement& homes) {
        const auto figure = [&](const char* name) { return planned.contains(name) ? planned.at(name) : 0.0; };
        const double visiting = figure("visitingBlocks");
        EXPECT_EQ(visiting > 0.0, homes.streaming->updatesOnDevice);
        EXPECT_EQ(visiting < figure("streamedBlocks"), !homes.updatedAtHome.empty());
        EXPECT_EQ(figure("valueBytes") > 0.0, homes.valuesInRam);
    }

    static void expectEqualResults(const TrainConfig& config, const TrainConfig& straight) {
        expectEqualFolders(checkpointOf(config, config.steps), checkpointOf(straight, config.steps));
        expectEqualFolders(config.output.runDir + "/result", straight.output.runDir + "/result");
    }

    static void expectNothingLeft(const TrainConfig& config, Held before) {
        const Held now = whenThreadsHaveLeft(before.threads);
        before.threads = std::min(before.threads, now.threads); // it may count one that was leaving
        EXPECT_EQ(now, before);
        if (config.memory.swapDir.empty()) return;
        EXPECT_TRUE(fs::is_empty(config.memory.swapDir));
    }
};

TEST_P(Faults, areSurvivedOrToldAndLeaveNothing) {
    const Fault& fault = GetParam().fault;
    const std::string root =
        scratchFolder(std::string("faults-") + GetParam().setting.name + "-" + fault.name);
    const TrainConfig straight = configIn(root, "straight");
    const int64_t ramBytes = GetParam().setting.allOnDisk ? ramForAllOnDisk(straight) : 0;
    const std::unique_ptr<CallPlaces> places = placesOf(fault);
    const Attempt undisturbed = attempt(straight, fault, {}, ramBytes, places.get());
    ASSERT_EQ(undisturbed.outcome.result, "done") << undisturbed.outcome.message;
    expectPlaced(undisturbed);
    ASSERT_GT(undisturbed.calls, 1);
    const Held held;
    const char* quick = GetParam().setting.place ? "2" : "6";
    const std::vector<Strike> strikes = strikesOf(undisturbed.calls, places.get(), quick);
    int64_t ended = 0;
    int64_t struck = 0;
    for (const Strike& strike : strikes) {
        tellProgress(&strike - strikes.data(), strikes.size());
        SCOPED_TRACE("call " + std::to_string(strike.number) + " of " + std::to_string(undisturbed.calls) +
                     ", place " + std::to_string(strike.place));
        const TrainConfig config = configIn(root, "disturbed");
        fs::remove_all(fs::path(config.output.runDir).parent_path());
        const Attempt disturbed = attempt(config, fault, strike, ramBytes, places.get());
        expectNothingLeft(config, held);
        struck += disturbed.struck ? 1 : 0;
        if (disturbed.outcome.result != "done") {
            ++ended;
            expectReason(config, disturbed);
            JobWorld again;
            again.options.ramTierBytes = ramBytes;
            ASSERT_EQ(runAgain(config, again).result, "done");
        }
        expectEqualResults(config, straight);
        if (HasFailure()) return;
    }
    std::printf("%lld calls, of %zu runs %lld ended\n", static_cast<long long>(undisturbed.calls),
                strikes.size(), static_cast<long long>(ended));
    EXPECT_GT(struck, 0);
    EXPECT_EQ(ended > 0, fault.visible);
}

Setting resident() {
    return {"resident", [](TrainConfig& config) {
                config.memory.policy = PlacementPolicy::Gpu;
                config.optimizer.maxGradientNorm = 1.0;
                config.optimizer.accumulationSteps = 2;
            }};
}

Setting streamed() {
    return {"streamed", [](TrainConfig& config) {
                config.memory.policy = PlacementPolicy::Cpu;
                config.precision = Precision::Bf16;
                config.optimizer.kind = OptimizerKind::AdamW8bit;
            }};
}

Setting swapped() {
    return {"swapped", [](TrainConfig& config) {
                streamed().change(config);
                config.memory.swapDir = "wanted";
            }};
}

/// Masters and Adafactor's states on a disk, averages beside them.
Setting mastered() {
    return {"mastered", [](TrainConfig& config) {
                config.memory.policy = PlacementPolicy::Cpu;
                config.memory.swapDir = "wanted";
                config.precision = Precision::Bf16;
                config.optimizer.kind = OptimizerKind::Adafactor;
                config.optimizer.master = MasterWeights::Fp32;
                config.optimizer.maxGradientNorm = 1.0;
                config.optimizer.emaDecay = 0.9;
            }};
}

/// Parameters, states, averages and gradients that rest on a disk. Host memory stands for a device apart, so
/// that RAM alone is short.
Setting allSwapped() {
    return {"allSwapped",
            [](TrainConfig& config) {
                swapped().change(config);
                config.memory.device = ComputeDevice::Cpu;
                config.memory.deviceBytes = int64_t{1} << 30;
                config.optimizer.maxGradientNorm = 1.0;
                config.optimizer.emaDecay = 0.9;
            },
            /*allOnDisk=*/true};
}

Setting lora() {
    return {"lora", [](TrainConfig& config) {
                config.memory.policy = PlacementPolicy::Cpu;
                config.precision = Precision::Fp16;
                config.method = TrainMethod::Lora;
                config.trainTextEncoder = true;
                config.optimizer.emaDecay = 0.9;
            }};
}

/// The states of streamed blocks come to the device for their update, as beside a GPU where that is faster.
Setting visiting() {
    return {"visiting", streamed().change, false,
            [](StepPlacement& homes) { homes.streaming->updatesOnDevice = true; }};
}

/// The same but for every second block, which is updated at home.
Setting sharing() {
    return {"sharing", streamed().change, false, [](StepPlacement& homes) {
                constexpr size_t kMoreThanThereAre = 64;
                homes.streaming->updatesOnDevice = true;
                std::vector<bool>& blocks = homes.updatedAtHome.emplace_back(kMoreThanThereAre, false);
                for (size_t block = 1; block < kMoreThanThereAre; block += 2) blocks[block] = true;
            }};
}

/// Values wait in RAM.
Setting shelved() {
    return {"shelved", streamed().change, false, [](StepPlacement& homes) { homes.valuesInRam = true; }};
}

std::vector<Case> everyCase() {
    constexpr SwapLacks kNoRing{.ring = true};
    constexpr SwapLacks kPageCache{.ring = true, .direct = true};
    return {{resident(), tensors()},
            {streamed(), tensors()},
            {streamed(), pages()},
            {streamed(), news()},
            {swapped(), tensors()},
            {swapped(), pages()},
            {lora(), tensors()},
            {visiting(), tensors()},
            {sharing(), tensors()},
            {shelved(), tensors()},
            {mastered(), tensors()},
            {mastered(), {"completion", nullptr, {SwapCall::Complete, EIO}}},
            {allSwapped(), tensors()},
            {allSwapped(), news()},
            {allSwapped(), {"completion", nullptr, {SwapCall::Complete, EIO}}},
            {allSwapped(), {"read", nullptr, {SwapCall::ReadAt, EIO}, kNoRing}},
            {allSwapped(), {"write", nullptr, {SwapCall::WriteAt, ENOSPC}, kNoRing}},
            {swapped(), {"submission", nullptr, {SwapCall::Submit, EIO}}},
            {swapped(), {"completion", nullptr, {SwapCall::Complete, EIO}}},
            {swapped(), {"fullDisk", nullptr, {SwapCall::Complete, ENOSPC}}},
            {swapped(), {"shortTransfer", nullptr, {SwapCall::Complete, kRagged}, {}, false}},
            {swapped(), {"read", nullptr, {SwapCall::ReadAt, EIO}, kNoRing}},
            {swapped(), {"write", nullptr, {SwapCall::WriteAt, EIO}, kNoRing}},
            {swapped(), {"sync", nullptr, {SwapCall::Sync, EIO}, kPageCache}}};
}

INSTANTIATE_TEST_SUITE_P(of, Faults, ::testing::ValuesIn(everyCase()), [](const auto& one) {
    return std::string(one.param.setting.name) + "_" + one.param.fault.name;
});

} // namespace
} // namespace homebooth::core::testing
