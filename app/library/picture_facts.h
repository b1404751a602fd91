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
    QStringList lines; ///< model, seed and size, sampler, weights, what was left out, when

    [[nodiscard]] static PictureFacts of(const core::PictureRecord& picture);
};

/// How the model's weights were kept while a picture was made, as its text has it.
[[nodiscard]] core::Quantization weightsOf(const core::GenerationParameters& made);

} // namespace homebooth::app
