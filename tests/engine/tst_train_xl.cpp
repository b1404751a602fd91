// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Training SDXL: a step against diffusers, what its UNet is told of texts and of how pictures are framed, and
// whole runs.
#include "core/base/files/sha256.h"
#include "core/base/model/configs/told_prediction.h"
#include "core/base/model/lora/lora_file.h"
#include "core/base/model/model_source.h"
#include "core/base/model/model_writer.h"
#include "core/engine/io/tensor_files.h"
#include "core/engine/learning/denoising_step.h"
#include "core/engine/planning/plan_report.h"
#include "core/engine/training/batch_maker.h"
#include "core/engine/training/training_data.h"

#include "finished_training.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

namespace homebooth::core::testing {
namespace {

TrainConfig tinyXl(const std::string& root) {
    TrainConfig config = tinyDreamBooth(root);
    config.model = fixture("tiny-sdxl");
    return config;
}

TrainConfig tinyXlLora(const std::string& root) {
    TrainConfig config = tinyXl(root);
    config.method = TrainMethod::Lora;
    config.lora.rank = 2;
    return config;
}

/// A model with all that it borrows.
struct OpenModel {
    TrainConfig config;
    RunFolder run;
    JobWorld world;
    JobContext job;
    std::unique_ptr<ModelBundle> model;

    explicit OpenModel(TrainConfig wanted, const JobOptions& options = {})
        : config(std::move(wanted))
        , run(makeRun(config))
        , job{config, run, world.events, world.control, world.pictures, world.writer, world.options} {
        world.options = options;
        auto made = ModelBundle::make(job);
        if (!made) throw std::runtime_error(made.error().text());
        model = std::move(made).value();
    }
};

Reference expected(const std::string& prefix) {
    return {openTensors(fixture("xl/expected.safetensors")), prefix};
}

std::vector<std::string> prompts() {
    return nlohmann::json::parse(readText(fixture("xl/expected.json"))).at("prompts");
}

/// AdamW's first moments after one step are a tenth of the gradients.
std::map<std::string, at::Tensor> gradientsAfterOneStep(Learner& learner, const std::string& folder) {
    if (const auto saved = learner.save(folder); !saved) throw std::runtime_error(saved.error().text());
    const std::string ending = ".exp_avg";
    const Reference states(openTensors(folder + "/optimizer-unet.safetensors"), "");
    std::map<std::string, at::Tensor> gradients;
    for (const std::string& name : states.names(""))
        if (name.ends_with(ending))
            gradients[name.substr(0, name.size() - ending.size())] = states[name].to(at::kDouble) * 10.0;
    return gradients;
}

TEST(TrainXl, aStepIsThatOfDiffusers) {
    OpenModel opened(tinyXl(scratchFolder("xl-step")));
    Learner learner(opened.config, {{"unet", &opened.model->unet().component(), 1e-3}});
    DenoisingStep denoise(opened.config, opened.model->unet(), nullptr, opened.model->noiseSchedule());
    const Reference reference = expected("training/");
    DenoisingBatch batch;
    batch.latents = reference["latents"];
    batch.noise = reference["noise"];
    batch.timesteps = reference["timesteps"];
    batch.context = reference["embeds"];
    batch.pooledText = reference["pooled"];
    batch.timeIds = reference["time_ids"];
    learner.beginStep(1);
    const double loss = denoise.run(batch, learner);
    static_cast<void>(learner.endStep());
    const double wanted = reference["loss"].item<double>();
    EXPECT_NEAR(loss, wanted, 1e-4 * wanted);
    const auto gradients = gradientsAfterOneStep(learner, opened.run.path());
    const std::vector<std::string> names = reference.names("gradient/unet/");
    ASSERT_GE(names.size(), 8U);
    for (const std::string& name : names) {
        const at::Tensor theirs = reference["gradient/unet/" + name].to(at::kDouble);
        const double error = (gradients.at(name) - theirs).norm().item<double>();
        EXPECT_LE(error, kGradientTolerance * theirs.norm().item<double>() + 1e-9) << name;
    }
}

/// A caption's tokens as each of the model's tokenizers gives them.
PromptTokens tokensOf(const ModelBundle& model, const std::string& caption) {
    PromptTokens tokens;
    for (const ClipTokenizer& tokenizer : model.tokenizers())
        tokens.push_back(tokenizer.tokenize(caption, model.contextLength()).ids);
    return tokens;
}

TEST(TrainXl, captionsAreEncodedByBothEncodersAsDiffusersDoes) {
    OpenModel opened(tinyXl(scratchFolder("xl-captions")));
    PromptCache cache("", "hash", [&] { return opened.model->textEncoders(); });
    const Reference reference = expected("prompts/");
    const std::vector<std::string> texts = prompts();
    ASSERT_EQ(texts.size(), 3U);
    for (size_t i = 0; i < texts.size(); ++i) {
        const auto row = static_cast<int64_t>(i);
        const PromptTokens tokens = tokensOf(*opened.model, texts[i]);
        ASSERT_EQ(tokens.size(), 2U);
        EXPECT_TRUE(at::equal(at::tensor(tokens[0], at::kLong), reference["ids"][row])) << texts[i];
        EXPECT_TRUE(at::equal(at::tensor(tokens[1], at::kLong), reference["ids_2"][row])) << texts[i];
        const auto condition = cache.encode(tokens);
        ASSERT_TRUE(condition) << condition.error().text();
        EXPECT_LE(relativeError(condition->context, reference["embeds"][row]), kOutputTolerance) << texts[i];
        EXPECT_LE(relativeError(condition->pooled, reference["pooled"][row]), kOutputTolerance) << texts[i];
    }
}

/// The only file in a folder.
std::string onlyFileOf(const std::string& folder) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path().string());
    if (files.size() != 1) throw std::runtime_error("expected one file in " + folder);
    return files.front();
}

TEST(PromptCache, keepsContextAndPooledTextForTheNextRun) {
    const std::string root = scratchFolder("xl-prompt-cache");
    OpenModel opened(tinyXl(root));
    const PromptTokens tokens = tokensOf(*opened.model, "a photo of sks dog");
    const std::string folder = root + "/texts";
    PromptCache first(folder, "hash", [&] { return opened.model->textEncoders(); });
    const auto made = first.encode(tokens);
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_EQ(first.heldBytes(), static_cast<int64_t>(made->context.nbytes() + made->pooled.nbytes()));
    const auto none = [] { return Result<TextEncoders*>(badInput("nothing may be encoded again")); };
    const auto found = PromptCache(folder, "hash", none).encode(tokens);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_TRUE(at::equal(found->context, made->context));
    EXPECT_TRUE(at::equal(found->pooled, made->pooled));
    EXPECT_FALSE(PromptCache(folder, "other", none).encode(tokens));
    // The second encoder's tokens are part of the name.
    EXPECT_FALSE(PromptCache(folder, "hash", none).encode({tokens[0], tokens[0]}));
    // A file whose bytes a disk has changed, or without the pooled text, is worth nothing.
    const std::string file = onlyFileOf(folder);
    std::string bytes = fileBytes(file);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    std::ofstream(file, std::ios::binary) << bytes;
    EXPECT_FALSE(PromptCache(folder, "hash", none).encode(tokens));
    fs::remove(file);
    ASSERT_TRUE(writeTensorFile(file, TensorListSource({{"context", made->context}})));
    EXPECT_FALSE(PromptCache(folder, "hash", none).encode(tokens));
}

TEST(PromptCache, findsWhatModelsWithOneTextEncoderHaveKept) {
    const std::string root = scratchFolder("one-encoder-cache");
    OpenModel opened(tinyDreamBooth(root));
    const PromptTokens tokens = tokensOf(*opened.model, "a photo of sks dog");
    ASSERT_EQ(tokens.size(), 1U);
    PromptCache cache(root + "/texts", "hash", [&] { return opened.model->textEncoders(); });
    ASSERT_TRUE(cache.encode(tokens));
    std::string key = "text 1\nhash";
    for (const int64_t token : tokens.front()) key += "\n" + std::to_string(token);
    const std::string file = onlyFileOf(root + "/texts");
    EXPECT_EQ(file, root + "/texts/" + sha256Text(key) + ".safetensors");
    EXPECT_EQ(openTensors(file)->tensors().size(), 1U);
}

/// The data of a run, all of it encoded.
std::unique_ptr<TrainingData> dataOf(OpenModel& opened) {
    auto data = TrainingData::read(opened.job, *opened.model);
    if (!data) throw std::runtime_error(data.error().text());
    EXPECT_TRUE((*data)->chooseEncoding(/*ahead=*/false));
    const auto filled = (*data)->fill();
    if (!filled) throw std::runtime_error(filled.error().text());
    return std::move(data).value();
}

std::vector<float> rowOf(const at::Tensor& timeIds, int64_t row) {
    const at::Tensor one = timeIds[row].contiguous();
    return {one.const_data_ptr<float>(), one.const_data_ptr<float>() + one.numel()};
}

/// A run on one wide photo and a small square class picture, 160 x 80 and 48 x 48 pixels.
TrainConfig wideAndSquare(const std::string& root, FramingMode framing) {
    TrainConfig config = tinyXl(root);
    fs::remove_all(config.data.instanceDir);
    fs::create_directories(config.data.instanceDir);
    writePpm(config.data.instanceDir + "/wide.ppm", patternPicture(4, 160, 80));
    config.data.framing = framing;
    config.data.classPrompt = "a photo of a dog";
    config.data.classDir = root + "/class";
    config.data.classImageCount = 1;
    fs::create_directories(config.data.classDir);
    writePpm(config.data.classDir + "/square.ppm", patternPicture(5, 48, 48));
    return config;
}

TEST(TrainXl, samplesTellHowTheirPicturesWereFramed) {
    using Row = std::vector<float>;
    for (const FramingMode framing : {FramingMode::Crop, FramingMode::Buckets}) {
        const bool crops = framing == FramingMode::Crop;
        const std::string root = scratchFolder(crops ? "xl-crop" : "xl-buckets");
        const TrainConfig config = wideAndSquare(root, framing);
        JobOptions options;
        options.cacheDir = root + "/cache";
        for (const bool cached : {false, true}) {
            OpenModel opened(inFolder(config, root + (cached ? "/cached" : "/first")), options);
            const auto data = dataOf(opened);
            EXPECT_EQ(opened.world.pictures.loaded() == 0, cached); // also without decoding anything
            BatchMaker batches(opened.job, *opened.model);
            ASSERT_TRUE(batches.encodePrompts(data->captions()));
            const at::Tensor ids = batches.batch(data->draw(1), 1, 0).timeIds;
            // 128 x 64 of which 64 x 64 are cut out; 96 x 48, of which 96 x 32.
            EXPECT_EQ(rowOf(ids, 0), crops ? (Row{80, 160, 0, 32, 64, 64}) : (Row{80, 160, 8, 0, 32, 96}));
            // The class picture in the same size: 64 x 64; 96 x 96.
            EXPECT_EQ(rowOf(ids, 1), crops ? (Row{48, 48, 0, 0, 64, 64}) : (Row{48, 48, 32, 0, 32, 96}));
        }
    }
}

TEST(TrainXl, mirroredAndHeldOutSamplesTellTheirCorner) {
    TrainConfig config = tinyDataset(scratchFolder("xl-mirrored"));
    config.model = fixture("tiny-sdxl");
    config.data.flip = true;
    config.data.validationShare = 0.2;
    OpenModel opened(config);
    const auto data = dataOf(opened);
    BatchMaker batches(opened.job, *opened.model);
    ASSERT_TRUE(batches.encodePrompts(data->captions()));
    std::map<bool, int> seen;
    for (int64_t step = 1; step <= 12; ++step) {
        const StepDraws drawn = data->draw(step);
        const bool mirrored = drawn.instances.front().mirrored;
        ++seen[mirrored];
        // Of 80 x 72 pixels, 71 x 64 when scaled: 3 are left out on the left and 4 on the right.
        EXPECT_EQ(rowOf(batches.batch(drawn, step, 0).timeIds, 0),
                  (std::vector<float>{72, 80, 0, mirrored ? 4.0F : 3.0F, 64, 64}));
    }
    EXPECT_EQ(seen.size(), 2U);
    const auto draws = data->heldOutDraws();
    ASSERT_EQ(draws.size(), 1U);
    const DenoisingBatch heldOut = batches.heldOutBatch(draws.front(), 0, 1);
    EXPECT_EQ(rowOf(heldOut.timeIds, 0), (std::vector<float>{72, 80, 0, 3, 64, 64}));
    EXPECT_EQ(heldOut.pooledText.sizes(), (std::vector<int64_t>{1, 6}));
}

/// The pictures were as large, and what is learned of them is smaller.
TEST(TrainXl, firstStepsOfALowerResolutionTellIt) {
    const std::string root = scratchFolder("xl-start");
    TrainConfig config = wideAndSquare(root, FramingMode::Buckets);
    config.data.startResolutionPixels = 32;
    config.data.startSteps = 1;
    OpenModel opened(config);
    const auto data = dataOf(opened);
    BatchMaker batches(opened.job, *opened.model);
    ASSERT_TRUE(batches.encodePrompts(data->captions()));
    const auto rows = [&](int64_t step) {
        const DenoisingBatch batch = batches.batch(data->draw(step), step, 0);
        for (const int64_t row : {0, 1}) { // the photo and the class picture
            const std::vector<float> ids = rowOf(batch.timeIds, row);
            EXPECT_EQ(ids[4], static_cast<float>(8 * batch.latents.size(2))) << step;
            EXPECT_EQ(ids[5], static_cast<float>(8 * batch.latents.size(3))) << step;
        }
        return std::pair(rowOf(batch.timeIds, 0), rowOf(batch.timeIds, 1));
    };
    const auto start = rows(1);
    EXPECT_EQ(start.first, (std::vector<float>{80, 160, 0, 16, 32, 32})); // of 64 x 32
    EXPECT_EQ(start.second, (std::vector<float>{48, 48, 0, 0, 32, 32}));
    EXPECT_EQ(rows(2).first, (std::vector<float>{80, 160, 8, 0, 32, 96}));
}

TEST(TrainXl, droppedCaptionsAreTheZerosThatSamplingAsksFor) {
    TrainConfig config = tinyXl(scratchFolder("xl-dropped"));
    config.data.captionDropout = 1.0;
    OpenModel opened(config);
    const auto data = dataOf(opened);
    EXPECT_EQ(data->captions(), std::set<std::string>{config.data.instancePrompt});
    BatchMaker batches(opened.job, *opened.model);
    ASSERT_TRUE(batches.encodePrompts(data->captions()));
    StepDraws drawn = data->draw(1);
    const DenoisingBatch dropped = batches.batch(drawn, 1, 0);
    EXPECT_EQ(dropped.context.count_nonzero().item<int64_t>(), 0);
    EXPECT_EQ(dropped.pooledText.count_nonzero().item<int64_t>(), 0);
    // Of the shapes and the type of a caption that is empty in the file, which is encoded.
    drawn.instances.front().noText = false;
    const DenoisingBatch empty = batches.batch(drawn, 1, 0);
    EXPECT_GT(empty.context.count_nonzero().item<int64_t>(), 0);
    EXPECT_EQ(dropped.context.sizes(), empty.context.sizes());
    EXPECT_EQ(dropped.pooledText.sizes(), empty.pooledText.sizes());
    EXPECT_EQ(dropped.context.scalar_type(), empty.context.scalar_type());
}

/// A single file of the tiny SDXL that does not say what it predicts.
std::string silentFile(const std::string& root) {
    const auto model = openModel(fixture("tiny-sdxl"));
    if (!model) throw std::runtime_error(model.error().text());
    WriteOptions options;
    for (const char* key :
         {"homebooth.scheduler_config", "modelspec.prediction_type", "modelspec.architecture"})
        options.metadata[key] = "";
    const std::string path = root + "/silent.safetensors";
    const auto written = writeSingleFile(*model, path, options);
    if (!written) throw std::runtime_error(written.error().text());
    return path;
}

/// What nearly all of them predict is no more than that: who says another thing knows.
TEST(TrainXl, classPicturesAreDrawnAsToldWhereTheFileDoesNotSayIt) {
    const std::string root = scratchFolder("xl-silent");
    TrainConfig config = tinyXl(root);
    int runs = 0;
    const auto drawnAs = [&](const std::string& model) {
        config.model = model;
        OpenModel opened(inFolder(config, root + "/" + std::to_string(++runs)));
        const size_t warnings = opened.world.events.of<WarningEvent>().size();
        return std::pair(opened.model->ownScheduler().predictionType, warnings);
    };
    const std::string silent = silentFile(root);
    EXPECT_EQ(drawnAs(silent), std::pair(std::optional(PredictionType::Epsilon), size_t{0}));
    config.loss.predictionType = "v_prediction";
    config.data.classPrompt = "a photo of a dog";
    // This one says another thing than it shall learn, and that is told.
    EXPECT_EQ(drawnAs(fixture("tiny-sdxl")), std::pair(std::optional(PredictionType::Epsilon), size_t{1}));
    EXPECT_EQ(drawnAs(silent), std::pair(std::optional(PredictionType::VPrediction), size_t{1}));
}

TEST(TrainXl, aLoraKeepsWhatWasToldOfASilentModel) {
    const std::string root = scratchFolder("xl-told");
    TrainConfig config = tinyXlLora(root);
    config.loss.predictionType = "v_prediction";
    config.loss.zeroTerminalSnr = true;
    config.steps = 1;
    const std::string silent = silentFile(root);
    for (const std::string& model : {silent, fixture("tiny-sdxl")}) {
        config.model = model;
        const bool says = model != silent;
        const OutcomeEvent outcome = finished(inFolder(config, root + (says ? "/says" : "/told")));
        const auto told = toldPredictionOf(outcome.resultPaths.front(), model);
        ASSERT_EQ(told.has_value(), !says);
        if (says) continue;
        EXPECT_EQ(told->predictionType, PredictionType::VPrediction);
        EXPECT_TRUE(told->zeroTerminalSnr);
        EXPECT_FALSE(toldPredictionOf(outcome.resultPaths.front(), root + "/another.safetensors"));
    }
}

TEST(TrainXl, loraWithPreviewsAndClassPicturesLeavesAFileThatFits) {
    const std::string root = scratchFolder("xl-lora");
    TrainConfig config = tinyXlLora(root);
    config.data.classPrompt = "a photo of a dog";
    config.data.classImageCount = 2;
    config.output.previewEverySteps = 2;
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    const OutcomeEvent outcome = runFresh(config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(world.events.of<StepEvent>().size(), 4U);
    EXPECT_EQ(world.events.of<PreviewEvent>().size(), 2U);
    EXPECT_EQ(world.writer.written, 4); // two of the class
    EXPECT_TRUE(world.events.of<WarningEvent>().empty());
    const auto model = openModel(config.model);
    ASSERT_TRUE(model) << model.error().text();
    const auto lora = openLora(outcome.resultPaths.front(), *model);
    ASSERT_TRUE(lora) << lora.error().text();
    EXPECT_TRUE(checkLoraFits(*lora, *model));
    EXPECT_GT(lora->modules.size(), 20U);
    for (const LoraModule& module : lora->modules) EXPECT_EQ(module.name.component, "unet");
}

/// One tensor in fp32, whatever its file holds.
at::Tensor numbersOf(const TensorSource& source, const std::string& name) {
    const auto read = readWholeTensor(source, name);
    if (!read) throw std::runtime_error(read.error().text());
    return read->to(at::kFloat);
}

TEST(TrainXl, fullTrainingLeavesModelsWithTheTextEncodersAsTheyWere) {
    const TrainConfig config = tinyXl(scratchFolder("xl-full"));
    const OutcomeEvent outcome = finished(config);
    ASSERT_EQ(outcome.resultPaths.size(), 2U);
    const auto before = openModel(config.model);
    ASSERT_TRUE(before) << before.error().text();
    for (const std::string& path : outcome.resultPaths) {
        const auto trained = openModel(path);
        ASSERT_TRUE(trained) << trained.error().text();
        ASSERT_TRUE(trained->secondText.has_value()) << path;
        EXPECT_FALSE(trained->text.tokenizerFiles.empty()) << path;
        EXPECT_FALSE(trained->secondText->tokenizerFiles.empty()) << path;
        const std::string projection = "text_projection.weight";
        EXPECT_TRUE(at::equal(numbersOf(*trained->secondText->tensors, projection),
                              numbersOf(*before->secondText->tensors, projection)));
        const std::string unet = "add_embedding.linear_1.weight";
        EXPECT_FALSE(
            at::equal(numbersOf(*trained->unetTensors, unet), numbersOf(*before->unetTensors, unet)));
    }
}

TEST(TrainXl, goesOnWithTheBytesOfAStraightRun) {
    const std::string root = scratchFolder("xl-resumed");
    TrainConfig config = tinyXl(root);
    config.data.flip = true;
    config.data.captionDropout = 0.3;
    JobWorld straight;
    ASSERT_EQ(runFresh(inFolder(config, root + "/straight"), straight).result, "done");
    const RunFolder run = makeRun(config);
    TrainConfig part = config;
    part.steps = 3;
    JobWorld first;
    ASSERT_EQ(runJob(part, run, first).result, "done");
    JobWorld rest;
    const OutcomeEvent outcome = runJob(config, run, rest);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(rest.events.of<ResumedEvent>().front().fromStep, 3);
    expectEqualFolders(checkpointOf(config, 4), root + "/straight/run/checkpoints/step-000004");
    expectEqualFolders(config.output.runDir + "/result/model", root + "/straight/run/result/model");
}

TEST(TrainXl, hasTheSameBytesFromTheCacheAndWithoutOne) {
    const std::string root = scratchFolder("xl-cached");
    TrainConfig config = tinyXlLora(root);
    config.data.flip = true;
    JobWorld without;
    ASSERT_EQ(runFresh(inFolder(config, root + "/without"), without).result, "done");
    for (const char* name : {"/first", "/second"}) {
        JobWorld world;
        world.options.cacheDir = root + "/cache";
        ASSERT_EQ(runFresh(inFolder(config, root + name), world).result, "done");
        EXPECT_EQ(world.pictures.loaded() == 0, std::string(name) == "/second");
        expectEqualFolders(root + name + "/run/checkpoints/step-000004",
                           root + "/without/run/checkpoints/step-000004");
    }
}

TEST(TrainXl, takesTheLossesThatOthersTake) {
    TrainConfig config = tinyXl(scratchFolder("xl-losses"));
    config.loss.predictionType = "v_prediction";
    config.loss.zeroTerminalSnr = true;
    config.loss.minSnrGamma = 5.0;
    config.loss.noiseOffset = 0.05;
    const OutcomeEvent outcome = finished(config);
    const auto trained = openModel(outcome.resultPaths.front());
    ASSERT_TRUE(trained) << trained.error().text();
    EXPECT_EQ(trained->predictionType, PredictionType::VPrediction);
}

TEST(TrainXl, trainsInSixteenBits) {
    for (const Precision precision : {Precision::Bf16, Precision::Fp16}) {
        const bool half = precision == Precision::Fp16; // in which the autoencoder computes in fp32
        TrainConfig config = tinyXlLora(scratchFolder(half ? "xl-fp16" : "xl-bf16"));
        config.precision = precision;
        config.output.previewEverySteps = 4;
        JobWorld world;
        (void)finished(config, world);
        EXPECT_EQ(world.events.of<PreviewEvent>().size(), 1U);
        EXPECT_EQ(world.events.of<StepEvent>().front().lossScale.has_value(), half);
    }
}

TEST(TrainXl, streamsWithTheBytesOfAResidentRun) {
    const std::string root = scratchFolder("xl-streamed");
    TrainConfig config = tinyXlLora(root);
    JobWorld resident;
    ASSERT_EQ(runFresh(inFolder(config, root + "/resident"), resident).result, "done");
    config.memory.policy = PlacementPolicy::Cpu;
    config.output.previewEverySteps = 4; // text encoders and autoencoder are streamed, too
    JobWorld streamed;
    const OutcomeEvent outcome = runFresh(config, streamed);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    expectEqualFolders(checkpointOf(config, 4), root + "/resident/run/checkpoints/step-000004");
}

TEST(TrainXl, aLoraOfTheReleasedModelIsPlannedForEightGigabytes) {
    constexpr int64_t kCard = int64_t{8} << 30;
    OpenOptions open;
    open.weightsOptional = true;
    const auto model = openModel(HOMEBOOTH_SOURCE_DIR "/tests/configs/sdxl-base", open);
    ASSERT_TRUE(model) << model.error().text();
    TrainConfig config;
    config.method = TrainMethod::Lora;
    config.precision = Precision::Bf16;
    config.data.resolutionPixels = 1024;
    config.memory.device = ComputeDevice::Gpu;
    StepBudget budget;
    budget.deviceBytes = kCard * 9 / 10;
    budget.ramBytes = 2 * kCard;
    MachineSpeed speed = MachineSpeed::uniform(1e13, 2e11, 1e-5, 1e9);
    speed.linkBytesPerSecond = 1e10;
    const auto steps = planStep(config, *model, budget, speed);
    ASSERT_TRUE(steps) << steps.error().text();
    EXPECT_LE(steps->need.devicePeakBytes, budget.deviceBytes);
    const auto plan =
        planTraining(config, *model, {true, kCard, 2 * kCard}, stepNeedOf(config, *steps, kThisMachine));
    ASSERT_TRUE(plan) << plan.error().text();
    const auto& decisions = plan->event.decisions;
    const auto preparing = std::find_if(decisions.begin(), decisions.end(),
                                        [](const PlanDecision& one) { return one.code == "preparation"; });
    ASSERT_NE(preparing, decisions.end());
    const double bytes = preparing->facts.at("preparationBytes"); // a picture, encoded in fp32
    EXPECT_GT(bytes, 2.5e9);
    EXPECT_LT(bytes, 3e9);
}

TEST(TrainXl, refusesToTrainItsTextEncoders) {
    for (const TrainMethod method : {TrainMethod::Full, TrainMethod::Lora}) {
        TrainConfig config = tinyXl(scratchFolder("xl-text"));
        config.method = method;
        config.trainTextEncoder = true;
        JobWorld world;
        const OutcomeEvent outcome = runFresh(config, world);
        EXPECT_EQ(outcome.result, "failed");
        EXPECT_EQ(outcome.code, 2);
        EXPECT_NE(outcome.message.find("--train-text-encoder"), std::string::npos) << outcome.message;
        EXPECT_EQ(world.pictures.loaded(), 0); // before anything is encoded
    }
}

TEST(TrainXl, refusesToBeTrainedFromScratch) {
    const std::string root = scratchFolder("xl-scratch");
    TrainConfig config = tinyDataset(root);
    config.mode = TrainMode::FromScratch;
    config.model.clear();
    config.scratch.configDir = fixture("tiny-sdxl");
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.result, "failed");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.message.find("one text encoder"), std::string::npos) << outcome.message;
}

} // namespace
} // namespace homebooth::core::testing
