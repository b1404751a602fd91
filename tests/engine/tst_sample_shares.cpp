// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures by several processes: two that share the halves of guidance, those that take turns with batches,
// and the names that all of them find.
#include "core/base/model/model_open.h"
#include "core/base/util/exit_codes.h"
#include "core/engine/sampling/generation_model.h"
#include "core/engine/sampling/guidance_halves.h"
#include "core/engine/sampling/picture_names.h"
#include "core/engine/sampling/sample_job.h"
#include "model_check.h"
#include "rank_processes.h"
#include "sampling_support.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>

namespace homebooth::core::testing {
namespace {

namespace fs = std::filesystem;

/// Greatest error over greatest value; guidance multiplies the rounding of batches of another size.
constexpr double kTolerance = 1e-5;
constexpr double kXlTolerance = 1e-4;

std::unique_ptr<GenerationModel> loadTiny(const std::string& name = "tiny-sd1") {
    auto source = openModel(fixture(name));
    if (!source) throw std::runtime_error(source.error().text());
    auto model = GenerationModel::load(std::move(*source), {});
    if (!model) throw std::runtime_error(model.error().text());
    return std::move(*model);
}

constexpr const char* kTiles = "start-tiles"; // where one of both is short of memory

/// @param name  of a way: as it is, with noise in every step, of two pictures, from a picture, also in tiles,
///              by SDXL with and without a negative prompt
GenerationRequest requestFor(const std::string& name) {
    GenerationRequest request;
    request.prompt = "a photo of sks dog";
    request.negativePrompt = "blurry";
    request.seeds = {11};
    request.steps = 6;
    request.sampler = SamplerKind::Euler;
    if (name == "noise") request.sampler = SamplerKind::EulerAncestral;
    if (name == "two") request.seeds = {11, 12};
    if (name == "xl-zeros") request.negativePrompt.clear();
    const int64_t side = name == kTiles ? 128 : 64;
    if (name.starts_with("start"))
        request.initPixels = at::linspace(-1.0, 1.0, 3 * side * side).reshape({1, 3, side, side});
    request.vaeTiling = name == kTiles;
    return request;
}

const std::vector<std::string> kWays = {"plain", "noise", "two", "start", kTiles, "xl", "xl-zeros"};

std::unique_ptr<GenerationModel> modelFor(const std::string& way) {
    return loadTiny(way.starts_with("xl") ? "tiny-sdxl" : "tiny-sd1");
}

std::unique_ptr<Ranks> meetOthers() {
    const OwnPlace place = ownPlace();
    RankPlace own;
    own.rank = place.meeting.rank;
    own.ranks = place.meeting.ranks;
    own.meetingFile = place.folder + "/meeting";
    auto ranks = Ranks::meet(own);
    if (!ranks) throw std::runtime_error(ranks.error().text());
    return std::move(*ranks);
}

void writeBytes(const std::string& path, const at::Tensor& values) {
    const at::Tensor whole = values.contiguous();
    std::ofstream(path, std::ios::binary)
        .write(static_cast<const char*>(whole.const_data_ptr()),
               static_cast<std::streamsize>(whole.nbytes()));
}

at::Tensor readBytes(const std::string& path, at::IntArrayRef shape) {
    const std::string bytes = fileText(path);
    const at::Tensor values = at::empty(shape, at::kFloat);
    if (bytes.size() != values.nbytes()) throw std::runtime_error("not what was expected: " + path);
    std::memcpy(values.data_ptr(), bytes.data(), bytes.size());
    return values;
}

std::string pixelsIn(const std::vector<Picture>& pictures) {
    std::string bytes;
    for (const Picture& picture : pictures) bytes.append(picture.rgb.begin(), picture.rgb.end());
    return bytes;
}

} // namespace

TEST(ARank, DISABLED_makesAHalf) {
    at::set_num_threads(1);
    const std::unique_ptr<Ranks> pair = meetOthers();
    const GuidanceHalves halves(*pair);
    const OwnPlace place = ownPlace();
    for (const std::string& way : kWays) {
        const std::unique_ptr<GenerationModel> model = modelFor(way);
        GenerationRequest request = requestFor(way);
        request.halves = &halves;
        if (way == kTiles) request.vaeTiling = !halves.leads();
        request.previewEverySteps = 2;
        int previews = 0;
        GenerationListener listener;
        listener.preview = [&](int64_t, const std::vector<Picture>&) { ++previews; };
        const auto made = model->pipeline().generate(request, listener, CancelToken());
        ASSERT_TRUE(made.ok()) << (made ? "" : made.error().text());
        EXPECT_EQ(made->pictures.size(), halves.leads() ? request.seeds.size() : 0U);
        EXPECT_EQ(previews > 0, halves.leads());
        writeBytes(rankFile(place.folder, pair->rank(), way.c_str()), made->latents);
        place.leave((way + "-pixels").c_str(), pixelsIn(made->pictures));
    }
}

TEST(GuidanceHalves, makeThePicturesOfOneProcess) {
    at::set_num_threads(1);
    const std::string folder = runRanks(2, "ARank.DISABLED_makesAHalf", "halves");
    for (const std::string& way : kWays) {
        SCOPED_TRACE(way);
        const std::unique_ptr<GenerationModel> model = modelFor(way);
        const auto expected = model->pipeline().generate(requestFor(way), {}, CancelToken());
        ASSERT_TRUE(expected.ok());
        const at::Tensor wanted = expected->latents.contiguous();
        const at::Tensor found = readBytes(rankFile(folder, 0, way.c_str()), wanted.sizes());
        EXPECT_LE(((found - wanted).abs().max() / wanted.abs().max()).item<double>(),
                  way.starts_with("xl") ? kXlTolerance : kTolerance);
        // Both end with the same, bit by bit.
        EXPECT_TRUE(at::equal(readBytes(rankFile(folder, 1, way.c_str()), wanted.sizes()), found));
        const std::string pixels = fileText(rankFile(folder, 0, (way + "-pixels").c_str()));
        const std::string whole = pixelsIn(expected->pictures);
        ASSERT_EQ(pixels.size(), whole.size());
        int64_t furthest = 0;
        for (size_t i = 0; i < whole.size(); ++i)
            furthest =
                std::max<int64_t>(furthest, std::abs(static_cast<int>(static_cast<uint8_t>(pixels[i])) -
                                                     static_cast<int>(static_cast<uint8_t>(whole[i]))));
        EXPECT_LE(furthest, 1); // rounding to 256 levels
    }
}

TEST(GuidanceHalves, needGuidanceAndTwoRanks) {
    EXPECT_THROW(static_cast<void>(GuidanceHalves{Ranks::lone()}), std::exception);
    const auto pair = Ranks::pretended(2);
    const GuidanceHalves halves(*pair);
    GenerationRequest request = requestFor("plain");
    request.halves = &halves;
    request.guidanceScale = 1.0;
    const auto made = loadTiny()->pipeline().generate(request, {}, CancelToken());
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().code, ErrorCode::Usage);
}

namespace {

/// Pictures in memory; leaves a small file behind, so that names count as taken.
class NotedPictures : public PictureSource, public PictureWriter {
public:
    Result<std::vector<std::string>> list(const std::string&) override { return std::vector<std::string>{}; }
    bool isPictureName(const std::string&) const override { return false; }
    Result<PictureSize> size(const std::string& path) override { return badInput("no such picture", path); }
    Result<Picture> load(const std::string& path, PictureSize) override {
        return badInput("no such picture", path);
    }
    Result<void> write(const std::string& path, const Picture& picture,
                       const std::map<std::string, std::string>&) override {
        std::ofstream(path) << "png";
        files[fs::path(path).filename().string()] = picture.rgb;
        return {};
    }
    std::map<std::string, std::vector<uint8_t>> files;
};

class Events : public EventSink {
public:
    void emit(const Event& event) override {
        if (const auto* state = std::get_if<StateEvent>(&event);
            state != nullptr && state->state == "sampling") {
            done = state->done;
            total = state->total;
            if (onStep) onStep();
        }
        if (const auto* preview = std::get_if<PreviewEvent>(&event)) indices.push_back(preview->index);
    }
    int64_t done = -1;
    int64_t total = -1;
    std::vector<int64_t> indices;
    std::function<void()> onStep;
};

SampleConfig fivePictures(const std::string& folder) {
    SampleConfig config;
    config.model = fixture("tiny-sd1");
    config.prompt = "a photo of sks dog";
    config.steps = 2;
    config.sampler = SamplerKind::Euler;
    config.seed = 11;
    config.count = 5;
    config.batchSize = 2;
    config.threads = 1;
    config.outputDir = folder;
    return config;
}

std::string folderWithTakenNames(const std::string& name) {
    std::string folder = freshFolder(name);
    for (const char* taken : {"00000-11.png", "00002-12.png", "00003-9.png"})
        std::ofstream(folder + "/" + taken) << "mine";
    return folder;
}

} // namespace

TEST(SampleShare, isMadeWithTheNamesAndBytesOfOneProcess) {
    const std::string together = folderWithTakenNames("shares");
    const std::string alone = folderWithTakenNames("shares-alone");
    NotedPictures expected;
    Events all;
    ASSERT_EQ(runSampleJob(fivePictures(alone), all, {}, expected, expected).result, "done");
    ASSERT_EQ(expected.files.size(), 5U);
    const auto numbers = freePictureNumbers(together, 11, 5);
    ASSERT_TRUE(numbers.ok());
    std::map<std::string, std::vector<uint8_t>> found;
    int64_t done = 0;
    for (const int64_t team : {1, 0}) { // the later ones first
        NotedPictures pictures;
        Events events;
        SampleSession session(pictures, pictures);
        const SampleShare share{team, 2, *numbers};
        ASSERT_EQ(session.run(fivePictures(together), events, {}, share).result, "done");
        EXPECT_EQ(events.indices, team == 0 ? (std::vector<int64_t>{0, 1, 4}) : (std::vector<int64_t>{2, 3}));
        EXPECT_EQ(events.total, all.total); // of the job
        done += events.done;
        found.merge(pictures.files);
    }
    EXPECT_EQ(done, all.total);
    EXPECT_TRUE(found == expected.files);
}

TEST(PictureNames, areThoseThatAreFreeOneAfterAnother) {
    const std::string folder = folderWithTakenNames("names");
    const auto numbers = freePictureNumbers(folder, 11, 4);
    ASSERT_TRUE(numbers.ok());
    EXPECT_EQ(*numbers, (std::vector<int64_t>{1, 3, 4, 5})); // 0 is taken for seed 11, 2 for seed 12
    int64_t number = 0;
    EXPECT_EQ(*freePicturePath(folder, 11, number), folder + "/00001-11.png");
    EXPECT_EQ(number, 1);
}

/// One of a pair that makes pictures in fp16, in which the autoencoder overflows: only the first one of them
/// decodes, and both must go on in bf16.
TEST(ARank, DISABLED_goesOnInBf16) {
    at::set_num_threads(1);
    const OwnPlace place = ownPlace();
    const std::unique_ptr<Ranks> pair = meetOthers();
    const GuidanceHalves halves(*pair);
    SampleConfig config = fivePictures(place.folder);
    config.model = place.folder + "/model";
    config.precision = Precision::Fp16;
    config.count = 2;
    config.batchSize = 1;
    NotedPictures pictures;
    Events events;
    SampleShare share;
    share.halves = &halves;
    SampleSession session(pictures, pictures);
    const OutcomeEvent outcome = session.run(config, events, CancelToken(), share);
    place.leave("outcome", outcome.result + " " + std::to_string(pictures.files.size()) + outcome.message);
}

TEST(GuidanceHalves, goOnInBf16Together) {
    const std::string folder = freshFolder("bf16-halves");
    const fs::path model = fs::path(folder) / "model";
    fs::copy(fixture("tiny-sd1"), model, fs::copy_options::recursive);
    sampling_test::fillTensor(model / "vae/diffusion_pytorch_model.safetensors", "decoder.conv_in.weight",
                              sampling_test::kLargestInFp16);
    auto settings = sampling_test::readJson("tiny-sd1/vae/config.json");
    settings["force_upcast"] = false; // else fp32 stands for fp16
    std::ofstream(model / "vae/config.json") << settings.dump();
    RankProcesses ranks(2, "ARank.DISABLED_goesOnInBf16", folder);
    ranks.expectSuccessOfAll();
    EXPECT_EQ(fileText(rankFile(folder, 0, "outcome")), "done 2");
    EXPECT_EQ(fileText(rankFile(folder, 1, "outcome")), "done 0");
}

/// One of a pair is stopped, or comes to its end early: the other does not wait for ever.
TEST(ARank, DISABLED_losesItsOther) {
    const OwnPlace place = ownPlace();
    const bool stopped = fs::exists(place.folder + "/stop");
    std::unique_ptr<Ranks> pair = meetOthers();
    const GuidanceHalves halves(*pair);
    SampleConfig config = fivePictures(place.folder);
    config.steps = 1000;
    config.count = 1;
    NotedPictures pictures;
    Events events;
    CancelToken cancel;
    SampleShare share;
    share.halves = &halves;
    SampleSession session(pictures, pictures);
    if (halves.leads()) {
        events.onStep = [&] {
            place.leave("begun", "yes");
            if (stopped && events.done > 3) cancel.request();
        };
    }
    const OutcomeEvent outcome = session.run(config, events, cancel, share);
    place.leave("outcome", std::to_string(outcome.code) + " " + outcome.result);
    pair.reset();
}

TEST(GuidanceHalves, endWithTheOtherOne) {
    const std::string folder = freshFolder("lost-half");
    RankProcesses killed(2, "ARank.DISABLED_losesItsOther", folder);
    killed.awaitText(0, "begun");
    killed.signal(0, SIGKILL);
    killed.expectSuccess(1);
    EXPECT_EQ(fileText(rankFile(folder, 1, "outcome")), std::to_string(kExitRankLost) + " failed");

    const std::string second = freshFolder("stopped-half");
    std::ofstream(second + "/stop") << "yes";
    RankProcesses stopped(2, "ARank.DISABLED_losesItsOther", second);
    stopped.expectSuccessOfAll();
    EXPECT_EQ(fileText(rankFile(second, 0, "outcome")), std::to_string(kExitCancelled) + " cancelled");
    EXPECT_EQ(fileText(rankFile(second, 1, "outcome")), std::to_string(kExitRankLost) + " failed");
}

} // namespace homebooth::core::testing
