// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves tensors from a source into a file, one at a time, changing their type on the way if asked.
// Private to core/base/model. One thread.
#pragma once

#include "core/base/formats/safetensors_writer.h"
#include "core/base/model/model_writer.h"

namespace homebooth::core {

/// A tensor of the file in the making and what it is made of.
struct PlannedTensor {
    TensorInfo info;                      ///< in the file
    std::vector<std::string> sourceNames; ///< one, or q, k, v in this order; none: `constant`
    bool transposed = false;
    const TensorSource* source = nullptr;
    std::vector<std::byte> constant{}; ///< the content itself
    double scale = 1.0;                ///< what each value is multiplied by, before it is rounded
};

/// The type that a tensor of this type gets in the file.
[[nodiscard]] DataType writtenType(DataType type, const WriteOptions& options);

/// Counts bytes over all files of a result and asks whether to go on.
class CopyProgress {
public:
    CopyProgress(const WriteOptions& options, int64_t totalBytes)
        : m_options(options)
        , m_total(totalBytes) {}

    void add(int64_t bytes) {
        m_done += bytes;
        if (m_options.progress) m_options.progress(m_done, m_total);
    }
    [[nodiscard]] bool cancelled() const { return m_options.cancel.requested(); }
    [[nodiscard]] bool allowsNotFinite() const { return m_options.allowNotFinite; }

private:
    const WriteOptions& m_options;
    int64_t m_done = 0;
    int64_t m_total;
};

[[nodiscard]] int64_t plannedBytes(const std::vector<PlannedTensor>& plan);

/// Writes a .safetensors file. Cancelled: nothing is left of it.
/// Errors: as writeDiffusersFolder
[[nodiscard]] Result<WriteOutcome> writePlanned(const std::string& path,
                                                const std::vector<PlannedTensor>& plan,
                                                const std::map<std::string, std::string>& metadata,
                                                CopyProgress& progress);

} // namespace homebooth::core
