// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/collective_check.h"

#include "core/engine/collective/collective.h"

namespace homebooth::core {
namespace {

void checkPlace(const at::Tensor& tensor, const char* what, at::DeviceType device) {
    TORCH_CHECK(tensor.defined() && tensor.is_contiguous(), what, " must be contiguous");
    TORCH_CHECK(tensor.device().type() == device, what, " lies on ", tensor.device(),
                ", this collective serves ", device);
}

void checkShards(const at::Tensor& whole, const at::Tensor& shard, int ranks, at::DeviceType device) {
    checkPlace(whole, "the whole", device);
    checkPlace(shard, "the shard", device);
    TORCH_CHECK(whole.numel() == ranks * shard.numel(), "the whole has ", whole.numel(), " elements, ", ranks,
                " shards have ", ranks * shard.numel(), "; pad it");
}

bool isFloating(at::ScalarType type) {
    return type == at::kFloat || type == at::kBFloat16 || type == at::kHalf || type == at::kDouble;
}

} // namespace

void checkGathered(const at::Tensor& whole, const at::Tensor& shard, int ranks, at::DeviceType device) {
    checkShards(whole, shard, ranks, device);
    TORCH_CHECK(whole.scalar_type() == shard.scalar_type(), "a whole in ", whole.scalar_type(),
                " is not gathered of shards in ", shard.scalar_type());
}

void checkScattered(const at::Tensor& shard, const at::Tensor& whole, int ranks, at::DeviceType device) {
    checkShards(whole, shard, ranks, device);
    const bool same = shard.scalar_type() == whole.scalar_type();
    const bool widened = shard.scalar_type() == at::kFloat && whole.element_size() == 2;
    TORCH_CHECK(isFloating(whole.scalar_type()) && (same || widened), "wholes in ", whole.scalar_type(),
                " are not summed to a shard in ", shard.scalar_type());
}

void checkReduced(const at::Tensor& values, at::DeviceType device) {
    checkPlace(values, "the values", device);
    TORCH_CHECK(isFloating(values.scalar_type()) || values.scalar_type() == at::kLong, "values in ",
                values.scalar_type(), " are not summed");
    TORCH_CHECK(static_cast<int64_t>(values.nbytes()) <= kMostReducedBytes, "a tensor of ", values.nbytes(),
                " bytes is summed by reduceScatter and allGather, not by allReduce");
}

void checkBroadcast(const at::Tensor& values, int root, int ranks, at::DeviceType device) {
    checkPlace(values, "the values", device);
    TORCH_CHECK(root >= 0 && root < ranks, "rank ", root, " of ", ranks, " has nothing to broadcast");
}

} // namespace homebooth::core
