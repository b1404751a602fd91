// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What ranks write of a tensor fills its place in a file, each element once and where the whole tensor has
// it.
#include "core/engine/parallel/file_pieces.h"

#include "core/engine/optim/memory_order.h"

#include <gtest/gtest.h>

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>

namespace homebooth::core::testing {
namespace {

constexpr int64_t kUnit = 256;

/// Cuts like those of a shard layout, at multiples of 256 elements but for the end.
std::vector<ElementRange> cutsOf(int64_t elements, int ranks, int64_t unit) {
    std::vector<ElementRange> cuts;
    int64_t begin = 0;
    for (int rank = 1; rank <= ranks; ++rank) {
        const int64_t wanted = (elements * rank / ranks + unit / 2) / unit * unit;
        const int64_t end = rank == ranks ? elements : std::clamp(wanted, begin, elements);
        cuts.push_back(end > begin ? ElementRange{begin, end - begin} : ElementRange{});
        begin = std::max(begin, end);
    }
    return cuts;
}

/// What a rank has of a state that is spread.
NamedTensor partOf(const at::Tensor& whole, const std::vector<ElementRange>& cuts, int rank) {
    const ElementRange own = cuts[static_cast<size_t>(rank)];
    StatePart part;
    part.ofRanks = cuts;
    part.begin = own.begin;
    part.sizes = whole.sizes().vec();
    part.strides = whole.strides().vec();
    return {"t", stretchOf(whole, own.begin, own.count).clone(), nullptr, part};
}

/// The file's bytes as all ranks fill it; every element once.
at::Tensor filled(const at::Tensor& whole, int ranks, const std::function<NamedTensor(int rank)>& of) {
    const at::Tensor file = at::zeros({whole.numel()}, whole.options());
    const at::Tensor times = at::zeros({whole.numel()}, at::kInt);
    for (int rank = 0; rank < ranks; ++rank) {
        int64_t elements = 0;
        const auto done = forOwnPieces(of(rank), rank, ranks, [&](int64_t begin, const at::Tensor& values) {
            EXPECT_TRUE(values.is_contiguous());
            file.narrow(0, begin, values.numel()).copy_(values);
            times.narrow(0, begin, values.numel()).add_(1);
            elements += values.numel();
            return Result<void>();
        });
        EXPECT_TRUE(done.ok());
        EXPECT_EQ(elements, ownElements(of(rank), rank, ranks).numel());
    }
    EXPECT_TRUE(times.eq(1).all().item<bool>());
    return file;
}

void expectRowOrder(const at::Tensor& file, const at::Tensor& whole) {
    EXPECT_TRUE(file.equal(whole.contiguous().view({-1})));
}

/// Numbers that are all different. Shapes: sizes
at::Tensor numbered(at::IntArrayRef sizes, at::MemoryFormat format = at::MemoryFormat::Contiguous) {
    return at::arange(c10::multiply_integers(sizes), at::kFloat).view(sizes).contiguous(format);
}

std::vector<at::Tensor> tensors() {
    const auto channelsLast = at::MemoryFormat::ChannelsLast;
    return {numbered({7}),
            numbered({1000}),
            numbered({40, 77}),
            numbered({9, 5, 3, 3}),
            numbered({32, 24, 3, 3}, channelsLast), // a row has 216 elements: every cut is within one
            numbered({3, 100, 3, 3}, channelsLast), // and here rows are longer than what is between two cuts
            numbered({1, 300, 3, 3}, channelsLast),
            numbered({64, 32, 1, 1}, channelsLast),
            numbered({256, 2, 4, 4}, channelsLast)};
}

} // namespace

TEST(FilePieces, ofWhatIsSpreadFillTheFile) {
    for (const at::Tensor& whole : tensors())
        for (const int ranks : {1, 2, 3, 8}) {
            SCOPED_TRACE(::testing::Message() << whole.sizes() << " of " << ranks);
            const auto cuts = cutsOf(whole.numel(), ranks, kUnit);
            expectRowOrder(filled(whole, ranks, [&](int rank) { return partOf(whole, cuts, rank); }), whole);
        }
}

TEST(FilePieces, ofWhatAllHaveFillTheFile) {
    std::vector<at::Tensor> all = tensors();
    all.push_back(at::scalar_tensor(3.0));
    for (const at::Tensor& whole : all)
        for (const int ranks : {1, 2, 3, 8}) {
            SCOPED_TRACE(::testing::Message() << whole.sizes() << " of " << ranks);
            const NamedTensor named{"t", whole};
            expectRowOrder(filled(whole, ranks, [&](int) { return named; }), whole);
        }
}

TEST(FilePieces, haveTheTensorsType) {
    const at::Tensor whole = numbered({32, 24, 3, 3}, at::MemoryFormat::ChannelsLast).remainder(251);
    for (const at::ScalarType type : {at::kBFloat16, at::kHalf, at::kByte}) {
        const at::Tensor typed = whole.to(type);
        const auto cuts = cutsOf(typed.numel(), 3, kUnit);
        expectRowOrder(filled(typed, 3, [&](int rank) { return partOf(typed, cuts, rank); }), typed);
    }
}

TEST(FilePieces, areWholeRowsWhereThatCanBe) {
    const at::Tensor whole = numbered({64, 32, 3, 3}, at::MemoryFormat::ChannelsLast);
    const auto cuts = cutsOf(whole.numel(), 2, kUnit); // half of the rows: no cut
    int pieces = 0;
    const auto count = [&](int64_t, const at::Tensor&) {
        ++pieces;
        return Result<void>();
    };
    ASSERT_TRUE(forOwnPieces(partOf(whole, cuts, 1), 1, 2, count).ok());
    EXPECT_EQ(pieces, 1);
}

TEST(FilePieces, endWithTheFirstFailure) {
    const at::Tensor whole = numbered({32, 24, 3, 3}, at::MemoryFormat::ChannelsLast);
    const auto cuts = cutsOf(whole.numel(), 3, kUnit);
    int pieces = 0;
    const auto failed = forOwnPieces(partOf(whole, cuts, 1), 1, 3, [&](int64_t, const at::Tensor&) {
        return ++pieces == 2 ? Result<void>(badInput("the disk is gone")) : Result<void>();
    });
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().message, "the disk is gone");
    EXPECT_EQ(pieces, 2);
}

} // namespace homebooth::core::testing
