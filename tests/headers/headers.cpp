// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Nothing: a precompiled header belongs to a library, and a library has a source.
