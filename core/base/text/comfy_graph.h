// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How a picture of ComfyUI was made, by the graph that its file keeps under the keyword `prompt`: each
// node by its number, with its class and its inputs, which are values or links to other nodes:
//
//   {"3": {"class_type": "KSampler", "inputs": {"seed": 7, "steps": 20, "model": ["4", 0], ...}}, ...}
//
// Any program may have written it, and a chain of links may lead into itself. Pure; any thread.
#pragma once

#include "core/base/text/generation_parameters.h"

#include <optional>
#include <string_view>

namespace homebooth::core {

/// The program of such parameters. Their words are its own: it reads neither tags nor square brackets.
inline constexpr const char* kComfyUi = "ComfyUI";

/// Keys of `others`: the kind of a node that changes the picture in a way that is not read; a LoRA of
/// `loraWeights` whose weight in the text encoder was another one; a part of the picture was made anew.
inline constexpr const char* kOtherNodeKey = "Other node";
inline constexpr const char* kUnevenLoraKey = "Uneven LoRA";
inline constexpr const char* kInpaintingKey = "Inpainting";

/// Walks back from the sampler to prompts, size, model and LoRAs. Of one that samples several times in a
/// row the first pass counts, and `others` say that there were more, and what else was done with it.
/// @returns  nothing for what is no such graph, or one whose settings cannot be told for sure: several
///           samplers side by side, words or numbers that nodes put together, an unknown loader
[[nodiscard]] std::optional<GenerationParameters> readComfyGraph(std::string_view text);

} // namespace homebooth::core
