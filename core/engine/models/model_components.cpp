// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/model_components.h"

#include "core/base/arch/clip_layout.h"
#include "core/base/arch/unet_layout.h"

namespace homebooth::core {
namespace {

/// [B] from [B], [1] or []
at::Tensor perSample(const at::Tensor& timestep, int64_t batch, at::Device device) {
    return timestep.to(device).reshape({-1}).expand({batch});
}

} // namespace

UNetModel::UNetModel(const UNetConfig& config, const ParameterStore::Options& options)
    : UNetModel(config, unetSchedule(config), options) {}

UNetModel::UNetModel(const UNetConfig& config, Schedule schedule, const ParameterStore::Options& options)
    : m_config(config)
    , m_component(std::move(schedule), options) {}

at::Tensor UNetModel::predict(const at::Tensor& sample, const at::Tensor& timestep,
                              const at::Tensor& context) {
    return m_component.executor()
        .run({m_component.prepared(sample), perSample(timestep, sample.size(0), m_component.device()),
              m_component.prepared(context)})
        .front();
}

at::Tensor UNetModel::predict(const at::Tensor& sample, const at::Tensor& timestep, const at::Tensor& context,
                              const at::Tensor& pooledText, const at::Tensor& timeIds) {
    return m_component.executor()
        .run({m_component.prepared(sample), perSample(timestep, sample.size(0), m_component.device()),
              m_component.prepared(context), m_component.prepared(pooledText),
              timeIds.to(m_component.device())})
        .front();
}

TextEncoder::TextEncoder(const ClipConfig& config, const ParameterStore::Options& options, int64_t clipSkip)
    : TextEncoder(config, clipSchedule(config, clipSkip), options) {}

TextEncoder::TextEncoder(const ClipConfig& config, Schedule schedule, const ParameterStore::Options& options)
    : m_config(config)
    , m_component(std::move(schedule), options) {}

TextCondition TextEncoder::condition(const at::Tensor& tokenIds, const at::Tensor& vectors) {
    std::vector<at::Tensor> inputs = {m_component.prepared(tokenIds)};
    if (m_component.schedule().inputs().size() > 1) {
        const at::Tensor known = vectors.defined() ? vectors : at::empty({0, m_config.hiddenSize});
        inputs.push_back(m_component.prepared(known));
    } else {
        TORCH_CHECK(!vectors.defined(), "this text encoder takes tokens alone");
    }
    const std::vector<at::Tensor> outputs = m_component.executor().run(std::move(inputs));
    return {outputs.front(), outputs.size() > 1 ? outputs[1] : at::Tensor()};
}

} // namespace homebooth::core
