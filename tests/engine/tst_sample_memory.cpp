// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures where memory is short: parts of a model that come from RAM change no byte of them, and the
// autoencoder goes over to tiles where it is refused memory. Host memory stands for the device.
#include "core/base/arch/unet_layout.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/sampling/generation_model.h"
#include "sampling_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

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

INSTANTIATE_TEST_SUITE_P(Models, Placements, ::testing::Values("tiny-sd1", "tiny-sdxl"));

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

} // namespace
} // namespace homebooth::core
