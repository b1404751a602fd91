// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/io/tensor_files.h"

#include "core/base/formats/safetensors_writer.h"
#include "core/engine/io/weights.h"

#include <cmath>

namespace homebooth::core {
namespace {

/// Whether every number is finite: one pass without a temporary, since NaN wins both extremes.
bool isFinite(const at::Tensor& tensor) {
    if (!tensor.is_floating_point() || tensor.numel() == 0) return true;
    const auto [least, greatest] = at::aminmax(tensor);
    return std::isfinite(least.item<double>()) && std::isfinite(greatest.item<double>());
}

} // namespace

Result<void> expectFinite(const at::Tensor& numbers, const std::string& name) {
    if (isFinite(numbers)) return {};
    const DataType type = dataTypeOf(numbers.scalar_type());
    return badInput("the numbers of " + name + " are no longer finite as " + std::string(dataTypeName(type)) +
                    "; go back to the last checkpoint with a lower learning rate, clip the gradient "
                    "(--clip-norm 1), or take bf16 or fp32");
}

TensorListSource::TensorListSource(std::vector<NamedTensor> tensors, std::optional<DataType> type,
                                   WholeOf whole)
    : m_tensors(std::move(tensors))
    , m_whole(std::move(whole)) {
    for (const NamedTensor& named : m_tensors) {
        const DataType own = dataTypeOf(named.tensor.scalar_type());
        m_byName.emplace(named.name, m_infos.size());
        m_infos.push_back(
            makeTensorInfo(named.name, isFloatingPoint(own) ? type.value_or(own) : own, named.sizes()));
    }
}

const TensorInfo* TensorListSource::find(std::string_view name) const {
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : &m_infos[found->second];
}

Result<void> TensorListSource::read(std::string_view name, std::span<std::byte> destination) const {
    const auto found = m_byName.find(name);
    if (found == m_byName.end()) return badInput("saving tensors: there is none called " + std::string(name));
    const TensorInfo& info = m_infos[found->second];
    if (static_cast<int64_t>(destination.size()) != info.byteCount)
        return badInput("saving the tensor " + info.name + ": it has " + std::to_string(info.byteCount) +
                        " bytes, the destination " + std::to_string(destination.size()));
    const NamedTensor& named = m_tensors[found->second];
    HOMEBOOTH_ASSIGN(const auto held, holdTensor(named, false));
    at::Tensor target = at::from_blob(destination.data(), info.shape, scalarTypeOf(info.type));
    target.copy_((m_whole ? m_whole(named) : named.tensor).detach());
    return expectFinite(target, info.name);
}

Result<void> writeTensorFile(const std::string& path, const TensorSource& source,
                             const std::map<std::string, std::string>& metadata, Sha256* hash) {
    HOMEBOOTH_ASSIGN(SafetensorsWriter writer,
                     SafetensorsWriter::create(path, source.tensors(), metadata, hash));
    std::vector<std::byte> buffer;
    for (const TensorInfo& info : source.tensors()) {
        buffer.resize(static_cast<size_t>(info.byteCount));
        HOMEBOOTH_CHECK(source.read(info.name, buffer));
        HOMEBOOTH_CHECK(writer.write(info.name, buffer));
    }
    return writer.commit();
}

Result<at::Tensor> readWholeTensor(const TensorSource& source, const std::string& name) {
    const TensorInfo* info = source.find(name);
    if (info == nullptr) return badInput("reading tensors: the file has none called " + name);
    at::Tensor tensor = at::empty(info->shape, scalarTypeOf(info->type));
    HOMEBOOTH_CHECK(source.read(
        name, {static_cast<std::byte*>(tensor.data_ptr()), static_cast<size_t>(info->byteCount)}));
    return tensor;
}

TensorLookup lookupIn(std::shared_ptr<const SafetensorsReader> reader) {
    return [reader = std::move(reader)](const std::string& name) {
        auto tensor = readWholeTensor(*reader, name);
        return tensor ? std::move(tensor).value() : at::Tensor();
    };
}

} // namespace homebooth::core
