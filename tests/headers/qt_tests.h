// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What tests without a window read of Qt, precompiled. Each test includes what it uses all the same.
#pragma once

#include <QtTest/QtTest>

#undef emit // a keyword of Qt, an ordinary name in core
