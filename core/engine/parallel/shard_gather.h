// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What is spread over the ranks, put together again. Free functions; every rank calls them alike.
// Errors of all: throw RankLost, c10::Error where memory is refused
#pragma once

#include "core/engine/optim/optimizer.h"
#include "core/engine/parallel/ranks.h"
#include "core/engine/parallel/shard_layout.h"

namespace homebooth::core {

/// Brings what each rank has changed of its own part of the trainable parameters to all others, a block on
/// its way while the one before it is taken over. By way of the device that computes, wherever homes are:
/// ranks may have a block in different memories, and must ask each other for the same.
void gatherParameters(const Ranks& ranks, const ParameterStore& store, const ShardLayout& layout);

/// The whole of a state of which every rank has a part, on the host, since it is for files, and a GPU may
/// have no room for it; one that no rank shares as it is. Shapes: as StatePart says, in the parameter's
/// memory order
[[nodiscard]] at::Tensor gatherState(const Ranks& ranks, const NamedTensor& state);

} // namespace homebooth::core
