// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures where memory is short: parts of a model that come from RAM change no byte of them, and the
// autoencoder goes over to tiles where it is refused memory. Host memory stands for the device.
#include "core/base/arch/unet_layout.h"
#include "core/base/system/memory_facts.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/sampling/generation_model.h"
#include "core/engine/sampling/sample_job.h"
#include "core/engine/sampling/sample_room.h"
#include "sampling_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <thread>

namespace homebooth::core {
namespace {

using namespace sampling_test;
namespace fs = std::filesystem;

class Metered : public ::testing::Environment {
public:
    void SetUp() override { meterHostMemory(); }
};
const ::testing::Environment* const kMetered = ::testing::AddGlobalTestEnvironment(new Metered);

std::unique_ptr<GenerationModel> load(const std::string& name, const SamplePlacement& placement = {}) {
    auto source = openModel(fixturePath(name));
    if (!source) throw std::runtime_error(source.error().text());
    GenerationModel::Options options;
    options.clipSkip = 1;
    options.placement = placement;
    auto model = GenerationModel::load(std::move(*source), options);
    if (!model) throw std::runtime_error(model.error().text());
    return std::move(*model);
}

GenerationRequest request() {
    GenerationRequest request;
    request.prompt = "a photo of sks dog";
    request.negativePrompt = "blurry";
    request.steps = 3;
    request.sampler = SamplerKind::EulerAncestral;
    request.seeds = {3, 4};
    return request;
}

GenerationResult generate(GenerationModel& model, const GenerationRequest& asked,
                          const GenerationListener& listener = {}) {
    auto result = model.pipeline().generate(asked, listener, CancelToken());
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
}

void expectEqualBytes(const GenerationResult& a, const GenerationResult& b, const std::string& what) {
    EXPECT_TRUE(at::equal(a.latents, b.latents)) << what;
    ASSERT_EQ(a.pictures.size(), b.pictures.size());
    for (size_t index = 0; index < a.pictures.size(); ++index)
        EXPECT_EQ(a.pictures[index].rgb, b.pictures[index].rgb) << what;
}

/// Every second block of the model's UNet.
std::vector<bool> everySecondBlock(const std::string& name) {
    const auto source = openModel(fixturePath(name));
    std::vector<bool> resident(unetSchedule(source->unet).blocks().size(), false);
    for (size_t block = 0; block < resident.size(); block += 2) resident[block] = true;
    return resident;
}

class Placements : public ::testing::TestWithParam<const char*> {
protected:
    [[nodiscard]] static std::vector<SamplePlacement> all() {
        return {{true, false, {}, false},
                {false, true, {}, false},
                {true, true, {}, false},
                {true, true, everySecondBlock(GetParam()), false}};
    }
};

TEST_P(Placements, changeNoByte) {
    const GenerationResult expected = generate(*load(GetParam()), request());
    for (const SamplePlacement& placement : all()) {
        const auto model = load(GetParam(), placement);
        expectEqualBytes(generate(*model, request()), expected, "loaded there");
        expectEqualBytes(generate(*model, request()), expected, "once more");
    }
}

TEST_P(Placements, moveWithoutATrace) {
    const auto model = load(GetParam());
    const GenerationResult expected = generate(*model, request());
    for (const SamplePlacement& placement : all()) {
        model->place(placement);
        expectEqualBytes(generate(*model, request()), expected, "moved");
        EXPECT_EQ(model->options().placement, placement);
        model->place({});
        expectEqualBytes(generate(*model, request()), expected, "moved back");
    }
}

TEST_P(Placements, leaveTheDeviceToOthers) {
    const auto taken = [](const SamplePlacement& placement, Tier tier) {
        const int64_t before = tierUse(tier).currentBytes;
        const auto model = load(GetParam(), placement);
        static_cast<void>(generate(*model, request())); // arenas come with the first pass
        return tierUse(tier).currentBytes - before;
    };
    const SamplePlacement streamed{true, true, {}, false};
    const SamplePlacement half{true, true, everySecondBlock(GetParam()), false};
    const int64_t device = taken({}, Tier::Device);
    EXPECT_LT(taken(half, Tier::Device), device);
    EXPECT_LT(taken(streamed, Tier::Device), taken(half, Tier::Device));
    EXPECT_EQ(taken({}, Tier::Ram), 0);
    EXPECT_GT(taken(half, Tier::Ram), 0);
    EXPECT_GT(taken(streamed, Tier::Ram), taken(half, Tier::Ram));
}

/// In the middle of a pass, at whatever block.
TEST_P(Placements, forgetPicturesThatWereCancelled) {
    const GenerationResult expected = generate(*load(GetParam()), request());
    const auto model = load(GetParam(), {true, true, everySecondBlock(GetParam()), false});
    for (const int milliseconds : {1, 3, 6, 12, 25, 50}) {
        const CancelToken cancel;
        std::thread user([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
            cancel.request();
        });
        const auto begun = model->pipeline().generate(request(), {}, cancel);
        user.join();
        ASSERT_TRUE(begun) << begun.error().text();
        expectEqualBytes(generate(*model, request()), expected, "behind a cancelled one");
    }
    static_cast<void>(model->pipeline().generate(request(), {}, [] {
        const CancelToken cancelled;
        cancelled.request();
        return cancelled;
    }()));
    model->place({});
    expectEqualBytes(generate(*model, request()), expected, "moved");
}

/// Whatever the place, they are read to where the others are, and no change leaves anything behind.
TEST_P(Placements, leaveLayersOutWithTheSameBytes) {
    const auto resident = load(GetParam());
    const auto model = load(GetParam(), {true, true, everySecondBlock(GetParam()), false});
    for (const int64_t skip : {0, 1, 0}) {
        ASSERT_TRUE(resident->setClipSkip(skip));
        ASSERT_TRUE(model->setClipSkip(skip));
        expectEqualBytes(generate(*model, request()), generate(*resident, request()), std::to_string(skip));
    }
}

INSTANTIATE_TEST_SUITE_P(Models, Placements, ::testing::Values("tiny-sd1", "tiny-sdxl"));

TEST(ClipSkip, takesThePlaceOfTheOneBefore) {
    const auto model = load("tiny-sd1"); // whose last layer is left out
    const int64_t before = tierUse(Tier::Device).currentBytes;
    restartTierPeak(Tier::Device);
    ASSERT_TRUE(model->setClipSkip(2));
    EXPECT_LE(tierUse(Tier::Device).peakBytes, before);
    ASSERT_FALSE(model->setClipSkip(3)); // and where it cannot be, nothing changes
    EXPECT_EQ(model->options().clipSkip, 2);
    ASSERT_TRUE(model->setClipSkip(0));
    EXPECT_LT(tierUse(Tier::Device).currentBytes, before);
}

/// They are added to homes in RAM, or move there with the weights.
TEST(StreamedLoras, giveTheSamePictures) {
    const char* root = std::getenv("HOMEBOOTH_TEST_DIR");
    const fs::path folder = (root != nullptr ? fs::path(root) : fs::temp_directory_path()) / "streamed-loras";
    fs::remove_all(folder);
    fs::create_directories(folder);
    const std::vector<LoraReference> loras = {{writeSquareLora(folder, kXlModules, 2.0F), 1.0}};
    const auto resident = load("tiny-sdxl");
    const GenerationResult plain = generate(*resident, request());
    ASSERT_TRUE(resident->setLoras(loras));
    const GenerationResult expected = generate(*resident, request());
    ASSERT_FALSE(at::equal(expected.latents, plain.latents));
    const SamplePlacement streamed{true, true, everySecondBlock("tiny-sdxl"), false};
    const auto model = load("tiny-sdxl", streamed);
    static_cast<void>(generate(*model, request())); // what came then is not what counts
    ASSERT_TRUE(model->setLoras(loras));
    expectEqualBytes(generate(*model, request()), expected, "added there");
    model->place({});
    expectEqualBytes(generate(*model, request()), expected, "moved with them");
    model->place(streamed);
    ASSERT_TRUE(model->setLoras({}));
    expectEqualBytes(generate(*model, request()), plain, "taken off there");
    fs::remove_all(folder);
}

/// Peak of the device while a picture is made.
int64_t peakOf(GenerationModel& model, const GenerationRequest& asked) {
    restartTierPeak(Tier::Device);
    static_cast<void>(generate(model, asked));
    return tierUse(Tier::Device).peakBytes;
}

struct DeviceLimit {
    explicit DeviceLimit(int64_t bytes) { limitDeviceTier(bytes); }
    ~DeviceLimit() { limitDeviceTier(0); }
    DeviceLimit(const DeviceLimit&) = delete;
    DeviceLimit& operator=(const DeviceLimit&) = delete;
};

TEST(ShortMemory, isMetWithTiles) {
    const auto model = load("tiny-sd1"); // whose autoencoder has tiles of 64 pixels
    GenerationRequest asked = request();
    asked.steps = 1;
    asked.guidanceScale = 1.0;
    asked.seeds = {3};
    asked.widthPixels = asked.heightPixels = 256;
    GenerationRequest tiled = asked;
    tiled.vaeTiling = true;
    static_cast<void>(generate(*model, asked)); // what stays from then on
    const int64_t lean = peakOf(*model, tiled);
    const int64_t whole = peakOf(*model, asked);
    ASSERT_GT(whole, lean + lean / 8);
    const GenerationResult expected = generate(*model, tiled);
    std::vector<std::string> codes;
    GenerationListener listener;
    listener.warning = [&](const std::string& code, const std::string&) { codes.push_back(code); };
    const DeviceLimit limit((lean + whole) / 2);
    expectEqualBytes(generate(*model, asked, listener), expected, "in tiles");
    EXPECT_EQ(codes, std::vector<std::string>{kVaeTiling});
    asked.widthPixels = asked.heightPixels = 64; // fits, as it is
    codes.clear();
    static_cast<void>(generate(*model, asked, listener));
    EXPECT_TRUE(codes.empty());
}

TEST(ShortMemory, thatTilesDoNotHelpIsToldAsItIs) {
    const auto model = load("tiny-sd1");
    GenerationRequest asked = request();
    asked.widthPixels = asked.heightPixels = 64; // a tile
    static_cast<void>(generate(*model, asked));
    const DeviceLimit limit(tierUse(Tier::Device).currentBytes + 4096);
    EXPECT_THROW(static_cast<void>(generate(*model, asked)), c10::OutOfMemoryError);
}

/// Keeps pictures by name, and does something behind the first.
class KeptPictures : public PictureSource, public PictureWriter {
public:
    Result<std::vector<std::string>> list(const std::string&) override { return std::vector<std::string>{}; }
    bool isPictureName(const std::string&) const override { return false; }
    Result<PictureSize> size(const std::string& path) override { return badInput("no such picture", path); }
    Result<Picture> load(const std::string& path, PictureSize) override {
        return badInput("no such picture", path);
    }
    Result<void> write(const std::string&, const Picture& picture,
                       const std::map<std::string, std::string>&) override {
        pictures.push_back(picture.rgb);
        if (pictures.size() == 1 && behindFirst) behindFirst();
        return {};
    }
    std::vector<std::vector<uint8_t>> pictures;
    std::function<void()> behindFirst;
};

class Warnings : public EventSink {
public:
    void emit(const Event& event) override {
        if (const auto* warning = std::get_if<WarningEvent>(&event)) codes.push_back(warning->code);
    }
    std::vector<std::string> codes;
};

class Sessions : public ::testing::Test {
protected:
    void SetUp() override {
        config.model = fixturePath("tiny-sd1");
        config.prompt = "a photo of sks dog";
        config.steps = 1;
        config.guidanceScale = 1.0;
        config.stepSpacing = StepSpacing::Trailing; // else there is a word about that
        config.threads = 1;
        config.outputDir = ::testing::TempDir();
    }
    /// Peak of the device meanwhile.
    int64_t run() {
        restartTierPeak(Tier::Device);
        const OutcomeEvent outcome = session.run(config, warnings, CancelToken());
        EXPECT_EQ(outcome.result, "done") << outcome.message;
        return tierUse(Tier::Device).peakBytes;
    }
    SampleConfig config;
    KeptPictures kept;
    Warnings warnings;
    SampleSession session{kept, kept};
};

/// What a job does without goes before what it needs comes.
TEST_F(Sessions, dropLayersThatWereLeftOutBeforeOthersMove) {
    config.widthPixels = config.heightPixels = 16; // parameters are most of it
    const int64_t plain = run();
    const MachineLimits host{false, 0, int64_t{1} << 40};
    const ModelSource model = *openModel(config.model);
    config.deviceBytes = totalBytes(planSampling(config, model, host)->tier);
    ASSERT_FALSE(placeSampling(config, model, host).streamsText);
    config.clipSkip = 1;
    ASSERT_TRUE(placeSampling(config, model, host).streamsText); // no room for both
    static_cast<void>(run());
    config.clipSkip = 0;
    EXPECT_LE(run(), plain);
    EXPECT_EQ(kept.pictures.at(2), kept.pictures.at(0));
}

TEST_F(Sessions, tellOfTilesInLaterBatchesToo) {
    config.widthPixels = config.heightPixels = 256;
    config.seed = 1;
    config.vaeTiling = true;
    static_cast<void>(run());
    const int64_t lean = run();
    config.vaeTiling = false;
    const int64_t whole = run();
    ASSERT_GT(whole, lean + lean / 8);
    const auto [tiled, plain] = std::pair(kept.pictures.at(1), kept.pictures.at(2));
    ASSERT_NE(tiled, plain);
    ASSERT_TRUE(warnings.codes.empty());
    kept.pictures.clear();
    config.seed = 0;
    config.count = 3;
    kept.behindFirst = [&] { limitDeviceTier((lean + whole) / 2); };
    const DeviceLimit ends(0);
    static_cast<void>(run());
    EXPECT_EQ(warnings.codes, std::vector<std::string>{kVaeTiling});
    ASSERT_EQ(kept.pictures.size(), 3U);
    EXPECT_EQ(kept.pictures[1], tiled);
}

TEST(SampleRoom, isSharedByProcesses) {
    const int64_t own = residentBytes();
    const auto alone = static_cast<double>(sampleRoom(at::kCPU).ramBytes - own);
    const auto shared = static_cast<double>(sampleRoom(at::kCPU, 4).ramBytes - own);
    EXPECT_GT(shared, alone / 8); // others take and give back memory meanwhile
    EXPECT_LT(shared, alone / 2);
}

} // namespace
} // namespace homebooth::core
