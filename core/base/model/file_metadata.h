// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a single file says beside its tensors: how the model is computed, what others wrote of it (author,
// licence, recipe), and the small files that go along (licences, training defaults). A folder has what others
// wrote in the header of its UNet. Stateless; any thread.
#pragma once

#include "core/base/model/model_writer.h"

namespace homebooth::core {

using FileMetadata = std::map<std::string, std::string>;

/// Of a file that is written to `path`. What goes along and cannot be read, or is no short text, is left out.
[[nodiscard]] FileMetadata singleFileMetadata(const ModelSource& model, const std::string& path,
                                              const WriteOptions& options);

/// Of the UNet of a folder that is written.
[[nodiscard]] FileMetadata folderMetadata(const ModelSource& model, const WriteOptions& options);

/// What others wrote of a model, for a new form of the same one: all that is not worked out anew.
[[nodiscard]] FileMetadata carriedMetadata(const ModelSource& model);

/// The small files that a single file brought along, by name.
[[nodiscard]] FileMetadata broughtAlong(const ModelSource& model);

} // namespace homebooth::core
