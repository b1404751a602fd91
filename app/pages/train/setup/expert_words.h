// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person reads of an expert setting: its plain name, its real one, what it does to the result, the
// words of a choice, and numbers as people write them. Pure functions; any thread.
#pragma once

#include "core/base/config/config_fields.h"
#include "core/base/model/configs/scheduler_config.h"
#include "core/base/model/model_family.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace homebooth::app {

struct SettingWords {
    const char* path; ///< in run.json
    QString plain;
    QString real;   ///< with its unit
    QString effect; ///< on the result
};

/// The settings that are offered, in their order.
[[nodiscard]] std::vector<SettingWords> offeredSettings();

/// What other programs call a setting, for whoever searches by their words; not shown. May be empty.
[[nodiscard]] QString otherWords(const QString& path);

/// Whether what is typed takes a whole line.
[[nodiscard]] bool isLongText(const QString& path);

/// What an empty field shows of what it stands for; may be empty. @param defaults  what the choices give
[[nodiscard]] QString placeholderOf(const QString& path, const core::TrainConfig& defaults);

/// Whether a setting does anything in this training. @param prediction  what the model predicts
[[nodiscard]] bool settingApplies(const QString& path, const core::TrainConfig& config,
                                  core::PredictionType prediction);

/// Why a setting stays as it is with models of a family; empty where it can be changed.
[[nodiscard]] QString whyFixed(const QString& path, core::ModelFamily family);

/// What a field is chosen from, as the engine has it; empty where something is typed.
[[nodiscard]] QStringList choicesOf(const core::ConfigField& field);

/// The term for a choice, for those who know it: as run.json has it, or as it is written about; may be empty.
[[nodiscard]] QString choiceTerm(const core::ConfigField& field, const QString& choice);

/// The field with what this computer could do as its range.
[[nodiscard]] core::ConfigField onThisMachine(core::ConfigField field);

/// A value as the engine has it ("2e-06", "true", "adamw8bit") as a person reads it ("2e-6", "yes").
[[nodiscard]] QString shownValue(const core::ConfigField& field, const QString& engines);

/// What somebody typed as the engine reads it: 0.000001, 1e-6, 1E-6, 5 %, a comma as well as a point, digits
/// in groups; a folder also from the home folder on, or by its address. Nothing if it is no value, or out of
/// range.
[[nodiscard]] std::optional<QString> engineValue(core::ConfigField& field, const QString& typed);

/// Of the values that the field takes the one nearest to what was typed, as the engine reads it; nothing
/// where no number was typed.
[[nodiscard]] std::optional<QString> nearestValue(core::ConfigField& field, const QString& typed);

/// "64 to 8192", without a limit that nobody comes near; empty where there is no range.
[[nodiscard]] QString rangeText(const core::ConfigField& field);

/// What a field takes that did not take what was typed.
[[nodiscard]] QString expectedText(const core::ConfigField& field);

/// What stands for a word of the engine's in a list: a plain word where there is one, else the field's name.
[[nodiscard]] QString choiceText(const QString& word);

} // namespace homebooth::app
