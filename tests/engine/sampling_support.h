// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Fixtures of the tests of sampling: tensors and JSON that the reference implementation wrote.
#pragma once

#include "core/base/formats/safetensors_writer.h"
#include "core/engine/io/tensor_files.h"
#include "tests/engine/model_check.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core::sampling_test {

using testing::relativeError;
/// Tensors of a file whose names begin with a prefix.
using TensorGroup = testing::Reference;

inline std::string fixturePath(const std::string& name) {
    return testing::fixture(name);
}

inline nlohmann::json readJson(const std::string& name) {
    return nlohmann::json::parse(testing::readText(fixturePath(name)));
}

inline std::shared_ptr<SafetensorsReader> openTensors(const std::string& name) {
    return testing::openTensors(fixturePath(name));
}

/// Writes "tiny.safetensors", a kohya LoRA of rank 2 and alpha 1 whose numbers are all `value`.
/// @param modules  by kohya's names, and the sides of their weights, which are square
/// @returns        its path
inline std::string writeSquareLora(const std::filesystem::path& folder,
                                   const std::vector<std::pair<std::string, int64_t>>& modules, float value) {
    std::vector<TensorInfo> tensors;
    for (const auto& [name, side] : modules) {
        tensors.push_back(makeTensorInfo(name + ".lora_down.weight", DataType::F32, {2, side}));
        tensors.push_back(makeTensorInfo(name + ".lora_up.weight", DataType::F32, {side, 2}));
        tensors.push_back(makeTensorInfo(name + ".alpha", DataType::F32, {}));
    }
    const std::string path = (folder / "tiny.safetensors").string();
    auto writer = SafetensorsWriter::create(path, tensors);
    if (!writer) throw std::runtime_error(writer.error().text());
    for (const TensorInfo& info : tensors) {
        const std::vector<float> values(static_cast<size_t>(info.elementCount()),
                                        info.shape.empty() ? 1.0F : value);
        const auto written = writer->write(info.name, std::as_bytes(std::span(values)));
        if (!written) throw std::runtime_error(written.error().text());
    }
    if (const auto done = writer->commit(); !done) throw std::runtime_error(done.error().text());
    return path;
}

/// Of weights: the products are beyond fp16, though it holds this; no other format minds.
constexpr double kLargestInFp16 = 6e4;

/// Writes a file of weights again, all numbers of one of its tensors changed into `value`.
inline void fillTensor(const std::filesystem::path& file, const std::string& name, double value) {
    std::vector<NamedTensor> tensors;
    const auto before = testing::openTensors(file.string());
    for (const TensorInfo& info : before->tensors()) {
        auto tensor = readWholeTensor(*before, info.name);
        if (!tensor) throw std::runtime_error(tensor.error().text());
        if (info.name == name) tensor->fill_(value);
        tensors.push_back({info.name, *tensor});
    }
    if (before->find(name) == nullptr) throw std::runtime_error("there is no " + name);
    const auto written = writeTensorFile(file.string(), TensorListSource(std::move(tensors)));
    if (!written) throw std::runtime_error(written.error().text());
}

/// Of tiny-sdxl: one weight of its UNet and one of each text encoder.
inline const std::vector<std::pair<std::string, int64_t>> kXlModules = {
    {"lora_unet_input_blocks_3_1_transformer_blocks_0_attn1_to_q", 8},
    {"lora_te1_text_model_encoder_layers_0_self_attn_q_proj", 4},
    {"lora_te2_text_model_encoder_layers_0_self_attn_q_proj", 6}};

} // namespace homebooth::core::sampling_test
