// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/component_hash.h"

#include "core/base/files/sha256.h"

namespace homebooth::core {

Result<std::optional<std::string>>
componentHash(const TensorSource& tensors, const std::string& configuration, const CancelToken& cancel) {
    std::map<std::string, const TensorInfo*> byName; // files may order tensors differently
    for (const TensorInfo& info : tensors.tensors()) byName.emplace(info.name, &info);
    Sha256 hash;
    hash.update(configuration);
    std::vector<std::byte> buffer;
    for (const auto& [name, info] : byName) {
        if (cancel.requested()) return std::optional<std::string>();
        hash.update("\n" + name + " " + std::string(dataTypeName(info->type)) + " " + shapeText(info->shape));
        buffer.resize(static_cast<size_t>(info->byteCount));
        HOMEBOOTH_CHECK(tensors.read(name, buffer));
        hash.update(buffer);
    }
    return std::optional<std::string>(hash.finish());
}

} // namespace homebooth::core
