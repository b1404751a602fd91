// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What frozen text encoders make of each prompt, in memory and on disk under a name made of the text
// encoders' weights and the tokens. One thread; several processes may share a folder.
#pragma once

#include "core/base/util/result.h"
#include "core/engine/models/text_encoders.h"

#include <ATen/ATen.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace homebooth::core {

/// A text's tokens for each of the model's text encoders, in their order.
using PromptTokens = std::vector<std::vector<int64_t>>;

class PromptCache {
public:
    /// Gives the text encoders, which are loaded only when some prompt is missing. May throw.
    using EncoderProvider = std::function<Result<TextEncoders*>()>;

    /// Of captions without end the disk would soon be full: a long one takes as much as the latents of many
    /// pictures, and to encode it again takes next to nothing of a step.
    enum class Disk { Read, ReadAndWrite };

    /// @param folder       made when missing; empty: nothing is kept on disk
    /// @param encoderHash  SHA-256 of the text encoders' weights and configurations
    PromptCache(std::string folder, std::string encoderHash, EncoderProvider encoders,
                Disk disk = Disk::ReadAndWrite);

    /// What the encoders give for these tokens: context [T, D] and, of several encoders, pooled text [P], in
    /// their type, on the CPU. The context is undefined when the provider gave nothing.
    /// Errors: of the provider
    [[nodiscard]] Result<TextCondition> encode(const PromptTokens& tokens);

    [[nodiscard]] int64_t heldBytes() const { return m_heldBytes; }
    /// What encoding has taken up to now.
    [[nodiscard]] double encodedSeconds() const { return m_encodedSeconds; }

private:
    [[nodiscard]] std::string pathOf(const PromptTokens& tokens) const;
    [[nodiscard]] Result<TextCondition> encodeNow(const PromptTokens& tokens);
    [[nodiscard]] TextCondition readFile(const std::string& path, bool pools) const;
    void writeFile(const std::string& path, const TextCondition& condition);

    std::string m_folder;
    std::string m_encoderHash;
    EncoderProvider m_encoders;
    std::map<PromptTokens, TextCondition> m_held;
    int64_t m_heldBytes = 0;
    double m_encodedSeconds = 0.0;
    bool m_writable = true;
};

} // namespace homebooth::core
