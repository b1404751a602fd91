// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/comfy_nodes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace homebooth::core {
namespace {

using Json = ComfyNodes::Json;

constexpr size_t kMostInputs = 256;
constexpr int kMostPassedOn = 32; // times that a value is

/// How nodes call the one value that they pass on; of another name it may be what they make it of.
constexpr std::array kTextNames{"text",         "string",    "value",     "prompt",    "positive", "negative",
                                "sampler_name", "scheduler", "ckpt_name", "unet_name", "lora_name"};
constexpr std::array kNumberNames{"value",      "number", "int", "float", "seed",
                                  "noise_seed", "steps",  "cfg", "width", "height"};

template <size_t size>
bool isAmong(const std::array<const char*, size>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), std::string_view(name)) != names.end();
}

} // namespace

const Json* ComfyNodes::input(const Json& node, const std::string& key) {
    const auto found = node["inputs"].find(key);
    return found == node["inputs"].end() ? nullptr : &*found;
}

const Json* ComfyNodes::linked(const Json* link) const {
    if (link == nullptr || !link->is_array() || link->size() != 2 || !(*link)[0].is_string()) return nullptr;
    const auto found = m_nodes.find((*link)[0].get_ref<const std::string&>());
    return found != m_nodes.end() && isNode(*found) ? &*found : nullptr;
}

const Json* ComfyNodes::linkedBy(const Json& node, const std::string& key) const {
    return linked(input(node, key));
}

const Json* ComfyNodes::value(const Json* given, IsWanted isWanted) const {
    for (int step = 0; given != nullptr && step < kMostPassedOn; ++step) {
        if (!given->is_array()) return isWanted(*given) ? given : nullptr;
        const Json* node = linked(given);
        const bool isFirst = node != nullptr && (*given)[1] == 0; // a further result is made of it
        given = isFirst ? only(*node, isWanted) : nullptr;
    }
    return nullptr;
}

const Json* ComfyNodes::ofSampler(const Json& sampler, const std::string& key) const {
    if (const Json* own = input(sampler, key)) return own;
    for (const char* part : {"noise", "guider", "sampler", "sigmas"})
        if (const Json* node = linkedBy(sampler, part))
            if (const Json* found = input(*node, key)) return found;
    return nullptr;
}

bool ComfyNodes::isSampler(const Json& node) const {
    return input(node, "latent_image") != nullptr && ofSampler(node, "steps") != nullptr &&
           ofSampler(node, "sampler_name") != nullptr;
}

const Json* ComfyNodes::walkLatent(const Json& from, const Json** last, bool* isMasked) const {
    const auto before = [this](const Json& node) -> const Json* {
        for (const char* key :
             {"latent_image", "samples", "latent", "pixels", "image", "images", "upscaled_image"})
            if (const Json* found = linkedBy(node, key)) return found;
        return nullptr;
    };
    const Json* node = before(from);
    for (int step = 0; node != nullptr && step < kLongestWalk; ++step) {
        if (isSampler(*node)) return node;
        if (last != nullptr) *last = node;
        if (isMasked != nullptr && linkedBy(*node, "mask") != nullptr) *isMasked = true;
        node = before(*node);
    }
    return nullptr;
}

bool ComfyNodes::isNode(const Json& node) {
    return node.is_object() && node.contains("inputs") && node["inputs"].is_object() &&
           node["inputs"].size() <= kMostInputs && node.contains("class_type") &&
           node["class_type"].is_string();
}

const std::string& ComfyNodes::kind(const Json& node) {
    return node["class_type"].get_ref<const std::string&>();
}

/// The one value of a node. With a text nothing but switches may stand: what has a seed or a language
/// makes another text of it.
const Json* ComfyNodes::only(const Json& node, IsWanted isWanted) {
    const bool isForText = isWanted == isText;
    const Json* found = nullptr;
    const Json& inputs = node["inputs"];
    for (auto one = inputs.begin(); one != inputs.end(); ++one) {
        const bool counts = isForText ? !one->is_boolean() : isWanted(*one) || one->is_array();
        if (!counts) continue;
        const bool isNamed = isForText ? isAmong(kTextNames, one.key()) : isAmong(kNumberNames, one.key());
        if (found != nullptr || !isNamed) return nullptr;
        found = &*one;
    }
    return found;
}

} // namespace homebooth::core
