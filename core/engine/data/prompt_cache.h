// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What frozen text encoders make of each prompt, in memory up to a bound and on disk under a name made of the
// text encoders' weights and the tokens. Those that come first stay in memory: steps ask for each as often.
// One thread; several processes may share a folder.
#pragma once

#include "core/base/plan/generation/picture_memory.h"
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
    /// @param mostHeldBytes  in memory; what is beyond is read from the disk each time, or encoded again
    PromptCache(std::string folder, std::string encoderHash, EncoderProvider encoders,
                Disk disk = Disk::ReadAndWrite, int64_t mostHeldBytes = kMostHeldTextBytes);

    /// What the encoders give for these tokens: context [T, D] and, of several encoders, pooled text [P], in
    /// their type, on the CPU. The context is undefined when the provider gave nothing.
    /// Errors: of the provider
    [[nodiscard]] Result<TextCondition> encode(const PromptTokens& tokens);

    /// From now on no more than so many bytes are held. What is beyond that is given up where the disk has
    /// it.
    void holdAtMost(int64_t bytes);

    /// Whether all that it gave can be had again without the encoders.
    [[nodiscard]] bool keepsAll() const { return m_keepsAll; }
    [[nodiscard]] int64_t heldBytes() const { return m_heldBytes; }
    /// What encoding has taken up to now.
    [[nodiscard]] double encodedSeconds() const { return m_encodedSeconds; }

private:
    [[nodiscard]] std::string pathOf(const PromptTokens& tokens) const;
    [[nodiscard]] Result<TextCondition> encodeNow(const PromptTokens& tokens);
    [[nodiscard]] TextCondition readFile(const std::string& path, bool pools) const;
    [[nodiscard]] bool writeFile(const std::string& path, const TextCondition& condition);
    [[nodiscard]] bool hold(const PromptTokens& tokens, const TextCondition& condition);

    std::string m_folder;
    std::string m_encoderHash;
    EncoderProvider m_encoders;
    std::map<PromptTokens, TextCondition> m_held;
    int64_t m_mostHeldBytes;
    int64_t m_heldBytes = 0;
    double m_encodedSeconds = 0.0;
    bool m_writable = true;
    bool m_keepsAll = true;
};

} // namespace homebooth::core
