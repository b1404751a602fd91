// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/convolution.h"

#include "core/base/plan/convolution_sizes.h"
#include "core/base/plan/value_sizes.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/nn/host_work.h"
#include "core/engine/nn/matrix_product.h"
#include "core/engine/nn/winograd.h"
#include "kernels/conv/im2col.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <array>
#include <optional>

namespace homebooth::core {
namespace {

using kernels::ConvolutionShape;

constexpr int64_t kGrainRows = 64;
constexpr int64_t kMaxKernelArea = 64;

/// Columns live in pieces, of kMostPatchBytes at most, so that a VAE at full resolution needs no gigabytes.
struct Geometry {
    ConvolutionShape shape;
    int64_t rows = 0;      // output pixels of the whole batch
    int64_t chunkRows = 0; // of them at a time
    bool pointwise = false;
    bool widened = false; // columns are fp32 where the picture is bf16 or fp16
};

int64_t rowsIn(int64_t bytes, const Geometry& geometry, int64_t elementBytes) {
    return std::clamp<int64_t>(bytes / (geometry.shape.columnCount() * elementBytes), 1, geometry.rows);
}

Geometry geometryOf(const at::Tensor& x, const at::Tensor& weight, int64_t padding, int64_t stride) {
    Geometry geometry;
    geometry.shape = {x.size(0),      x.size(2),      x.size(3), x.size(1),
                      weight.size(2), weight.size(3), stride,    padding};
    const ConvolutionShape& shape = geometry.shape;
    geometry.rows = shape.batch * shape.outputHeight() * shape.outputWidth();
    geometry.pointwise = shape.kernelHeight == 1 && shape.kernelWidth == 1 && stride == 1 && padding == 0;
    geometry.widened = !geometry.pointwise && widensProducts(x);
    const auto elementBytes =
        geometry.widened ? int64_t{sizeof(float)} : static_cast<int64_t>(x.element_size());
    const int64_t most = geometry.widened ? kWidenedPieceBytes : kMostPatchBytes;
    geometry.chunkRows = geometry.pointwise ? geometry.rows : rowsIn(most, geometry, elementBytes);
    return geometry;
}

/// A channels-last tensor as the matrix [B * H * W, C].
at::Tensor asMatrix(const at::Tensor& x) {
    return x.permute({0, 2, 3, 1}).reshape({-1, x.size(1)});
}

/// A matrix of pixels as a channels-last tensor [B, C, H, W].
at::Tensor asPicture(const at::Tensor& matrix, int64_t batch, int64_t height, int64_t width) {
    return matrix.view({batch, height, width, matrix.size(1)}).permute({0, 3, 1, 2});
}

/// The weight as [O, kh * kw * C], the order in which it lies in memory.
at::Tensor weightMatrix(const at::Tensor& weight) {
    return weight.permute({0, 2, 3, 1}).reshape({weight.size(0), -1});
}

template <class T>
const T* read(const at::Tensor& x) {
    return static_cast<const T*>(x.const_data_ptr());
}

at::Tensor columnsOf(const at::Tensor& x, const Geometry& geometry, int64_t begin, int64_t end) {
    if (geometry.pointwise) return asMatrix(x).slice(0, begin, end);
    if (geometry.widened) {
        const WithinProduct scope;
        at::Tensor columns =
            at::empty({end - begin, geometry.shape.columnCount()}, x.options().dtype(at::kFloat));
        overHost(x, begin, end, kGrainRows, [&](int64_t first, int64_t last) {
            float* const target = columns.data_ptr<float>() + (first - begin) * columns.size(1);
            if (x.scalar_type() == at::kHalf)
                kernels::im2colWidened(read<kernels::Half>(x), target, geometry.shape, first, last);
            else
                kernels::im2colWidened(read<kernels::Bf16>(x), target, geometry.shape, first, last);
        });
        return columns;
    }
    at::Tensor columns = at::empty({end - begin, geometry.shape.columnCount()}, x.options());
    const auto elementBytes = static_cast<int64_t>(x.element_size());
    const int64_t rowBytes = geometry.shape.columnCount() * elementBytes;
    overHost(x, begin, end, kGrainRows, [&](int64_t first, int64_t last) {
        auto* target = static_cast<char*>(columns.data_ptr()) + (first - begin) * rowBytes;
        kernels::im2col(x.const_data_ptr(), target, geometry.shape, elementBytes, first, last);
    });
    return columns;
}

/// Patches times a matrix, piece by piece straight into the result.
/// Shapes: x [B, C, H, W] channels-last, matrix [kh * kw * C, out], bias [out] or undefined
///         -> [B, out, H', W']
at::Tensor multiplyPatches(const at::Tensor& x, const at::Tensor& matrix, const at::Tensor& bias,
                           const Geometry& geometry) {
    const ConvolutionShape& shape = geometry.shape;
    countProducts(x, ProductKind::Convolution, geometry.rows * matrix.numel());
    at::Tensor output = at::empty({geometry.rows, matrix.size(1)}, x.options());
    const at::Tensor factor = geometry.widened ? matrix.to(at::kFloat) : matrix;
    const at::Tensor added = geometry.widened && bias.defined() ? bias.to(at::kFloat) : bias;
    for (int64_t begin = 0; begin < geometry.rows; begin += geometry.chunkRows) {
        const int64_t end = std::min(begin + geometry.chunkRows, geometry.rows);
        const at::Tensor columns = columnsOf(x, geometry, begin, end);
        at::Tensor piece = output.slice(0, begin, end);
        matrixProductInto(piece, added, columns, factor);
    }
    return asPicture(output, shape.batch, shape.outputHeight(), shape.outputWidth());
}

/// Memory of the result's shape with nothing in it.
at::Tensor emptyResult(const at::Tensor& x, const at::Tensor& weight, const Geometry& geometry) {
    const ConvolutionShape& shape = geometry.shape;
    return asPicture(at::empty({geometry.rows, weight.size(0)}, x.options()), shape.batch,
                     shape.outputHeight(), shape.outputWidth());
}

/// sum += piece, of another type, by stretches: LibTorch would first make a copy of all of the piece in the
/// sum's type, on the host alone, so that no rehearsal would see it.
/// Shapes: sum, piece [O, K]
void addByStretches(const at::Tensor& sum, const at::Tensor& piece) {
    constexpr int64_t kStretchElements = int64_t{1} << 18;
    const int64_t rows = std::max<int64_t>(kStretchElements / sum.size(1), 1);
    for (int64_t begin = 0; begin < sum.size(0); begin += rows) {
        const int64_t count = std::min(rows, sum.size(0) - begin);
        sum.narrow(0, begin, count).add_(piece.narrow(0, begin, count));
    }
}

/// Pieces are summed in fp32, so that their number costs no precision.
at::Tensor weightGradient(const at::Tensor& x, const at::Tensor& gradRows, const at::Tensor& weight,
                          const Geometry& geometry) {
    countProducts(x, ProductKind::ConvolutionWeights, geometry.rows * weight.numel());
    at::Tensor sum;
    for (int64_t begin = 0; begin < geometry.rows; begin += geometry.chunkRows) {
        const int64_t end = std::min(begin + geometry.chunkRows, geometry.rows);
        const at::Tensor columns = columnsOf(x, geometry, begin, end);
        if (geometry.widened) {
            addTransposedProduct(sum, gradRows.slice(0, begin, end), columns);
            continue;
        }
        const at::Tensor piece = transposedProduct(gradRows.slice(0, begin, end), columns);
        if (sum.defined())
            addByStretches(sum, piece);
        else
            sum = end == geometry.rows ? piece : piece.to(at::kFloat);
    }
    return sum.to(weight.scalar_type())
        .view({weight.size(0), weight.size(2), weight.size(3), weight.size(1)})
        .permute({0, 3, 1, 2});
}

/// Output rows [first, last) of one picture whose patches touch its input rows [begin, end).
std::pair<int64_t, int64_t> touchingRows(const ConvolutionShape& shape, int64_t begin, int64_t end) {
    const int64_t first =
        std::max<int64_t>(0, (begin + shape.padding - shape.kernelHeight + shape.stride) / shape.stride);
    const int64_t last = std::min(shape.outputHeight(), (end - 1 + shape.padding) / shape.stride + 1);
    return {first, std::max(first, last)};
}

template <class T>
void sumColumns(const at::Tensor& columns, at::Tensor& gradInput, const ConvolutionShape& shape,
                int64_t firstRow, int64_t pixelBegin, int64_t pixelEnd) {
    overHost(columns, pixelBegin, pixelEnd, kGrainRows, [&](int64_t first, int64_t last) {
        kernels::col2im(read<T>(columns), static_cast<T*>(gradInput.data_ptr()), shape, firstRow, first,
                        last);
    });
}

void col2im(const at::Tensor& columns, at::Tensor& gradInput, const ConvolutionShape& shape, int64_t firstRow,
            int64_t pixelBegin, int64_t pixelEnd) {
    if (columns.scalar_type() == at::kFloat)
        sumColumns<float>(columns, gradInput, shape, firstRow, pixelBegin, pixelEnd);
    else if (columns.scalar_type() == at::kHalf)
        sumColumns<kernels::Half>(columns, gradInput, shape, firstRow, pixelBegin, pixelEnd);
    else
        sumColumns<kernels::Bf16>(columns, gradInput, shape, firstRow, pixelBegin, pixelEnd);
}

/// The matrix that takes patches of the output's gradient to the input's gradient: the weight with its taps
/// in reverse order. Shapes: weight [O, C, kh, kw] -> [kh * kw * O, C]
at::Tensor reversedMatrix(const at::Tensor& weight) {
    const int64_t taps = weight.size(2) * weight.size(3);
    const at::Tensor matrix = at::empty({taps, weight.size(0), weight.size(1)}, weight.options());
    for (int64_t tap = 0; tap < taps; ++tap)
        matrix[tap].copy_(
            weight.select(2, (taps - 1 - tap) / weight.size(3)).select(2, (taps - 1 - tap) % weight.size(3)));
    return matrix.view({-1, weight.size(1)});
}

/// With stride 1 the gradient is itself a convolution, of the output's gradient with the reversed weight.
/// For few pixels and many channels, reversing the weight would cost more than summing columns.
bool gradientAsConvolution(const Geometry& geometry, int64_t outputChannels) {
    const ConvolutionShape& shape = geometry.shape;
    return shape.stride == 1 && shape.kernelHeight == shape.kernelWidth &&
           shape.padding < shape.kernelWidth && geometry.rows >= outputChannels;
}

/// The same by bands of input rows: the columns of a band are made, summed and dropped before the next.
/// In bf16 and fp16 every column is rounded before it is summed.
at::Tensor bandedInputGradient(const at::Tensor& gradRows, const at::Tensor& weight,
                               const Geometry& geometry) {
    const ConvolutionShape& shape = geometry.shape;
    countProducts(gradRows, ProductKind::Convolution, geometry.rows * weight.numel());
    const at::Tensor matrix = weightMatrix(weight);
    const int64_t pixels = shape.batch * shape.height * shape.width;
    at::Tensor gradInput = at::empty({pixels, shape.channels}, gradRows.options());
    const int64_t rowsAtATime =
        rowsIn(kMostPatchBytes, geometry, static_cast<int64_t>(gradRows.element_size()));
    if (geometry.rows <= rowsAtATime) {
        col2im(matrixProduct(gradRows, matrix), gradInput, shape, 0, 0, pixels);
        return asPicture(gradInput, shape.batch, shape.height, shape.width);
    }
    const int64_t bandHeight =
        std::clamp<int64_t>(rowsAtATime / shape.outputWidth() * shape.stride, 1, shape.height);
    for (int64_t image = 0; image < shape.batch; ++image) {
        for (int64_t y = 0; y < shape.height; y += bandHeight) {
            const int64_t yEnd = std::min(y + bandHeight, shape.height);
            const auto [top, bottom] = touchingRows(shape, y, yEnd);
            const int64_t firstRow = (image * shape.outputHeight() + top) * shape.outputWidth();
            const int64_t lastRow = (image * shape.outputHeight() + bottom) * shape.outputWidth();
            col2im(matrixProduct(gradRows.slice(0, firstRow, lastRow), matrix), gradInput, shape, firstRow,
                   (image * shape.height + y) * shape.width, (image * shape.height + yEnd) * shape.width);
        }
    }
    return asPicture(gradInput, shape.batch, shape.height, shape.width);
}

at::Tensor inputGradient(const at::Tensor& gradRows, const at::Tensor& weight, const Geometry& geometry) {
    const ConvolutionShape& shape = geometry.shape;
    if (geometry.pointwise) {
        countProducts(gradRows, ProductKind::Convolution, geometry.rows * weight.numel());
        return asPicture(matrixProduct(gradRows, weightMatrix(weight)), shape.batch, shape.height,
                         shape.width);
    }
    if (!gradientAsConvolution(geometry, weight.size(0)))
        return bandedInputGradient(gradRows, weight, geometry);
    const at::Tensor gradOutput = asPicture(gradRows, shape.batch, shape.outputHeight(), shape.outputWidth());
    const int64_t padding = shape.kernelWidth - 1 - shape.padding;
    return multiplyPatches(gradOutput, reversedMatrix(weight), {},
                           geometryOf(gradOutput, weight, padding, 1));
}

/// Of forward of either convolution: their number, and the place of the bias, which comes before what is not
/// always there: LibTorch counts tensors that are.
constexpr size_t kArguments = 8;
constexpr size_t kBias = 2;

/// What backward of either convolution asks for.
void remember(torch::autograd::AutogradContext& context, const at::Tensor& x, const StoredWeight& weight,
              const std::optional<at::Tensor>& bias, int64_t padding, int64_t stride) {
    context.save_for_backward({x, weight.values, weight.scales});
    context.saved_data["biased"] = bias.has_value();
    context.saved_data["padding"] = padding;
    context.saved_data["stride"] = stride;
}

class GemmConvolution : public torch::autograd::Function<GemmConvolution> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                              const at::Tensor& values, const std::optional<at::Tensor>& bias,
                              const std::optional<at::Tensor>& scales, int64_t padding, int64_t stride,
                              ResultUse use, const std::optional<at::Tensor>& known) {
        const StoredWeight weight(values, scales.value_or(at::Tensor()));
        remember(*context, x, weight, bias, padding, stride);
        if (known) return known->detach();
        const Geometry geometry = geometryOf(x, values, padding, stride);
        if (use == ResultUse::GradientsOnly) return emptyResult(x, values, geometry);
        return multiplyPatches(x, weightMatrix(weight.whole(x.scalar_type())).t(),
                               bias.value_or(at::Tensor()), geometry);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor& x = saved[0];
        const StoredWeight weight(saved[1], saved[2]);
        const Geometry geometry = geometryOf(x, weight.values, context->saved_data["padding"].toInt(),
                                             context->saved_data["stride"].toInt());
        const at::Tensor gradRows = asMatrix(gradients[0].contiguous(at::MemoryFormat::ChannelsLast));
        torch::autograd::variable_list result(kArguments);
        if (context->needs_input_grad(0))
            result[0] = inputGradient(gradRows, weight.whole(x.scalar_type()), geometry);
        if (context->needs_input_grad(1)) result[1] = weightGradient(x, gradRows, weight.values, geometry);
        if (context->saved_data["biased"].toBool() && context->needs_input_grad(kBias))
            result[kBias] = gradRows.sum(0);
        return result;
    }
};

/// What cuDNN works in. Undefined where a weight has numbers.
at::Tensor rehearsedWorkspace(const at::Tensor& weight) {
    if (!weight.is_meta()) return {};
    const WithinProduct scope;
    const int64_t bytes = gpuConvolutionBytes(weight.numel() * int64_t{sizeof(float)});
    return at::empty({bytes}, weight.options().dtype(at::kByte));
}

int64_t multiplyAdds(const at::Tensor& x, const at::Tensor& weight, int64_t padding, int64_t stride) {
    return geometryOf(x, weight, padding, stride).rows * weight.numel();
}

/// LibTorch's own convolution, which leaves the values out where they are known or not wanted.
class DirectConvolution : public torch::autograd::Function<DirectConvolution> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                              const at::Tensor& values, const std::optional<at::Tensor>& bias,
                              const std::optional<at::Tensor>& scales, int64_t padding, int64_t stride,
                              ResultUse use, const std::optional<at::Tensor>& known) {
        const StoredWeight stored(values, scales.value_or(at::Tensor()));
        remember(*context, x, stored, bias, padding, stride);
        if (known) return known->detach();
        if (x.is_meta()) countProducts(x, ProductKind::Convolution, multiplyAdds(x, values, padding, stride));
        const at::Tensor weight = use == ResultUse::GradientsOnly ? values : stored.whole(x.scalar_type());
        const at::Tensor workspace = rehearsedWorkspace(weight);
        if (use == ResultUse::GradientsOnly || x.is_meta())
            return emptyResult(x, values, geometryOf(x, values, padding, stride));
        return at::conv2d(x, weight, bias.value_or(at::Tensor()), {stride, stride}, {padding, padding});
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const int64_t padding = context->saved_data["padding"].toInt();
        const int64_t stride = context->saved_data["stride"].toInt();
        const std::array<int64_t, 1> biasSize{saved[1].size(0)};
        const bool biased = context->saved_data["biased"].toBool() && context->needs_input_grad(kBias);
        if (saved[0].is_meta()) return rehearsed(*context, gradients[0], biased);
        const at::Tensor weight = StoredWeight(saved[1], saved[2]).whole(saved[0].scalar_type());
        const auto [gradInput, gradWeight, gradBias] = at::convolution_backward(
            gradients[0], saved[0], weight, at::IntArrayRef(biasSize), {stride, stride}, {padding, padding},
            {1, 1}, /*transposed=*/false, {0, 0}, /*groups=*/1,
            {context->needs_input_grad(0), context->needs_input_grad(1), biased});
        torch::autograd::variable_list result(kArguments);
        result[0] = gradInput;
        result[1] = gradWeight;
        result[kBias] = gradBias;
        return result;
    }

private:
    /// What a GPU's library takes.
    static torch::autograd::variable_list rehearsed(const torch::autograd::AutogradContext& context,
                                                    const at::Tensor& gradient, bool biased) {
        const auto saved = context.get_saved_variables();
        const int64_t count = multiplyAdds(saved[0], saved[1], context.saved_data.at("padding").toInt(),
                                           context.saved_data.at("stride").toInt());
        const at::Tensor gradOutput = gradient.contiguous(at::MemoryFormat::ChannelsLast);
        torch::autograd::variable_list result(kArguments);
        const at::Tensor weight = StoredWeight(saved[1], saved[2]).whole(saved[0].scalar_type());
        const at::Tensor workspace = rehearsedWorkspace(weight);
        if (context.needs_input_grad(0)) {
            countProducts(gradOutput, ProductKind::Convolution, count);
            result[0] = at::empty_like(saved[0]);
        }
        if (context.needs_input_grad(1)) {
            countProducts(gradOutput, ProductKind::ConvolutionWeights, count);
            result[1] = at::empty_like(saved[1]);
        }
        if (biased) result[kBias] = at::empty({weight.size(0)}, weight.options());
        return result;
    }
};

bool servedByGemm(const at::Tensor& x, const StoredWeight& weight) {
    const at::ScalarType type = x.scalar_type();
    const bool known = type == at::kFloat || type == at::kBFloat16 || type == at::kHalf;
    return onHost(x) && (weight.isQuantized() || type == weight.values.scalar_type()) && known &&
           weight.values.size(2) * weight.values.size(3) <= kMaxKernelArea;
}

} // namespace

at::Tensor convolve(const at::Tensor& x, const StoredWeight& weight, const at::Tensor& bias, int64_t padding,
                    int64_t stride, ResultUse use, const at::Tensor& known) {
    const at::Tensor& values = weight.values;
    TORCH_CHECK(x.dim() == 4 && values.dim() == 4 && x.size(1) == values.size(1), "convolution of ",
                x.sizes(), " with a weight of ", values.sizes(), ": the second sizes must be equal");
    const at::Tensor input = x.contiguous(at::MemoryFormat::ChannelsLast);
    if (use == ResultUse::ValuesAlone && !at::GradMode::is_enabled() &&
        winogradServes(input, weight, padding, stride))
        return convolveByWinograd(input, weight.whole(input.scalar_type()), bias);
    if (!servedByGemm(input, weight))
        return DirectConvolution::apply(input, values, given(bias), given(weight.scales), padding, stride,
                                        use, given(known));
    return GemmConvolution::apply(input, values, given(bias), given(weight.scales), padding, stride, use,
                                  given(known));
}

} // namespace homebooth::core
