// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/conv/winograd.h"

#include "kernels/numeric/clones.h"

#include <algorithm>
#include <cstring>

namespace homebooth::kernels {
namespace {

using Lanes = float __attribute__((vector_size(kWinogradLanes * 4)));
using Words = uint32_t __attribute__((vector_size(kWinogradLanes * 4)));
using Halves = uint16_t __attribute__((vector_size(kWinogradLanes * 2)));

HOMEBOOTH_INLINE void load(const Bf16* from, Lanes& value) {
    Halves bits;
    memcpy(&bits, from, sizeof bits);
    value = (Lanes)(__builtin_convertvector(bits, Words) << 16);
}

/// To the nearest, ties to even; NaN stays NaN.
HOMEBOOTH_INLINE void store(const Lanes& value, Bf16* to) {
    const Words bits = (Words)value;
    const Words nearest = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    const Words quiet = (bits >> 16) | 0x40u;
    const Words notANumber = (Words)(value != value);
    const Halves rounded = __builtin_convertvector((nearest & ~notANumber) | (quiet & notANumber), Halves);
    memcpy(to, &rounded, sizeof rounded);
}

struct Tile {
    int64_t image, top, left; // of its output, pixels
};

Tile tileAt(const WinogradShape& shape, int64_t index) {
    const int64_t perPicture = shape.tileRows() * shape.tileColumns();
    return {index / perPicture, index % perPicture / shape.tileColumns() * 2,
            index % shape.tileColumns() * 2};
}

/// Where the 4x4 input pixels of a tile lie; null outside the picture.
struct TilePixels {
    const Bf16* at[4][4];

    TilePixels(const Bf16* input, const WinogradShape& shape, int64_t channels, int64_t index) {
        const Tile tile = tileAt(shape, index);
        for (int64_t i = 0; i < 4; ++i)
            for (int64_t j = 0; j < 4; ++j) {
                const int64_t y = tile.top - 1 + i;
                const int64_t x = tile.left - 1 + j;
                const bool inside = y >= 0 && y < shape.height && x >= 0 && x < shape.width;
                at[i][j] =
                    inside ? input + ((tile.image * shape.height + y) * shape.width + x) * channels : nullptr;
            }
    }
};

/// B^T d of four values.
HOMEBOOTH_INLINE void transformInput(const Lanes& d0, const Lanes& d1, const Lanes& d2, const Lanes& d3,
                                     Lanes* result, int stride) {
    result[0] = d0 - d2;
    result[stride] = d1 + d2;
    result[2 * stride] = d2 - d1;
    result[3 * stride] = d1 - d3;
}

/// G g of three values.
HOMEBOOTH_INLINE void transformWeight(const Lanes& g0, const Lanes& g1, const Lanes& g2, Lanes* result,
                                      int stride) {
    const Lanes outer = 0.5f * (g0 + g2);
    const Lanes inner = 0.5f * g1;
    result[0] = g0;
    result[stride] = outer + inner;
    result[2 * stride] = outer - inner;
    result[3 * stride] = g2;
}

/// A^T m of four values.
HOMEBOOTH_INLINE void transformOutput(const Lanes& m0, const Lanes& m1, const Lanes& m2, const Lanes& m3,
                                      Lanes* result, int stride) {
    result[0] = m0 + m1 + m2;
    result[stride] = m1 - m2 - m3;
}

HOMEBOOTH_INLINE void inputLanes(const TilePixels& pixels, int64_t channel, Bf16* target,
                                 int64_t placeStride) {
    Lanes d[4][4];
    Lanes columns[4][4];
    Lanes v[4][4];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            if (pixels.at[i][j] != nullptr)
                load(pixels.at[i][j] + channel, d[i][j]);
            else
                d[i][j] = Lanes{};
        }
    for (int j = 0; j < 4; ++j) transformInput(d[0][j], d[1][j], d[2][j], d[3][j], &columns[0][j], 4);
    for (int i = 0; i < 4; ++i)
        transformInput(columns[i][0], columns[i][1], columns[i][2], columns[i][3], v[i], 1);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) store(v[i][j], target + (i * 4 + j) * placeStride);
}

HOMEBOOTH_INLINE void weightLanes(const Bf16* weight, int64_t channels, Bf16* target, int64_t placeStride) {
    Lanes g[3][3];
    Lanes columns[4][3];
    Lanes u[4][4];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) load(weight + (i * 3 + j) * channels, g[i][j]);
    for (int j = 0; j < 3; ++j) transformWeight(g[0][j], g[1][j], g[2][j], &columns[0][j], 3);
    for (int i = 0; i < 4; ++i) transformWeight(columns[i][0], columns[i][1], columns[i][2], u[i], 1);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) store(u[i][j], target + (i * 4 + j) * placeStride);
}

/// @param pixels  of the 2x2 outputs; null outside the picture
HOMEBOOTH_INLINE void outputLanes(const Bf16* products, int64_t placeStride, const Bf16* bias,
                                  Bf16* const* pixels, int64_t channel) {
    Lanes m[4][4];
    Lanes rows[2][4];
    Lanes y[2][2];
    Lanes offset = {};
    if (bias != nullptr) load(bias + channel, offset);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) load(products + (i * 4 + j) * placeStride, m[i][j]);
    for (int j = 0; j < 4; ++j) transformOutput(m[0][j], m[1][j], m[2][j], m[3][j], &rows[0][j], 4);
    for (int i = 0; i < 2; ++i) transformOutput(rows[i][0], rows[i][1], rows[i][2], rows[i][3], y[i], 1);
    for (int i = 0; i < 4; ++i)
        if (pixels[i] != nullptr) store(y[i / 2][i % 2] + offset, pixels[i] + channel);
}

} // namespace

HOMEBOOTH_CLONES
void winogradWeights(const Bf16* weight, Bf16* target, int64_t outputs, int64_t channels, int64_t first,
                     int64_t last) {
    for (int64_t o = first; o < last; ++o)
        for (int64_t c = 0; c < channels; c += kWinogradLanes)
            weightLanes(weight + o * 9 * channels + c, channels, target + o * channels + c,
                        outputs * channels);
}

HOMEBOOTH_CLONES
void winogradInput(const Bf16* input, Bf16* target, const WinogradShape& shape, int64_t channels,
                   int64_t rows, int64_t origin, int64_t first, int64_t last) {
    for (int64_t tile = first; tile < last; ++tile) {
        const TilePixels pixels(input, shape, channels, tile);
        for (int64_t c = 0; c < channels; c += kWinogradLanes)
            inputLanes(pixels, c, target + (tile - origin) * channels + c, rows * channels);
    }
}

HOMEBOOTH_CLONES
void winogradOutput(const Bf16* products, const Bf16* bias, Bf16* output, const WinogradShape& shape,
                    int64_t outputs, int64_t rows, int64_t origin, int64_t first, int64_t last) {
    for (int64_t index = first; index < last; ++index) {
        const Tile tile = tileAt(shape, index);
        Bf16* corner = output + ((tile.image * shape.height + tile.top) * shape.width + tile.left) * outputs;
        const bool right = tile.left + 1 < shape.width;
        const bool below = tile.top + 1 < shape.height;
        Bf16* const pixels[4] = {corner, right ? corner + outputs : nullptr,
                                 below ? corner + shape.width * outputs : nullptr,
                                 right && below ? corner + (shape.width + 1) * outputs : nullptr};
        for (int64_t c = 0; c < outputs; c += kWinogradLanes)
            outputLanes(products + (index - origin) * outputs + c, rows * outputs, bias, pixels, c);
    }
}

} // namespace homebooth::kernels
