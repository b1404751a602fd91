// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/language_model.h"

#include "core/base/arch/language_layout.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/engine/io/weights.h"
#include "core/engine/models/block_factory.h"
#include "core/engine/nn/matrix_product.h"

#include <algorithm>
#include <utility>

namespace homebooth::core {
namespace {

/// Computes each sample by itself. What has one or no side belongs to all of them, and so does an output of
/// two sides, the table of the head.
class EachAlone : public Block {
public:
    explicit EachAlone(std::unique_ptr<Block> block)
        : Block(block->spec())
        , m_block(std::move(block)) {}

    [[nodiscard]] std::vector<at::Tensor> forward(const BlockContext& context,
                                                  std::span<const at::Tensor> inputs) const override {
        const int64_t samples = inputs.empty() ? 1 : inputs.front().size(0);
        if (samples == 1) return m_block->forward(context, inputs);
        std::vector<std::vector<at::Tensor>> made; // by output
        for (int64_t sample = 0; sample < samples; ++sample) {
            std::vector<at::Tensor> own;
            for (const at::Tensor& input : inputs)
                own.push_back(input.dim() > 1 ? input.narrow(0, sample, 1) : input);
            const std::vector<at::Tensor> outputs = m_block->forward(context, own);
            made.resize(outputs.size());
            for (size_t output = 0; output < outputs.size(); ++output)
                if (sample == 0 || outputs[output].dim() > 2) made[output].push_back(outputs[output]);
        }
        std::vector<at::Tensor> joined;
        for (const std::vector<at::Tensor>& parts : made)
            joined.push_back(parts.size() == 1 ? parts.front() : at::cat(parts, 0));
        return joined;
    }

private:
    std::unique_ptr<Block> m_block;
};

ParameterStore::Options storeOptions(const LanguageModel::Options& options) {
    ParameterStore::Options store;
    store.type = options.type;
    store.device = options.device;
    store.changes = true; // by LoRAs
    if (!options.streams) return store;
    store.streaming.emplace().prefetchDistance = kSampleTurnsAhead;
    store.resident = options.resident;
    return store;
}

/// What one text's hidden state says of each entry. Widened products copy the table, so by stretches.
/// Shapes: hidden [1, E], table [V, E] -> [1, V] fp32, on the CPU
at::Tensor logitsOf(const at::Tensor& hidden, const at::Tensor& table) {
    constexpr int64_t kStretchElements = int64_t{1} << 20;
    const int64_t rows = table.size(0);
    const int64_t stretch =
        widensProducts(hidden) ? std::max<int64_t>(kStretchElements / table.size(1), 1) : rows;
    std::vector<at::Tensor> parts;
    for (int64_t begin = 0; begin < rows; begin += stretch)
        parts.push_back(matrixProduct(hidden, table.narrow(0, begin, std::min(stretch, rows - begin)).t()));
    return at::cat(parts, 1).to(at::kFloat).cpu();
}

} // namespace

LanguageModel::LanguageModel(const LanguageConfig& config, const Options& options)
    : m_config(config)
    , m_component(frozenSchedule(languageSchedule(config, config.maxPositions, LanguageUse::Following),
                                 options.quantization),
                  storeOptions(options),
                  [](const BlockSpec& spec) { return std::make_unique<EachAlone>(makeBlock(spec)); }) {}

Result<std::unique_ptr<LanguageModel>> LanguageModel::load(const LanguagePart& part, const Options& options,
                                                           const CancelToken& cancel) {
    auto model = std::make_unique<LanguageModel>(part.config, options);
    LoadOptions reading;
    reading.cancel = cancel;
    HOMEBOOTH_ASSIGN(const LoadReport read,
                     loadParameters(model->m_component.store(), *part.tensors, reading));
    if (read.cancelled) return std::unique_ptr<LanguageModel>();
    return model;
}

void LanguageModel::makeRoom(int64_t texts, int64_t length) {
    m_past.clear(); // the old ones make room first
    const auto options = at::TensorOptions().dtype(m_component.type()).device(m_component.device());
    const int64_t width = m_config.hiddenSize / m_config.headCount;
    for (int64_t layer = 0; layer < 2 * m_config.layerCount; ++layer)
        m_past.push_back(at::empty({texts, m_config.headCount, length, width}, options));
    m_texts = 1;
    m_length = 0;
}

at::Tensor LanguageModel::next(const at::Tensor& tokens) {
    TORCH_CHECK(tokens.size(0) == m_texts && tokens.size(1) > 0, "expected tokens of ", m_texts,
                " texts, found ", tokens.sizes());
    TORCH_CHECK(m_length + tokens.size(1) <= roomLength(), "expected ", roomLength(),
                " tokens at most, found ", m_length + tokens.size(1));
    std::vector<at::Tensor> inputs = {tokens.to(m_component.device()),
                                      at::scalar_tensor(m_length, at::kLong)}; // read by the host
    for (const at::Tensor& past : m_past) inputs.push_back(past.narrow(0, 0, m_texts).narrow(2, 0, m_length));
    const std::vector<at::Tensor> made = m_component.executor().run(inputs);
    keep(made);
    at::Tensor logits = at::empty({m_texts, made[1].size(0)}, at::kFloat);
    for (int64_t text = 0; text < m_texts; ++text)
        logits.narrow(0, text, 1)
            .copy_(logitsOf(made[0].narrow(0, text, 1).select(1, tokens.size(1) - 1), made[1]));
    return logits;
}

void LanguageModel::keep(const std::vector<at::Tensor>& made) {
    constexpr size_t kOthers = 2; // hidden states and the table
    const int64_t count = made[kOthers].size(2);
    for (size_t which = 0; which < m_past.size(); ++which)
        m_past[which].narrow(0, 0, m_texts).narrow(2, m_length, count).copy_(made[which + kOthers]);
    m_length += count;
}

void LanguageModel::shorten(int64_t length) {
    m_length = std::min(m_length, length);
}

void LanguageModel::repeat(int64_t texts) {
    m_texts = m_past.empty() ? 1 : std::min(texts, m_past.front().size(0));
    for (const at::Tensor& past : m_past) {
        const at::Tensor known = past.narrow(2, 0, m_length);
        known.narrow(0, 1, m_texts - 1).copy_(known.narrow(0, 0, 1)); // to each of them
    }
}

void LanguageModel::drop(int64_t text) {
    TORCH_CHECK(text >= 0 && text < m_texts, "expected one of ", m_texts, " texts, found ", text);
    --m_texts;
    if (text == m_texts) return;
    for (const at::Tensor& past : m_past)
        past.select(0, text).narrow(1, 0, m_length).copy_(past.select(0, m_texts).narrow(1, 0, m_length));
}

} // namespace homebooth::core
