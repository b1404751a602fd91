// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/disk_space.h"

#include "core/base/memory/chunk_bytes.h"
#include "core/engine/memory/parameter_store.h"

#include <vector>

namespace homebooth::core {
namespace {

/// Of a block, what has a place there: all of it in whole chunks, or a rank's part.
int64_t bytesOfBlock(const ParameterStore& store, int block) {
    if (!store.isSpread()) return store.paddedBytes(block);
    std::vector<at::Tensor> parameters;
    const size_t count = store.schedule().blocks()[static_cast<size_t>(block)].parameters.size();
    for (size_t index = 0; index < count; ++index)
        parameters.push_back(store.parameter({block, static_cast<int>(index)}));
    return store.options().spread->partBytes(block, parameters);
}

} // namespace

int64_t diskSpaceFor(int64_t bytes) {
    const int64_t pageBytes = swapShapeFor(bytes).pageBytes;
    return (bytes + pageBytes - 1) / pageBytes * pageBytes;
}

int64_t diskSpaceOf(const ParameterStore& store) {
    if (store.swap() == nullptr && store.swappedBytes() == 0) return 0;
    int64_t bytes = 0;
    for (int block = 0; block < static_cast<int>(store.schedule().blocks().size()); ++block)
        bytes += bytesOfBlock(store, block);
    return diskSpaceFor(bytes);
}

int64_t diskSpaceOf(const Schedule& schedule, c10::ScalarType type) {
    const ParameterViews layout(schedule, type);
    const int64_t chunkBytes = chunkBytesFor(layout.blockBytes());
    return diskSpaceFor(static_cast<int64_t>(layout.chunks(chunkBytes).size()) * chunkBytes);
}

} // namespace homebooth::core
