// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which tensors of a model hold NaN or infinity, and where a download ended: who reserves a file's room
// before filling it leaves zeros. Reads every byte, one tensor at a time, but for the end alone. Any thread.
#pragma once

#include "core/base/formats/finite_check.h"

#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// A tensor with numbers that are not finite.
struct ValueFault {
    std::string tensor;
    std::string file; ///< that it lies in; empty if unknown
    NotFinite count;
};

/// Finds zeros where numbers must be, in tensors that come in the order of their bytes: through two matrices
/// or more, since one may well be of zeros (half of a LoRA that learned nothing); at the end also within
/// one, or in a whole one that is larger than any such half.
class ZeroRun {
public:
    /// The next piece of a tensor.
    void add(std::span<const std::byte> piece);
    /// Behind its last piece.
    void endTensor(const TensorInfo& info);
    /// Behind the last tensor. @returns  the one in or with which the zeros begin; empty: there are none
    [[nodiscard]] std::string end() const;

private:
    int64_t m_bytes = 0;         // of zeros that came last
    int64_t m_matrices = 0;      // that lie in them as a whole
    bool m_tensorIsZero = true;  // the present one, so far
    bool m_beginsWithin = false; // a tensor that is not all zeros
    std::string m_first;         // of the run
    std::string m_found;
};

/// Zeros at the end of a .safetensors file, as ZeroRun::end, by little more than its last bytes.
/// Errors: BadInput for a file that cannot be read
[[nodiscard]] Result<std::string> zerosAtEnd(const std::string& path);

/// What is wrong and what to do. @param first  as ZeroRun::end
[[nodiscard]] std::string zerosText(const std::string& first);

/// What numbers of a model cannot be right.
struct NumberTrouble {
    bool notFinite = false;
    bool zeros = false; ///< as ZeroRun finds them
};

/// The file that a tensor of an opened model, LoRA or .safetensors file lies in; empty for tensors that lie
/// in memory.
[[nodiscard]] std::string fileOfTensor(const TensorSource& source, std::string_view name);

/// All faulty tensors of a source. @param zeros  is shown all of them
/// Errors: BadInput for tensors that cannot be read
[[nodiscard]] Result<std::vector<ValueFault>> findValueFaults(const TensorSource& source, ZeroRun& zeros);

/// What is wrong and what to do, naming the first few tensors with their files.
[[nodiscard]] std::string valueFaultText(const std::vector<ValueFault>& faults);

} // namespace homebooth::core
