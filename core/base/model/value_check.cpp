// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/value_check.h"

#include "core/base/formats/safetensors_header.h"
#include "core/base/formats/safetensors_reader.h"
#include "core/base/model/mapped_source.h"

#include <algorithm>

namespace homebooth::core {

namespace {

constexpr int64_t kLeastTail = 4096; // of a tensor, bytes: fewer are some numbers that happen to be zero
constexpr int64_t kLeastZeros = int64_t{256} << 10;     // bytes
constexpr int64_t kLeastZerosWithin = int64_t{1} << 20; // of a single tensor, whose last rows may be unused
constexpr int64_t kLeastZerosAlone = int64_t{64} << 20; // of a single tensor that is nothing else
constexpr int64_t kPieceBytes = int64_t{1} << 20;

bool isMatrix(const TensorInfo& info) {
    return info.shape.size() > 1 && isFloatingPoint(info.type) && info.byteCount > 0;
}

/// The last ones, in which ZeroRun finds what there is.
std::span<const TensorInfo> lastOf(const std::vector<TensorInfo>& tensors) {
    int64_t bytes = 0;
    int matrices = 0;
    size_t from = tensors.size();
    while (from > 0 && (bytes < kLeastZerosWithin || matrices < 2)) {
        const TensorInfo& info = tensors[--from];
        bytes += info.byteCount;
        if (isMatrix(info)) ++matrices;
    }
    return std::span(tensors).subspan(from);
}

} // namespace

void ZeroRun::add(std::span<const std::byte> piece) {
    const auto last =
        std::find_if(piece.rbegin(), piece.rend(), [](std::byte byte) { return byte != std::byte{0}; });
    const int64_t zeros = last - piece.rbegin();
    if (last == piece.rend()) {
        m_bytes += zeros;
        return;
    }
    m_bytes = zeros;
    m_matrices = 0;
    m_tensorIsZero = false;
}

void ZeroRun::endTensor(const TensorInfo& info) {
    if (!m_tensorIsZero) {
        m_beginsWithin = m_bytes >= kLeastTail;
        if (!m_beginsWithin) m_bytes = 0;
        m_first = m_beginsWithin ? info.name : std::string();
    } else if (m_first.empty()) {
        m_first = info.name;
    }
    if (m_tensorIsZero && isMatrix(info)) ++m_matrices;
    m_tensorIsZero = true;
    const bool several = m_matrices > (m_beginsWithin ? 0 : 1);
    if (m_found.empty() && several && m_bytes >= kLeastZeros) m_found = m_first;
}

std::string ZeroRun::end() const {
    const int64_t least = m_beginsWithin ? kLeastZerosWithin : kLeastZerosAlone;
    return m_found.empty() && m_bytes >= least ? m_first : m_found;
}

Result<std::string> zerosAtEnd(const std::string& path) {
    constexpr int64_t kLookedAtBytes = 4096;
    HOMEBOOTH_ASSIGN(const FileReader file, FileReader::open(path));
    const int64_t bytes = file.identity().bytes;
    HOMEBOOTH_ASSIGN(const std::string last,
                     file.read(std::max<int64_t>(bytes - kLookedAtBytes, 0), kLookedAtBytes));
    if (last.find_first_not_of('\0') != std::string::npos) return std::string();
    HOMEBOOTH_ASSIGN(const auto reader, SafetensorsReader::open(path));
    ZeroRun zeros;
    std::vector<std::byte> piece(static_cast<size_t>(kPieceBytes));
    for (const TensorInfo& info : lastOf(reader->tensors())) {
        for (int64_t done = 0; done < info.byteCount; done += kPieceBytes) {
            const auto part =
                std::span(piece).first(static_cast<size_t>(std::min(kPieceBytes, info.byteCount - done)));
            HOMEBOOTH_CHECK(reader->readPart(info.name, done, part));
            zeros.add(part);
        }
        zeros.endTensor(info);
    }
    return zeros.end();
}

std::string zerosText(const std::string& first) {
    return "expected the model's numbers, found nothing but zeros from \"" + printable(first) +
           "\" on; the download is unfinished or the file is damaged: download it again";
}

std::string fileOfTensor(const TensorSource& source, std::string_view name) {
    if (const auto* mapped = dynamic_cast<const MappedSource*>(&source)) return mapped->fileOf(name);
    if (const auto* file = dynamic_cast<const TensorReader*>(&source)) return file->path();
    return {};
}

Result<std::vector<ValueFault>> findValueFaults(const TensorSource& source, ZeroRun& zeros) {
    std::vector<ValueFault> faults;
    std::vector<std::byte> bytes;
    for (const TensorInfo& info : source.tensors()) {
        bytes.resize(static_cast<size_t>(info.byteCount));
        HOMEBOOTH_CHECK(source.read(info.name, bytes));
        zeros.add(bytes);
        zeros.endTensor(info);
        if (allFinite(bytes, info.type)) continue;
        faults.push_back({info.name, fileOfTensor(source, info.name), countNotFinite(bytes, info.type)});
    }
    return faults;
}

std::string valueFaultText(const std::vector<ValueFault>& faults) {
    constexpr size_t kMostNamed = 5;
    std::string text = "expected finite values, found NaN or infinity in " + std::to_string(faults.size()) +
                       (faults.size() == 1 ? " tensor: " : " tensors: ");
    for (size_t i = 0; i < std::min(faults.size(), kMostNamed); ++i) {
        const ValueFault& fault = faults[i];
        text += (i > 0 ? ", " : "") + fault.tensor + " (" + std::to_string(fault.count.nan) + " NaN, " +
                std::to_string(fault.count.infinite) + " infinite" +
                (fault.file.empty() ? "" : ", in " + fault.file) + ")";
    }
    if (faults.size() > kMostNamed) text += " and " + std::to_string(faults.size() - kMostNamed) + " more";
    return text + "; the file is damaged or its training failed: take another copy or an earlier checkpoint";
}

} // namespace homebooth::core
