// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A number is not finite when its exponent has every bit set; its mantissa then tells NaN from infinity.
#include "core/base/formats/finite_check.h"

#include <cstring>

namespace homebooth::core {
namespace {

template <class Bits>
struct Format {
    Bits exponent; ///< its bits
    Bits mantissa;
};

/// Calls `use` with the bit pattern's type and masks of a floating-point type.
template <class Use>
auto withFormat(DataType type, const Use& use) {
    switch (type) {
    case DataType::F64:
        return use(Format<uint64_t>{0x7ff0000000000000U, 0x000fffffffffffffU});
    case DataType::F16:
        return use(Format<uint16_t>{0x7c00U, 0x03ffU});
    case DataType::BF16:
        return use(Format<uint16_t>{0x7f80U, 0x007fU});
    default:
        return use(Format<uint32_t>{0x7f800000U, 0x007fffffU});
    }
}

template <class Bits>
Bits bitsAt(std::span<const std::byte> bytes, size_t index) {
    Bits bits;
    std::memcpy(&bits, bytes.data() + index * sizeof(Bits), sizeof(Bits));
    return bits;
}

} // namespace

bool allFinite(std::span<const std::byte> bytes, DataType type) {
    if (!isFloatingPoint(type)) return true;
    return withFormat(type, [bytes]<class Bits>(Format<Bits> format) {
        unsigned bad = 0; // without a branch, so that the compiler takes many at a time
        for (size_t i = 0; i < bytes.size() / sizeof(Bits); ++i)
            bad |= (bitsAt<Bits>(bytes, i) & format.exponent) == format.exponent ? 1U : 0U;
        return bad == 0;
    });
}

NotFinite countNotFinite(std::span<const std::byte> bytes, DataType type) {
    NotFinite found;
    if (!isFloatingPoint(type)) return found;
    withFormat(type, [&]<class Bits>(Format<Bits> format) {
        for (size_t i = 0; i < bytes.size() / sizeof(Bits); ++i) {
            const Bits bits = bitsAt<Bits>(bytes, i);
            if ((bits & format.exponent) != format.exponent) continue;
            ++((bits & format.mantissa) != 0 ? found.nan : found.infinite);
        }
    });
    return found;
}

} // namespace homebooth::core
