// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Small language models with random weights in folders as transformers writes them, with the tokenizer of the
// fixtures, and texts to learn. Shared by the tests of training and of writing.
#pragma once

#include "core/base/arch/language_layout.h"
#include "core/base/model/language/language_writer.h"
#include "core/engine/io/exact_tensor.h"
#include "core/engine/io/tensor_files.h"
#include "core/engine/io/weights.h"
#include "core/engine/models/component.h"

#include "training_support.h"

namespace homebooth::core::testing {

constexpr const char* kSmallOpt =
    R"({"architectures":["OPTForCausalLM"],"model_type":"opt","vocab_size":360,"hidden_size":32,
        "word_embed_proj_dim":32,"ffn_dim":64,"num_hidden_layers":3,"num_attention_heads":4,
        "max_position_embeddings":64,"activation_function":"relu","do_layer_norm_before":true,
        "bos_token_id":2,"eos_token_id":2,"pad_token_id":1})";
constexpr const char* kSmallGpt2 =
    R"({"architectures":["GPT2LMHeadModel"],"model_type":"gpt2","vocab_size":360,"n_positions":64,
        "n_embd":32,"n_layer":3,"n_head":4,"activation_function":"gelu_new","bos_token_id":2,
        "eos_token_id":2})";
constexpr const char* kSmallBloom =
    R"({"architectures":["BloomForCausalLM"],"model_type":"bloom","vocab_size":360,"hidden_size":32,
        "n_layer":3,"n_head":4,"seq_length":64,"bos_token_id":2,"eos_token_id":2,"pad_token_id":1})";

/// Writes a model with random weights into `folder`. @param json  its config.json
inline std::string makeLanguageModel(const std::string& folder, const char* json = kSmallOpt) {
    LanguagePart model;
    const auto config = LanguageConfig::fromJson(json);
    if (!config) throw std::runtime_error(config.error().text());
    model.config = *config;
    model.json = json;
    model.folder = fixture("language/tokenizer");
    for (const auto& entry : fs::directory_iterator(model.folder))
        if (entry.path().filename().string().starts_with("tokenizer"))
            model.carriedFiles.emplace(entry.path().filename().string(),
                                       KeptFile::open(entry.path()).value());
    Component component(languageSchedule(model.config, model.config.maxPositions), {});
    initialiseParameters(component.store(), 7);
    std::vector<NamedTensor> tensors;
    for (const BlockSpec& block : component.schedule().blocks())
        for (const ParameterSpec& spec : block.parameters)
            tensors.push_back({spec.name, component.store().parameter(component.store().find(spec.name))});
    model.tensors = std::make_shared<TensorListSource>(std::move(tensors));
    const auto written = writeLanguageFolder(model, folder);
    if (!written) throw std::runtime_error(written.error().text());
    return folder;
}

/// Saves a tied model with a head of its own, the table's rows the other way round, and its config.json as it
/// was, which does not say so.
inline std::string withOtherHead(const std::string& model, const std::string& folder) {
    const auto source = openModel(model);
    if (!source) throw std::runtime_error(source.error().text());
    LanguagePart part = *source->language;
    const std::string table = languageSchedule(part.config, 1).blocks().front().parameters.front().name;
    std::vector<NamedTensor> tensors;
    for (const TensorInfo& info : part.tensors->tensors()) {
        const auto tensor = readExact(*part.tensors, info);
        if (!tensor) throw std::runtime_error(tensor.error().text());
        tensors.push_back({info.name, *tensor});
        if (info.name == table) tensors.push_back({"lm_head.weight", tensor->flip(0)});
    }
    part.config.tiedHead = false;
    part.tensors = std::make_shared<TensorListSource>(std::move(tensors));
    const auto written = writeLanguageFolder(part, folder);
    if (!written) throw std::runtime_error(written.error().text());
    fs::copy_file(model + "/config.json", folder + "/config.json", fs::copy_options::overwrite_existing);
    return folder;
}

/// Three texts, of which two are in one file.
inline std::string makeTexts(const std::string& folder) {
    fs::create_directories(folder);
    std::string tale;
    for (int i = 0; i < 60; ++i) tale += "The dog number " + std::to_string(i) + " sat on the moon.\n";
    std::ofstream(folder + "/tale.txt") << tale;
    std::ofstream(folder + "/more.jsonl") << R"({"text": "A second text, about rain."})"
                                          << "\n"
                                          << R"({"text": "And a third one."})"
                                          << "\n";
    return folder;
}

/// A step takes some milliseconds.
inline TrainConfig tinyLanguage(const std::string& root, const char* json = kSmallOpt) {
    TrainConfig config;
    config.mode = TrainMode::Language;
    config.model = makeLanguageModel(root + "/model", json);
    config.data.textPath = makeTexts(root + "/texts");
    config.data.contextTokens = 24;
    config.steps = 4;
    config.batchSize = 2;
    config.threads = 1;
    config.optimizer.learningRate = 1e-3;
    config.output.checkpointEverySteps = 2;
    config.output.validateEverySteps = 2;
    config.output.runDir = root + "/run";
    return config;
}

} // namespace homebooth::core::testing
