// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/io/exact_tensor.h"

#include "core/engine/io/weights.h"

namespace homebooth::core {

Result<at::Tensor> readExact(const TensorSource& source, const TensorInfo& info) {
    const at::Tensor stored = at::empty(info.shape, scalarTypeOf(info.type));
    const auto bytes = static_cast<size_t>(info.byteCount);
    HOMEBOOTH_CHECK(source.read(info.name, {static_cast<std::byte*>(stored.data_ptr()), bytes}));
    at::Tensor exact = stored.to(at::kFloat);
    if (!exact.isfinite().all().item<bool>())
        return badInput("the tensor " + info.name +
                        " holds NaN or infinity, expected finite values; the file is damaged or its training "
                        "failed, take another copy");
    return exact;
}

} // namespace homebooth::core
