// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/next_picture.h"

namespace homebooth::core {

void NextPicture::begin(const std::string& path, PictureSize size) {
    if (m_decoded.valid()) m_decoded.wait(); // the source serves one at a time
    m_path = path;
    m_size = size;
    m_decoded = std::async(std::launch::async, [this] { return m_source.load(m_path, m_size); });
}

Result<Picture> NextPicture::take(const std::string& path, PictureSize size) {
    const bool begun = m_decoded.valid() && path == m_path && size == m_size;
    if (begun) return m_decoded.get();
    if (m_decoded.valid()) m_decoded.wait();
    return m_source.load(path, size);
}

} // namespace homebooth::core
