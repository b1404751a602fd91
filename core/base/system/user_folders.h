// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the folders of the user are whom this process works for. A free function, for a program's begin.
#pragma once

namespace homebooth::core {

/// Sees to it that this process, and those that it starts, find them: HOME, where nobody has set it (a
/// service, or a timed job), is what the system knows of the user. Of the XDG folders those are dropped
/// that are relative, as their standard has it: they would be others wherever one starts. Before any
/// other thread.
void settleUserFolders();

} // namespace homebooth::core
