// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// From a block's specification to the block that computes it. Stateless; any thread.
#pragma once

#include "core/engine/graph/block.h"

#include <memory>

namespace homebooth::core {

/// Makes the block of `spec.kind`: conv, head, resnet, downsample, upsample, time_embedding,
/// text_time_embedding, transformer, transformer_in, transformer_layer, transformer_out, vae_attention,
/// clip_embeddings, clip_layer, clip_norm.
/// Errors: throws c10::Error on another kind, and where the specification lacks a parameter of its kind.
[[nodiscard]] std::unique_ptr<Block> makeBlock(const BlockSpec& spec);

} // namespace homebooth::core
