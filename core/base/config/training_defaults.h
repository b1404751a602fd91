// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training is set to where nobody said otherwise: what the model's own folder, or the header of its
// file, brings along as training_defaults.json, else what suits its family and size. Value type; any thread.
//
//   {"v":1, "note":"...", "all":{...}, "full":{...}, "lora":{...}, "quick":{...}, "balanced":{...},
//   "best":{...}}
//
// Each part names settings as run.json does; all parts are optional. Later parts win: all, then the method's,
// then the quality's. Only settings of what is computed may be named, never places, budgets or seeds.
#pragma once

#include "core/base/config/train_config_json.h"
#include "core/base/model/model_source.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

constexpr const char* kTrainingDefaultsName = "training_defaults.json";

/// How well it shall be learned. Usual: no quality was chosen.
enum class TrainingQuality { Quick, Balanced, Best, Usual };

/// A configuration whose open settings were filled in, and what was filled in from where, in words.
struct FilledConfig {
    TrainConfig config;
    std::vector<std::string> notes; ///< "learning rate 2e-4, 900 steps (this model's own defaults)"
};

class TrainingDefaults {
public:
    /// Those of an opened model. Errors: BadInput for a file that names unknown settings or values out of
    /// range: all of them at once, with its path
    [[nodiscard]] static Result<TrainingDefaults> of(const ModelSource& model);

    /// Those of a family alone. @param pixels  side of the pictures that the model was made for; 0: unknown,
    ///                                         of SDXL what it was released for
    [[nodiscard]] static TrainingDefaults ofFamily(ModelFamily family, int64_t pixels);

    /// Adds the text of a training_defaults.json. Errors: BadInput, as `of`; nothing is added then
    [[nodiscard]] Result<void> read(std::string_view json, const std::string& context);

    /// Replaces what nobody named.
    [[nodiscard]] FilledConfig fill(TrainConfig config, const GivenFields& given,
                                    TrainingQuality quality = TrainingQuality::Usual) const;

    /// That pictures of the model are best made with, training or not; none: it does not say, nor does
    /// its family.
    [[nodiscard]] std::optional<double> guidanceScale() const;

    /// Whether the model brought a file along.
    [[nodiscard]] bool own() const { return m_own; }
    /// Whether that file says something about this quality.
    [[nodiscard]] bool knows(TrainingQuality quality) const;

private:
    struct Part {
        TrainConfig values;
        GivenFields named;
    };
    enum PartId { All, Full, Lora, Quick, Balanced, Best, PartCount };

    [[nodiscard]] GivenFields takeOwn(TrainConfig& config, const GivenFields& given,
                                      TrainingQuality quality) const;
    [[nodiscard]] GivenFields takeFamily(TrainConfig& config, const GivenFields& given) const;

    ModelFamily m_family = ModelFamily::Other;
    int64_t m_pixels = 0;
    std::string m_language;      // what a language model's family is called; empty: it is none
    int64_t m_contextTokens = 0; // that suit it
    bool m_own = false;
    std::array<Part, PartCount> m_parts;
};

/// Whether a model's folder may bring this setting: what is computed, not where, how often saved or with
/// what memory. @param path  as in run.json
[[nodiscard]] bool mayBeBrought(const std::string& path);

/// Settings whose default each model has one of its own for, whatever its folder brings.
[[nodiscard]] const GivenFields& settingsByModel();

/// The least side at which SDXL learns pictures without harm, pixels. @param own  that it was made for
[[nodiscard]] constexpr int64_t leastXlPixels(int64_t own) {
    return own * 3 / 4;
}

/// What a user should know who has SDXL learn pictures far smaller than it was made for; nothing else.
/// Code of warnings and decisions that say so: kSmallPictures
[[nodiscard]] std::optional<std::string> smallPicturesWarning(const TrainConfig& config,
                                                              const ModelSource& model);
constexpr const char* kSmallPictures = "small-pictures";

} // namespace homebooth::core
