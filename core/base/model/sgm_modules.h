// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the modules of a UNet are called in single files and in kohya's LoRAs of SDXL, which count its blocks
// through all stages, and back. A table, because flat names hold underscores that are no dots.
// Value type; any thread.
#pragma once

#include "core/base/model/configs/unet_config.h"

#include <map>
#include <string>
#include <string_view>

namespace homebooth::core {

class SgmModules {
public:
    /// Of SDXL as it was released.
    [[nodiscard]] static const SgmModules& released();

    /// Of a UNet with other numbers of layers, perhaps.
    explicit SgmModules(const UNetConfig& config);

    /// Whether a name looks like one of these: "input_blocks_4_1_proj_in".
    [[nodiscard]] static bool isFlatName(std::string_view name);

    /// diffusers' path of "input_blocks_4_1_proj_in": "down_blocks.1.attentions.0.proj_in"; null where the
    /// UNet has no such module.
    [[nodiscard]] const std::string* pathOf(std::string_view flatName) const;

    /// The other way round.
    [[nodiscard]] const std::string* flatNameOf(std::string_view path) const;

private:
    std::map<std::string, std::string, std::less<>> m_pathByName;
    std::map<std::string, std::string, std::less<>> m_nameByPath;
};

} // namespace homebooth::core
