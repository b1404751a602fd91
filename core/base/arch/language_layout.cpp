// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/arch/language_layout.h"

#include "core/base/arch/block_builder.h"

#include <cmath>
#include <string>
#include <vector>

namespace homebooth::core {
namespace {

/// What a family calls its parts, relative to their block.
struct Names {
    const char* prefix; ///< of the blocks before and behind the layers
    const char* layers; ///< of the layers, relative to that
    const char* tokens;
    const char* positions;     ///< empty: none are learned
    const char* embeddingNorm; ///< empty: there is none
    const char* norm1;
    const char* projections; ///< of queries, keys and values, with commas between
    const char* attentionOut;
    const char* norm2;
    const char* wide;
    const char* narrow;
    const char* lastNorm;
};

constexpr Names kOpt = {"model.decoder",
                        "layers",
                        "embed_tokens",
                        "embed_positions",
                        "",
                        "self_attn_layer_norm",
                        "self_attn.q_proj,self_attn.k_proj,self_attn.v_proj",
                        "self_attn.out_proj",
                        "final_layer_norm",
                        "fc1",
                        "fc2",
                        "final_layer_norm"};
constexpr Names kGpt2 = {"transformer", "h",           "wte",  "wpe",      "",           "ln_1",
                         "attn.c_attn", "attn.c_proj", "ln_2", "mlp.c_fc", "mlp.c_proj", "ln_f"};
constexpr Names kBloom = {"transformer",
                          "h",
                          "word_embeddings",
                          "",
                          "word_embeddings_layernorm",
                          "input_layernorm",
                          "self_attention.query_key_value",
                          "self_attention.dense",
                          "post_attention_layernorm",
                          "mlp.dense_h_to_4h",
                          "mlp.dense_4h_to_h",
                          "ln_f"};

/// OPT's first two rows of positions belong to padding of older releases.
constexpr int64_t kOptPositionOffset = 2;

const Names& namesOf(LanguageFamily family) {
    if (family == LanguageFamily::Opt) return kOpt;
    return family == LanguageFamily::Gpt2 ? kGpt2 : kBloom;
}

/// How the rows of what projects to queries, keys and values are laid out.
const char* arrangementOf(LanguageFamily family) {
    if (family == LanguageFamily::Opt) return "separate";
    return family == LanguageFamily::Gpt2 ? "joined" : "joined_by_head";
}

BlockSpec embeddingBlock(const LanguageConfig& config, const Names& names) {
    const bool opt = config.family == LanguageFamily::Opt;
    const std::string positions = names.positions;
    const std::string norm = names.embeddingNorm;
    BlockBuilder builder("token_embedding", names.prefix);
    builder.attribute("positionOffset", opt ? static_cast<double>(kOptPositionOffset) : 0.0)
        .attribute("epsilon", config.normEpsilon)
        .attribute("givesTable", config.tiedHead ? 1.0 : 0.0)
        .label("tokens", names.tokens)
        .embedding(names.tokens, config.vocabularySize, config.embeddingSize, config.initializerRange);
    if (!positions.empty())
        builder.label("positions", positions)
            .embedding(positions, config.maxPositions + (opt ? kOptPositionOffset : 0), config.hiddenSize,
                       config.initializerRange);
    if (config.embeddingSize != config.hiddenSize)
        builder.label("projection", "project_in")
            .linear("project_in", config.embeddingSize, config.hiddenSize, /*bias=*/false);
    if (!norm.empty()) builder.label("norm", norm).norm(norm, config.hiddenSize);
    return builder.take();
}

BlockSpec layerBlock(const LanguageConfig& config, const Names& names, int64_t layer) {
    const double in = config.initializerRange;
    const double out = in / std::sqrt(2.0 * static_cast<double>(config.layerCount)); // as GPT-2 began
    const int64_t width = config.hiddenSize;
    const std::string name = std::string(names.prefix) + "." + names.layers + "." + std::to_string(layer);
    BlockBuilder builder("language_layer", name);
    builder.attribute("heads", static_cast<double>(config.headCount))
        .attribute("epsilon", config.normEpsilon)
        .attribute("normFirst", config.normFirst ? 1.0 : 0.0)
        .attribute("distances", config.family == LanguageFamily::Bloom ? 1.0 : 0.0)
        .label("activation", config.activation)
        .label("arrangement", arrangementOf(config.family))
        .label("norm1", names.norm1)
        .label("projections", names.projections)
        .label("attentionOut", names.attentionOut)
        .label("norm2", names.norm2)
        .label("wide", names.wide)
        .label("narrow", names.narrow);
    builder.norm(names.norm1, width);
    if (config.family == LanguageFamily::Opt)
        for (const char* projection : {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"})
            builder.normalLinear(projection, width, width, in);
    else
        builder.normalLinear(names.projections, width, 3 * width, in);
    return builder.normalLinear(names.attentionOut, width, width, out)
        .norm(names.norm2, width)
        .normalLinear(names.wide, width, config.intermediateSize, in)
        .normalLinear(names.narrow, config.intermediateSize, width, out)
        .take();
}

/// What stands between the last layer and the head; none: nothing does.
bool hasLastBlock(const LanguageConfig& config) {
    return config.finalNorm || config.embeddingSize != config.hiddenSize;
}

BlockSpec lastBlock(const LanguageConfig& config, const Names& names) {
    BlockBuilder builder("language_end", names.prefix);
    builder.attribute("epsilon", config.normEpsilon);
    if (config.finalNorm) builder.label("norm", names.lastNorm).norm(names.lastNorm, config.hiddenSize);
    if (config.embeddingSize != config.hiddenSize)
        builder.label("projection", "project_out")
            .linear("project_out", config.hiddenSize, config.embeddingSize, /*bias=*/false);
    return builder.take();
}

BlockSpec languageHeadBlock(const LanguageConfig& config) {
    return BlockBuilder("language_head", "")
        .embedding("lm_head", config.vocabularySize, config.embeddingSize, config.initializerRange)
        .take();
}

ValueSpec tokensOf(const std::string& name, int64_t channels, int64_t count) {
    ValueSpec value;
    value.name = name;
    value.channels = channels;
    value.tokens = count;
    return value;
}

ValueSpec tableOf(const LanguageConfig& config) {
    ValueSpec value;
    value.name = "head";
    value.channels = config.embeddingSize;
    value.rows = config.vocabularySize;
    return value;
}

/// Lays the blocks out one behind another.
class Wiring {
public:
    Wiring(const LanguageConfig& config, int64_t contextLength, LanguageUse use)
        : m_config(config)
        , m_names(namesOf(config.family))
        , m_length(contextLength)
        , m_follows(use == LanguageUse::Following) {}

    Schedule schedule() {
        addInputs();
        ValueId head = -1;
        ValueId hidden = addEmbedding(head);
        for (int64_t layer = 0; layer < m_config.layerCount; ++layer) hidden = addLayer(layer, hidden);
        if (hasLastBlock(m_config))
            hidden = m_schedule
                         .add(lastBlock(m_config, m_names), {hidden},
                              {tokensOf("hidden_states", m_config.embeddingSize, m_length)})
                         .front();
        if (!m_config.tiedHead)
            head = m_schedule.add(languageHeadBlock(m_config), {}, {tableOf(m_config)}).front();
        m_schedule.addOutput(hidden);
        m_schedule.addOutput(head);
        for (const ValueId value : m_given) m_schedule.addOutput(value);
        return std::move(m_schedule);
    }

private:
    [[nodiscard]] ValueSpec layerValue(const std::string& name) const {
        return tokensOf(name, m_config.hiddenSize, m_length);
    }

    void addInputs() {
        m_tokens = m_schedule.addInput(tokensOf("token_ids", 1, m_length));
        if (!m_follows) return;
        m_place = m_schedule.addInput({"place", 1});
        for (int64_t layer = 0; layer < m_config.layerCount; ++layer)
            for (const char* what : {".keys", ".values"})
                m_past.push_back(m_schedule.addInput(layerValue("past." + std::to_string(layer) + what)));
    }

    ValueId addEmbedding(ValueId& head) {
        std::vector<ValueId> inputs = {m_tokens};
        if (m_follows) inputs.push_back(m_place);
        std::vector<ValueSpec> outputs = {layerValue("embeddings")};
        if (m_config.tiedHead) outputs.push_back(tableOf(m_config));
        const std::vector<ValueId> made = m_schedule.add(embeddingBlock(m_config, m_names), inputs, outputs);
        if (m_config.tiedHead) head = made[1];
        return made[0];
    }

    ValueId addLayer(int64_t layer, ValueId hidden) {
        BlockSpec block = layerBlock(m_config, m_names, layer);
        std::vector<ValueId> inputs = {hidden};
        std::vector<ValueSpec> outputs = {layerValue(block.name)};
        if (m_follows) {
            for (const size_t which : {0u, 1u})
                inputs.push_back(m_past[2 * static_cast<size_t>(layer) + which]);
            for (const char* what : {".keys", ".values"}) outputs.push_back(layerValue(block.name + what));
        }
        const std::vector<ValueId> made = m_schedule.add(std::move(block), inputs, outputs);
        m_given.insert(m_given.end(), made.begin() + 1, made.end());
        return made[0];
    }

    const LanguageConfig& m_config;
    const Names& m_names;
    int64_t m_length;
    bool m_follows;
    Schedule m_schedule;
    ValueId m_tokens = -1;
    ValueId m_place = -1;
    std::vector<ValueId> m_past;
    std::vector<ValueId> m_given; // keys and values of what was computed
};

} // namespace

Schedule languageSchedule(const LanguageConfig& config, int64_t contextLength, LanguageUse use) {
    return Wiring(config, contextLength, use).schedule();
}

} // namespace homebooth::core
