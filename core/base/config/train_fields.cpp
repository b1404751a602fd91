// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/field_builder.h"
#include "core/base/config/format_words.h"

namespace homebooth::core {
namespace {

constexpr double kMany = 1e9;
constexpr FieldRange kUnit{0.0, 1.0};
constexpr FieldRange kBelowOne{0.0, 1.0, false, true};
constexpr FieldRange kRate{0.0, 10.0, true};
constexpr FieldRange kWeight{0.0, 1e6};

void addRun(FieldBuilder& fields, TrainConfig& config) {
    fields.choice("mode", config.mode, "", "what kind of training",
                  {"dreambooth", "dataset", "from-scratch", "language"});
    fields.choice("method", config.method, "--method", "train all weights or a LoRA", {"full", "lora"});
    fields.folder(
        "model", config.model, "--model",
        "diffusers folder, .safetensors or .ckpt file to start from; with --text the folder of a language "
        "model");
    fields.flag("trainTextEncoder", config.trainTextEncoder, "--train-text-encoder",
                "train the text encoder, too");
    fields.choice("precision", config.precision, "--precision", "number format of weights and computation",
                  precisionWords());
    fields.choice("quantization", config.quantization, "--quantize",
                  "int8: the weights beside a LoRA as integers of 8 bits, half the memory of bf16",
                  quantizationWords(Quantization::Int8));
    fields.integer("steps", config.steps, "--steps", "optimizer steps", 1, 1e8);
    fields.integer("batchSize", config.batchSize, "--batch",
                   "pictures or texts in a micro-step, of all processes", 1, 4096);
    fields.seed("seed", config.seed, "--seed", "seed of noise, order and initialisation");
    fields.integer("threads", config.threads, "--threads",
                   "CPU threads of each process; 0: all cores, divided among the processes of this machine",
                   0, 1024);
}

void addClassPictures(FieldBuilder& fields, DataConfig& data) {
    fields.text("classPrompt", data.classPrompt, "--class-prompt",
                "prompt of the subject's class: turns prior preservation on");
    fields.folder("classDir", data.classDir, "--class-dir", "where class pictures lie or are made");
    fields.integer("classImageCount", data.classImageCount, "--class-images", "how many class pictures", 1,
                   1e6);
    fields.real("classGuidanceScale", data.classGuidanceScale, "--class-guidance",
                "guidance scale of class pictures that are made; 1: none, as varied as the model knows them",
                {0.0, 100.0});
    fields.real("priorLossWeight", data.priorLossWeight, "--prior-weight",
                "weight of the class pictures' loss", {0.0, 1000.0});
}

void addCaptions(FieldBuilder& fields, DataConfig& data) {
    fields.real("captionDropout", data.captionDropout, "--caption-dropout",
                "probability of an empty caption, for which SDXL has zeros", kUnit);
    fields.flag("shuffleTags", data.shuffleTags, "--shuffle-tags",
                "captions are tags with commas between: put them in a new order at every step");
    fields.integer("keepTags", data.keepTags, "--keep-tags", "tags that stay in front when shuffled", 0, 1e6);
}

void addData(FieldBuilder& fields, DataConfig& data) {
    fields.group("data.");
    fields.folder("instanceDir", data.instanceDir, "--instance",
                  "folder with photos of the subject; the text in NAME.txt or NAME.caption beside a photo is "
                  "its caption");
    fields.text(
        "instancePrompt", data.instancePrompt, "--prompt",
        "caption of the photos that have no NAME.txt or NAME.caption beside them: \"a photo of sks dog\"");
    addClassPictures(fields, data);
    fields.folder("datasetDir", data.datasetDir, "--dataset",
                  "folder with captioned pictures (captions beside them, metadata.jsonl, or .tar shards)");
    fields.text("captionColumns", data.captionColumns, "--caption-columns",
                "names of what holds captions in metadata.jsonl, or in the KEY.json of .tar shards, with "
                "commas between; empty: texts or text, in KEY.json also caption");
    fields.folder("textPath", data.textPath, "--text",
                  "texts that a language model learns from: a file or folder of .txt, .md, .jsonl and .json");
    fields.text("textColumn", data.textColumn, "--text-column",
                "name of what holds a text in .jsonl and .json; empty: text or content");
    fields.integer("contextTokens", data.contextTokens, "--context",
                   "tokens of a text that are seen together; 0: as many as suit the model", 0, 1 << 20);
    fields.integer("resolutionPixels", data.resolutionPixels, "--resolution",
                   "side in pixels, divisible by 8", 8, 8192, 8);
    fields.integer("startResolutionPixels", data.startResolutionPixels, "--start-resolution",
                   "side in pixels of the first steps, divisible by 8; 0: as all others", 0, 8192, 8);
    fields.integer("startSteps", data.startSteps, "--start-steps", "steps with --start-resolution", 0, kMany);
    fields.choice("framing", data.framing, "--framing", "crop to a square, or keep shapes in buckets",
                  {"crop", "buckets"});
    fields.colour("background", data.background, "--background",
                  "colour behind transparent parts of pictures, as #rrggbb");
    fields.flag("flip", data.flip, "--flip", "also train on mirrored pictures");
    addCaptions(fields, data);
    fields.real("validationShare", data.validationShare, "--validation-share",
                "share of pictures or texts not trained on, which gives a second loss curve", {0.0, 0.5});
    fields.flag("skipBrokenImages", data.skipBrokenImages, "--skip-broken-images",
                "go on without pictures that cannot be read or have no caption");
    fields.choice(
        "encode", data.encode, "--encode",
        "a data set's pictures and captions: all encoded first, or ahead of the steps that need them",
        {"auto", "first", "ahead"});
}

void addLora(FieldBuilder& fields, LoraConfig& lora) {
    fields.group("lora.");
    fields.integer("rank", lora.rank, "--lora-rank", "rank of the LoRA", 1, 4096);
    fields.real("alpha", lora.alpha, "--lora-alpha", "scale of the LoRA is alpha / rank", {0.0, 1e6, true});
    fields.real("dropout", lora.dropout, "--lora-dropout", "dropout of the LoRA's input", kBelowOne);
    fields.flag("convolutions", lora.convolutions, "--lora-convolutions", "also adapt 3x3 convolutions");
}

void addOptimizer(FieldBuilder& fields, OptimizerConfig& optimizer) {
    fields.group("optimizer.");
    fields.choice("kind", optimizer.kind, "--optimizer", "optimizer", {"adamw", "adamw8bit", "adafactor"});
    fields.choice("states", optimizer.states, "--optimizer-states", "number format of AdamW's moments",
                  {"fp32", "bf16"});
    fields.choice("master", optimizer.master, "--master",
                  "copy of bf16 and fp16 weights that learns: none (they are rounded stochastically) or fp32",
                  {"none", "fp32"});
    fields.real("learningRate", optimizer.learningRate, "--lr", "learning rate", kRate);
    fields.real("textEncoderLearningRate", optimizer.textEncoderLearningRate, "--text-encoder-lr",
                "learning rate of the text encoder; 0: the same", {0.0, 10.0});
    fields.choice("schedule", optimizer.schedule, "--lr-schedule", "course of the learning rate",
                  {"constant", "linear", "cosine"});
    fields.integer("warmupSteps", optimizer.warmupSteps, "--lr-warmup", "steps until the full learning rate",
                   0, kMany);
    fields.real("beta1", optimizer.beta1, "--beta1", "AdamW's first decay", kBelowOne);
    fields.real("beta2", optimizer.beta2, "--beta2", "AdamW's second decay", kBelowOne);
    fields.real("epsilon", optimizer.epsilon, "--adam-epsilon", "AdamW's epsilon", {0.0, 1.0, true});
    fields.real("weightDecay", optimizer.weightDecay, "--weight-decay", "decoupled weight decay",
                {0.0, 10.0});
    fields.real("maxGradientNorm", optimizer.maxGradientNorm, "--clip-norm",
                "greatest norm of the whole gradient; 0: no clipping", kWeight);
    fields.integer("accumulationSteps", optimizer.accumulationSteps, "--accumulate", "micro-steps in a step",
                   1, 1e6);
    fields.real("emaDecay", optimizer.emaDecay, "--ema", "decay of the moving average of weights; 0: none",
                kBelowOne);
}

void addLoss(FieldBuilder& fields, LossConfig& loss) {
    fields.group("loss.");
    fields.real("minSnrGamma", loss.minSnrGamma, "--min-snr", "min-SNR weighting, usually 5; 0: off",
                {0.0, 1000.0});
    fields.real("noiseOffset", loss.noiseOffset, "--noise-offset", "noise added for each channel as a whole",
                {0.0, 1.0});
    fields.flag("zeroTerminalSnr", loss.zeroTerminalSnr, "--zero-terminal-snr",
                "betas rescaled so that the last timestep is noise alone; needs v_prediction");
    fields.word("predictionType", loss.predictionType, "--prediction-type",
                "what the UNet predicts; without it what the model says", predictionWords());
}

void addMemory(FieldBuilder& fields, MemoryConfig& memory) {
    fields.group("memory.");
    fields.choice("device", memory.device, "--device", "what computes; auto: the GPU where there is one",
                  {"auto", "gpu", "cpu"});
    fields.choice("policy", memory.policy, "--policy",
                  "parameters: gpu: all on the device; cpu: in RAM, on the device only for their block",
                  {"auto", "gpu", "cpu"});
    fields.bytes("deviceBytes", memory.deviceBytes, "--gpu-memory",
                 "GPU memory to use, e.g. 6GiB; 0: what is free");
    fields.bytes("ramBytes", memory.ramBytes, "--ram", "RAM to use, e.g. 16GiB; 0: what is free");
    fields.folder(
        "swapDir", memory.swapDir, "--swap",
        "folder on a fast disk (NVMe): the optimizer's states lie there instead of in memory, and averages, "
        "waiting gradients and streamed parameters where --ram is too small for them (beside a GPU only what "
        "belongs to streamed parameters, which stay in RAM; of several processes each has a folder in "
        "there)");
    fields.bytes("swapBytes", memory.swapBytes, "--swap-size",
                 "space that --swap may take, of all processes, e.g. 40GiB; 0: what is needed");
}

void addParallel(FieldBuilder& fields, ParallelConfig& parallel) {
    fields.group("parallel.");
    fields.integer("processes", parallel.processes, "--processes",
                   "processes that train together on this machine, each on its part of --batch (with "
                   "torchrun, mpirun or srun: as many as those start)",
                   1, 256);
    fields.integer("zero", parallel.zero, "--zero",
                   "what of several processes each holds a part of instead of all: 0: nothing, 1: the "
                   "optimizer's states, 2: also gradients, 3: also parameters",
                   0, 3);
    fields.texts("gpus", parallel.gpus, "--gpus",
                 "GPUs of the processes, one each (more are not used), with commas between: numbers as "
                 "nvidia-smi shows them, or UUIDs; without it the fastest ones");
}

void addOutput(FieldBuilder& fields, OutputConfig& output) {
    fields.group("output.");
    fields.folder("runDir", output.runDir, "--output", "folder of the run; must not hold one yet");
    fields.integer(
        "checkpointEverySteps", output.checkpointEverySteps, "--checkpoint-every",
        "steps between checkpoints; after 20 minutes without one another is written, until the next", 1,
        kMany);
    fields.integer("validateEverySteps", output.validateEverySteps, "--validate-every",
                   "steps between points of the validation curve", 1, kMany);
    fields.integer("previewEverySteps", output.previewEverySteps, "--preview-every",
                   "steps between previews, and one at the end; 0: none", 0, kMany);
    fields.integer("previewCount", output.previewCount, "--preview-count", "pictures in a preview", 1, 64);
    fields.text("previewPrompt", output.previewPrompt, "--preview-prompt",
                "prompt of previews, | between several; empty: --prompt, or captions of the data set");
    fields.real("guidanceScale", output.guidanceScale, "--guidance", "guidance scale of previews; 1: none",
                {0.0, 100.0});
    fields.integer("keepCheckpoints", output.keepCheckpoints, "--keep", "checkpoints to keep, at least 2", 2,
                   1e6);
    fields.flag("keepOptimizerState", output.keepOptimizerState, "--keep-optimizer-state",
                "keep optimizer states in the last checkpoint, so that the run can be trained further");
}

} // namespace

std::vector<ConfigField> configFields(TrainConfig& config) {
    FieldBuilder fields;
    addRun(fields, config);
    addData(fields, config.data);
    addLora(fields, config.lora);
    addOptimizer(fields, config.optimizer);
    addLoss(fields, config.loss);
    addMemory(fields, config.memory);
    addParallel(fields, config.parallel);
    addOutput(fields, config.output);
    fields.group("scratch.");
    fields.text("component", config.scratch.component, "--component",
                "part that is trained from scratch: unet (with its text encoder) or vae");
    fields.folder("configDir", config.scratch.configDir, "--scratch-config",
                  "folder with the configurations of the model to make");
    return fields.take();
}

} // namespace homebooth::core
