// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/captions/caption_originals.h"

#include <utility>

namespace homebooth::app {

CaptionBytes CaptionOriginals::bytesFor(const QString& place, const CaptionBytes& now, const QString& before,
                                        const QString& caption, std::string made) {
    auto original = m_originals.find(place);
    if (original == m_originals.end() || original->written != now)
        original = m_originals.insert(place, {now, before, now});
    original->written = caption == original->caption ? original->bytes : CaptionBytes(std::move(made));
    return original->written;
}

} // namespace homebooth::app
