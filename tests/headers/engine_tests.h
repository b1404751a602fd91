// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What tests of the engine read of others, precompiled. Each test includes what it uses all the same.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>
