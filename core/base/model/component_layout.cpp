// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/component_layout.h"

#include "core/base/arch/clip_layout.h"
#include "core/base/arch/unet_layout.h"
#include "core/base/arch/vae_layout.h"

namespace homebooth::core {

namespace {

void append(ComponentLayout& layout, const Schedule& schedule) {
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters)
            layout.push_back({parameter.name, parameter.shape});
}

} // namespace

ComponentLayout unetLayout(const UNetConfig& config) {
    ComponentLayout layout;
    append(layout, unetSchedule(config));
    return layout;
}

ComponentLayout vaeLayout(const VaeConfig& config) {
    ComponentLayout layout;
    append(layout, vaeEncoderSchedule(config));
    append(layout, vaeDecoderSchedule(config));
    return layout;
}

ComponentLayout textEncoderLayout(const ClipConfig& config) {
    ComponentLayout layout;
    append(layout, clipSchedule(config));
    return layout;
}

ComponentLayout projectingTextEncoderLayout(const ClipConfig& config) {
    ComponentLayout layout;
    append(layout, clipSchedule(config, 0, ClipInput::Tokens, ClipOutput::HiddenAndPooled));
    return layout;
}

} // namespace homebooth::core
