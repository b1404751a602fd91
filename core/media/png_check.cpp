// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/png_check.h"

#include "core/media/byte_view.h"

#include <zlib.h>

namespace homebooth::core {

bool isWholePng(std::string_view file) {
    constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n");
    const ByteView view(file);
    if (!view.startsWith(kSignature)) return false;
    bool pixels = false;
    for (uint64_t offset = kSignature.size(); view.has(offset, 12);) {
        const uint64_t length = view.u32(offset);
        if (!view.has(offset, length + 12)) return false;
        const std::string_view type = view.part(offset + 4, 4);
        if (offset == kSignature.size() && type != "IHDR") return false;
        const std::string_view summed = view.part(offset + 4, length + 4);
        const auto* bytes = reinterpret_cast<const Bytef*>(summed.data());
        if (crc32_z(0, bytes, summed.size()) != view.u32(offset + 8 + length)) return false;
        pixels = pixels || type == "IDAT";
        if (type == "IEND") return pixels;
        offset += length + 12;
    }
    return false;
}

} // namespace homebooth::core
