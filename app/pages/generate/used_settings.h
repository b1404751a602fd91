// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From the text that travels with a picture back to everything that it was made with: model, add-ons with
// their weights. Pure; any thread.
#pragma once

#include "app/engine/model_shelf.h"
#include "core/base/config/sample_config.h"

#include <QStringList>

#include <optional>

namespace homebooth::app {

struct UsedSettings {
    core::SampleConfig config;
    QStringList missing; ///< names of models and add-ons, and learned words, that are not here
    QString start;       ///< file name of the picture that it began from; empty: from none
    /// How the weights were kept; nothing where the text does not tell. The settings decide how they will be.
    std::optional<core::Quantization> weights = std::nullopt;
};

/// @param before     what the text does not say is taken from here
/// @param modelPath  the model, where its place is known; else it is looked for by name
[[nodiscard]] UsedSettings usedSettings(const QString& text, core::SampleConfig before,
                                        const QString& modelPath, const ModelShelf& models);

} // namespace homebooth::app
