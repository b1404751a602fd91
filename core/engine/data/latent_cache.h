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
//
// In memory are the place of each picture's latents, at most one pack that is not full, and few open files.
#pragma once

#include "core/base/files/file_reader.h"
#include "core/base/formats/safetensors_reader.h"
#include "core/base/util/result.h"
#include "core/engine/data/data_set.h"
#include "core/engine/optim/optimizer.h"

#include <ATen/ATen.h>

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace homebooth::core {

/// [C, h, w] fp32 on the CPU, not scaled.
struct PictureLatents {
    at::Tensor mean;
    at::Tensor variance;
};

class LatentCache {
public:
    static constexpr size_t kMostOpen = 32; ///< packs, of some thousand that a data set may have

    /// Asked whether so many bytes more may be written.
    using Room = std::function<bool(int64_t bytes)>;

    /// Reads what the packs of this autoencoder hold; damaged ones are passed over.
    /// @param folder    made when missing; empty: nothing is kept on disk
    /// @param vaeHash   SHA-256 of the autoencoder's weights and configuration
    /// @param mostOpen  files; what was read longest ago is closed
    LatentCache(const std::string& folder, std::string vaeHash, size_t mostOpen = kMostOpen);

    [[nodiscard]] std::string key(const TrainingSample& sample, bool mirrored) const;
    /// Whether it seems to be there; what is damaged is found out by reading.
    [[nodiscard]] bool holds(const std::string& key) const {
        return m_places.contains(key) || m_waiting.contains(key);
    }
    /// Says that it will be read, so that its pack stays where the cache is bounded; one that is not there
    /// does not matter.
    void claim(const std::string& key) const;
    /// Nothing if it is not there, or damaged: what turned out to be that is no longer held.
    [[nodiscard]] std::optional<PictureLatents> read(const std::string& key) const;
    /// Keeps latents, on disk once a pack is full or flushed, in memory until then.
    void write(const std::string& key, const PictureLatents& latents);
    /// Writes what waits for its pack to be full. Where that fails or there is no room for it, that is logged
    /// once, what waited is gone, and nothing more is kept.
    void flush();
    /// Whether latents that are written from now on can be read back later, as far as is known.
    [[nodiscard]] bool keeps() const { return m_writable; }
    /// From now on a pack is written only where there is room for it.
    void limit(Room room) { m_room = std::move(room); }
    /// Files that are open.
    [[nodiscard]] size_t open() const { return m_open.size(); }

private:
    struct Pack {
        std::string path;
        int64_t bytes = 0;
        bool used = false; ///< the file was marked as used
    };
    struct Stored {
        int64_t offset = 0; ///< bytes into the file
        uint64_t checksum = 0;
    };
    struct Place {
        size_t pack = 0;
        std::array<int64_t, 3> shape{}; ///< of both
        Stored mean;
        Stored variance;
    };
    struct OpenPack {
        size_t pack = 0;
        FileReader file;
    };
    using Places = std::unordered_multimap<std::string, Place>;
    void addPack(const std::string& path);
    /// Of several that hold it the one that was found or written last; the end where none does.
    [[nodiscard]] Places::iterator placeOf(const std::string& key) const;
    [[nodiscard]] const FileReader* fileOf(size_t pack) const;
    [[nodiscard]] std::optional<at::Tensor> readTensor(const Place& place, const Stored& stored) const;
    void keepNoMore(const std::string& reason);

    std::string m_folder; // of this autoencoder
    std::string m_vaeHash;
    size_t m_mostOpen;
    mutable std::vector<Pack> m_packs;
    mutable std::list<OpenPack> m_open;              // the last read first
    mutable Places m_places;                         // several of what was encoded anew, or twice at once
    std::map<std::string, PictureLatents> m_waiting; // on no disk yet
    int64_t m_waitingBytes = 0;
    bool m_writable = true;
    Room m_room; // none: there always is
};

} // namespace homebooth::core
