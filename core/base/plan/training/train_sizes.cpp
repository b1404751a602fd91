// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/train_sizes.h"

#include "core/base/schedule/quantized_weights.h"

#include <algorithm>

namespace homebooth::core {
namespace {

/// A small model's training took 207 MB with all that it needs.
constexpr int64_t kProgramBytes = int64_t{260} << 20;
/// What trainings with everything on an H200 had resident at most was 1.36 to 1.52 GB
/// (tests/results/gpu/h200.json, peakResidentBytes), and of those that streamed 1.20 and 1.25 GB were not
/// what is planned of RAM. CUDA's libraries are most of it, with pages of files that are mapped.
constexpr int64_t kProgramBytesWithGpu = int64_t{1300} << 20;

int64_t trainableBytes(const Schedule& schedule, int64_t elementBytes) {
    int64_t bytes = 0;
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters)
            if (parameter.trainable) bytes += parameter.byteCount(elementBytes);
    return bytes;
}

/// Bytes of an fp32 copy of a parameter in another type, where one is wanted.
int64_t masterBytes(const ParameterSpec& parameter, const TrainConfig& config) {
    const bool wanted = config.optimizer.master == MasterWeights::Fp32 &&
                        config.precision != Precision::Fp32 && parameter.storage != StorageType::Float32;
    return wanted ? parameter.elementCount() * kFloatBytes : 0;
}

int64_t masterBytes(const Schedule& schedule, const TrainConfig& config) {
    int64_t bytes = 0;
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters)
            if (parameter.trainable) bytes += masterBytes(parameter, config);
    return bytes;
}

/// Of a parameter's second moment as Adafactor keeps it: means over the last side and over the one before,
/// of a convolution those of its kernel.
int64_t factoredElements(const ParameterSpec& parameter) {
    const int64_t count = parameter.elementCount();
    const size_t sides = parameter.shape.size();
    if (sides < 2) return count;
    const auto meansOver = [&](size_t side) { return count / std::max<int64_t>(parameter.shape[side], 1); };
    return meansOver(sides - 1) + meansOver(sides - 2);
}

/// Bytes of the optimizer's moments for one parameter.
int64_t stateBytes(const ParameterSpec& parameter, const OptimizerConfig& optimizer) {
    const int64_t count = parameter.elementCount();
    constexpr int64_t kQuantisationBlock = 256; // one fp32 scale for each, in both moments
    switch (optimizer.kind) {
    case OptimizerKind::AdamW:
        return 2 * count * (optimizer.states == StateType::Fp32 ? kFloatBytes : 2);
    case OptimizerKind::AdamW8bit:
        return 2 * (count + (count + kQuantisationBlock - 1) / kQuantisationBlock * kFloatBytes);
    case OptimizerKind::Adafactor:
        return factoredElements(parameter) * kFloatBytes;
    }
    return 0;
}

int64_t stateBytes(const Schedule& schedule, const OptimizerConfig& optimizer) {
    int64_t bytes = 0;
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters)
            if (parameter.trainable) bytes += stateBytes(parameter, optimizer);
    return bytes;
}

} // namespace

int64_t programBytes(bool gpu) {
    return gpu ? kProgramBytesWithGpu : kProgramBytes;
}

int64_t bytesOf(Precision precision) {
    return precision == Precision::Fp32 ? kFloatBytes : 2;
}

int64_t parameterBytes(const Schedule& schedule, int64_t elementBytes) {
    int64_t bytes = 0;
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters) bytes += parameter.byteCount(elementBytes);
    return bytes;
}

int64_t paddingBytes(const Schedule& schedule, int64_t ofParameters, bool gpu) {
    constexpr int64_t kShareOfPadding = 32;
    constexpr int64_t kSmallestChunk = int64_t{64} << 10;
    if (!gpu) return 0;
    const auto blocks = static_cast<int64_t>(schedule.blocks().size());
    return std::max(ofParameters / kShareOfPadding, std::min(ofParameters, blocks * kSmallestChunk));
}

void TrainSizes::addLearning(const Schedule& schedule, const InputShape& shape) {
    const OptimizerConfig& optimizer = m_config.optimizer;
    const int64_t trainable = schedule.trainableCount();
    const int64_t parameters = parameterBytes(schedule, m_elementBytes);
    tier.parameterBytes += parameters + paddingBytes(schedule, parameters, m_gpu);
    resultBytes += parameters;
    const int64_t ofMasters = masterBytes(schedule, m_config);
    const int64_t moments = core::stateBytes(schedule, optimizer);
    tier.stateBytes += moments + ofMasters;
    const int64_t ofReplaced = ofMasters / kFloatBytes * m_elementBytes;
    replaced += ofReplaced;
    const int64_t averages = optimizer.emaDecay > 0.0 ? trainable * kFloatBytes : 0;
    tier.cacheBytes += averages;
    gradients += gradientsRest() ? trainable * gradientElementBytes()
                                 : largestTrainableBlock(schedule) * m_elementBytes;
    tier.activationBytes += keptElements(schedule, shape) * m_elementBytes;
    workspace = std::max(workspace, peakBlockElements(schedule, shape, true) * m_elementBytes +
                                        largestWholeWeightBytes(schedule, m_elementBytes));
    wholeGraphs += valueElements(schedule, shape) * kGraphTensorsPerValue * m_elementBytes;
    const int64_t learned = trainableBytes(schedule, m_elementBytes);
    trained += learned;
    largestSaved = std::max({largestSaved, learned - ofReplaced + ofMasters, moments, averages});
}

void TrainSizes::chooseRecomputation(int64_t memoryBytes) {
    const int64_t room =
        memoryBytes - tier.parameterBytes - tier.stateBytes - tier.cacheBytes - (m_gpu ? 0 : kProgramBytes);
    kept = chooseKept(wholeGraphs, static_cast<int64_t>(kShareForActivations * static_cast<double>(room)));
    if (kept == KeptForBackward::Everything) tier.activationBytes = wholeGraphs;
    if (kept == KeptForBackward::Products) tier.activationBytes += productBytesOf(wholeGraphs);
}

bool TrainSizes::gradientsRest() const {
    const OptimizerConfig& optimizer = m_config.optimizer;
    return optimizer.maxGradientNorm > 0.0 || optimizer.accumulationSteps > 1 ||
           m_config.precision == Precision::Fp16;
}

} // namespace homebooth::core
