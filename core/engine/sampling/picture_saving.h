// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Writing a picture that took minutes: while the disk is full it stays in memory, and it is written once
// there is room. A free function; one thread.
#pragma once

#include "core/base/run/event.h"
#include "core/base/util/cancel.h"
#include "core/engine/jobs/picture_source.h"

namespace homebooth::core {

/// Tries again and again for want of room, which it says by a state (kWaitsForRoom), until a stop is
/// requested.
/// @param text  text chunks by keyword
/// Errors: of the writer
[[nodiscard]] Result<void> writeWithRoom(PictureWriter& writer, const std::string& path,
                                         const Picture& picture,
                                         const std::map<std::string, std::string>& text, EventSink& events,
                                         const CancelToken& stop);

} // namespace homebooth::core
