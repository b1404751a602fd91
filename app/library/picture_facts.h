// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a picture was made, in words for people: beside the gallery and in the large view. A value; any thread.
#pragma once

#include "core/base/text/generation_parameters.h"
#include "core/library/picture_store.h"

#include <QCoreApplication>
#include <QStringList>

namespace homebooth::app {

struct PictureFacts {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::PictureFacts)
public:
    QString headline;  ///< its prompt, or its file's name
    QStringList lines; ///< model, add-ons, seed and size, sampler, start, what was left out, when

    [[nodiscard]] static PictureFacts of(const core::PictureRecord& picture);

private:
    [[nodiscard]] static QStringList addOns(const core::GenerationParameters& made);
    [[nodiscard]] static QStringList method(const core::GenerationParameters& made);
};

/// How the model's weights were kept while a picture was made, as its text has it.
[[nodiscard]] core::Quantization weightsOf(const core::GenerationParameters& made);

/// Whether it was made in a smaller size and enlarged ("Hires upscale: 1.5"): then the text's strength
/// is that of enlarging.
[[nodiscard]] bool wasEnlarged(const core::GenerationParameters& made);

} // namespace homebooth::app
