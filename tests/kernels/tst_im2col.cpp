// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Patches of pictures: a copy that widens is the plain copy, widened.
#include "kernels/conv/im2col.h"
#include "kernels/numeric/float16.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace homebooth::kernels {
namespace {

/// All the numbers that there are, those that are none included, again and again.
template <class Number>
std::vector<Number> everyNumber(int64_t count) {
    std::vector<Number> numbers(static_cast<size_t>(count));
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = {static_cast<uint16_t>(i * 40503U)};
    return numbers;
}

template <class Number>
void expectCopiesWidened(const ConvolutionShape& shape) {
    const std::vector<Number> input =
        everyNumber<Number>(shape.batch * shape.height * shape.width * shape.channels);
    const int64_t rows = shape.batch * shape.outputHeight() * shape.outputWidth();
    const int64_t begin = rows / 5; // not from the first one on
    const auto elements = static_cast<size_t>((rows - begin) * shape.columnCount());
    std::vector<Number> narrow(elements, Number{1});
    std::vector<float> wide(elements, 1.0F);
    im2col(input.data(), narrow.data(), shape, sizeof(Number), begin, rows);
    im2colWidened(input.data(), wide.data(), shape, begin, rows);
    EXPECT_TRUE(std::equal(narrow.begin(), narrow.end(), wide.begin(), [](Number number, float value) {
        return std::bit_cast<uint32_t>(toFloat(number)) == std::bit_cast<uint32_t>(value);
    }));
}

TEST(Im2col, widensWhatItCopies) {
    for (const ConvolutionShape& shape : {ConvolutionShape{2, 5, 7, 3, 3, 3, 1, 1},
                                          {1, 64, 33, 40, 3, 3, 2, 1},
                                          {3, 4, 4, 17, 5, 5, 1, 2},
                                          {1, 2, 2, 8, 3, 3, 1, 2},
                                          {1, 6, 9, 64, 1, 1, 2, 0}}) {
        expectCopiesWidened<Bf16>(shape);
        expectCopiesWidened<Half>(shape);
    }
}

} // namespace
} // namespace homebooth::kernels
