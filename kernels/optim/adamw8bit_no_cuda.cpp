// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for adamw8bit.cu in a build without CUDA.
#include "kernels/optim/adamw8bit.h"

namespace homebooth::kernels {

int launchAdamW8bit(const AdamWRange&, const QuantisedMoments&, const AdamWStep&, const RandomStream&,
                    void*) {
    return -1;
}

} // namespace homebooth::kernels
