// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A LoRA of SDXL changes the weights that it names, in the UNet and in both text encoders, and no others.
#include "core/base/model/component_layout.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/engine/models/model_components.h"
#include "core/engine/sampling/lora_merge.h"
#include "sampling_support.h"
#include "tests/base/support/tiny_model.h"

#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

namespace homebooth::core {
namespace {

using namespace sampling_test;
namespace fs = std::filesystem;

constexpr int64_t kRank = 2;
constexpr double kAlpha = 3.0;
constexpr double kWeight = 0.5;
constexpr const char* kComponents[] = {"unet", "text_encoder", "text_encoder_2"};

const std::vector<LoraModuleName> kModules = {
    {"unet", "add_embedding.linear_1"},
    {"unet", "time_embedding.linear_2"},
    {"unet", "down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q"},
    {"unet", "down_blocks.1.attentions.0.transformer_blocks.0.attn2.to_k"},
    {"unet", "mid_block.attentions.0.transformer_blocks.1.ff.net.0.proj"},
    {"unet", "up_blocks.0.resnets.1.conv1"},
    {"unet", "up_blocks.0.resnets.1.conv_shortcut"},
    {"unet", "up_blocks.0.upsamplers.0.conv"},
    {"text_encoder", "text_model.encoder.layers.0.self_attn.q_proj"},
    {"text_encoder", "text_model.encoder.layers.1.mlp.fc1"},
    {"text_encoder_2", "text_model.encoder.layers.0.self_attn.q_proj"},
    {"text_encoder_2", "text_model.encoder.layers.3.mlp.fc2"},
    {"text_encoder_2", "text_projection"},
};
/// Of the first text encoder's last layer, which the UNet is not told of.
const LoraModuleName kUnused{"text_encoder", "text_model.encoder.layers.2.mlp.fc2"};

ComponentLayout layoutOf(const ModelSource& model, const std::string& component) {
    if (component == "unet") return unetLayout(model.unet);
    if (component == "text_encoder") return textEncoderLayout(model.text.config);
    return projectingTextEncoderLayout(model.secondText->config);
}

std::vector<int64_t> weightShape(const ModelSource& model, const LoraModuleName& module) {
    for (const LayoutEntry& entry : layoutOf(model, module.component))
        if (entry.name == module.path + ".weight") return entry.shape;
    throw std::runtime_error("the model has no " + module.path);
}

class LoraMerge : public ::testing::TestWithParam<LoraFormat> {
protected:
    void SetUp() override {
        at::manual_seed(3);
        auto opened = openModel(fixturePath("tiny-sdxl"));
        ASSERT_TRUE(opened) << opened.error().text();
        m_model = std::move(*opened);
        const char* root = std::getenv("HOMEBOOTH_TEST_DIR");
        m_folder = (root != nullptr ? fs::path(root) : fs::temp_directory_path()) / "lora-merge";
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }

    [[nodiscard]] const ModelSource& model() const { return m_model; }

    /// Writes a LoRA of all those modules, and keeps what it adds to each. @returns its path
    /// @param said  more of its metadata
    std::string writeLoraOfAll(const std::map<std::string, std::string>& said = {}) {
        std::vector<LoraModule> modules;
        test::MemorySource source;
        for (const LoraModuleName& name : kModules) add(name, modules, source);
        add(kUnused, modules, source);
        // As others write diffusers' form, with alphas in the header and not in the weights.
        if (!said.empty() && GetParam() == LoraFormat::Diffusers)
            for (LoraModule& module : modules) module.alpha = static_cast<double>(module.rank);
        const std::string path = (m_folder / "lora.safetensors").string();
        LoraDescription description = LoraDescription::of(m_model);
        description.metadata = said;
        const auto written = writeLora(path, GetParam(), modules, source, description);
        if (!written) throw std::runtime_error(written.error().text());
        return path;
    }
    void expectItAddsItsScaledProducts(const std::string& path);

private:
    [[nodiscard]] const at::Tensor& delta(const LoraModuleName& name) const { return m_deltas.at(name); }

    at::Tensor addRandom(const std::string& name, const std::vector<int64_t>& shape,
                         test::MemorySource& source) {
        const at::Tensor values = at::randn(shape);
        const auto* bytes = static_cast<const std::byte*>(values.const_data_ptr());
        source.add(makeTensorInfo(name, DataType::F32, shape), {bytes, bytes + values.nbytes()});
        return values.to(at::kDouble);
    }

    void add(const LoraModuleName& name, std::vector<LoraModule>& modules, test::MemorySource& source) {
        const std::vector<int64_t> weight = weightShape(m_model, name);
        LoraModule module{name,
                          kRank,
                          kAlpha,
                          name.component + name.path + ".down",
                          name.component + name.path + ".up",
                          weight,
                          {weight[0], kRank}};
        module.downShape[0] = kRank;
        if (weight.size() == 4) module.upShape.insert(module.upShape.end(), {1, 1});
        const at::Tensor down = addRandom(module.downTensor, module.downShape, source);
        const at::Tensor up = addRandom(module.upTensor, module.upShape, source);
        m_deltas[name] = (kAlpha / kRank * up.flatten(1).matmul(down.flatten(1))).reshape(weight);
        modules.push_back(std::move(module));
    }

    ModelSource m_model;
    fs::path m_folder;
    std::map<LoraModuleName, at::Tensor> m_deltas;
};

/// A model's parts in memory, by component.
class Loaded {
public:
    explicit Loaded(const ModelSource& model)
        : m_unet(model.unet, {})
        , m_first(model.text.config, textSchedule(model, 0), {})
        , m_second(model.secondText->config, textSchedule(model, 1), {}) {
        m_sources = {{"unet", model.unetTensors.get()},
                     {"text_encoder", model.text.tensors.get()},
                     {"text_encoder_2", model.secondText->tensors.get()}};
        for (const auto& [component, source] : m_sources) read(component, *source);
    }

    [[nodiscard]] const TensorSource& source(const std::string& component) const {
        return *m_sources.at(component);
    }

    [[nodiscard]] ParameterStore& store(const std::string& component) {
        if (component == "unet") return m_unet.component().store();
        return (component == "text_encoder" ? m_first : m_second).component().store();
    }

    /// Copies of a component's parameters, by name.
    [[nodiscard]] std::map<std::string, at::Tensor> parameters(const std::string& component) {
        std::map<std::string, at::Tensor> copies;
        const ParameterStore& own = store(component);
        for (const BlockSpec& block : own.schedule().blocks())
            for (const ParameterSpec& parameter : block.parameters)
                copies[parameter.name] = own.parameter(own.find(parameter.name)).clone();
        return copies;
    }

private:
    void read(const std::string& component, const TensorSource& source) {
        const auto loaded = loadParameters(store(component), source);
        if (!loaded) throw std::runtime_error(loaded.error().text());
    }

    UNetModel m_unet;
    TextEncoder m_first;
    TextEncoder m_second;
    std::map<std::string, const TensorSource*> m_sources;
};

/// ... to what it names, and to nothing else.
void LoraMerge::expectItAddsItsScaledProducts(const std::string& path) {
    const c10::NoGradGuard noGradients;
    const std::vector<LoraReference> asked = {{path, kWeight}};
    const auto loras = openLoras(asked, model());
    ASSERT_TRUE(loras) << loras.error().text();
    Loaded loaded(model());
    for (const std::string component : kComponents) {
        const auto before = loaded.parameters(component);
        const auto changed =
            mergeLoras(*loras, asked, component, loaded.source(component), loaded.store(component));
        ASSERT_TRUE(changed) << changed.error().text();
        std::set<std::string> expected;
        for (const LoraModuleName& module : kModules)
            if (module.component == component) expected.insert(module.path + ".weight");
        EXPECT_EQ(std::set<std::string>(changed->begin(), changed->end()), expected);
        for (const auto& [name, after] : loaded.parameters(component)) {
            if (!expected.contains(name)) {
                EXPECT_TRUE(at::equal(after, before.at(name))) << component << " " << name;
                continue;
            }
            const std::string module = name.substr(0, name.rfind('.'));
            const at::Tensor wanted = before.at(name).to(at::kDouble) + kWeight * delta({component, module});
            EXPECT_LT(relativeError(after, wanted), 1e-6) << component << " " << name;
            EXPECT_GT(relativeError(before.at(name), wanted), 0.1) << component << " " << name;
        }
    }
}

TEST_P(LoraMerge, addsItsScaledProductsToWhatItNamesAndToNothingElse) {
    expectItAddsItsScaledProducts(writeLoraOfAll());
}

TEST_P(LoraMerge, ofStabilizedRankIsScaledByItsRoot) {
    const std::string alpha = std::to_string(kAlpha / std::sqrt(static_cast<double>(kRank)));
    std::string said;
    for (const std::string component : kComponents)
        said += (said.empty() ? "{\"" : ", \"") + component + ".use_rslora\": true, \"" + component +
                ".lora_alpha\": " + alpha;
    // In kohya's form alphas are tensors, which count.
    expectItAddsItsScaledProducts(writeLoraOfAll({{"lora_adapter_metadata", said + "}"}}));
}

TEST_P(LoraMerge, isRefusedWhereWeightsWouldBeInfinite) {
    const c10::NoGradGuard noGradients;
    constexpr double kHuge = 2e38; // with it sums are beyond what fp32 holds
    const std::vector<LoraReference> asked = {{writeLoraOfAll(), kHuge}};
    const auto loras = openLoras(asked, model());
    ASSERT_TRUE(loras) << loras.error().text();
    Loaded loaded(model());
    for (const std::string component : kComponents) {
        const auto refused =
            mergeLoras(*loras, asked, component, loaded.source(component), loaded.store(component));
        ASSERT_FALSE(refused) << component;
        EXPECT_EQ(refused.error().code, ErrorCode::BadInput);
        EXPECT_NE(refused.error().message.find("less weight"), std::string::npos) << refused.error().text();
        for (const auto& [name, after] : loaded.parameters(component))
            EXPECT_TRUE(after.isfinite().all().item<bool>()) << component << " " << name;
    }
}

TEST_P(LoraMerge, isRefusedForAModelOfAnotherFamily) {
    const auto first = openModel(fixturePath("tiny-sd1"));
    ASSERT_TRUE(first);
    const auto refused = openLoras({{writeLoraOfAll(), kWeight}}, *first);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::BadInput);
}

INSTANTIATE_TEST_SUITE_P(Formats, LoraMerge, ::testing::Values(LoraFormat::Kohya, LoraFormat::Diffusers),
                         [](const auto& test) {
                             return test.param == LoraFormat::Kohya ? "kohya" : "diffusers";
                         });

} // namespace
} // namespace homebooth::core
