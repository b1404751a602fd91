// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/pickle/open_tensor_file.h"

#include "core/base/formats/file_kind.h"
#include "core/base/formats/safetensors_reader.h"
#include "core/base/pickle/torch_reader.h"

namespace homebooth::core {
namespace {

template <class Reader>
Result<std::shared_ptr<const TensorReader>> openedBy(const std::string& path) {
    HOMEBOOTH_ASSIGN(std::shared_ptr<const TensorReader> file, Reader::open(path));
    return file;
}

} // namespace

Result<std::shared_ptr<const TensorReader>> openTensorFile(const std::string& path) {
    HOMEBOOTH_ASSIGN(const FileKind kind, detectFileKind(path));
    switch (kind) {
    case FileKind::Safetensors:
        return openedBy<SafetensorsReader>(path);
    case FileKind::PickleZip:
    case FileKind::PickleLegacy:
        return openedBy<TorchReader>(path);
    default:
        return wrongKindError(kind, "a .safetensors or .ckpt file", path);
    }
}

} // namespace homebooth::core
