// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/generate_config_json.h"

#include "core/base/config/field_builder.h"
#include "core/base/config/fields_json.h"
#include "core/base/config/format_words.h"

namespace homebooth::core {
namespace {

void addText(FieldBuilder& fields, GenerateConfig& config) {
    fields.folder("model", config.model, "--model", "folder of a language model: OPT, GPT-2 or BLOOM");
    fields.text("prompt", config.prompt, "--prompt", "what the texts begin with");
    fields.integer("tokens", config.tokens, "--tokens", "tokens of each text, at most", 1, 1e6);
    fields.real("temperature", config.temperature, "--temperature",
                "how much chance decides; 0: always the likeliest token", {0.0, 100.0});
    fields.integer("topK", config.topK, "--top-k", "choose among so many of the likeliest tokens; 0: all", 0,
                   1e9);
    fields.real("topP", config.topP, "--top-p",
                "choose among the likeliest tokens that have this share of the probability; 1: all",
                {0.0, 1.0, true});
    fields.real("repetitionPenalty", config.repetitionPenalty, "--repetition-penalty",
                "above 1: what was said already becomes less likely", {0.0, 100.0, true});
    fields.seed("seed", config.seed, "--seed", "seed of the first text; the next ones count up");
    fields.integer("count", config.count, "--count", "number of texts", 1, 1e6);
    fields.text("stop", config.stop, "--stop", "end a text before this; empty: nothing");
}

void addComputing(FieldBuilder& fields, GenerateConfig& config) {
    fields.choice("precision", config.precision, "--precision", "number format of weights and computation",
                  precisionWords());
    fields.choice("quantization", config.quantization, "--quantize",
                  "int8: weights as integers of 8 bits, half the memory of bf16; texts differ a little",
                  quantizationWords(Quantization::Int8));
    fields.choice("device", config.device, "--device", "what computes; auto: the GPU where there is one",
                  {"auto", "gpu", "cpu"});
    fields.choice(
        "policy", config.policy, "--policy",
        "weights: gpu: all on the device; cpu: in RAM, on the device only for their block, but for the "
        "table that predicts",
        {"auto", "gpu", "cpu"});
    fields.bytes("deviceBytes", config.deviceBytes, "--gpu-memory",
                 "GPU memory to use, e.g. 6GiB; what does not fit comes from RAM; 0: what is free");
    fields.integer("threads", config.threads, "--threads", "CPU threads; 0: all cores", 0, 1024);
}

} // namespace

std::vector<ConfigField> configFields(GenerateConfig& config) {
    FieldBuilder fields;
    addText(fields, config);
    addComputing(fields, config);
    return fields.take();
}

std::string toJson(const GenerateConfig& config) {
    GenerateConfig copy = config;
    nlohmann::ordered_json object = fieldsToJson(configFields(copy));
    object["loras"] = lorasToJson(config.loras);
    return dumpJson(object, 2);
}

Result<void> readJson(std::string_view text, GenerateConfig& config) {
    HOMEBOOTH_ASSIGN(const auto object, parseConfigObject(text));
    GenerateConfig read = config;
    GivenFields named;
    std::vector<std::string> problems;
    std::vector<ConfigField> fields = configFields(read);
    readFields(object, fields, named, problems, {"loras"});
    if (object.settings.contains("loras")) readLoras(object.settings["loras"], read.loras, problems);
    checkFields(fields, problems);
    HOMEBOOTH_CHECK(problemsResult("use this configuration", problems));
    config = std::move(read);
    return {};
}

Result<void> validate(const GenerateConfig& config) {
    GenerateConfig copy = config;
    std::vector<std::string> problems;
    checkFields(configFields(copy), problems);
    if (config.model.empty()) problems.emplace_back("model (--model) is missing: a folder");
    checkLoras(config.loras, problems);
    return problemsResult("write with these settings", problems);
}

} // namespace homebooth::core
