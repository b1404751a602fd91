// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// HOMEBOOTH_CLONES in front of a function makes one variant of it for each instruction set and chooses at
// load time; for plain loops that the compiler vectorises by itself. Whatever they call must be inlined.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) // their run time starts after the choice
#define HOMEBOOTH_CLONES
#else
#define HOMEBOOTH_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
