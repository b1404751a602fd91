// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/block_factory.h"

#include "core/engine/models/clip_blocks.h"
#include "core/engine/models/convolution_blocks.h"
#include "core/engine/models/language_blocks.h"
#include "core/engine/models/resnet_block.h"
#include "core/engine/models/time_blocks.h"
#include "core/engine/models/transformer_blocks.h"
#include "core/engine/models/vae_attention_block.h"

#include <map>
#include <string>

namespace homebooth::core {
namespace {

using Maker = std::unique_ptr<Block> (*)(const BlockSpec&);

template <class T>
std::unique_ptr<Block> make(const BlockSpec& spec) {
    return std::make_unique<T>(spec);
}

const std::map<std::string, Maker>& makers() {
    static const std::map<std::string, Maker> table{
        {"clip_embeddings", make<ClipEmbeddingsBlock>},
        {"clip_layer", make<ClipLayerBlock>},
        {"clip_norm", make<ClipNormBlock>},
        {"clip_pool", make<ClipPoolBlock>},
        {"conv", make<ConvolutionBlock>},
        {"downsample", make<DownsampleBlock>},
        {"head", make<HeadBlock>},
        {"language_end", make<LanguageEndBlock>},
        {"language_head", make<LanguageHeadBlock>},
        {"language_layer", make<LanguageLayerBlock>},
        {"resnet", make<ResnetBlock>},
        {"text_time_embedding", make<TextTimeEmbeddingBlock>},
        {"time_embedding", make<TimeEmbeddingBlock>},
        {"token_embedding", make<TokenEmbeddingBlock>},
        {"transformer", make<TransformerBlock>},
        {"transformer_in", make<TransformerInBlock>},
        {"transformer_layer", make<TransformerLayerBlock>},
        {"transformer_out", make<TransformerOutBlock>},
        {"upsample", make<UpsampleBlock>},
        {"vae_attention", make<VaeAttentionBlock>},
    };
    return table;
}

} // namespace

std::unique_ptr<Block> makeBlock(const BlockSpec& spec) {
    const auto found = makers().find(spec.kind);
    TORCH_CHECK(found != makers().end(), "no block of kind ", spec.kind, " is known (", spec.name, ")");
    return found->second(spec);
}

} // namespace homebooth::core
