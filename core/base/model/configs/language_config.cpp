// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/configs/language_config.h"

#include "core/base/formats/safetensors_header.h"
#include "core/base/model/configs/config_reader.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>

namespace homebooth::core {
namespace {

constexpr int64_t kMostLanguageLayers = 1024;
constexpr int64_t kNone = -1;

/// The first of two keys that is there: configurations of one family spell some in two ways.
int64_t eitherInteger(ConfigReader& reader, const char* first, const char* second, int64_t fallback,
                      int64_t most) {
    return reader.integer(reader.has(first) ? first : second, fallback, 1, most);
}

/// Models that chat often have several.
void readEnds(ConfigReader& reader, LanguageConfig& config, int64_t fallback) {
    config.eosTokenId = kNone;
    for (const int64_t id : reader.oneOrMore("eos_token_id", fallback, kNone, kMostTokens)) {
        if (id < 0 || id >= config.vocabularySize) continue;
        if (config.eosTokenId == kNone)
            config.eosTokenId = id;
        else
            config.otherEndIds.push_back(id);
    }
}

void readTokens(ConfigReader& reader, LanguageConfig& config, int64_t begin, int64_t end, int64_t pad) {
    const auto token = [&](const char* key, int64_t fallback) {
        const int64_t id = reader.integer(key, fallback, kNone, kMostTokens);
        return id < config.vocabularySize ? id : kNone; // small models often keep their family's
    };
    config.bosTokenId = token("bos_token_id", begin);
    readEnds(reader, config, end);
    config.padTokenId = token("pad_token_id", pad);
    config.tiedHead = reader.flag("tie_word_embeddings", true);
}

std::string readActivation(ConfigReader& reader, const std::string& fallback) {
    const std::string name =
        reader.text("activation_function", fallback, {"relu", "gelu", "gelu_new", "gelu_pytorch_tanh"});
    return name.starts_with("gelu_") ? "gelu_tanh" : name;
}

void readOpt(ConfigReader& reader, LanguageConfig& config) {
    config.family = LanguageFamily::Opt;
    config.vocabularySize = reader.integer("vocab_size", 50272, 1, kMostTokens);
    config.hiddenSize = reader.integer("hidden_size", 768, 1, kMostChannels);
    config.embeddingSize = reader.integer("word_embed_proj_dim", config.hiddenSize, 1, kMostChannels);
    config.intermediateSize = reader.integer("ffn_dim", 3072, 1, 4 * kMostChannels);
    config.layerCount = reader.integer("num_hidden_layers", 12, 1, kMostLanguageLayers);
    config.headCount = reader.integer("num_attention_heads", 12, 1, kMostChannels);
    config.maxPositions = reader.integer("max_position_embeddings", 2048, 1, kMostTokens);
    config.activation = readActivation(reader, "relu");
    config.normFirst = reader.flag("do_layer_norm_before", true);
    config.finalNorm = config.normFirst && !reader.flag("_remove_final_layer_norm", false);
    config.initializerRange = reader.real("init_std", 0.02);
    readTokens(reader, config, 2, 2, 1);
    for (const char* needed : {"enable_bias", "layer_norm_elementwise_affine"})
        if (!reader.flag(needed, true)) reader.refuse(needed, "true");
}

void readGpt2(ConfigReader& reader, LanguageConfig& config) {
    config.family = LanguageFamily::Gpt2;
    config.vocabularySize = reader.integer("vocab_size", 50257, 1, kMostTokens);
    config.hiddenSize = config.embeddingSize = reader.integer("n_embd", 768, 1, kMostChannels);
    config.intermediateSize = reader.integer("n_inner", 4 * config.hiddenSize, 1, 4 * kMostChannels);
    config.layerCount = reader.integer("n_layer", 12, 1, kMostLanguageLayers);
    config.headCount = reader.integer("n_head", 12, 1, kMostChannels);
    config.maxPositions = reader.integer("n_positions", 1024, 1, kMostTokens);
    config.activation = readActivation(reader, "gelu_new");
    config.normEpsilon = reader.real("layer_norm_epsilon", 1e-5);
    config.initializerRange = reader.real("initializer_range", 0.02);
    readTokens(reader, config, 50256, 50256, kNone);
    for (const char* other :
         {"scale_attn_by_inverse_layer_idx", "reorder_and_upcast_attn", "add_cross_attention"})
        reader.mustBeUnset(other);
    if (!reader.flag("scale_attn_weights", true)) reader.refuse("scale_attn_weights", "true");
}

void readBloom(ConfigReader& reader, LanguageConfig& config) {
    config.family = LanguageFamily::Bloom;
    config.vocabularySize = reader.integer("vocab_size", 250880, 1, kMostTokens);
    config.hiddenSize = config.embeddingSize =
        eitherInteger(reader, "hidden_size", "n_embed", 64, kMostChannels);
    config.intermediateSize = 4 * config.hiddenSize;
    config.layerCount = eitherInteger(reader, "n_layer", "num_hidden_layers", 2, kMostLanguageLayers);
    config.headCount = eitherInteger(reader, "n_head", "num_attention_heads", 8, kMostChannels);
    config.maxPositions = reader.integer("seq_length", 2048, 1, kMostTokens);
    config.activation = "gelu_tanh";
    config.normEpsilon = reader.real("layer_norm_epsilon", 1e-5);
    config.initializerRange = reader.real("initializer_range", 0.02);
    readTokens(reader, config, 1, 2, 3);
    for (const char* other : {"apply_residual_connection_post_layernorm", "slow_but_exact"})
        reader.mustBeUnset(other);
}

void checkTogether(ConfigReader& reader, const LanguageConfig& config) {
    if (config.hiddenSize % config.headCount != 0)
        reader.complain("the width of the layers, " + std::to_string(config.hiddenSize) +
                        ", must be divisible by the number of heads, " + std::to_string(config.headCount));
}

} // namespace

std::string_view familyName(LanguageFamily family) {
    if (family == LanguageFamily::Opt) return "OPT";
    return family == LanguageFamily::Gpt2 ? "GPT-2" : "BLOOM";
}

Result<LanguageConfig> LanguageConfig::fromJson(std::string_view text) {
    HOMEBOOTH_ASSIGN(ConfigReader reader, ConfigReader::parse(text, "language model's configuration"));
    LanguageConfig config;
    const std::string type = reader.text("model_type", "");
    if (type != "opt" && type != "gpt2" && type != "bloom")
        return badInput("expected a language model of the family OPT, GPT-2 or BLOOM, found \"" +
                        printable(type) + "\" as model_type in config.json; choose another model");
    if (type == "opt")
        readOpt(reader, config);
    else if (type == "gpt2")
        readGpt2(reader, config);
    else
        readBloom(reader, config);
    checkTogether(reader, config);
    if (!reader.ok()) return reader.error();
    return config;
}

bool isLanguageConfig(std::string_view text) {
    const nlohmann::json object = parseShallow<nlohmann::json>(text);
    if (!object.is_object() || !object.contains("model_type")) return false;
    if (const auto type = object.find("model_type");
        type->is_string() && (*type == "opt" || *type == "gpt2" || *type == "bloom"))
        return true;
    const auto names = object.find("architectures");
    if (names == object.end() || !names->is_array()) return false;
    const auto writes = [](const nlohmann::json& name) {
        const std::string kind = name.is_string() ? name.get<std::string>() : std::string();
        return kind.ends_with("ForCausalLM") || kind.ends_with("LMHeadModel") ||
               kind.ends_with("ForConditionalGeneration");
    };
    return std::any_of(names->begin(), names->end(), writes);
}

} // namespace homebooth::core
