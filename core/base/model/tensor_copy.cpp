// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/tensor_copy.h"

#include "core/base/formats/convert_type.h"
#include "core/base/formats/finite_check.h"
#include "core/base/model/mapped_source.h"
#include "core/base/model/value_check.h"

namespace homebooth::core {

namespace {

Result<void> checkFinite(const PlannedTensor& planned, const TensorInfo& info,
                         std::span<const std::byte> stored) {
    if (allFinite(stored, info.type)) return {};
    return badInput("writing the model: " +
                    valueFaultText({{info.name, fileOfTensor(*planned.source, info.name),
                                     countNotFinite(stored, info.type)}}) +
                    ", or write it as it is by --allow-not-finite");
}

Result<void> checkFits(const PlannedTensor& planned, std::span<const std::byte> written) {
    if (allFinite(written, planned.info.type)) return {};
    return badInput("writing the model: the tensor " + planned.info.name + " has values too large for " +
                    std::string(dataTypeName(planned.info.type)) + "; choose bf16 or fp32");
}

/// Multiplies before it rounds to the type of the file.
void convertScaled(std::span<const std::byte> from, DataType fromType, double scale, std::span<std::byte> to,
                   DataType toType) {
    std::vector<float> values(from.size() / static_cast<size_t>(byteWidth(fromType)));
    const auto bytes = std::as_writable_bytes(std::span(values));
    convertElements(from, fromType, bytes, DataType::F32);
    for (float& value : values) value = static_cast<float>(scale * static_cast<double>(value));
    convertElements(bytes, DataType::F32, to, toType);
}

/// Fills `bytes` with the planned tensor; `scratch` is kept between calls.
Result<void> assemble(const PlannedTensor& planned, bool checked, std::vector<std::byte>& bytes,
                      std::vector<std::byte>& scratch) {
    if (planned.sourceNames.empty()) bytes = planned.constant;
    bytes.resize(static_cast<size_t>(planned.info.byteCount));
    size_t filled = 0;
    for (const std::string& name : planned.sourceNames) {
        const TensorInfo* info = planned.source->find(name);
        if (info == nullptr) return badInput("the model to be saved lacks the tensor \"" + name + "\"");
        const auto size = static_cast<size_t>(info->elementCount() * byteWidth(planned.info.type));
        const auto target = std::span(bytes).subspan(filled, size);
        filled += size;
        const bool changed = info->type != planned.info.type || planned.scale != 1.0;
        if (!changed && !planned.transposed) {
            HOMEBOOTH_CHECK(planned.source->read(name, target));
            if (checked) HOMEBOOTH_CHECK(checkFinite(planned, *info, target));
            continue;
        }
        scratch.resize(static_cast<size_t>(info->byteCount));
        HOMEBOOTH_CHECK(planned.source->read(name, scratch));
        if (checked) HOMEBOOTH_CHECK(checkFinite(planned, *info, scratch));
        if (planned.scale != 1.0)
            convertScaled(scratch, info->type, planned.scale, target, planned.info.type);
        else
            convertElements(scratch, info->type, target, planned.info.type);
        if (checked && changed) HOMEBOOTH_CHECK(checkFits(planned, target));
    }
    if (planned.transposed) {
        scratch = bytes;
        transposeElements(scratch, bytes, planned.info.shape[1], planned.info.shape[0],
                          byteWidth(planned.info.type));
    }
    return {};
}

} // namespace

DataType writtenType(DataType type, const WriteOptions& options) {
    return isFloatingPoint(type) ? options.floatType.value_or(type) : type;
}

int64_t plannedBytes(const std::vector<PlannedTensor>& plan) {
    int64_t bytes = 0;
    for (const PlannedTensor& planned : plan) bytes += planned.info.byteCount;
    return bytes;
}

Result<WriteOutcome> writePlanned(const std::string& path, const std::vector<PlannedTensor>& plan,
                                  const std::map<std::string, std::string>& metadata,
                                  CopyProgress& progress) {
    std::vector<TensorInfo> infos;
    infos.reserve(plan.size());
    for (const PlannedTensor& planned : plan) infos.push_back(planned.info);
    HOMEBOOTH_ASSIGN(SafetensorsWriter writer, SafetensorsWriter::create(path, std::move(infos), metadata));
    std::vector<std::byte> bytes;
    std::vector<std::byte> scratch;
    for (const PlannedTensor& planned : plan) {
        if (progress.cancelled()) return WriteOutcome::Cancelled;
        HOMEBOOTH_CHECK(assemble(planned, !progress.allowsNotFinite(), bytes, scratch));
        HOMEBOOTH_CHECK(writer.write(planned.info.name, bytes));
        progress.add(planned.info.byteCount);
    }
    HOMEBOOTH_CHECK(writer.commit());
    return WriteOutcome::Written;
}

} // namespace homebooth::core
