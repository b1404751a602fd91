// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for adamw.cu in a build without CUDA.
#include "kernels/optim/adamw.h"

namespace homebooth::kernels {

int launchAdamW(const AdamWRange&, const AdamWStep&, const RandomStream&, void*) {
    return -1;
}

} // namespace homebooth::kernels
