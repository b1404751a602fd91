// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/configs/clip_config.h"

#include "core/base/model/configs/config_reader.h"

namespace homebooth::core {
namespace {

std::string readArchitecture(ConfigReader& reader) {
    const std::vector<std::string> known{"CLIPTextModel", "CLIPTextModelWithProjection", "CLIPModel"};
    const std::vector<std::string> names = reader.texts("architectures", {known[0]}, known);
    return names.front();
}

} // namespace

Result<ClipConfig> ClipConfig::fromJson(std::string_view text) {
    HOMEBOOTH_ASSIGN(ConfigReader reader, ConfigReader::parse(text, "text encoder configuration"));
    ClipConfig config;
    config.withProjection = readArchitecture(reader) == "CLIPTextModelWithProjection";
    reader.enter("text_config");
    static_cast<void>(reader.text("model_type", "", {"clip_text_model", "clip"}));
    config.vocabularySize = reader.integer("vocab_size", config.vocabularySize, 1, kMostTokens);
    config.hiddenSize = reader.integer("hidden_size", config.hiddenSize, 1, kMostChannels);
    config.intermediateSize = reader.integer("intermediate_size", config.intermediateSize, 1, kMostChannels);
    config.projectionDim = reader.integer("projection_dim", config.projectionDim, 1, kMostChannels);
    config.layerCount = reader.integer("num_hidden_layers", config.layerCount, 1, 1024);
    config.headCount = reader.integer("num_attention_heads", config.headCount, 1, kMostChannels);
    config.maxPositions = reader.integer("max_position_embeddings", config.maxPositions, 1, kMostTokens);
    config.activation = reader.text("hidden_act", config.activation, {"quick_gelu", "gelu"});
    config.normEpsilon = reader.real("layer_norm_eps", config.normEpsilon);
    config.initializerFactor = reader.real("initializer_factor", config.initializerFactor);
    config.padTokenId = reader.integer("pad_token_id", config.padTokenId, -1, kMostTokens);
    config.bosTokenId = reader.integer("bos_token_id", config.bosTokenId, -1, kMostTokens);
    config.eosTokenId = reader.integer("eos_token_id", config.eosTokenId, -1, kMostTokens);
    reader.mustBeShare("attention_dropout"); // of training alone, which asks for it (plan/model_dropout)
    if (config.hiddenSize % config.headCount != 0)
        reader.refuse("num_attention_heads",
                      "divisors of \"hidden_size\", which is " + std::to_string(config.hiddenSize));
    if (!reader.ok()) return reader.error();
    return config;
}

std::string ClipConfig::toJson() const {
    nlohmann::ordered_json json;
    json["architectures"] = {withProjection ? "CLIPTextModelWithProjection" : "CLIPTextModel"};
    json["attention_dropout"] = 0.0;
    json["bos_token_id"] = bosTokenId;
    json["eos_token_id"] = eosTokenId;
    json["hidden_act"] = activation;
    json["hidden_size"] = hiddenSize;
    json["initializer_factor"] = initializerFactor;
    json["initializer_range"] = 0.02;
    json["intermediate_size"] = intermediateSize;
    json["layer_norm_eps"] = normEpsilon;
    json["max_position_embeddings"] = maxPositions;
    json["model_type"] = "clip_text_model";
    json["num_attention_heads"] = headCount;
    json["num_hidden_layers"] = layerCount;
    json["pad_token_id"] = padTokenId;
    json["projection_dim"] = projectionDim;
    json["vocab_size"] = vocabularySize;
    return json.dump(2) + "\n";
}

} // namespace homebooth::core
