// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The text that travels with a generated picture under the keyword `parameters`, as A1111's web UI writes it:
//
//   a photo of a dog <lora:rex:0.8>
//   Negative prompt: blurry
//   Steps: 20, Sampler: Euler a, Schedule type: Automatic, CFG scale: 7, Seed: 1, Size: 512x512, ...
//
// Values with a comma, colon or line break are JSON strings. That layout cannot hold every prompt (one with a
// line "Negative prompt: ...", say), so a prompt that would not come back from it is added once more,
// quoted, under a key of ours that other readers pass over; so is one with LoRAs, which they apply for
// tags alone. Pure functions; any thread.
#pragma once

#include "core/base/config/sample_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace homebooth::core {

/// What is known of a picture's making. Empty and 0 mean: not said.
struct GenerationParameters {
    std::string prompt;
    std::string negativePrompt;
    int64_t steps = 0;
    std::string sampler;      ///< A1111's name, e.g. "DPM++ 2M"
    std::string scheduleType; ///< "Karras", "Uniform", "SGM Uniform", "Automatic"
    double guidanceScale = 0.0;
    std::optional<uint64_t> seed;
    int64_t widthPixels = 0;
    int64_t heightPixels = 0;
    std::string modelHash; ///< first 10 hexadecimal digits of the SHA-256
    std::string model;
    double strength = 0.0;                                       ///< img2img
    int64_t clipSkip = 0;                                        ///< layers left out; A1111 writes one more
    std::string initImage;                                       ///< img2img: its file's name without folders
    std::vector<std::pair<std::string, std::string>> loraHashes; ///< name, hash
    std::vector<std::pair<std::string, double>> loraWeights;     ///< name, weight; a key of ours
    /// Of textual inversions that the prompts name: word, hash.
    std::vector<std::pair<std::string, std::string>> embeddingHashes;
    std::string version;
    std::vector<std::pair<std::string, std::string>> others; ///< further keys in order, e.g. {"RNG", "CPU"}

    friend bool operator==(const GenerationParameters&, const GenerationParameters&) = default;
};

/// The text for `parameters`. Reading it back gives the same values, with these exceptions: bytes that are no
/// UTF-8 may be replaced, and commas and colons in names of LoRA files fall away.
[[nodiscard]] std::string writeGenerationParameters(const GenerationParameters& parameters);

/// Reads such a text, of any program; what is not understood stays in the prompt or in `others`. Never fails.
[[nodiscard]] GenerationParameters parseGenerationParameters(std::string_view text);

/// What the lists of these texts call a LoRA: without the commas and colons that part them.
[[nodiscard]] std::string listedLoraName(std::string name);

/// `clipSkip` as these texts have it, of what a SampleConfig leaves out, and back. Other programs count the
/// last layer of SDXL's text encoders, too, which its UNet was never told of.
[[nodiscard]] int64_t toldClipSkip(int64_t leftOut, bool isXl);
[[nodiscard]] int64_t clipSkipOf(int64_t told, bool isXl);

/// A1111's name of a sampler, e.g. "Euler a".
[[nodiscard]] const char* samplerDisplayName(SamplerKind kind);

/// Whether the sampler can space its noise levels as Karras et al. do.
[[nodiscard]] bool hasKarrasSpacing(SamplerKind kind);

/// Whether a picture was made with Karras spacing, by what its text says. "Automatic" is A1111's word for its
/// own choice of each sampler, which is Karras for DPM++ 2M.
[[nodiscard]] bool usedKarrasSpacing(const GenerationParameters& parameters);

/// What A1111 calls trailing steps; and a key of ours for those that the schedule type does not tell of.
inline constexpr const char* kTrailingSchedule = "SGM Uniform";
inline constexpr const char* kStepSpacingKey = "Step spacing";
inline constexpr const char* kTrailingWord = "trailing";

/// Whether a picture was made with trailing steps, by what its text says.
[[nodiscard]] bool usedTrailingSteps(const GenerationParameters& parameters);

/// The sampler of such a name, and whether it asks for Karras sigmas ("DPM++ 2M Karras" of older pictures).
[[nodiscard]] std::optional<std::pair<SamplerKind, bool>> samplerOfDisplayName(std::string_view name);

} // namespace homebooth::core
