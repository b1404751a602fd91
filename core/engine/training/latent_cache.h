// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the autoencoder says of each picture, kept on disk under a name made of everything that it depends on:
// the picture's content, the autoencoder's weights, size and mirroring. Mean and variance are kept, not a
// sample, so that every step may draw another one. A cache that cannot be read or written costs time, nothing
// else. One thread; several processes may share a folder, because files appear whole.
#pragma once

#include "core/base/util/result.h"
#include "core/engine/training/data_set.h"

#include <ATen/ATen.h>

#include <optional>
#include <string>

namespace homebooth::core {

/// [C, h, w] fp32 on the CPU, not scaled.
struct PictureLatents {
    at::Tensor mean;
    at::Tensor variance;
};

class LatentCache {
public:
    /// @param folder   made when missing; empty: nothing is kept on disk
    /// @param vaeHash  SHA-256 of the autoencoder's weights and configuration
    LatentCache(std::string folder, std::string vaeHash);

    [[nodiscard]] std::string key(const TrainingSample& sample, bool mirrored) const;
    /// Nothing if it is not there or damaged.
    [[nodiscard]] std::optional<PictureLatents> read(const std::string& key) const;
    /// Keeps latents. A failed write is logged once and otherwise ignored.
    void write(const std::string& key, const PictureLatents& latents);

private:
    [[nodiscard]] std::string pathOf(const std::string& key) const;

    std::string m_folder;
    std::string m_vaeHash;
    bool m_writable = true;
};

} // namespace homebooth::core
