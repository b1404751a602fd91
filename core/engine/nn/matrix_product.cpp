// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/matrix_product.h"

#include "core/base/plan/convolution_sizes.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "kernels/cpu/features.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace homebooth::core {
namespace {

/// How many rows of so many numbers in fp32 are taken at a time.
int64_t rowsAtATime(int64_t columns, int64_t rows) {
    const int64_t rowBytes = std::max<int64_t>(columns, 1) * static_cast<int64_t>(sizeof(float));
    return std::clamp<int64_t>(kWidenedPieceBytes / rowBytes, 1, std::max<int64_t>(rows, 1));
}

at::Tensor wide(const at::Tensor& x) {
    return x.to(at::kFloat);
}

/// Bytes that oneDNN 3.10 packs factors into where it multiplies tiles of bf16 (AMX), as LibTorch's allocator
/// saw them for some 150 shapes on one and two threads: for each thread a panel of 64 columns of b and, where
/// a is turned, one of 256 rows of a. Most shapes are met within a tenth; sums over more than 5,000 terms
/// take less than this, by up to two fifths. Long sums of many columns are halved.
int64_t bytesOfTiles(int64_t rows, int64_t inner, int64_t columns, bool turned) {
    constexpr int64_t kFixedBytes = 5120;
    constexpr int64_t kMostPanelBytes = 530'000;
    constexpr int64_t kMostBytes = 925'000;
    const bool halved = turned && inner > 2048 && columns > 128;
    const int64_t depth = (halved ? inner / 2 : inner) / 32 * 32 + (inner % 32 > 0 ? 32 : 0);
    const int64_t panel = std::min(depth * 64 * 2 + kFixedBytes, kMostPanelBytes);
    const int64_t other = turned ? std::min<int64_t>(rows, 256) * depth * 2 : 0;
    return at::get_num_threads() * std::min(panel + other, kMostBytes);
}

/// The greatest divisor of `count` between the two bounds, else the upper one.
int64_t greatestPart(int64_t count, int64_t least, int64_t most) {
    for (int64_t part = std::min(count, most); part >= least; --part)
        if (count % part == 0) return part;
    return most;
}

/// How oneDNN divides a product where it multiplies without tiles.
struct Blocks {
    int64_t numberBytes;  ///< of a factor as it is packed
    int64_t rowsOfThread; ///< of the result
    int64_t inner;        ///< how many terms the sums have, as they are packed
    int64_t mostDepth;    ///< of them, of a block
    bool copied;          ///< whether a is packed as well
};

constexpr int64_t kDepth = 512;        // of a block, twice that where a sum is long and a is not turned
constexpr int64_t kLeastRows = 32;     // that are divided among threads
constexpr int64_t kMostRows = 256;     // of a block
constexpr int64_t kWideColumns = 1280; // that are divided among threads instead

/// For one thread: a panel of 64 columns of b, a block of the result in fp32 and, if need be, one of a.
int64_t bytesOfBlocks(const Blocks& blocks, int64_t columns) {
    constexpr int64_t kColumns = 64;      // of a panel
    constexpr int64_t kMostPanels = 16;   // that long sums of copied factors keep
    constexpr int64_t kFixedBytes = 1024; // and eight times that for such sums
    const int64_t block =
        greatestPart(blocks.rowsOfThread, kLeastRows, std::min(blocks.rowsOfThread, kMostRows));
    const bool isLong = blocks.copied && blocks.inner > kDepth;
    const int64_t depth = std::min(blocks.inner, blocks.mostDepth);
    const int64_t panels = isLong ? greatestPart((columns + kColumns - 1) / kColumns, 1, kMostPanels) : 1;
    const int64_t result = block * std::min(columns, panels * kColumns) * int64_t{sizeof(float)};
    const int64_t fixed = isLong ? 9 * kFixedBytes : kFixedBytes;
    const int64_t packed = depth * (kColumns + (blocks.copied ? block : 0)) * blocks.numberBytes;
    return packed + result + fixed;
}

int64_t rowsOfThread(int64_t rows) {
    const int64_t threads = at::get_num_threads();
    return std::max((rows + threads - 1) / threads, std::min(rows, kLeastRows));
}

int64_t mostDepth(int64_t inner, bool turned) {
    return !turned && inner > 2 * kDepth ? 2 * kDepth : kDepth;
}

/// Where it multiplies pairs of bf16 (AVX-512 without AMX), likewise measured, for 1,500 shapes: a is packed
/// where it is turned or its rows lie a multiple of 8 KiB apart. Met within a tenth on one thread; on two,
/// small ones take less, and products of 64 columns that are sums over many rows (one in fifty) up to 5 MB
/// more.
int64_t bytesOfPairs(int64_t rows, int64_t inner, int64_t columns, bool turned) {
    const bool aliased = !turned && inner % 4096 == 0 && rows >= 4 * kMostRows;
    return at::get_num_threads() *
           bytesOfBlocks({sizeof(at::BFloat16), rowsOfThread(rows), (inner + 31) / 32 * 32,
                          mostDepth(inner, turned), turned || aliased},
                         columns);
}

/// Where it multiplies fp16 (AVX512-FP16), widened to fp32 as both factors are packed; likewise measured, for
/// 242 shapes without AMX. Met within a twentieth on one thread; on two, nine in ten within a tenth, others
/// take up to a fifth less or, as some of 77 rows, seven tenths more.
int64_t bytesOfHalves(int64_t rows, int64_t inner, int64_t columns, bool turned) {
    constexpr int64_t kLeastInner = 16;
    const int64_t ofThread = columns < kWideColumns ? rowsOfThread(rows) : rows;
    return at::get_num_threads() * bytesOfBlocks({sizeof(float), ofThread, std::max(inner, kLeastInner),
                                                  mostDepth(inner, turned), true},
                                                 columns);
}

int64_t packedBytes(at::ScalarType type, int64_t rows, int64_t inner, int64_t columns, bool turned) {
    constexpr int64_t kLeastProducts = 4096; // LibTorch takes smaller ones itself
    if (rows * inner * columns <= kLeastProducts) return 0;
    if (type == at::kHalf) return bytesOfHalves(rows, inner, columns, turned);
    return kernels::cpuFeatures().amxBf16 ? bytesOfTiles(rows, inner, columns, turned)
                                          : bytesOfPairs(rows, inner, columns, turned);
}

/// Whether oneDNN multiplies numbers of this type as they are, for LibTorch.
bool packsFactors(at::ScalarType type) {
    const kernels::CpuFeatures& features = kernels::cpuFeatures();
    return type == at::kBFloat16 ? features.avx512Bf16 : type == at::kHalf && features.avx512Fp16;
}

} // namespace

at::Tensor packedFactors(const at::Tensor& a, const at::Tensor& b) {
    if (!a.is_meta() || widensProducts(a) || !packsFactors(a.scalar_type()) || !computedOnHost(a)) return {};
    const WithinProduct scope;
    const bool turned = a.stride(0) == 1 && a.stride(1) != 1;
    return at::empty({packedBytes(a.scalar_type(), a.size(-2), a.size(-1), b.size(-1), turned)},
                     a.options().dtype(at::kByte));
}

int64_t bytesPackedByOne(const at::Tensor& x, int64_t rows, int64_t inner, int64_t columns) {
    if (x.scalar_type() != at::kHalf || !packsFactors(at::kHalf) || !computedOnHost(x)) return 0;
    return bytesOfHalves(rows, inner, columns, /*turned=*/true);
}

bool widensProducts(const at::Tensor& x) {
    static const bool ofBfloat16 = at::get_cpu_capability() == "AVX512";
    static const bool ofHalf = ofBfloat16 && kernels::cpuFeatures().avx512Fp16;
    switch (x.scalar_type()) {
    case at::kBFloat16:
        return !ofBfloat16 && computedOnHost(x);
    case at::kHalf:
        return !ofHalf && computedOnHost(x);
    default:
        return false;
    }
}

void matrixProductInto(at::Tensor& out, const at::Tensor& bias, const at::Tensor& a, const at::Tensor& b) {
    if (a.scalar_type() != out.scalar_type()) {
        const WithinProduct scope;
        out.copy_(bias.defined() ? at::addmm(bias, a, b) : at::mm(a, b));
        return;
    }
    if (!widensProducts(a)) {
        const at::Tensor packed = packedFactors(a, b);
        if (bias.defined())
            at::addmm_out(out, bias, a, b);
        else
            at::mm_out(out, a, b);
        return;
    }
    const WithinProduct scope;
    const at::Tensor wideB = wide(b);
    const at::Tensor wideBias = bias.defined() ? wide(bias) : at::Tensor();
    const int64_t rows = a.size(0);
    const int64_t stretch = rowsAtATime(a.size(1) + b.size(1), rows);
    for (int64_t begin = 0; begin < rows; begin += stretch) {
        const int64_t count = std::min(stretch, rows - begin);
        const at::Tensor some = wide(a.narrow(0, begin, count));
        out.narrow(0, begin, count)
            .copy_(bias.defined() ? at::addmm(wideBias, some, wideB) : at::mm(some, wideB));
    }
}

at::Tensor matrixProduct(const at::Tensor& a, const at::Tensor& b) {
    if (!widensProducts(a)) {
        const at::Tensor packed = packedFactors(a, b);
        return at::mm(a, b);
    }
    at::Tensor out = at::empty({a.size(0), b.size(1)}, a.options());
    matrixProductInto(out, {}, a, b);
    return out;
}

at::Tensor transposedProduct(const at::Tensor& a, const at::Tensor& b) {
    if (!widensProducts(a) || a.size(0) == 0) {
        const at::Tensor packed = packedFactors(a.t(), b);
        return at::mm(a.t(), b);
    }
    std::optional<WithinProduct> scope(std::in_place);
    at::Tensor sum;
    const int64_t rows = a.size(0);
    const int64_t stretch = rowsAtATime(a.size(1) + b.size(1), rows);
    for (int64_t begin = 0; begin < rows; begin += stretch) {
        const int64_t count = std::min(stretch, rows - begin);
        const at::Tensor someA = wide(a.narrow(0, begin, count)).t();
        const at::Tensor someB = wide(b.narrow(0, begin, count));
        if (sum.defined())
            sum.addmm_(someA, someB);
        else
            sum = at::mm(someA, someB);
    }
    scope.reset();
    return sum.to(a.scalar_type());
}

void addTransposedProduct(at::Tensor& sum, const at::Tensor& a, const at::Tensor& b) {
    const WithinProduct scope;
    const at::Tensor turned = wide(a).t();
    if (sum.defined())
        sum.addmm_(turned, b);
    else
        sum = at::mm(turned, b);
}

at::Tensor pairedProducts(const at::Tensor& a, const at::Tensor& b) {
    if (!widensProducts(a)) return at::bmm(a, b);
    at::Tensor product;
    {
        const WithinProduct scope;
        product = at::bmm(wide(a), wide(b));
    }
    return product.to(a.scalar_type());
}

} // namespace homebooth::core
