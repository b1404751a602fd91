// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/value_check.h"

#include "core/base/model/mapped_source.h"

#include <algorithm>

namespace homebooth::core {

std::string fileOfTensor(const TensorSource& source, std::string_view name) {
    if (const auto* mapped = dynamic_cast<const MappedSource*>(&source)) return mapped->fileOf(name);
    if (const auto* file = dynamic_cast<const TensorReader*>(&source)) return file->path();
    return {};
}

Result<std::vector<ValueFault>> findValueFaults(const TensorSource& source) {
    std::vector<ValueFault> faults;
    std::vector<std::byte> bytes;
    for (const TensorInfo& info : source.tensors()) {
        bytes.resize(static_cast<size_t>(info.byteCount));
        HOMEBOOTH_CHECK(source.read(info.name, bytes));
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
