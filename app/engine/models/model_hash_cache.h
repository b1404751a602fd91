// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// SHA-256 of models and LoRAs, worked out once for as long as their files stay as they are.
// Free functions; any thread.
#pragma once

#include "core/base/model/model_hash.h"

#include <QString>

namespace homebooth::app {

struct ModelHash {
    std::string sha256;
    qint64 readMs = 0;                ///< when all of the model was read for it
    core::NumberTrouble trouble = {}; ///< that was seen then
};

/// As core::modelHash; at once where the files have not changed since it was asked last.
[[nodiscard]] core::Result<std::optional<ModelHash>>
knownModelHash(const QString& path, const core::ProgressCallback& progress, const core::CancelToken& cancel);

/// As core::loraHash, likewise; nothing when cancelled.
[[nodiscard]] core::Result<std::optional<std::string>> knownLoraHash(const QString& path,
                                                                     const core::CancelToken& cancel);

} // namespace homebooth::app
