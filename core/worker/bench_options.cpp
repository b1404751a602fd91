// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/bench_options.h"

#include "core/base/config/field_builder.h"
#include "core/base/config/format_words.h"
#include "core/base/config/idle_options.h"
#include "core/worker/bench_arguments.h"

#include <array>
#include <cstdio>
#include <string_view>

namespace homebooth::core {

namespace {

void addChoices(FieldBuilder& fields, BenchOptions& options) {
    fields.choice("precision", options.precision, "--precision", "number format of weights and computation",
                  precisionWords());
    fields.choice("quantization", options.quantization, "--quantize",
                  "int8: weights that do not learn as integers; w8a8: of sample",
                  quantizationWords(Quantization::W8A8));
    fields.choice("optimizer", options.optimizer, "--optimizer", "optimizer",
                  {"adamw", "adamw8bit", "adafactor"});
    fields.choice("states", options.states, "--optimizer-states", "number format of AdamW's moments",
                  {"fp32", "bf16"});
    fields.choice("master", options.master, "--master", "copy of 16-bit weights that learns",
                  {"none", "fp32"});
    fields.choice("device", options.device, "--device", "what computes; auto: the GPU where there is one",
                  {"auto", "gpu", "cpu"});
    fields.choice("policy", options.policy, "--policy",
                  "parameters: gpu: all on the device; cpu: only those of what computes now",
                  {"auto", "gpu", "cpu"});
    fields.choice("kept", options.kept, "--keep",
                  "for backward, of each block: inputs, products (also costly results), everything, or "
                  "searched: what is fastest within --gpu-memory",
                  {"inputs", "products", "everything", "searched"});
    fields.choice("method", options.method, "--method", "all weights learn, or a LoRA", {"full", "lora"});
}

void addMemory(FieldBuilder& fields, BenchOptions& options) {
    fields.bytes("deviceBytes", options.deviceBytes, "--gpu-memory",
                 "on the CPU: limit of the memory that stands for the GPU's, e.g. 4GiB; 0: none");
    fields.bytes("ramBytes", options.ramBytes, "--ram",
                 "with --keep searched: RAM to plan for, as `train --ram`, e.g. 16GiB; 0: what is free");
    fields.folder("swapDir", options.swapDir, "--swap",
                  "folder on a fast disk where the optimizer's states lie; without it in memory");
    fields.flag("swapParameters", options.swapParameters, "--swap-parameters",
                "with --swap and --policy cpu, without a GPU: parameters are at home on the disk, too");
    fields.flag("valuesInRam", options.valuesInRam, "--values-in-ram",
                "with --policy cpu: values between blocks lie in RAM until they are read again");
    fields.flag("updatesOnDevice", options.updatesOnDevice, "--update-on-device",
                "with --policy cpu: optimizer states, in RAM, come to the device for their update, which "
                "--keep searched chooses with policy auto where that takes less");
    fields.real("shareAtHome", options.shareAtHome, "--updates-at-home",
                "with --update-on-device: of what learns, the share that is updated in RAM all the same, "
                "in blocks between the others",
                {0.0, 1.0});
    fields.integer("turnsAhead", options.turnsAhead, "--ahead",
                   "with --policy cpu: room for blocks of so many turns, which come as soon as there is "
                   "some, also for the step after; --keep searched chooses it; 0: each comes two turns ahead",
                   0, 64);
}

void addNumbers(FieldBuilder& fields, BenchOptions& options) {
    fields.real("linkSpeed", options.linkBytesPerSecond, "--link-speed",
                "on the CPU: bytes a second of the link that streaming pretends to use, e.g. 12e9; 0: the "
                "memory's",
                {0.0, 1e15});
    fields.real("linkLatency", options.linkLatencySeconds, "--link-latency",
                "on the CPU: seconds that each transfer takes beside its bytes", {0.0, 1.0});
    fields.flag("blocking", options.blocking, "--blocking",
                "on the CPU: computing stands still during transfers, as without a plan, for comparison");
    fields.integer("loraRank", options.loraRank, "--lora-rank", "width of a LoRA's matrices", 1, 1024);
    fields.real("maxGradientNorm", options.maxGradientNorm, "--max-grad-norm",
                "clips gradients to this norm; 0: no clipping", {0.0, 1e6});
}

/// What a step works on.
void addSizes(FieldBuilder& fields, BenchOptions& options) {
    fields.flag("trainTextEncoder", options.trainTextEncoder, "--train-text-encoder",
                "the text encoder learns, too");
    fields.integer("resolutionPixels", options.resolutionPixels, "--resolution",
                   "side in pixels, divisible by 8; 0: the model's own", 0, 8192, 8);
    fields.integer("contextTokens", options.contextTokens, "--context",
                   "of a language model: tokens that are seen together; 0: as many as suit it", 0, 1 << 20);
    fields.integer("batchSize", options.batchSize, "--batch", "pictures or texts at a time", 1, 256);
    fields.integer("steps", options.steps, "--steps", "steps that are timed, behind those of the warm-up", 1,
                   1000);
    fields.integer("threads", options.threads, "--threads", "CPU threads; 0: all cores", 0, 1024);
    fields.flag("json", options.json, "--json", "print the figures as JSON");
}

std::vector<ConfigField> benchFields(BenchOptions& options) {
    FieldBuilder fields;
    addChoices(fields, options);
    addMemory(fields, options);
    addNumbers(fields, options);
    addSizes(fields, options);
    return fields.take();
}

/// What is wrong with the word that says what is timed; empty: nothing.
std::string wrongWork(const std::string& what) {
    if (what == "train" || what == "sample" || what == "all") return {};
    if (what == "optimizer" || what == "swap") return "put " + what + " first: `bench " + what + " OPTIONS`";
    return "expected train, sample, all, optimizer or swap, found \"" + what + "\"";
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
    CLI::App app(
        "Times a training step or a generation with random weights at full size, or, with options of their "
        "own, updates of an optimizer and a swap file.",
        "homebooth-engine bench");
    app.footer("`homebooth-engine bench optimizer --help`: updates beside copies of memory.\n"
               "`homebooth-engine bench swap --help`: writing and reading a swap file.");
    app.add_option("WHAT", options.what, "what is timed; all: train and sample")
        ->required()
        ->type_name("train|sample|all|optimizer|swap")
        ->check(wrongWork);
    app.add_option("--model-config", options.modelConfig,
                   "diffusers folder, or of train a language model's; its weights are not read")
        ->required()
        ->type_name("FOLDER");
    addFieldOptions(app, benchFields(options));
    if (const auto code = parseBenchArguments(app, "bench", arguments)) {
        exitCode = *code;
        return std::nullopt;
    }
    tellIdle(app, options);
    return options;
}

} // namespace homebooth::core
