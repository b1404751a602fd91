// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the autoencoder says of each picture, kept on disk under a name made of everything that it depends on:
// the picture's content, the colour behind it, the autoencoder's weights, size and mirroring. Mean and
// variance are kept, not a sample, so that every step may draw another one. A cache that cannot be read or
// written costs time, nothing else. One thread; several processes may share a folder, because files appear
// whole and never change.
//
// Latents of many pictures share a file (a pack), since making a file durable costs far more than a few
// kilobytes: a file for each of some thousand small pictures took minutes.
#pragma once

#include "core/base/formats/safetensors_reader.h"
#include "core/base/util/result.h"
#include "core/engine/optim/optimizer.h"
#include "core/engine/training/data_set.h"

#include <ATen/ATen.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// [C, h, w] fp32 on the CPU, not scaled.
struct PictureLatents {
    at::Tensor mean;
    at::Tensor variance;
};

class LatentCache {
public:
    /// Reads what the packs of this autoencoder hold; damaged ones are passed over.
    /// @param folder   made when missing; empty: nothing is kept on disk
    /// @param vaeHash  SHA-256 of the autoencoder's weights and configuration
    LatentCache(const std::string& folder, std::string vaeHash);

    [[nodiscard]] std::string key(const TrainingSample& sample, bool mirrored) const;
    /// Whether it seems to be there; what is damaged is found out by reading.
    [[nodiscard]] bool holds(const std::string& key) const {
        return m_packs.contains(key) || m_waiting.contains(key);
    }
    /// Nothing if it is not there or damaged.
    [[nodiscard]] std::optional<PictureLatents> read(const std::string& key) const;
    /// Keeps latents, on disk once a pack is full or flushed, in memory until then.
    void write(const std::string& key, const PictureLatents& latents);
    /// Writes what waits for its pack to be full. A failed write is logged once; what waited stays in memory.
    void flush();
    /// Whether latents that are written from now on can be read back later.
    [[nodiscard]] bool keeps() const { return m_writable; }

private:
    struct Pack {
        std::string path;
        std::shared_ptr<const SafetensorsReader> reader;
        bool used = false; ///< the file was marked as used
    };
    void addPack(const std::string& path);

    std::string m_folder; // of this autoencoder
    std::string m_vaeHash;
    std::map<std::string, std::shared_ptr<Pack>> m_packs; // by key
    std::map<std::string, PictureLatents> m_waiting;      // by key: on no disk yet
    int64_t m_waitingBytes = 0;
    bool m_writable = true;
};

} // namespace homebooth::core
