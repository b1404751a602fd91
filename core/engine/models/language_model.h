// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A language model that goes on with texts, token by token; keys and values of what came before are kept, in
// memory that is taken once. Several texts of equal length go on at a time. Within a block each text is
// computed by itself, because products of several rows are rounded otherwise than those of one: so a text is
// the same beside others as alone, and weights that are streamed come once for all of them.
// Owns weights, keys and values; neither copied nor moved. One thread.
#pragma once

#include "core/base/model/language/language_folder.h"
#include "core/base/schedule/quantized_weights.h"
#include "core/base/util/cancel.h"
#include "core/engine/models/component.h"

#include <memory>
#include <vector>

namespace homebooth::core {

class LanguageModel {
public:
    struct Options {
        at::ScalarType type = at::kFloat;
        at::Device device = at::kCPU;
        Quantization quantization = Quantization::None;
        bool streams = false;            ///< blocks come from RAM for each token; changes no byte
        std::vector<bool> resident = {}; ///< of these, by block: those that stay on the device all the same
    };

    /// Weights are undefined until they are loaded.
    LanguageModel(const LanguageConfig& config, const Options& options);

    /// With the folder's weights. @param cancel  looked at between tensors
    /// @returns  null when `cancel` was requested
    /// Errors: BadInput for weights that cannot be used. Throws c10::Error out of memory.
    [[nodiscard]] static Result<std::unique_ptr<LanguageModel>>
    load(const LanguagePart& part, const Options& options, const CancelToken& cancel = {});

    /// Makes room for texts of so many tokens; then there is one text, without any.
    void makeRoom(int64_t texts, int64_t length);

    /// Goes on with each text. @param tokens  [texts, T] int64, on any device
    /// @returns  logits of what follows the last one, [texts, V] fp32, on the CPU
    /// Errors: throws c10::Error where there is no room for them
    [[nodiscard]] at::Tensor next(const at::Tensor& tokens);

    /// Forgets all but the first so many tokens of all texts.
    void shorten(int64_t length);
    /// Forgets all tokens.
    void reset() { shorten(0); }
    /// Makes so many texts, as many as there is room for at most, of the first one.
    void repeat(int64_t texts);
    /// Forgets one text, whose place the last one takes.
    void drop(int64_t text);

    [[nodiscard]] int64_t texts() const { return m_texts; }
    /// Tokens of each text.
    [[nodiscard]] int64_t length() const { return m_length; }
    [[nodiscard]] const LanguageConfig& config() const { return m_config; }
    [[nodiscard]] Component& component() { return m_component; }

private:
    [[nodiscard]] int64_t roomLength() const { return m_past.empty() ? 0 : m_past.front().size(2); }
    void keep(const std::vector<at::Tensor>& made);

    LanguageConfig m_config;
    Component m_component;
    std::vector<at::Tensor> m_past; // keys, then values, of each layer: [texts, heads, length, d]
    int64_t m_texts = 1;
    int64_t m_length = 0;
};

} // namespace homebooth::core
