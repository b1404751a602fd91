// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the tensors of what torch.save wrote: .ckpt, .pt and .bin files, trusting nothing in them.
// Owns the open file. Immutable; any thread.
//
//   ZIP, since PyTorch 1.6:  <any>/data.pkl   what there is, a pickle (pickle_reader.h)
//                            <any>/data/<key> the numbers of one storage each, little-endian
//   before:                  three pickles (mark, version, machine), one of what there is, one of the
//   storages'
//                            keys; then of each, in that order, how many numbers it has (8 bytes), and they
//
// Nothing in the file is run. One that wants more called than weights are made of is refused all the same: it
// is meant for programs that would. Storages must have the size that the pickle says, and tensors lie in
// theirs. Source: PyTorch, torch/serialization.py.
#pragma once

#include "core/base/formats/tensor_reader.h"
#include "core/base/pickle/torch_tensors.h"
#include "core/base/pickle/zip_index.h"

namespace homebooth::core {

/// In what is said of a file that holds commands besides weights.
constexpr std::string_view kCommandWords = "holds commands besides weights";
/// In what is said of a pickle that torch.save did not write.
constexpr std::string_view kOtherPickleWords = "found another pickle";

class TorchReader final : public TensorReader {
public:
    /// Opens and checks a file; reads its pickles only.
    /// Errors: BadInput with what was expected and found; with one of those words, or kCutOffWords, where
    /// that is it
    [[nodiscard]] static Result<std::shared_ptr<TorchReader>> open(const std::string& path);

    /// Of fp8, such as "float8_e4m3fn": it is the one in which whole models are saved.
    [[nodiscard]] std::string_view leftOut() const override { return m_leftOut; }

private:
    struct Place {
        int64_t offset = 0;           // of the first element in the file
        std::vector<int64_t> strides; // elements; empty: they follow each other
    };

    TorchReader(const std::string& path, FileReader file)
        : TensorReader(path, std::move(file)) {}
    [[nodiscard]] Result<void> openZip();
    [[nodiscard]] Result<void> openOld();
    [[nodiscard]] Result<Pickle> checked(std::string_view bytes) const;
    [[nodiscard]] Result<std::map<std::string, int64_t>> oldPlaces(const TorchContent& content,
                                                                   const Pickle& keys, int64_t offset) const;
    [[nodiscard]] Result<std::map<std::string, int64_t>>
    zipPlaces(const TorchContent& content, const std::map<std::string, ZipMember>& members,
              const std::string& folder) const;
    void take(TorchContent content, const std::map<std::string, int64_t>& storages);
    [[nodiscard]] Result<void> readStored(size_t tensor, int64_t byteOffset,
                                          std::span<std::byte> destination) const override;
    [[nodiscard]] int64_t offsetOf(size_t tensor) const override { return m_places[tensor].offset; }
    [[nodiscard]] bool isTogether(size_t tensor) const override { return m_places[tensor].strides.empty(); }
    [[nodiscard]] Result<void> readGathered(size_t tensor, std::span<std::byte> destination) const;

    std::vector<Place> m_places; // of each tensor
    std::string m_leftOut;
};

} // namespace homebooth::core
