// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/sampler.h"

#include "core/base/text/generation_parameters.h"
#include "core/engine/schedulers/ddim.h"
#include "core/engine/schedulers/ddpm.h"
#include "core/engine/schedulers/dpm_multistep.h"
#include "core/engine/schedulers/euler.h"
#include "core/engine/schedulers/euler_ancestral.h"
#include "core/engine/schedulers/lcm.h"
#include "core/engine/schedulers/pndm.h"
#include "core/engine/schedulers/unipc.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <c10/util/Exception.h>
#include <sstream>

namespace homebooth::core {
namespace {

/// 0.5, not 0.500000.
std::string shortText(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

} // namespace

SeededNoise::SeededNoise(const std::vector<uint64_t>& seeds) {
    for (const uint64_t seed : seeds) m_generators.push_back(at::detail::createCPUGenerator(seed));
}

at::Tensor SeededNoise::draw(at::IntArrayRef shape) {
    TORCH_INTERNAL_ASSERT(!shape.empty() && static_cast<size_t>(shape[0]) == m_generators.size());
    std::vector<int64_t> one = shape.vec();
    one[0] = 1;
    std::vector<at::Tensor> parts;
    for (const at::Generator& generator : m_generators)
        parts.push_back(at::randn(one, generator, at::TensorOptions(at::kFloat)));
    return at::cat(parts);
}

Sampler::Sampler(SchedulerSettings settings, NoiseSchedule schedule)
    : m_settings(std::move(settings))
    , m_schedule(std::move(schedule)) {}

Result<void> Sampler::setTimesteps(int64_t steps, double strength) {
    const std::string operation = "choosing the sampler's timesteps: ";
    if (steps < 1 || steps > m_settings.trainTimesteps)
        return wrongUsage(operation + "expected 1 to " + std::to_string(m_settings.trainTimesteps) +
                          " steps, found " + std::to_string(steps));
    if (!(strength > 0.0 && strength <= 1.0))
        return wrongUsage(operation + "expected a strength above 0 and at most 1, found " +
                          shortText(strength));
    const int64_t walked = std::min(static_cast<int64_t>(static_cast<double>(steps) * strength), steps);
    if (walked < 1)
        return wrongUsage(operation + "expected at least 1 of steps times strength, found " +
                          std::to_string(steps) + " x " + shortText(strength) +
                          "; raise the strength or the steps");
    m_steps = steps;
    HOMEBOOTH_ASSIGN(m_timesteps, plan(steps));
    const double last = static_cast<double>(m_settings.trainTimesteps - 1);
    for (const double value : m_timesteps)
        if (!(value >= 0.0 && value <= last))
            return wrongUsage(operation + std::to_string(steps) +
                              " steps reach beyond the training timesteps; choose fewer steps");
    m_begin = steps - walked;
    reset();
    return {};
}

std::vector<double> Sampler::timesteps() const {
    return {m_timesteps.begin() + m_begin, m_timesteps.end()};
}

at::Tensor Sampler::scaleModelInput(const at::Tensor& sample, int64_t /*index*/) const {
    return sample;
}

/// Source: Saharia et al., "Photorealistic Text-to-Image Diffusion Models", 2022, dynamic thresholding
at::Tensor Sampler::thresholded(const at::Tensor& original) const {
    if (!m_settings.thresholding) return original;
    const at::Tensor flat = original.flatten(1);
    const at::Tensor bound = at::quantile(flat.abs(), m_settings.dynamicThresholdingRatio, 1, true)
                                 .clamp(1.0, m_settings.sampleMaxValue);
    return (at::minimum(at::maximum(flat, -bound), bound) / bound).reshape(original.sizes());
}

at::Tensor Sampler::noiseLike(const at::Tensor& like, NoiseSource& noise) {
    return noise.draw(like.sizes()).to(like.device());
}

namespace {

std::unique_ptr<Sampler> construct(const SchedulerSettings& settings, const NoiseSchedule& schedule) {
    switch (settings.kind) {
    case SamplerKind::Ddpm:
        return std::make_unique<DdpmSampler>(settings, schedule);
    case SamplerKind::Ddim:
        return std::make_unique<DdimSampler>(settings, schedule);
    case SamplerKind::Pndm:
        return std::make_unique<PndmSampler>(settings, schedule);
    case SamplerKind::Euler:
        return std::make_unique<EulerSampler>(settings, schedule);
    case SamplerKind::EulerAncestral:
        return std::make_unique<EulerAncestralSampler>(settings, schedule);
    case SamplerKind::DpmPlusPlus2M:
    case SamplerKind::DpmPlusPlus2MSde:
        return std::make_unique<DpmMultistepSampler>(settings, schedule);
    case SamplerKind::UniPc:
        return std::make_unique<UniPcSampler>(settings, schedule);
    case SamplerKind::Lcm:
        return std::make_unique<LcmSampler>(settings, schedule);
    }
    TORCH_INTERNAL_ASSERT(false);
    return nullptr;
}

} // namespace

Result<std::unique_ptr<Sampler>> makeSampler(SamplerKind kind, const SchedulerConfig& config,
                                             const SamplerOptions& options) {
    HOMEBOOTH_ASSIGN(SchedulerSettings settings, resolveFor(kind, config));
    if (options.karrasSigmas && !hasKarrasSpacing(kind))
        return wrongUsage("Karras sigmas were asked for with a sampler that has none; choose "
                          "euler, dpmpp-2m, dpmpp-2m-sde or unipc, or leave them out");
    settings.eta = options.eta;
    settings.karrasSigmas = settings.karrasSigmas || options.karrasSigmas;
    if (settings.karrasSigmas) settings.exponentialSigmas = false;
    if (options.stepSpacing == StepSpacing::Trailing) settings.timestepSpacing = TimestepSpacing::Trailing;
    HOMEBOOTH_ASSIGN(const NoiseSchedule schedule, NoiseSchedule::make(settings));
    return construct(settings, schedule);
}

} // namespace homebooth::core
