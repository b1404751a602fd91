// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a file is, judged by its content and never by its name. Stateless; any thread.
#pragma once

#include "core/base/util/result.h"

#include <string>
#include <string_view>

namespace homebooth::core {

enum class FileKind {
    Safetensors,
    PickleZip,     ///< .ckpt of torch.save since 1.6: a ZIP with data.pkl, anywhere in it
    PickleLegacy,  ///< a bare pickle stream
    Zip,           ///< another ZIP
    GitLfsPointer, ///< the text that stands for a file in a clone without LFS
    Html,          ///< a web page saved under a model's name
    Picture,
    Gguf,
    Empty,
    Unknown
};

/// Looks at the first bytes of a file, and at the last ones of a ZIP, where its members are listed.
/// Errors: BadInput if it cannot be read or is no regular file (folder, FIFO, device)
[[nodiscard]] Result<FileKind> detectFileKind(const std::string& path);

/// The kind of a file that begins with `head` and has `fileBytes` bytes; of a ZIP by its first members alone.
[[nodiscard]] FileKind fileKindOf(std::string_view head, int64_t fileBytes);

/// The kind in words, e.g. "a Git LFS pointer".
[[nodiscard]] std::string_view fileKindName(FileKind kind);

/// The Error for finding `kind` where `expected` was wanted: says what was found and what to do.
[[nodiscard]] Error wrongKindError(FileKind kind, const std::string& expected, const std::string& path);

} // namespace homebooth::core
