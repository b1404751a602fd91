// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Writing a picture that took minutes: while the disk is full it stays in memory, and it is written once
// there is room, or where there is. A free function; one thread.
#pragma once

#include "core/base/run/journal/event.h"
#include "core/base/util/cancel.h"
#include "core/engine/jobs/picture_source.h"

#include <functional>

namespace homebooth::core {

/// Tries again and again for want of room, which it says once for each folder by a state (kWaitsForRoom),
/// until a stop is requested. In another folder than the job's own whatever is wrong is waited for.
/// @param place  gives the file's path before each try
/// @param own    the folder that the job began with
/// @param text   text chunks by keyword
/// @returns  the path. Errors: of the writer and of `place`
[[nodiscard]] Result<std::string> writeWithRoom(PictureWriter& writer,
                                                const std::function<Result<std::string>()>& place,
                                                const std::string& own, const Picture& picture,
                                                const std::map<std::string, std::string>& text,
                                                EventSink& events, const CancelToken& stop);

} // namespace homebooth::core
