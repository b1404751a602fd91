// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The worker's `bench` alone, for machines where the whole worker cannot be built.
#include "core/worker/jobs.h"

int main(int count, char** values) {
    return homebooth::core::runBenchmark({values + 1, values + count});
}
