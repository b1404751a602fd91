// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything a training run was asked for. Plain values; run.json is exactly this structure.
// Defaults here are those of an SD 1.x DreamBooth; TrainingDefaults fills in what the user left open.
#pragma once

#include "core/base/schedule/quantized_weights.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

enum class TrainMethod { Full, Lora };
/// Language: a language model, which learns to go on with texts; all others learn pictures.
enum class TrainMode { DreamBooth, Dataset, FromScratch, Language };
enum class Precision { Fp32, Fp16, Bf16 };
enum class OptimizerKind { AdamW, AdamW8bit, Adafactor };
enum class StateType { Fp32, Bf16 }; ///< what AdamW keeps its moments in
/// What updates of 16-bit weights are added to: the weights, rounded stochastically, or fp32 copies of them.
enum class MasterWeights { None, Fp32 };
/// What computes: the GPU where there is one, or one of them without question.
enum class ComputeDevice { Auto, Gpu, Cpu };
/// Where parameters lie: all of them on the device that computes, or only those that it needs at the moment.
enum class PlacementPolicy { Auto, Gpu, Cpu };
enum class LearningRateSchedule { Constant, Linear, Cosine };
enum class FramingMode { Crop, Buckets };
/// When pictures and captions of a data set are encoded: as it fits, all before the first step, or each
/// shortly before it is needed.
enum class EncodeTime { Auto, First, Ahead };

struct DataConfig {
    std::string instanceDir;    ///< photos of the subject
    std::string instancePrompt; ///< "a photo of sks dog"
    std::string classPrompt;    ///< "a photo of a dog"; empty: no prior preservation
    std::string classDir;       ///< where class pictures lie or are made; empty: in the user's cache
    int64_t classImageCount = 100;
    double classGuidanceScale = 7.5; ///< of class pictures that are made; at most 1: none
    double priorLossWeight = 1.0;
    std::string datasetDir; ///< captioned pictures, instead of instanceDir
    /// Names of what holds captions in metadata.jsonl and in the JSON of shards, with commas between; empty:
    /// `texts`, or else `text`.
    std::string captionColumns;
    std::string textPath;              ///< texts of a language model: a file, or a folder of them
    std::string textColumn;            ///< of a text in .jsonl and .json; empty: text, or else content
    int64_t contextTokens = 0;         ///< of a text that are seen together; 0: as many as suit the model
    int64_t resolutionPixels = 512;    ///< divisible by 8
    int64_t startResolutionPixels = 0; ///< of the first startSteps steps; 0: resolutionPixels
    int64_t startSteps = 0;
    FramingMode framing = FramingMode::Crop;
    std::string background = "#ffffff"; ///< behind transparent parts of pictures, sRGB
    bool flip = false;
    double captionDropout = 0.0;   ///< probability of an empty caption
    bool shuffleTags = false;      ///< captions are lists with commas, put in a new order at every step
    int64_t keepTags = 1;          ///< how many tags stay in front
    double validationShare = 0.0;  ///< of the pictures, held out of training
    bool skipBrokenImages = false; ///< go on without pictures that cannot be read
    EncodeTime encode = EncodeTime::Auto; ///< changes no result
};

struct LoraConfig {
    int64_t rank = 16;
    double alpha = 16.0;
    double dropout = 0.0;
    bool convolutions = false; ///< also 3x3 convolutions, not only linear and 1x1
};

struct OptimizerConfig {
    OptimizerKind kind = OptimizerKind::AdamW;
    StateType states = StateType::Fp32;
    MasterWeights master = MasterWeights::None;
    double learningRate = 2e-6;
    double textEncoderLearningRate = 0.0; ///< 0: the same as learningRate
    LearningRateSchedule schedule = LearningRateSchedule::Constant;
    int64_t warmupSteps = 0;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double weightDecay = 1e-2;
    double maxGradientNorm = 0.0; ///< 0: no clipping
    int64_t accumulationSteps = 1;
    double emaDecay = 0.0; ///< 0: no moving average
};

struct LossConfig {
    double minSnrGamma = 0.0; ///< 0: off; the usual value is 5
    double noiseOffset = 0.0;
    bool zeroTerminalSnr = false; ///< the last timestep is noise alone; needs v_prediction
    std::string predictionType;   ///< empty: as the model's scheduler says; else epsilon, v_prediction
};

struct MemoryConfig {
    ComputeDevice device = ComputeDevice::Auto;
    PlacementPolicy policy = PlacementPolicy::Auto;
    int64_t deviceBytes = 0; ///< 0: what is free
    int64_t ramBytes = 0;    ///< 0: what is free
    std::string swapDir;     ///< empty: no swap
    int64_t swapBytes = 0;
};

/// The ranks of a job: processes that train one model together, each on its part of every batch.
struct ParallelConfig {
    int64_t processes = 1;
    /// What of ZeRO's parts each process holds alone instead of all of them: 0 nothing, 1 its part of the
    /// optimizer's states, 2 also of gradients, 3 also of parameters.
    int64_t zero = 0;
    /// The processes' GPUs, in the order of their ranks: UUIDs, or numbers as nvidia-smi shows them; empty:
    /// the first ones that are there.
    std::vector<std::string> gpus = {};

    /// Whether no process has all parameters of what learns, so that all of them compute together.
    [[nodiscard]] bool spreadsParameters() const { return processes > 1 && zero > 2; }
};

struct OutputConfig {
    std::string runDir;
    int64_t checkpointEverySteps = 200;
    int64_t validateEverySteps = 100; ///< where pictures are held out
    int64_t previewEverySteps = 0;    ///< 0: none
    int64_t previewCount = 1;
    std::string previewPrompt;      ///< empty: the instance prompt
    double guidanceScale = 7.5;     ///< of previews; at most 1: none
    int64_t keepCheckpoints = 2;    ///< at least 2
    bool keepOptimizerState = true; ///< in the last checkpoint, so that the run can be trained further
};

/// Parts of a model trained from scratch: configuration files instead of weights.
struct ScratchConfig {
    std::string component = "unet"; ///< unet (with its text encoder) or vae
    std::string configDir;          ///< diffusers folder that holds configurations and perhaps some weights
};

struct TrainConfig {
    TrainMode mode = TrainMode::DreamBooth;
    TrainMethod method = TrainMethod::Full;
    std::string model; ///< diffusers folder or single file
    bool trainTextEncoder = false;
    Precision precision = Precision::Fp32;
    Quantization quantization = Quantization::None; ///< of weights beside a LoRA
    int64_t steps = 400;
    int64_t batchSize = 1;
    uint64_t seed = 0;
    int64_t threads = 0; ///< 0: all cores; recorded, because it changes the last bits
    DataConfig data;
    LoraConfig lora;
    OptimizerConfig optimizer;
    LossConfig loss;
    MemoryConfig memory;
    ParallelConfig parallel;
    OutputConfig output;
    ScratchConfig scratch;

    /// Whether class pictures stand beside the photos, and are made where some are missing.
    [[nodiscard]] bool usesClassPictures() const {
        return mode == TrainMode::DreamBooth && !data.classPrompt.empty();
    }
    /// Samples of a micro-step that one process computes.
    [[nodiscard]] int64_t ownBatchSize() const { return batchSize / parallel.processes; }
};

} // namespace homebooth::core
