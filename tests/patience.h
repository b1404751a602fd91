// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How long tests wait for what is certain to come, e.g. the end of a program that they have started. It
// costs nothing where all is well, so there is one such time, for the busiest machine. That something does
// not come is waited for with other, shorter times.
#pragma once

// How many times longer programs take, see installer/cmake/Testing.cmake.
#ifndef HOMEBOOTH_TEST_SLOWNESS
#define HOMEBOOTH_TEST_SLOWNESS 1
#endif

namespace homebooth::testing {

constexpr int kLongestMs = 120'000 * HOMEBOOTH_TEST_SLOWNESS;

} // namespace homebooth::testing
