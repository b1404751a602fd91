// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/bench_options.h"

#include "core/base/config/idle_options.h"
#include "core/worker/bench_arguments.h"

#include <array>
#include <cstdio>
#include <map>
#include <string_view>

namespace homebooth::core {

namespace {

template <class Enum>
void addChoice(CLI::App& app, const char* name, Enum& value, const char* help,
               const std::map<std::string, Enum>& words) {
    app.add_option(name, value, help)->transform(CLI::CheckedTransformer(words).description(""));
}

void addChoices(CLI::App& app, BenchOptions& options) {
    addChoice(app, "--precision", options.precision, "fp32, fp16 or bf16 [bf16]",
              {{"fp32", Precision::Fp32}, {"fp16", Precision::Fp16}, {"bf16", Precision::Bf16}});
    addChoice(app, "--quantize", options.quantization,
              "none, int8 (weights that do not learn) or, of sample, w8a8 [none]",
              {{"none", Quantization::None}, {"int8", Quantization::Int8}, {"w8a8", Quantization::W8A8}});
    addChoice(app, "--optimizer", options.optimizer, "adamw, adamw8bit or adafactor [adamw]",
              {{"adamw", OptimizerKind::AdamW},
               {"adamw8bit", OptimizerKind::AdamW8bit},
               {"adafactor", OptimizerKind::Adafactor}});
    addChoice(app, "--optimizer-states", options.states, "fp32 or bf16 [fp32]",
              {{"fp32", StateType::Fp32}, {"bf16", StateType::Bf16}});
    addChoice(app, "--master", options.master, "none or fp32: copy of 16-bit weights that learns [none]",
              {{"none", MasterWeights::None}, {"fp32", MasterWeights::Fp32}});
    addChoice(app, "--device", options.device, "auto, gpu or cpu: what computes [auto]",
              {{"auto", ComputeDevice::Auto}, {"gpu", ComputeDevice::Gpu}, {"cpu", ComputeDevice::Cpu}});
    addChoice(
        app, "--policy", options.policy,
        "auto, gpu (all parameters on the device) or cpu (only what computes now) [auto]",
        {{"auto", PlacementPolicy::Auto}, {"gpu", PlacementPolicy::Gpu}, {"cpu", PlacementPolicy::Cpu}});
    addChoice(
        app, "--keep", options.kept,
        "for backward, of each block: inputs, products (also costly results), everything, or searched: what "
        "is fastest within --gpu-memory [products]",
        {{"inputs", KeptActivations::Inputs},
         {"products", KeptActivations::Products},
         {"everything", KeptActivations::Everything},
         {"searched", KeptActivations::Searched}});
    addChoice(app, "--method", options.method, "full or lora [full]",
              {{"full", TrainMethod::Full}, {"lora", TrainMethod::Lora}});
}

void addNumbers(CLI::App& app, BenchOptions& options) {
    app.add_option("--gpu-memory", options.deviceBytes,
                   "on the CPU: limit of the memory that stands for the GPU's, e.g. 4GiB [none]")
        ->transform(CLI::AsSizeValue(false));
    app.add_option("--ram", options.ramBytes,
                   "with --keep searched: RAM to plan for, as `train --ram`, e.g. 16GiB [what is free]")
        ->transform(CLI::AsSizeValue(false));
    app.add_option("--swap", options.swapDir,
                   "folder on a fast disk where the optimizer's states lie [in memory]");
    app.add_flag("--swap-parameters", options.swapParameters,
                 "with --swap and --policy cpu, without a GPU: parameters are at home on the disk, too");
    app.add_flag("--values-in-ram", options.valuesInRam,
                 "with --policy cpu: values between blocks lie in RAM until they are read again");
    app.add_flag("--update-on-device", options.updatesOnDevice,
                 "with --policy cpu: optimizer states, in RAM, come to the device for their update, which "
                 "--keep searched chooses with policy auto where that takes less");
    app.add_option("--updates-at-home", options.shareAtHome,
                   "with --update-on-device: of what learns, the share that is updated in RAM all the same, "
                   "in blocks between the others [0]")
        ->check(CLI::Range(0.0, 1.0));
    app.add_option("--ahead", options.turnsAhead,
                   "with --policy cpu: room for blocks of so many turns, which come as soon as there is "
                   "some, also for "
                   "the step after [each comes two turns ahead]; --keep searched chooses it")
        ->check(CLI::Range(1, 64));
    app.add_option("--link-speed", options.linkBytesPerSecond,
                   "on the CPU: bytes a second of the link that streaming pretends to use [the memory's]");
    app.add_option("--link-latency", options.linkLatencySeconds,
                   "on the CPU: seconds that each transfer takes beside its bytes [0]")
        ->check(CLI::Range(0.0, 1.0));
    app.add_flag("--blocking", options.blocking,
                 "on the CPU: computing stands still during transfers, as without a plan, for comparison");
    app.add_option("--lora-rank", options.loraRank, "width of a LoRA's matrices [16]")
        ->check(CLI::Range(1, 1024));
    app.add_option("--max-grad-norm", options.maxGradientNorm, "clips gradients to this norm [off]")
        ->check(CLI::NonNegativeNumber);
}

/// What a step works on.
void addSizes(CLI::App& app, BenchOptions& options) {
    app.add_flag("--train-text-encoder", options.trainTextEncoder, "the text encoder learns, too");
    app.add_option("--resolution", options.resolutionPixels, "side in pixels [the model's own]")
        ->check(CLI::Range(8, 8192));
    app.add_option("--context", options.contextTokens,
                   "of a language model: tokens that are seen together [as many as suit it]")
        ->check(CLI::Range(1, 1 << 20));
    app.add_option("--batch", options.batchSize, "pictures or texts at a time [1]")
        ->check(CLI::Range(1, 256));
    app.add_option("--steps", options.steps, "steps that are timed, behind those of the warm-up [3]")
        ->check(CLI::Range(1, 1000));
    app.add_option("--threads", options.threads, "CPU threads [all cores]")->check(CLI::Range(1, 1024));
}

using BenchRule = IdleRule<BenchOptions>;

bool learns(const BenchOptions& options) {
    return options.what != "sample";
}

constexpr std::array kRules{
    BenchRule{"--optimizer --optimizer-states --master --keep --method --lora-rank --max-grad-norm "
              "--train-text-encoder --ram",
              [](const auto& o) { return !learns(o); }, "nothing learns (bench sample)",
              "take bench train or all"},
    BenchRule{"--lora-rank", [](const auto& o) { return learns(o) && o.method == TrainMethod::Full; },
              "all weights learn (--method full)", "add --method lora"},
    BenchRule{"--ram", [](const auto& o) { return learns(o) && o.kept != KeptActivations::Searched; },
              "nothing is searched", "add --keep searched"},
    BenchRule{"--swap-parameters",
              [](const auto& o) { return o.swapDir.empty() || o.policy != PlacementPolicy::Cpu; },
              "no parameters are swapped", "add --swap FOLDER and --policy cpu"},
    BenchRule{
        "--link-speed --link-latency --blocking",
        [](const auto& o) { return o.policy != PlacementPolicy::Cpu && o.kept != KeptActivations::Searched; },
        "nothing is streamed over the link", "add --policy cpu"},
};

/// Says which of the options that were named change nothing.
void tellIdle(const CLI::App& app, const BenchOptions& options) {
    NamedOptions named;
    for (const CLI::Option* option : app.get_options())
        if (option->count() > 0) named.push_back(option->get_name());
    const auto told = idleOptions<BenchOptions>(kRules, options, named);
    for (const std::string& text : told.value()) std::fprintf(stderr, "warning: bench: %s\n", text.c_str());
}

} // namespace

std::optional<BenchOptions> parseBenchOptions(const std::vector<std::string>& arguments, int& exitCode) {
    BenchOptions options;
    CLI::App app("Times a training step or a generation with random weights at full size.",
                 "homebooth-engine bench");
    app.footer("`homebooth-engine bench optimizer --help`: updates beside copies of memory.\n"
               "`homebooth-engine bench swap --help`: writing and reading a swap file.");
    app.add_option("WHAT", options.what, "train, sample or all")
        ->required()
        ->check(CLI::IsMember({"train", "sample", "all"}));
    app.add_option("--model-config", options.modelConfig,
                   "diffusers folder, or of train a language model's; its weights are not read")
        ->required();
    addChoices(app, options);
    addNumbers(app, options);
    addSizes(app, options);
    app.add_flag("--json", options.json, "print the figures as JSON");
    if (const auto code = parseBenchArguments(app, "bench", arguments)) {
        exitCode = *code;
        return std::nullopt;
    }
    tellIdle(app, options);
    return options;
}

} // namespace homebooth::core
