// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Latents and encoded captions that find no room in RAM are held fewer; what is learned stays the same.
#include "core/base/model/model_open.h"
#include "core/base/plan/training/train_sizes.h"
#include "core/engine/data/prompt_cache.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/planning/held_room.h"
#include "core/engine/training/model_bundle.h"

#include "training_support.h"

#include <map>

namespace homebooth::core::testing {
namespace {

/// Runs it. @returns  the bytes of pictures that it held at the end
int64_t heldOf(const TrainConfig& config, JobWorld& world) {
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
    return world.events.of<MemoryEvent>().back().ram.cacheBytes;
}

constexpr int64_t kPlenty = int64_t{8} << 30; // bytes
constexpr int64_t kDevice = int64_t{256} << 20;

/// So much in the first way, and a half, a quarter, an eighth and nothing of it in the others.
std::vector<HeldPictures> waysOf(int64_t bytes) {
    std::vector<HeldPictures> ways;
    for (const int64_t part : {bytes, bytes / 2, bytes / 4, bytes / 8, int64_t{0}})
        ways.push_back({{}, part, bytes, ways.size()});
    return ways;
}

/// What is found where steps, and the run as a whole, find room for no more than that. -1: none is
struct Search {
    int64_t stepsRoom = 0;
    int64_t wholeRoom = 0;
    std::vector<size_t> tried = {};

    int64_t among(const std::vector<HeldPictures>& ways) {
        const auto plan = [this](const HeldPictures& way) -> Result<int64_t> {
            tried.push_back(way.way);
            if (way.bytes > stepsRoom) return Error{ErrorCode::OutOfResources, "no room", {}};
            return way.bytes;
        };
        const auto found =
            planHolding<int64_t>(ways, plan, [this](const int64_t& bytes) { return bytes <= wholeRoom; });
        return found ? *found : -1;
    }
};

TEST(HeldPictures, areAsManyAsThereIsRoomFor) {
    using Tried = std::vector<size_t>;
    struct Case {
        Search search;
        int64_t found;
        Tried tried;
    };
    for (Case one : {Case{{80, 80}, 80, {0}}, Case{{79, 80}, 40, {0, 4, 1}}, Case{{80, 25}, 20, {0, 4, 1, 2}},
                     Case{{25, 11}, 10, {0, 4, 1, 2, 3}}, Case{{9, 80}, 0, {0, 4, 1, 2, 3}},
                     Case{{-1, 80}, -1, {0, 4}}, Case{{80, -1}, 0, {0, 4}}}) {
        EXPECT_EQ(one.search.among(waysOf(80)), one.found);
        EXPECT_EQ(one.search.tried, one.tried) << one.found;
    }
    Search alone{79, 80}; // nothing keeps what is not held
    EXPECT_EQ(alone.among({waysOf(80).front()}), -1);
}

/// A plan in the place of a run's.
struct Beside {
    HeldPictures pictures;
    int64_t encodingBytes = 0;
    double seconds = 0.0;
};

constexpr int64_t kEncoding = 30;

/// What is found where steps, and the run as a whole, find room for no more than that, and steps take a
/// second, and so many with encoding beside them.
Result<Beside> besideIn(const Search& room, EncodingWish wish, double secondsBeside) {
    BesideSearch<Beside> search;
    search.plan = [=](const BesideSteps& steps) -> Result<Beside> {
        if (steps.pictures.bytes + steps.encodingBytes > room.stepsRoom)
            return Error{ErrorCode::OutOfResources, "no room", {}};
        return Beside{steps.pictures, steps.encodingBytes, steps.encodingBytes > 0 ? secondsBeside : 1.0};
    };
    search.hasRoom = [=](const Beside& planned) {
        return planned.pictures.bytes + planned.encodingBytes <= room.wholeRoom;
    };
    search.stepSeconds = [](const Beside& planned) { return planned.seconds; };
    search.disk = [](const Beside& /*planned*/) { return DiskTraffic(); };
    return planBeside(waysOf(80), wish, kEncoding, search);
}

/// What is held where parameters take fifty bytes of so much RAM, or lie on a disk.
/// @param readBytes  by steps that do not have all pictures
int64_t heldBesideParameters(int64_t ramBytes, int64_t readBytes) {
    constexpr int64_t kParameters = 50;
    constexpr int64_t kDiskBytes = 1000; // a step's
    std::vector<HeldPictures> ways = waysOf(80);
    for (size_t way = 1; way < ways.size(); ++way) ways[way].readBytesPerStep = readBytes;
    BesideSearch<Beside> search;
    search.plan = [](const BesideSteps& steps) -> Result<Beside> { return Beside{steps.pictures}; };
    search.hasRoom = [](const Beside& /*planned*/) { return true; };
    search.stepSeconds = [](const Beside& planned) { return planned.seconds; };
    search.disk = [ramBytes](const Beside& planned) {
        const bool lacks = planned.pictures.bytes + kParameters > ramBytes;
        return DiskTraffic{lacks, planned.pictures.readBytesPerStep + (lacks ? kDiskBytes : 0)};
    };
    const auto found = planBeside(ways, EncodingWish::First, kEncoding, search);
    return found ? found->pictures.bytes : -1;
}

TEST(HeldPictures, giveWayToWhatWouldLieOnADisk) {
    constexpr int64_t kFew = 5;
    EXPECT_EQ(heldBesideParameters(130, kFew), 80); // there is room for both
    EXPECT_EQ(heldBesideParameters(129, kFew), 40);
    EXPECT_EQ(heldBesideParameters(89, kFew), 20);
    EXPECT_EQ(heldBesideParameters(65, kFew), 10);
    EXPECT_EQ(heldBesideParameters(50, kFew), 0);
    EXPECT_EQ(heldBesideParameters(49, kFew), 80); // they lie on the disk whatever is held
    EXPECT_EQ(heldBesideParameters(100, 999), 40);
    EXPECT_EQ(heldBesideParameters(100, 1000), 80); // as much is read again
}

TEST(HeldPictures, areWeighedAgainstWhatADiskMoves) {
    HeldPictures pictures;
    pictures.readBytesPerStep = 7;
    StepNeed need;
    EXPECT_FALSE(diskTrafficOf(need, pictures).forWantOfRam);
    need.swap.stateBytes = 1000; // as --swap asks
    need.swapBytesReadPerStep = 1000;
    need.swapBytesWrittenPerStep = 900;
    EXPECT_FALSE(diskTrafficOf(need, pictures).forWantOfRam);
    EXPECT_EQ(diskTrafficOf(need, pictures).stepBytes, 1907);
    for (int64_t TierMemory::*kind :
         {&TierMemory::parameterBytes, &TierMemory::gradientBytes, &TierMemory::workspaceBytes}) {
        StepNeed lacking = need;
        lacking.swap.*kind = 1;
        EXPECT_TRUE(diskTrafficOf(lacking, pictures).forWantOfRam);
    }
}

TEST(HeldPictures, giveWayToEncodingThatIsAskedForAlone) {
    struct Case {
        EncodingWish wish;
        Search room;
        double secondsBeside;
        int64_t held;
        int64_t encoding;
    };
    constexpr int64_t kAny = 1000;
    const EncodingWish asked = EncodingWish::WhateverElse;
    const EncodingWish mayBe = EncodingWish::WhereItFits;
    for (const Case& one :
         {Case{asked, {110, kAny}, 9.0, 80, kEncoding}, Case{asked, {109, kAny}, 9.0, 40, kEncoding},
          Case{asked, {60, kAny}, 9.0, 20, kEncoding}, Case{asked, {30, kAny}, 9.0, 0, kEncoding},
          Case{asked, {29, kAny}, 9.0, 20, 0}, Case{asked, {kAny, 60}, 9.0, 20, kEncoding},
          Case{asked, {kAny, 29}, 9.0, 20, 0}, Case{asked, {kAny, -1}, 9.0, 0, kEncoding},
          Case{mayBe, {110, kAny}, 1.01, 80, kEncoding}, Case{mayBe, {110, kAny}, 1.03, 80, 0},
          Case{mayBe, {109, kAny}, 1.0, 80, 0}, Case{mayBe, {79, kAny}, 1.0, 40, kEncoding},
          Case{mayBe, {60, kAny}, 1.0, 40, 0}, Case{EncodingWish::First, {110, kAny}, 1.0, 80, 0}}) {
        SCOPED_TRACE(std::to_string(one.room.stepsRoom) + ", " + std::to_string(one.room.wholeRoom));
        const auto found = besideIn(one.room, one.wish, one.secondsBeside);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->pictures.bytes, one.held);
        EXPECT_EQ(found->encodingBytes, one.encoding);
    }
    for (const EncodingWish wish : {asked, mayBe}) EXPECT_FALSE(besideIn({-1, kAny}, wish, 1.0));
}

TEST(HeldPictures, haveWaysThatTakeEverLess) {
    const TrainConfig config = tinyDreamBooth(scratchFolder("ways"));
    const auto model = openModel(config.model);
    ASSERT_TRUE(model);
    PictureCounts counts;
    counts.trained[{64, 64}] = 40;
    counts.heldOut[{64, 64}] = 4;
    counts.texts = 9;
    const HeldLimits most;
    const std::vector<HeldPictures> ways = waysToHold(counts, config, *model, most, /*readable=*/true);
    ASSERT_EQ(ways.size(), kWaysToHold);
    EXPECT_EQ(ways.front().bytes, heldPictureBytes(counts, config, *model));
    EXPECT_FALSE(ways.front().isFewer());
    EXPECT_EQ(ways.front().readBytesPerStep, 0);
    for (size_t way = 1; way < ways.size(); ++way) {
        EXPECT_EQ(ways[way].way, way);
        EXPECT_LT(ways[way].bytes, ways[way - 1].bytes);
        EXPECT_EQ(ways[way].bytes, heldPictureBytes(counts, config, *model, ways[way].most));
        EXPECT_EQ(ways[way].allBytes, ways.front().bytes);
        EXPECT_GT(ways[way].readBytesPerStep, 0);
    }
    EXPECT_EQ(ways.back().bytes, 0);
    EXPECT_EQ(waysToHold(counts, config, *model, most, /*readable=*/false).size(), 1U);
    EXPECT_EQ(waysToHold({}, config, *model, most, /*readable=*/true).size(), 1U);
}

TEST(HeldPictures, countForTheWholeRun) {
    const TrainConfig config = tinyDreamBooth(scratchFolder("whole"));
    const auto model = openModel(config.model);
    ASSERT_TRUE(model);
    constexpr int64_t kHeld = int64_t{100} << 20;
    const int64_t enough = programBytes(/*gpu=*/true) + kHeld; // all else lies on the GPU
    EXPECT_TRUE(hasRoomBeside(config, *model, StepNeed(), kHeld, /*gpu=*/true, enough));
    EXPECT_FALSE(hasRoomBeside(config, *model, StepNeed(), kHeld, /*gpu=*/true, enough - 1));
    EXPECT_FALSE(hasRoomBeside(config, *model, StepNeed(), kHeld, /*gpu=*/false,
                               programBytes(/*gpu=*/false) + kHeld)); // encoding lies there, too
    StepBudget budget{.deviceBytes = 1000, .programBytes = 30};
    budget.inRam = true;
    EXPECT_EQ(ramOfRun(budget, /*gpu=*/false), 1030);
    budget = {.deviceBytes = 1000, .ramBytes = 500};
    budget.ramProgramBytes = 30;
    EXPECT_EQ(ramOfRun(budget, /*gpu=*/true), 530);
    EXPECT_EQ(ramOfRun(budget, /*gpu=*/false), 1530);
}

TEST(HeldPictures, lieBesideWhatIsEncodedMeanwhile) {
    TrainConfig config = tinyDataset(scratchFolder("meanwhile"));
    config.data.encode = EncodeTime::Ahead;
    const auto model = openModel(config.model);
    ASSERT_TRUE(model);
    const EncodingNeed encoding = encodingNeed(config, *model);
    ASSERT_GT(encoding.bytes(), encoding.mostAtOnceBytes());
    constexpr int64_t kHeld = int64_t{100} << 20;
    const int64_t all = programBytes(/*gpu=*/false) + kHeld;
    for (const bool beside : {true, false}) { // though it was asked for
        StepNeed need;
        need.encodingBytes = beside ? encoding.bytes() : 0;
        const int64_t enough = all + (beside ? encoding.bytes() : encoding.mostAtOnceBytes());
        EXPECT_TRUE(hasRoomBeside(config, *model, need, kHeld, /*gpu=*/false, enough)) << beside;
        EXPECT_FALSE(hasRoomBeside(config, *model, need, kHeld, /*gpu=*/false, enough - 1)) << beside;
    }
}

/// Captions' tokens for the tiny model.
std::vector<PromptTokens> someTokens(const ModelBundle& model) {
    std::vector<PromptTokens> all;
    for (const char* caption : {"one", "two", "three"}) {
        PromptTokens& tokens = all.emplace_back();
        for (const ClipTokenizer& tokenizer : model.tokenizers())
            tokens.push_back(tokenizer.tokenize(caption, model.contextLength()).ids);
    }
    return all;
}

class PromptCaches : public ::testing::Test {
protected:
    PromptCaches()
        : m_root(scratchFolder(std::string("prompts-") +
                               ::testing::UnitTest::GetInstance()->current_test_info()->name()))
        , m_config(tinyDreamBooth(m_root))
        , m_run(makeRun(m_config)) {}

    void SetUp() override {
        auto model = ModelBundle::make(m_job);
        ASSERT_TRUE(model) << model.error().text();
        m_model = std::move(*model);
        m_tokens = someTokens(*m_model);
    }

    PromptCache::EncoderProvider encoders() {
        return [this] {
            ++m_asked;
            return m_model->textEncoders();
        };
    }

    void givesTheSame(PromptCache& cache, PromptCache& other) const {
        for (const PromptTokens& one : m_tokens) {
            const auto found = cache.encode(one);
            const auto expected = other.encode(one);
            ASSERT_TRUE(found && expected);
            EXPECT_TRUE(at::equal(found->context, expected->context));
        }
    }

    std::string m_root;
    TrainConfig m_config;
    RunFolder m_run;
    JobWorld m_world;
    JobContext m_job{m_config,         m_run,          m_world.events, m_world.control,
                     m_world.pictures, m_world.writer, m_world.options};
    std::unique_ptr<ModelBundle> m_model;
    std::vector<PromptTokens> m_tokens;
    int m_asked = 0; // for encoders
};

TEST_F(PromptCaches, holdNoMoreThanTheyMayAndReadTheRestAgain) {
    PromptCache all("", "hash", encoders());
    PromptCache kept(m_root + "/texts", "hash", encoders(), PromptCache::Disk::ReadAndWrite, 0);
    givesTheSame(kept, all);
    EXPECT_EQ(m_asked, 6);
    givesTheSame(kept, all); // from the disk
    EXPECT_EQ(m_asked, 6);
    EXPECT_EQ(kept.heldBytes(), 0);
    EXPECT_TRUE(kept.keepsAll());
    PromptCache some("", "hash", encoders(), PromptCache::Disk::Read, all.heldBytes() / 2);
    givesTheSame(some, all);
    EXPECT_GT(some.heldBytes(), 0);
    EXPECT_LE(some.heldBytes(), all.heldBytes() / 2);
    EXPECT_FALSE(some.keepsAll());
    givesTheSame(some, all); // encoded again
    EXPECT_EQ(m_asked, 11);
}

TEST_F(PromptCaches, giveUpLaterWhatTheDiskHas) {
    PromptCache all("", "hash", encoders());
    PromptCache less(m_root + "/texts", "hash", encoders());
    givesTheSame(less, all);
    EXPECT_EQ(m_asked, 6);
    const int64_t held = less.heldBytes();
    EXPECT_EQ(held, all.heldBytes());
    less.holdAtMost(held / 2);
    EXPECT_GT(less.heldBytes(), 0);
    EXPECT_LE(less.heldBytes(), held / 2);
    less.holdAtMost(0);
    EXPECT_EQ(less.heldBytes(), 0);
    givesTheSame(less, all); // from the disk
    all.holdAtMost(0);
    EXPECT_EQ(all.heldBytes(), held); // nothing else has them
    EXPECT_EQ(m_asked, 6);
}

class FewerPictures : public ::testing::Test {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }
    void TearDown() override { limitDeviceTier(0); }

    /// With all kinds of pictures, and parameters that lie in RAM beside what stands for a device.
    static TrainConfig streamed(const std::string& root) {
        TrainConfig config = tinyDataset(root, 24);
        config.data.flip = true;
        config.data.validationShare = 0.2;
        config.data.captionDropout = 0.2;
        config.data.startResolutionPixels = 32;
        config.data.startSteps = 3;
        config.data.encode = EncodeTime::First;
        config.batchSize = 2;
        config.steps = 8;
        config.memory.policy = PlacementPolicy::Cpu;
        config.memory.deviceBytes = kDevice;
        return config;
    }

    /// What the steps take of RAM beside the device.
    static int64_t ramOfSteps(const TrainConfig& config) {
        const auto model = openModel(config.model);
        if (!model) throw std::runtime_error(model.error().text());
        const auto plan =
            planStep(config, *model, {kDevice, 0, kPlenty}, MachineSpeed::uniform(1e11, 1e9, 1e-6, 1e9));
        if (!plan) throw std::runtime_error(plan.error().text());
        return plan->need.ramPeakBytes;
    }

    /// RAM for the steps and for three eighths of what a run holds.
    static int64_t tightFor(const TrainConfig& config, int64_t heldBytes) {
        return ramOfSteps(config) + heldBytes * 3 / 8;
    }

    static std::map<std::string, double> toldOf(const PlanEvent& plan) {
        for (const PlanDecision& one : plan.decisions)
            if (one.code == kPicturesInRam) return one.facts;
        return {};
    }
};

TEST_F(FewerPictures, learnTheSameBytes) {
    const std::string root = scratchFolder("fewer");
    const TrainConfig config = streamed(root);
    const TrainConfig plenty = inFolder(config, root + "/plenty");
    JobWorld all;
    all.options.cacheDir = root + "/cache-of-all";
    const int64_t held = heldOf(plenty, all);
    for (const PlanEvent& plan : all.events.of<PlanEvent>()) {
        EXPECT_EQ(toldOf(plan).at("heldBytes"), static_cast<double>(held));
        EXPECT_FALSE(toldOf(plan).contains("allBytes"));
    }

    JobWorld tight;
    tight.options.cacheDir = root + "/cache";
    tight.options.ramTierBytes = tightFor(config, held);
    const OutcomeEvent outcome = runFresh(config, tight);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const auto plans = tight.events.of<PlanEvent>();
    ASSERT_FALSE(plans.empty());
    for (const PlanEvent& plan : plans) {
        const auto told = toldOf(plan);
        ASSERT_TRUE(told.contains("allBytes"));
        EXPECT_EQ(told.at("allBytes"), static_cast<double>(held));
        EXPECT_GT(told.at("heldBytes"), 0.0);
        EXPECT_LT(told.at("heldBytes"), static_cast<double>(held) / 2);
        for (const MemoryEvent& memory : tight.events.of<MemoryEvent>())
            EXPECT_LE(static_cast<double>(memory.ram.cacheBytes), told.at("heldBytes"));
    }
    expectEqualFolders(checkpointOf(config, 8), checkpointOf(plenty, 8));
    EXPECT_EQ(tight.events.of<ValidationEvent>().back().loss, all.events.of<ValidationEvent>().back().loss);
}

/// Where there is room to encode beside the steps, but not beside all latents, and where there is none.
TEST_F(FewerPictures, giveWayToEncodingBesideTheSteps) {
    const std::string root = scratchFolder("give-way");
    TrainConfig config = streamed(root);
    config.data.encode = EncodeTime::Ahead;
    const TrainConfig plenty = inFolder(config, root + "/plenty");
    JobWorld all;
    all.options.cacheDir = root + "/cache-of-all";
    const OutcomeEvent first = runFresh(plenty, all);
    ASSERT_EQ(first.result, "done") << first.message;
    const auto held = static_cast<int64_t>(toldOf(all.events.of<PlanEvent>().front()).at("heldBytes"));
    const auto model = openModel(config.model);
    ASSERT_TRUE(model);
    const int64_t encoding = encodingNeed(config, *model).bytes();
    for (const bool beside : {true, false}) {
        const TrainConfig own = inFolder(config, root + (beside ? "/beside" : "/first"));
        JobWorld tight;
        tight.options.cacheDir = own.output.runDir + "-cache";
        tight.options.ramTierBytes =
            beside ? tightFor(config, held) + encoding : ramOfSteps(config) + encoding / 2;
        const OutcomeEvent outcome = runFresh(own, tight);
        ASSERT_EQ(outcome.result, "done") << outcome.message;
        const auto facts = RunFolder::open(own.output.runDir)->facts();
        ASSERT_TRUE(facts);
        EXPECT_EQ(facts->at("encode"), beside ? "ahead" : "first");
        EXPECT_EQ(warnsOf(tight.events, "there is no memory to do so beside the steps"), !beside);
        EXPECT_TRUE(!beside || toldOf(tight.events.of<PlanEvent>().front()).contains("allBytes"));
        expectEqualFolders(checkpointOf(own, 8), checkpointOf(plenty, 8));
    }
}

/// RAM that has no room for all of both keeps parameters: a step reads next to nothing of pictures.
TEST_F(FewerPictures, leaveRamToParametersBeforeADiskTakesThem) {
    const std::string root = scratchFolder("before-a-disk");
    TrainConfig config = streamed(root);
    config.memory.device = ComputeDevice::Cpu;
    config.memory.swapDir = root + "/swap";
    fs::create_directories(config.memory.swapDir);
    const TrainConfig plenty = inFolder(config, root + "/plenty");
    JobWorld all;
    all.options.cacheDir = root + "/cache-of-all";
    const int64_t held = heldOf(plenty, all);

    JobWorld tight;
    tight.options.cacheDir = root + "/cache";
    tight.options.ramTierBytes = tightFor(config, held);
    const OutcomeEvent outcome = runFresh(config, tight);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    for (const PlanEvent& plan : tight.events.of<PlanEvent>()) {
        const auto told = toldOf(plan);
        ASSERT_TRUE(told.contains("allBytes"));
        EXPECT_GT(told.at("heldBytes"), 0.0);
        EXPECT_LT(told.at("heldBytes"), static_cast<double>(held) / 2);
    }
    for (const MemoryEvent& memory : tight.events.of<MemoryEvent>()) {
        EXPECT_EQ(memory.swap.parameterBytes, 0);
        EXPECT_GT(memory.swap.stateBytes, 0);
    }
    expectEqualFolders(checkpointOf(config, 8), checkpointOf(plenty, 8));
}

/// Leaves the steps no more RAM once so many are done.
class TakingRam : public EventList {
public:
    /// @param backSteps  when those are done, as much is left again as there is; 0: never
    TakingRam(JobOptions& options, int64_t doneSteps, int64_t leftBytes, int64_t backSteps = 0)
        : m_options(options)
        , m_doneSteps(doneSteps)
        , m_leftBytes(leftBytes)
        , m_backSteps(backSteps) {}
    void emit(const Event& event) override {
        EventList::emit(event);
        const auto* step = std::get_if<StepEvent>(&event);
        if (step != nullptr && step->step == m_doneSteps) m_options.ramTierBytes = m_leftBytes;
        if (step != nullptr && step->step == m_backSteps) m_options.ramTierBytes = 0;
    }

private:
    JobOptions& m_options;
    int64_t m_doneSteps;
    int64_t m_leftBytes;
    int64_t m_backSteps;
};

TEST_F(FewerPictures, areGivenUpWhereRamGoesInTheMiddle) {
    const std::string root = scratchFolder("given-up");
    TrainConfig config = streamed(root);
    config.steps = 12;
    const TrainConfig plenty = inFolder(config, root + "/plenty");
    JobWorld all;
    all.options.cacheDir = root + "/cache-of-all";
    const int64_t held = heldOf(plenty, all);

    JobWorld world;
    world.options.cacheDir = root + "/cache";
    TakingRam events(world.options, config.data.startSteps + 4,
                     tightFor(config, held)); // when it has warmed up
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), events, world.control, world.pictures,
                                             world.writer, world.options);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const auto plans = events.of<PlanEvent>();
    ASSERT_FALSE(plans.empty());
    EXPECT_FALSE(toldOf(plans.front()).contains("allBytes"));
    const auto told = toldOf(plans.back());
    ASSERT_TRUE(told.contains("allBytes"));
    EXPECT_LT(told.at("heldBytes"), static_cast<double>(held));
    const auto memory = events.of<MemoryEvent>();
    EXPECT_EQ(memory.front().ram.cacheBytes, held);
    EXPECT_LE(static_cast<double>(memory.back().ram.cacheBytes), told.at("heldBytes"));
    EXPECT_FALSE(warnsOf(events, "other programs have taken memory"));
    expectEqualFolders(checkpointOf(config, 12), checkpointOf(plenty, 12));
    EXPECT_EQ(events.of<ValidationEvent>().back().loss, all.events.of<ValidationEvent>().back().loss);
}

/// The fewest were really held, and more at the end: what steps have read since.
void expectHeldAgain(const std::vector<MemoryEvent>& memory, double fewest, int64_t all) {
    int64_t least = all;
    for (const MemoryEvent& one : memory) least = std::min(least, one.ram.cacheBytes);
    EXPECT_LE(static_cast<double>(least), fewest);
    EXPECT_GT(memory.back().ram.cacheBytes, least);
    EXPECT_LE(memory.back().ram.cacheBytes, all);
}

TEST_F(FewerPictures, areTakenBackWhereRamComesBack) {
    const std::string root = scratchFolder("taken-back");
    TrainConfig config = streamed(root);
    config.steps = 32;
    const TrainConfig plenty = inFolder(config, root + "/plenty");
    JobWorld all;
    all.options.cacheDir = root + "/cache-of-all";
    const int64_t held = heldOf(plenty, all);

    JobWorld world;
    world.options.cacheDir = root + "/cache";
    world.options.takeBackSeconds = 0.0;
    constexpr int64_t kBack = 20; // when memory is told of
    TakingRam events(world.options, config.data.startSteps + 4, tightFor(config, held), kBack);
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), events, world.control, world.pictures,
                                             world.writer, world.options);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    double fewest = static_cast<double>(held);
    std::vector<double> more; // that were held again, in the order of the plans
    for (const PlanEvent& plan : events.of<PlanEvent>()) {
        const double told = toldOf(plan).at("heldBytes");
        fewest = std::min(fewest, told);
        if (plan.decisions.front().code == "again-more-memory") more.push_back(told);
    }
    EXPECT_LT(fewest, static_cast<double>(held) / 2);
    ASSERT_GE(more.size(), 2U); // a part at a time
    EXPECT_GT(more.front(), fewest);
    EXPECT_LT(more.front(), more.back());
    EXPECT_EQ(more.back(), static_cast<double>(held));
    expectHeldAgain(events.of<MemoryEvent>(), fewest, held);
    EXPECT_FALSE(warnsOf(events, "other programs have taken memory"));
    expectEqualFolders(checkpointOf(config, 32), checkpointOf(plenty, 32));
    EXPECT_EQ(events.of<ValidationEvent>().back().loss, all.events.of<ValidationEvent>().back().loss);
}

TEST_F(FewerPictures, areRefusedWhereNothingKeepsTheRest) {
    const std::string root = scratchFolder("unkept");
    const TrainConfig config = streamed(root);
    JobWorld all;
    ASSERT_EQ(runFresh(inFolder(config, root + "/plenty"), all).result, "done");
    const int64_t tight = tightFor(config, all.events.of<MemoryEvent>().back().ram.cacheBytes);
    for (const char* cache : {"", "/proc/no-such-folder"}) {
        JobWorld none;
        none.options.cacheDir = cache;
        none.options.ramTierBytes = tight;
        const std::string folder = root + (cache[0] == '\0' ? "/none" : "/unwritable");
        EXPECT_EQ(runFresh(inFolder(config, folder), none).code, 4) << folder;
    }
    JobWorld noTexts; // latents are kept
    noTexts.options.cacheDir = root + "/cache";
    noTexts.options.ramTierBytes = tight;
    fs::create_directories(root + "/cache");
    std::ofstream(root + "/cache/texts") << "in the way";
    const OutcomeEvent refused = runFresh(inFolder(config, root + "/no-texts"), noTexts);
    EXPECT_EQ(refused.code, 4);
    for (const char* part : {"encoding captions", "the cache cannot be written"})
        EXPECT_NE(refused.message.find(part), std::string::npos) << refused.message;
}

} // namespace
} // namespace homebooth::core::testing
