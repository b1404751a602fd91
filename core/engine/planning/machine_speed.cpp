// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/machine_speed.h"

#include "core/engine/graph/autograd_pass.h"
#include "core/engine/io/precision.h"
#include "core/engine/memory/cuda_link.h"
#include "core/engine/memory/device_wait.h"
#include "core/engine/memory/ram_tensor.h"
#include "core/engine/nn/attention.h"
#include "core/engine/nn/convolution.h"
#include "core/engine/nn/linear.h"
#include "core/engine/nn/normalization.h"
#include "core/engine/nn/stored_weight.h"
#include "core/engine/optim/lone_parameter.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <functional>

namespace homebooth::core {
namespace {

using Call = std::function<void()>;
/// Makes the tensors of a call on a device; the call can be repeated.
using Prepare = std::function<Call(const at::TensorOptions&)>;

/// Of a product at most: enough to measure, not enough to be waited for.
constexpr double kMostMultiplyAdds = 2e9;
/// Of a linear layer's weight at most, elements: wide language models are measured with narrower layers.
constexpr int64_t kMostWeight = int64_t{1} << 24;
constexpr int64_t kHeadSize = 40; // of Stable Diffusion 1; others are twice as wide

/// One level of a denoiser.
struct Level {
    int64_t channels = 0;
    int64_t side = 0; // of its latents
};

/// The same call measured and rehearsed.
struct Probe {
    RehearsedWork work;
    double seconds = 0.0;
};

double clockSeconds(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Taken {
    double seconds = 0.0;
    double workSeconds = 0.0; ///< of this thread, or of all of them by their number if that is more
};

Taken takenBy(at::Device device, const Call& call) {
    const double start = clockSeconds(CLOCK_MONOTONIC);
    const double ownStart = clockSeconds(CLOCK_THREAD_CPUTIME_ID);
    const double allStart = clockSeconds(CLOCK_PROCESS_CPUTIME_ID);
    call();
    waitForDevice(device);
    const double own = clockSeconds(CLOCK_THREAD_CPUTIME_ID) - ownStart;
    const double all = clockSeconds(CLOCK_PROCESS_CPUTIME_ID) - allStart;
    return {clockSeconds(CLOCK_MONOTONIC) - start, std::max(own, all / at::get_num_threads())};
}

} // namespace

double leastSeconds(at::Device device, const Call& call) {
    constexpr double kEnoughSeconds = 0.02; // of measuring
    constexpr int kCalls = 6;
    constexpr double kAlone = 1.5; // times the work, at most, as long as nobody else has the processors
    call();
    Taken least = takenBy(device, call);
    double sum = least.seconds;
    for (int further = 1; further < kCalls && sum < kEnoughSeconds; ++further) {
        const Taken taken = takenBy(device, call);
        least.seconds = std::min(least.seconds, taken.seconds);
        least.workSeconds = std::min(least.workSeconds, taken.workSeconds);
        sum += taken.seconds;
    }
    // Threads that wait for one whose processor another program has: hardly a call is free of that then.
    const bool shared = device.is_cpu() && least.seconds > kAlone * least.workSeconds;
    return std::max(shared ? least.workSeconds : least.seconds, 1e-9);
}

namespace {

Probe probe(const at::TensorOptions& options, const Prepare& prepare) {
    Probe found;
    found.seconds = leastSeconds(options.device(), prepare(options));
    const Call walked = prepare(options.device(at::kMeta));
    const RehearsedMemory memory(options.device().type());
    walked();
    found.work = memory.work();
    return found;
}

/// Drawn numbers, since products of ones or zeros may be faster than any that occur; a few, again and again,
/// since drawing takes longer than what is measured.
at::Tensor normal(at::IntArrayRef shape, const at::TensorOptions& options) {
    constexpr int64_t kDrawn = int64_t{1} << 16;
    if (options.device().is_meta()) return at::empty(shape, options);
    const int64_t count = c10::multiply_integers(shape);
    const at::Tensor drawn = at::randn({std::min(count, kDrawn)}, options.dtype(at::kFloat));
    return drawn.to(options.dtype().toScalarType())
        .repeat({(count + kDrawn - 1) / kDrawn})
        .slice(0, 0, count)
        .view(shape);
}

at::Tensor channelsLast(const at::Tensor& x) {
    return x.contiguous(at::MemoryFormat::ChannelsLast);
}

/// A call that differentiates `y` for `x`, again and again.
Call gradientOf(const at::Tensor& y, std::vector<at::Tensor> x) {
    const at::Tensor gradient = at::empty_like(y).fill_(1e-3);
    return [y, x = std::move(x), gradient] {
        static_cast<void>(autogradPass({y}, x, {gradient}, {.retainGraph = true}));
    };
}

Call ofProduct(ProductKind kind, const std::function<at::Tensor()>& product, at::Tensor& x,
               at::Tensor& weight) {
    if (kind == ProductKind::Convolution || kind == ProductKind::Linear || kind == ProductKind::Attention)
        return [product] {
            const at::NoGradGuard values;
            static_cast<void>(product());
        };
    const at::AutoGradMode recording(true);
    at::Tensor& wanted = kind == ProductKind::AttentionGradient ? x : weight;
    wanted.requires_grad_(true);
    return gradientOf(product(), {wanted});
}

Prepare convolution(ProductKind kind, const Level& level, int64_t batch) {
    const double wanted = 9.0 * static_cast<double>(batch * level.channels * level.channels);
    const auto side = std::min(level.side, static_cast<int64_t>(std::sqrt(kMostMultiplyAdds / wanted)) + 1);
    return [=](const at::TensorOptions& options) {
        at::Tensor x = channelsLast(normal({batch, level.channels, side, side}, options));
        at::Tensor weight = channelsLast(normal({level.channels, level.channels, 3, 3}, options));
        return ofProduct(
            kind, [x, weight] { return convolve(x, weight, {}, 1, 1); }, x, weight);
    };
}

int64_t tokensOf(const Level& level, int64_t batch, double multiplyAddsPerToken) {
    const auto most = static_cast<int64_t>(kMostMultiplyAdds / multiplyAddsPerToken) + 1;
    return std::min(batch * level.side * level.side, most);
}

/// What a layer between attentions makes of a level's channels.
int64_t widened(const Level& level) {
    constexpr int64_t kWidening = 4;
    return std::min(kWidening * level.channels, kMostWeight / level.channels);
}

Prepare linear(ProductKind kind, const Level& level, int64_t batch) {
    const int64_t wide = widened(level);
    const int64_t tokens = tokensOf(level, batch, static_cast<double>(wide * level.channels));
    return [=](const at::TensorOptions& options) {
        at::Tensor x = normal({1, tokens, level.channels}, options);
        at::Tensor weight = normal({wide, level.channels}, options);
        return ofProduct(
            kind, [x, weight] { return linearProduct(x, weight, {}); }, x, weight);
    };
}

Prepare attention(ProductKind kind, const Level& level) {
    constexpr int64_t kHeads = 8;
    const double products = kind == ProductKind::Attention ? 2.0 : 5.0;
    const double wanted = std::sqrt(kMostMultiplyAdds / (products * kHeads * kHeadSize));
    const int64_t tokens = std::min(level.side * level.side, static_cast<int64_t>(wanted) + 1);
    return [=](const at::TensorOptions& options) {
        at::Tensor q = normal({1, tokens, kHeads * kHeadSize}, options);
        at::Tensor k = q.clone();
        const at::Tensor v = q.clone();
        return ofProduct(
            kind, [=] { return attend(q, k, v, {.heads = kHeads}); }, q, k);
    };
}

/// Norms, activations and sums, forward and backward, as they stand between products.
Prepare between(const Level& level, int64_t batch) {
    constexpr int64_t kMostElements = int64_t{2} << 20;
    constexpr double kEpsilon = 1e-5;
    const auto most = static_cast<int64_t>(
        std::sqrt(static_cast<double>(kMostElements) / static_cast<double>(batch * level.channels)));
    const int64_t side = std::min(level.side, most + 1);
    const int64_t groups = level.channels % 32 == 0 ? 32 : 1;
    return [=](const at::TensorOptions& options) -> Call {
        const at::Tensor x =
            channelsLast(normal({batch, level.channels, side, side}, options)).requires_grad_(true);
        const at::Tensor weight = normal({level.channels}, options).requires_grad_(true);
        const at::Tensor bias = normal({level.channels}, options).requires_grad_(true);
        return [=] {
            const at::AutoGradMode recording(true);
            const at::Tensor y = normalizeGroups(x, weight, bias, groups, kEpsilon, /*silu=*/true) + x;
            const at::Tensor rows = y.permute({0, 2, 3, 1}).reshape({batch, side * side, level.channels});
            const at::Tensor normed = normalizeRows(rows, weight, bias, kEpsilon);
            const at::Tensor gated = normed * at::gelu(rows) + rows;
            static_cast<void>(autogradPass({gated}, {x, weight, bias}, {gated.detach()}));
        };
    };
}

constexpr int64_t kUpdatedColumns = 1024;
constexpr int64_t kFewUpdatedRows = 1024;

/// How long an update of so many elements takes.
double updateSeconds(at::Device device, const OptimizerConfig& config, at::ScalarType type, int64_t rows,
                     Workers workers = Workers::All) {
    LoneParameter lone(config, {rows, kUpdatedColumns}, type, device);
    lone.gradient = normal(lone.parameter().sizes(), lone.parameter().options());
    return leastSeconds(device, [&] { lone.update(workers); });
}

double updatedPerSecond(at::Device device, const OptimizerConfig& config, at::ScalarType type) {
    return static_cast<double>(kFewUpdatedRows * kUpdatedColumns) /
           updateSeconds(device, config, type, kFewUpdatedRows);
}

/// Bytes that an update touches of each element, about: parameter, gradient, states, master; of
/// Adafactor also the gradient in fp32, the change and the exact values, and no states to speak of.
int64_t touchedBytes(const OptimizerConfig& config, at::ScalarType type) {
    constexpr int64_t kExact = sizeof(float);
    const auto own = static_cast<int64_t>(c10::elementSize(type));
    const int64_t master = config.master == MasterWeights::Fp32 && own < kExact ? kExact : 0;
    if (config.kind == OptimizerKind::Adafactor) return 2 * own + 3 * kExact + master;
    int64_t state = config.states == StateType::Bf16 ? 2 : kExact;
    if (config.kind == OptimizerKind::AdamW8bit) state = 1;
    return 2 * own + 2 * state + master;
}

double operationSeconds(const at::TensorOptions& options) {
    constexpr int kOperations = 200;
    const at::NoGradGuard values;
    const at::Tensor small = at::ones({1}, options);
    return leastSeconds(options.device(),
                        [&] {
                            for (int i = 0; i < kOperations; ++i) static_cast<void>(at::silu(small));
                        }) /
           kOperations;
}

/// Of integers and of the weight that is made of them: as wide as a linear layer between attentions, so that
/// it hardly lies in a cache.
double unpackedPerSecond(const at::TensorOptions& options, const Level& level) {
    constexpr int64_t kRows = 2048; // at least
    const int64_t rows = std::max(widened(level), kRows);
    const StoredWeight stored(
        at::ones({rows, level.channels}, at::TensorOptions().dtype(at::kChar).device(options.device())),
        at::ones({rows}, at::TensorOptions().dtype(at::kFloat).device(options.device())));
    const at::ScalarType type = options.dtype().toScalarType();
    const auto bytes =
        static_cast<double>(stored.values.numel()) * static_cast<double>(1 + c10::elementSize(type));
    return bytes / leastSeconds(options.device(), [&] { static_cast<void>(stored.whole(type)); });
}

constexpr int64_t kCopiedBytes = int64_t{32} << 20;

/// From RAM to the device, which may be a part of the same memory, the way a link copies.
double copiedPerSecond(at::Device device) {
    const at::Tensor source = ramTensor(kCopiedBytes, device).fill_(1); // pages that are there
    const at::Tensor target = at::empty({kCopiedBytes}, source.options().device(device));
    std::unique_ptr<CudaLink> link;
    if (device.is_cuda()) link = std::make_unique<CudaLink>(device, LinkDirection::ToHost);
    const double seconds = leastSeconds(device, [&] {
        if (link)
            link->wait(link->copy(target.data_ptr(), source.const_data_ptr(), kCopiedBytes));
        else
            std::memcpy(target.data_ptr(), source.const_data_ptr(), static_cast<size_t>(kCopiedBytes));
    });
    return static_cast<double>(kCopiedBytes) / seconds;
}

/// In each direction while the other one is in use as well: to a GPU and from it.
double copiedBothWaysPerSecond(at::Device gpu) {
    constexpr int64_t kHalf = kCopiedBytes / 2;
    const at::Tensor inRam = ramTensor(kCopiedBytes, gpu).fill_(1);
    const at::Tensor there = at::empty({kCopiedBytes}, inRam.options().device(gpu));
    auto* const ram = static_cast<std::byte*>(inRam.data_ptr());
    auto* const device = static_cast<std::byte*>(there.data_ptr());
    CudaLink coming(gpu, LinkDirection::ToHost); // for both, this thread waits
    CudaLink going(gpu, LinkDirection::ToHost);
    const double seconds = leastSeconds(gpu, [&] {
        const LinkTicket came = coming.copy(device, ram, kHalf);
        const LinkTicket went = going.copy(ram + kHalf, device + kHalf, kHalf);
        coming.wait(came);
        going.wait(went);
    });
    return static_cast<double>(kHalf) / seconds;
}

/// The levels that most of the time goes into: the widest picture, and the widest but one channels.
std::vector<Level> levelsOf(const TrainConfig& config, const ModelSource& model) {
    if (model.language) {
        const auto tokens = static_cast<double>(std::max<int64_t>(config.data.contextTokens, 1));
        return {{model.language->config.hiddenSize, static_cast<int64_t>(std::ceil(std::sqrt(tokens)))}};
    }
    const std::vector<int64_t>& channels = model.unet.blockOutChannels;
    const int64_t side = std::max<int64_t>(config.data.resolutionPixels / model.vae.downscale(), 1);
    const size_t middle = channels.size() / 2;
    std::vector<Level> levels = {{channels.front(), side}};
    if (middle > 0) levels.push_back({channels[middle], std::max<int64_t>(side >> middle, 1)});
    return levels;
}

/// What is left of a product's time when memory and overhead have theirs; they are counted by themselves.
void setRate(MachineSpeed& speed, ProductKind kind, const std::vector<Probe>& probes) {
    constexpr double kLeastShare = 0.3; // of the time: columns of a convolution may stay in the cache
    double multiplyAdds = 0.0;
    double seconds = 0.0;
    for (const Probe& one : probes) {
        RehearsedWork rest = one.work;
        rest.multiplyAdds = {};
        multiplyAdds += static_cast<double>(one.work.allMultiplyAdds());
        seconds += std::max(one.seconds - speed.seconds(rest), kLeastShare * one.seconds);
    }
    speed.multiplyAddsPerSecond[static_cast<size_t>(kind)] = multiplyAdds / seconds;
}

/// Of layers. A model without convolutions has the rates of linear ones for them: one that is as wide as a
/// language model would take more memory than all else here.
void setRates(MachineSpeed& speed, const at::TensorOptions& options, const std::vector<Level>& levels,
              int64_t batch, bool convolves) {
    const auto measure = [&](ProductKind kind, const auto& prepare) {
        std::vector<Probe> probes;
        for (const Level& level : levels) probes.push_back(probe(options, prepare(kind, level, batch)));
        setRate(speed, kind, probes);
    };
    measure(ProductKind::Linear, linear);
    measure(ProductKind::LinearWeights, linear);
    if (convolves) {
        measure(ProductKind::Convolution, convolution);
        measure(ProductKind::ConvolutionWeights, convolution);
        return;
    }
    const auto rateOf = [&](ProductKind kind) -> double& {
        return speed.multiplyAddsPerSecond[static_cast<size_t>(kind)];
    };
    rateOf(ProductKind::Convolution) = rateOf(ProductKind::Linear);
    rateOf(ProductKind::ConvolutionWeights) = rateOf(ProductKind::LinearWeights);
}

} // namespace

MachineSpeed MachineSpeed::uniform(double multiplyAddsPerSecond, double bytesPerSecond,
                                   double secondsPerOperation, double updatedElementsPerSecond) {
    MachineSpeed speed;
    speed.multiplyAddsPerSecond.fill(multiplyAddsPerSecond);
    speed.bytesPerSecond = bytesPerSecond;
    speed.unpackedBytesPerSecond = kPassesPerResult * bytesPerSecond;
    speed.secondsPerOperation = secondsPerOperation;
    speed.updatedElementsPerSecond = speed.updatedInRamPerSecond = updatedElementsPerSecond;
    return speed;
}

double MachineSpeed::seconds(const RehearsedWork& work) const {
    double sum = static_cast<double>(work.allocatedBytes) / bytesPerSecond +
                 static_cast<double>(work.allocations) * secondsPerOperation;
    if (work.unpackedBytes > 0) sum += static_cast<double>(work.unpackedBytes) / unpackedBytesPerSecond;
    for (size_t kind = 0; kind < kProductKinds; ++kind)
        if (work.multiplyAdds[kind] > 0)
            sum += static_cast<double>(work.multiplyAdds[kind]) / multiplyAddsPerSecond[kind];
    return sum;
}

double updatedInRamPerSecond(const OptimizerConfig& config, at::ScalarType type) {
    constexpr int64_t kTouchedBytes = int64_t{160} << 20;
    constexpr double kMostSeconds = 0.1; // of one update
    const auto seconds = [&](int64_t rows) {
        return updateSeconds(at::kCPU, config, type, rows, Workers::Most);
    };
    const auto perSecond = [](int64_t rows, double taken) {
        return static_cast<double>(rows * kUpdatedColumns) / taken;
    };
    const double few = seconds(kFewUpdatedRows);
    const int64_t wanted = kTouchedBytes / touchedBytes(config, type) / kUpdatedColumns;
    const auto most = static_cast<int64_t>(kMostSeconds / few * static_cast<double>(kFewUpdatedRows));
    const int64_t rows = std::min(wanted, most);
    return rows > kFewUpdatedRows ? perSecond(rows, seconds(rows)) : perSecond(kFewUpdatedRows, few);
}

MachineSpeed measureSpeed(at::Device device, const TrainConfig& config, const ModelSource& model) {
    const TierScope notTheSteps(Tier::Ram);
    const at::ScalarType type = scalarTypeOf(config.precision);
    const auto options = at::TensorOptions().dtype(type).device(device);
    const std::vector<Level> levels = levelsOf(config, model);
    MachineSpeed speed;
    speed.secondsPerOperation = operationSeconds(options);
    const Probe memory = probe(options, between(levels.front(), config.ownBatchSize()));
    const double overhead = static_cast<double>(memory.work.allocations) * speed.secondsPerOperation;
    speed.bytesPerSecond = static_cast<double>(memory.work.allocatedBytes) /
                           std::max(memory.seconds - overhead, memory.seconds / 2);
    setRates(speed, options, levels, config.ownBatchSize(), /*convolves=*/!model.language);
    for (const ProductKind kind : {ProductKind::Attention, ProductKind::AttentionGradient})
        setRate(speed, kind, {probe(options, attention(kind, levels.front()))});
    speed.unpackedBytesPerSecond = config.quantization != Quantization::None
                                       ? unpackedPerSecond(options, levels.back())
                                       : kPassesPerResult * speed.bytesPerSecond;
    speed.linkBytesPerSecond = copiedPerSecond(device);
    if (device.is_cuda()) speed.linkBothWaysBytesPerSecond = copiedBothWaysPerSecond(device);
    speed.updatedElementsPerSecond = updatedPerSecond(device, config.optimizer, type);
    speed.updatedInRamPerSecond =
        device.is_cpu() ? speed.updatedElementsPerSecond : updatedInRamPerSecond(config.optimizer, type);
    speed.updatesBeside = !device.is_cpu();
    return speed;
}

} // namespace homebooth::core
