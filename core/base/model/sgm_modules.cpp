// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/sgm_modules.h"

#include "core/base/model/compvis_names.h"
#include "core/base/model/model_family.h"

#include <algorithm>
#include <array>

namespace homebooth::core {

namespace {

constexpr std::string_view kWeight = ".weight";

/// What names begin with at the top of the UNet.
constexpr std::array<std::string_view, 6> kTops{"input_blocks_", "middle_block_", "output_blocks_",
                                                "time_embed_",   "label_emb_",    "out_"};

const std::string* find(const std::map<std::string, std::string, std::less<>>& names, std::string_view name) {
    const auto found = names.find(name);
    return found == names.end() ? nullptr : &found->second;
}

} // namespace

const SgmModules& SgmModules::released() {
    static const SgmModules modules(
        originalConfigs(ModelFamily::StableDiffusionXl, PredictionType::Epsilon).unet);
    return modules;
}

SgmModules::SgmModules(const UNetConfig& config) {
    for (const LayoutEntry& entry : unetLayout(config)) {
        if (!entry.name.ends_with(kWeight)) continue;
        std::string flat =
            compVisUnet(entry, config).name.substr(std::string_view(kCompVisUnetPrefix).size());
        flat.resize(flat.size() - kWeight.size());
        std::replace(flat.begin(), flat.end(), '.', '_');
        const std::string path = entry.name.substr(0, entry.name.size() - kWeight.size());
        m_pathByName.emplace(flat, path);
        m_nameByPath.emplace(path, std::move(flat));
    }
}

bool SgmModules::isFlatName(std::string_view name) {
    return std::any_of(kTops.begin(), kTops.end(),
                       [name](std::string_view top) { return name.starts_with(top); });
}

const std::string* SgmModules::pathOf(std::string_view flatName) const {
    return find(m_pathByName, flatName);
}

const std::string* SgmModules::flatNameOf(std::string_view path) const {
    return find(m_nameByPath, path);
}

} // namespace homebooth::core
