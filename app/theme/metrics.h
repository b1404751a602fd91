// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lengths of the window, in device-independent pixels, on a grid of four. Constants; any thread.
#pragma once

namespace homebooth::app {

constexpr int kGapInside = 4;   ///< within a control
constexpr int kGapLabel = 8;    ///< label to field
constexpr int kGapBlock = 12;   ///< between blocks
constexpr int kPageMargin = 16; ///< around a page
constexpr int kGapSection = 24; ///< between sections
constexpr int kControlHeight = 32;
constexpr int kRadius = 6;
constexpr int kSidebarWidth = 176;
constexpr int kSidebarCompactWidth = 56;
constexpr int kCompactBelow = 1024; ///< window widths under it take the compact layout
constexpr int kListWidth = 208;
constexpr int kDetailsWidth = 296;
constexpr int kFormWidth = 480;
constexpr int kJobBarHeight = 52;
constexpr int kIconSize = 16;
constexpr int kNavIconSize = 20;

} // namespace homebooth::app
