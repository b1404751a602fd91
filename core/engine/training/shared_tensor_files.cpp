// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/shared_tensor_files.h"

#include "core/base/files/shared_file.h"
#include "core/base/formats/safetensors_writer.h"
#include "core/engine/parallel/file_pieces.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <span>
#include <utility>

namespace homebooth::core {
namespace {

std::span<const std::byte> bytesOf(const at::Tensor& values) {
    return {static_cast<const std::byte*>(values.const_data_ptr()), values.nbytes()};
}

} // namespace

Result<SharedTensorFiles> SharedTensorFiles::of(std::vector<TensorFile> files, int rank, int ranks) {
    SharedTensorFiles shared(rank, ranks);
    for (TensorFile& file : files) {
        HOMEBOOTH_ASSIGN(Planned planned, plan(std::move(file)));
        shared.m_files.push_back(std::move(planned));
    }
    return shared;
}

Result<SharedTensorFiles::Planned> SharedTensorFiles::plan(TensorFile file) {
    const TensorListSource source(file.tensors);
    Planned planned;
    HOMEBOOTH_ASSIGN(planned.head, safetensorsHead(file.name, source.tensors()));
    planned.bytes = std::ssize(planned.head);
    for (const TensorInfo& info : source.tensors()) {
        planned.offsets.push_back(planned.bytes);
        planned.bytes += info.byteCount;
    }
    planned.file = std::move(file);
    return planned;
}

Result<void> SharedTensorFiles::layOut(const std::string& folder) const {
    for (const Planned& planned : m_files)
        HOMEBOOTH_CHECK(SharedFile::layOut(folder + "/" + planned.file.name, planned.head, planned.bytes));
    return {};
}

bool SharedTensorFiles::areIn(const std::string& folder) const {
    return std::all_of(m_files.begin(), m_files.end(), [&folder](const Planned& planned) {
        std::error_code error;
        const auto bytes = std::filesystem::file_size(folder + "/" + planned.file.name, error);
        return !error && static_cast<int64_t>(bytes) == planned.bytes;
    });
}

Result<void> SharedTensorFiles::forOwnBytes(const Planned& planned, bool checksNumbers,
                                            const PlacedSink& use) const {
    for (size_t i = 0; i < planned.file.tensors.size(); ++i) {
        const NamedTensor& named = planned.file.tensors[i];
        HOMEBOOTH_ASSIGN(const auto held, holdTensor(named, false));
        if (checksNumbers) HOMEBOOTH_CHECK(expectFinite(ownElements(named, m_rank, m_ranks), named.name));
        HOMEBOOTH_CHECK(forOwnPieces(named, m_rank, m_ranks, [&](int64_t begin, const at::Tensor& values) {
            const auto width = static_cast<int64_t>(values.element_size());
            return use(planned.offsets[i] + begin * width, bytesOf(values));
        }));
    }
    return {};
}

Result<int64_t> SharedTensorFiles::writeOwn(const Planned& planned, const std::string& folder) const {
    const std::string path = folder + "/" + planned.file.name;
    HOMEBOOTH_ASSIGN(const auto file, SharedFile::open(path));
    int64_t written = 0;
    const auto write = [&](int64_t offset, std::span<const std::byte> bytes) {
        written += std::ssize(bytes);
        return file->writeAt(offset, bytes);
    };
    const auto compare = [&](int64_t offset, std::span<const std::byte> bytes) -> Result<void> {
        HOMEBOOTH_ASSIGN(const bool same, file->holds(offset, bytes));
        if (same) return {};
        return badInput("the disk gives other bytes back than were written; check it, or choose another one",
                        path);
    };
    HOMEBOOTH_CHECK(forOwnBytes(planned, /*checksNumbers=*/true, write));
    HOMEBOOTH_CHECK(file->sync());
    HOMEBOOTH_CHECK(forOwnBytes(planned, /*checksNumbers=*/false, compare));
    return written;
}

Result<int64_t> SharedTensorFiles::writeOwn(const std::string& folder) const {
    int64_t written = 0;
    // Each begins with another file: writes into the same one wait for each other in the system.
    for (size_t i = 0; i < m_files.size(); ++i) {
        const size_t next = (i + static_cast<size_t>(m_rank)) % m_files.size();
        HOMEBOOTH_ASSIGN(const int64_t bytes, writeOwn(m_files[next], folder));
        written += bytes;
    }
    return written;
}

int64_t SharedTensorFiles::dataBytes() const {
    int64_t bytes = 0;
    for (const Planned& planned : m_files) bytes += planned.bytes - std::ssize(planned.head);
    return bytes;
}

/// Who reads which file: the largest first, each to the rank that has the least to read up to then.
std::vector<int> SharedTensorFiles::hashers() const {
    std::vector<size_t> order(m_files.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [this](size_t a, size_t b) { return m_files[a].bytes > m_files[b].bytes; });
    std::vector<int64_t> loads(static_cast<size_t>(m_ranks));
    std::vector<int> hashers(m_files.size());
    for (const size_t file : order) {
        const auto least = std::min_element(loads.begin(), loads.end());
        hashers[file] = static_cast<int>(least - loads.begin());
        *least += m_files[file].bytes;
    }
    return hashers;
}

Result<FileHashes> SharedTensorFiles::hashOwn(const std::string& folder) const {
    const std::vector<int> hashers = this->hashers();
    FileHashes hashes;
    for (size_t i = 0; i < m_files.size(); ++i) {
        if (hashers[i] != m_rank) continue;
        const std::string& name = m_files[i].file.name;
        HOMEBOOTH_ASSIGN(const auto digest, sha256File(folder + "/" + name));
        hashes[name] = digest.value_or(""); // nothing only when cancelled, which nobody can here
    }
    return hashes;
}

} // namespace homebooth::core
