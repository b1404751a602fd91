// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/byte_size.h"
#include "core/base/config/training_defaults.h"
#include "core/base/run/journal/progress.h"
#include "core/base/system/memory_facts.h"
#include "core/base/system/memory_nodes.h"
#include "core/engine/jobs/bound_threads.h"
#include "core/engine/memory/tier_meter.h"
#include "core/worker/bench_model.h"
#include "core/worker/bench_optimizer.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"

#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <unistd.h>

namespace homebooth::core {
namespace {

/// Figures of one part. The peak is of the whole process so far, so `all` says more of its last part.
struct Measurement {
    std::string what;
    Figures figures;
    int64_t peakBytes = 0;
};

/// On a terminal always; elsewhere only where nobody reads the figures by program.
BenchProgress shownBy(Progress& progress, bool json) {
    const bool shown = ::isatty(STDERR_FILENO) != 0 || !json;
    return [&progress, shown](const char* calls, int64_t done, int64_t total) {
        if (shown) progress.show(StateEvent{calls, "", done, total});
    };
}

/// Of what a language model's step works on.
Result<void> takeContext(BenchOptions& options, const ModelSource& model) {
    if (options.what != "train")
        return Error{ErrorCode::Usage, "expected `bench train` of a language model; others are for pictures",
                     options.modelConfig};
    if (options.resolutionPixels > 0)
        return Error{ErrorCode::Usage, "--resolution is of models for pictures", options.modelConfig};
    if (options.contextTokens == 0) {
        HOMEBOOTH_ASSIGN(const TrainingDefaults defaults, TrainingDefaults::of(model));
        options.contextTokens = defaults.fill({}, {}).config.data.contextTokens;
    }
    return {};
}

/// Likewise of a model for pictures.
Result<void> takeResolution(BenchOptions& options, const ModelSource& model) {
    if (options.contextTokens > 0)
        return Error{ErrorCode::Usage, "--context is of language models", options.modelConfig};
    if (options.resolutionPixels == 0)
        options.resolutionPixels = model.unet.sampleSize * model.vae.downscale();
    if (options.resolutionPixels <= 0 || options.resolutionPixels % model.vae.downscale() != 0)
        return Error{ErrorCode::Usage,
                     "expected a --resolution that the autoencoder divides by " +
                         std::to_string(model.vae.downscale()),
                     {}};
    return {};
}

Result<std::vector<Measurement>> measure(BenchOptions& options, at::Device device) {
    OpenOptions open;
    open.weightsOptional = true;
    HOMEBOOTH_ASSIGN(const ModelSource model, openModel(options.modelConfig, open));
    HOMEBOOTH_CHECK(model.language ? takeContext(options, model) : takeResolution(options, model));
    std::vector<Measurement> found;
    Progress progress(::isatty(STDERR_FILENO) != 0, 0);
    const BenchProgress show = shownBy(progress, options.json);
    if (options.what != "sample") {
        HOMEBOOTH_ASSIGN(Figures figures, timeTraining(model, options, device, show));
        found.push_back({"train", std::move(figures), peakResidentBytes()});
    }
    if (options.what != "train") {
        HOMEBOOTH_ASSIGN(Figures figures, timeSampling(model, options, device, show));
        found.push_back({"sample", std::move(figures), peakResidentBytes()});
    }
    return found;
}

const char* precisionName(Precision precision) {
    return precision == Precision::Fp32 ? "fp32" : precision == Precision::Fp16 ? "fp16" : "bf16";
}

const char* optimizerName(OptimizerKind kind) {
    if (kind == OptimizerKind::AdamW8bit) return "adamw8bit";
    return kind == OptimizerKind::Adafactor ? "adafactor" : "adamw";
}

const char* policyName(PlacementPolicy policy) {
    if (policy == PlacementPolicy::Cpu) return "cpu";
    return policy == PlacementPolicy::Gpu ? "gpu" : "auto";
}

const char* keptName(KeptActivations kept) {
    if (kept == KeptActivations::Searched) return "searched";
    if (kept == KeptActivations::Everything) return "everything";
    return kept == KeptActivations::Products ? "products" : "inputs";
}

void printJson(const BenchOptions& options, const std::vector<Measurement>& found, at::Device device) {
    nlohmann::ordered_json json{{"modelConfig", options.modelConfig},
                                {"precision", precisionName(options.precision)},
                                {"quantization", quantizationName(options.quantization)},
                                {"optimizer", optimizerName(options.optimizer)},
                                {"optimizerStates", options.states == StateType::Fp32 ? "fp32" : "bf16"},
                                {"master", options.master == MasterWeights::Fp32 ? "fp32" : "none"},
                                {"resolutionPixels", options.resolutionPixels},
                                {"contextTokens", options.contextTokens},
                                {"batchSize", options.batchSize},
                                {"steps", options.steps},
                                {"threads", at::get_num_threads()},
                                {"method", options.method == TrainMethod::Lora ? "lora" : "full"},
                                {"loraRank", options.loraRank},
                                {"trainTextEncoder", options.trainTextEncoder},
                                {"maxGradientNorm", options.maxGradientNorm},
                                {"kept", keptName(options.kept)},
                                {"policy", policyName(options.policy)},
                                {"deviceLimitBytes", options.deviceBytes},
                                {"ramLimitBytes", options.ramBytes},
                                {"linkBytesPerSecond", options.linkBytesPerSecond},
                                {"linkLatencySeconds", options.linkLatencySeconds},
                                {"linkBlocking", options.blocking},
                                {"turnsAhead", options.turnsAhead},
                                {"updatesOnDevice", options.updatesOnDevice},
                                {"updatesAtHomeShare", options.shareAtHome},
                                {"valuesInRam", options.valuesInRam},
                                {"swap", !options.swapDir.empty()},
                                {"swapParameters", options.swapParameters},
                                {"device", device.str()}};
    for (const Measurement& one : found) {
        for (const auto& [name, seconds] : one.figures.seconds) json[one.what][name] = seconds;
        for (const auto& [name, bytes] : one.figures.bytes) json[one.what][name] = bytes;
        for (const auto& [name, count] : one.figures.counts) json[one.what][name] = count;
        json[one.what]["peakResidentBytes"] = one.peakBytes;
    }
    std::printf("%s\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
}

void printTable(const BenchOptions& options, const std::vector<Measurement>& found, at::Device device) {
    const bool texts = options.contextTokens > 0;
    std::printf("%s, %s, %lld %s, batch %lld, %d threads, %s\n\n", options.modelConfig.c_str(),
                precisionName(options.precision),
                static_cast<long long>(texts ? options.contextTokens : options.resolutionPixels),
                texts ? "tokens" : "pixels", static_cast<long long>(options.batchSize), at::get_num_threads(),
                device.str().c_str());
    for (const Measurement& one : found) {
        for (const auto& [name, seconds] : one.figures.seconds)
            std::printf("%-8s %-24s %10.3f s\n", one.what.c_str(), name.c_str(), seconds);
        for (const auto& [name, bytes] : one.figures.bytes)
            std::printf("%-8s %-24s %12s\n", one.what.c_str(), name.c_str(), byteSizeText(bytes).c_str());
        for (const auto& [name, count] : one.figures.counts)
            std::printf("%-8s %-24s %12g\n", one.what.c_str(), name.c_str(), count);
        std::printf("%-8s %-24s %12s\n", one.what.c_str(), "peak memory",
                    byteSizeText(one.peakBytes).c_str());
    }
}

/// Options that say how parameters are streamed go with others.
Result<void> checkStreaming(const BenchOptions& options) {
    if (options.valuesInRam && options.policy != PlacementPolicy::Cpu)
        return Error{ErrorCode::Usage, "--values-in-ram goes with --policy cpu", {}};
    if (options.updatesOnDevice &&
        (options.policy != PlacementPolicy::Cpu || !options.swapDir.empty() ||
         options.kept == KeptActivations::Searched || options.precision == Precision::Fp16 ||
         options.optimizer == OptimizerKind::Adafactor || options.maxGradientNorm > 0.0))
        return Error{
            ErrorCode::Usage,
            "--update-on-device goes with --policy cpu and --keep products or inputs, without --swap, "
            "clipping, fp16 and Adafactor",
            {}};
    if (options.shareAtHome > 0.0 && !options.updatesOnDevice)
        return Error{ErrorCode::Usage, "--updates-at-home goes with --update-on-device", {}};
    if (options.turnsAhead > 0 &&
        (options.policy != PlacementPolicy::Cpu || options.kept == KeptActivations::Searched))
        return Error{
            ErrorCode::Usage,
            "--ahead goes with --policy cpu and a --keep that is not searched: otherwise the planner "
            "chooses it",
            {}};
    return {};
}

Result<void> checkQuantization(const BenchOptions& options) {
    if (options.quantization == Quantization::None || options.what == "sample") return {};
    if (options.quantization == Quantization::W8A8)
        return Error{ErrorCode::Usage,
                     "--quantize w8a8 is for sample: what learns needs the gradients of whole inputs",
                     {}};
    if (options.method == TrainMethod::Lora) return {};
    return Error{ErrorCode::Usage,
                 "--quantize int8 goes with --method lora: weights that learn need all their bits",
                 {}};
}

Result<void> bench(BenchOptions& options) {
    HOMEBOOTH_ASSIGN(const at::Device device, chooseDevice(options.device));
    MemoryConfig placed;
    placed.policy = options.policy;
    placed.swapDir = options.swapDir;
    HOMEBOOTH_CHECK(checkPlacement(placed, device));
    if (options.swapParameters && !device.is_cpu())
        return Error{
            ErrorCode::Usage,
            "--swap-parameters: parameters on a disk are streamed to host memory only; leave it out, "
            "or choose --device cpu",
            {}};
    HOMEBOOTH_CHECK(checkStreaming(options));
    HOMEBOOTH_CHECK(checkQuantization(options));
    useThreads(options.threads);
    bindThreads(memoryNodes()); // as a training does
    // Counting shifts every allocation by a header: only where somebody asks for tiers.
    if (device.is_cpu() && (options.policy != PlacementPolicy::Auto || options.deviceBytes > 0))
        meterHostMemory();
    HOMEBOOTH_ASSIGN(const auto found, measure(options, device));
    if (options.json)
        printJson(options, found, device);
    else
        printTable(options, found, device);
    return {};
}

} // namespace

int runBenchmark(const std::vector<std::string>& arguments) {
    if (!arguments.empty() && arguments[0] == "optimizer")
        return runOptimizerBenchmark({arguments.begin() + 1, arguments.end()});
    int exitCode = 0;
    auto options = parseBenchOptions(arguments, exitCode);
    if (!options) return exitCode;
    const OutcomeEvent outcome = guarded([&] {
        const auto done = bench(*options);
        return done ? OutcomeEvent{} : failedOutcome(done.error());
    });
    if (outcome.result == "failed") std::fprintf(stderr, "error: bench: %s\n", outcome.message.c_str());
    return outcome.code;
}

} // namespace homebooth::core
