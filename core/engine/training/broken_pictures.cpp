// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/broken_pictures.h"

#include "core/base/util/regular_file.h"

namespace homebooth::core {

Result<void> BrokenPictures::settle(bool skip, EventSink& events) {
    if (m_found.empty()) return {};
    if (skip) {
        for (const Broken& broken : m_found)
            events.emit(WarningEvent{"broken-picture",
                                     "left out " + displayName(broken.path) + ": " + broken.reason});
        m_found.clear();
        return {};
    }
    std::string list;
    for (const Broken& broken : m_found)
        list += (list.empty() ? "" : "; ") + displayName(broken.path) + ": " + broken.reason;
    return badInput("reading pictures: " + std::to_string(m_found.size()) + " cannot be used (" + list +
                    "); replace them, or go on without them by --skip-broken-images");
}

} // namespace homebooth::core
