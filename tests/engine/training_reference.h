// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A case of tests/fixtures/training (tests/reference/README.md). What is known of each parameter lies in
// one row there, without names: names and shapes come from the model's own files and, for adapters, from
// the modules in cases.json.
#pragma once

#include "tests/engine/model_check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core::testing {

using ShapesByName = std::map<std::string, std::vector<int64_t>>;
using TensorsByName = std::map<std::string, at::Tensor>;

/// Those of all weights of a file; CLIP's position_ids are whole numbers, and none.
inline ShapesByName weightShapes(const std::string& path) {
    ShapesByName shapes;
    const auto file = openTensors(path);
    for (const TensorInfo& info : file->tensors())
        if (isFloatingPoint(info.type)) shapes[info.name] = info.shape;
    return shapes;
}

/// Those of the adapters that PEFT gives each module whose name ends with one of `targets`: of a
/// convolution the upper one is 1x1.
inline ShapesByName adapterShapes(const ShapesByName& weights, const std::vector<std::string>& targets,
                                  int64_t rank) {
    ShapesByName shapes;
    for (const auto& [name, shape] : weights) {
        const bool adapted = std::any_of(targets.begin(), targets.end(), [&key = name](const auto& target) {
            return key.ends_with("." + target + ".weight");
        });
        if (!adapted) continue;
        const std::string module = name.substr(0, name.rfind('.'));
        std::vector<int64_t> down = shape;
        down.at(0) = rank;
        std::vector<int64_t> up(shape.size(), 1);
        up.at(0) = shape.at(0);
        up.at(1) = rank;
        shapes[module + ".lora_down.weight"] = down;
        shapes[module + ".lora_up.weight"] = up;
    }
    return shapes;
}

/// Cuts a row of exactly these, one behind another in the order of their names.
/// @param thins  whether the large ones are thinned
/// Errors: throws where the row is longer or shorter.
inline TensorsByName cutByShapes(const at::Tensor& row, const ShapesByName& shapes, bool thins) {
    std::vector<int64_t> counts;
    for (const auto& [name, shape] : shapes) {
        const int64_t count = c10::multiply_integers(shape);
        counts.push_back(thins ? heldCount(count) : count);
    }
    const std::vector<at::Tensor> pieces = row.split_with_sizes(counts);
    TensorsByName cut;
    auto piece = pieces.begin();
    for (const auto& [name, shape] : shapes) {
        const bool whole = piece->numel() == c10::multiply_integers(shape);
        cut[name] = whole ? piece->view(shape) : *piece;
        ++piece;
    }
    return cut;
}

class TrainingReference {
public:
    explicit TrainingReference(const std::string& name)
        : m_file(openTensors(fixture("training/" + name + ".safetensors")), "")
        , m_about(nlohmann::json::parse(readText(fixture("training/cases.json"))).at(name)) {}

    /// "loss", "gradient_norm", "step/0/latents" ...; numbers are fp32, also where they lie in fp16.
    [[nodiscard]] at::Tensor operator[](const std::string& name) const {
        const at::Tensor held = m_file[name];
        return held.scalar_type() == at::kHalf ? held.to(at::kFloat) : held;
    }

    [[nodiscard]] bool isLora() const { return m_about.contains("lora"); }

    /// The adapters that do not start from zero.
    /// @param component  "unet" or "text_encoder"
    [[nodiscard]] TensorsByName starts(const std::string& component) const {
        ShapesByName downs = parameters(component);
        std::erase_if(downs, [](const auto& one) { return !one.first.ends_with(".lora_down.weight"); });
        return cutByShapes((*this)["initial/" + component], downs, false);
    }

    /// Everything trained, after the last step.
    [[nodiscard]] TensorsByName results(const std::string& component) const {
        return cutByShapes(m_file["final/" + component], parameters(component), true);
    }

private:
    [[nodiscard]] ShapesByName parameters(const std::string& component) const {
        const bool isUnet = component == "unet";
        const std::string folder = fixture(m_about.at("model").get<std::string>() + "/" + component);
        ShapesByName weights =
            weightShapes(folder + (isUnet ? "/diffusion_pytorch_model.safetensors" : "/model.safetensors"));
        if (!isLora()) return weights;
        const nlohmann::json& lora = m_about.at("lora");
        const auto targets = lora.at(isUnet ? "modules" : "text_modules").get<std::vector<std::string>>();
        return adapterShapes(weights, targets, lora.at("rank").get<int64_t>());
    }

    Reference m_file;
    nlohmann::json m_about;
};

} // namespace homebooth::core::testing
