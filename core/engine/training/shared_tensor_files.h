// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of tensors that all ranks write at once, each what it has: the bytes are those of writeTensorFile,
// which one process does. The first rank makes the files in their full size, then each writes its elements at
// their places, and when all have, each reads some of the files back for their hashes.
//
//   rank 0   lay out | write own, sync, read back | hash a.safetensors | manifest, rename
//   rank 1           | write own, sync, read back | hash b.safetensors |
//
// Files are hashed as they can be read, since SHA-256 has no parts that ranks could make while they write; so
// each compares first what it reads with what it has.
// Ranks meet between these steps (checkpointing); nothing here waits for another. One thread.
#pragma once

#include "core/engine/io/tensor_files.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace homebooth::core {

class SharedTensorFiles {
public:
    /// @param files  of every rank the same names, in the same order
    /// Errors: BadInput for names that no file may hold
    [[nodiscard]] static Result<SharedTensorFiles> of(std::vector<TensorFile> files, int rank, int ranks);

    /// The first rank's: makes them in this folder. Errors: OutOfResources when the disk has not the room,
    /// BadInput
    [[nodiscard]] Result<void> layOut(const std::string& folder) const;

    /// Whether all of them are there, as large as they should be.
    [[nodiscard]] bool areIn(const std::string& folder) const;

    /// Writes this rank's elements, for good, and looks whether the files give them back.
    /// @returns  how many bytes that were
    /// Errors: BadInput for numbers that are not finite, or a disk that fails; OutOfResources
    [[nodiscard]] Result<int64_t> writeOwn(const std::string& folder) const;

    /// Of all tensors, what the ranks have to write together.
    [[nodiscard]] int64_t dataBytes() const;

    /// SHA-256 of the files that fall to this rank, as they can be read. Errors: BadInput
    [[nodiscard]] Result<FileHashes> hashOwn(const std::string& folder) const;

private:
    struct Planned {
        TensorFile file;
        std::vector<int64_t> offsets; ///< of each tensor in the file
        std::string head;
        int64_t bytes = 0;
    };
    SharedTensorFiles(int rank, int ranks)
        : m_rank(rank)
        , m_ranks(ranks) {}
    [[nodiscard]] static Result<Planned> plan(TensorFile file);
    using PlacedSink = std::function<Result<void>(int64_t offset, std::span<const std::byte> bytes)>;
    /// Calls `use` with this rank's bytes of a file, a piece after another.
    /// @param checksNumbers  whether they are finite
    [[nodiscard]] Result<void> forOwnBytes(const Planned& planned, bool checksNumbers,
                                           const PlacedSink& use) const;
    [[nodiscard]] Result<int64_t> writeOwn(const Planned& planned, const std::string& folder) const;
    [[nodiscard]] std::vector<int> hashers() const;

    int m_rank;
    int m_ranks;
    std::vector<Planned> m_files;
};

} // namespace homebooth::core
