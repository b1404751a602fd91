// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a frozen text encoder makes of each prompt, in memory and on disk under a name made of the text
// encoder's weights and the tokens. One thread; several processes may share a folder.
#pragma once

#include "core/base/util/result.h"
#include "core/engine/models/model_components.h"

#include <ATen/ATen.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace homebooth::core {

class PromptCache {
public:
    /// Gives the text encoder, which is loaded only when some prompt is missing. May throw.
    using EncoderProvider = std::function<Result<TextEncoder*>()>;

    /// Of captions without end the disk would soon be full: a long one takes as much as the latents of many
    /// pictures, and to encode it again takes next to nothing of a step.
    enum class Disk { Read, ReadAndWrite };

    /// @param folder       made when missing; empty: nothing is kept on disk
    /// @param encoderHash  SHA-256 of the text encoder's weights and configuration
    PromptCache(std::string folder, std::string encoderHash, EncoderProvider encoder,
                Disk disk = Disk::ReadAndWrite);

    /// The encoder's output for these tokens, [T, D] in the encoder's type, on the CPU.
    /// Errors: of the provider
    [[nodiscard]] Result<at::Tensor> encode(const std::vector<int64_t>& tokens);

    [[nodiscard]] int64_t heldBytes() const { return m_heldBytes; }
    /// What encoding has taken up to now.
    [[nodiscard]] double encodedSeconds() const { return m_encodedSeconds; }

private:
    [[nodiscard]] std::string pathOf(const std::vector<int64_t>& tokens) const;
    [[nodiscard]] Result<at::Tensor> encodeNow(const std::vector<int64_t>& tokens);
    [[nodiscard]] at::Tensor readFile(const std::string& path) const;

    std::string m_folder;
    std::string m_encoderHash;
    EncoderProvider m_encoder;
    std::map<std::vector<int64_t>, at::Tensor> m_held;
    int64_t m_heldBytes = 0;
    double m_encodedSeconds = 0.0;
    bool m_writable = true;
};

} // namespace homebooth::core
