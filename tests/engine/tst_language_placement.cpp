// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A language model, tied table and all, placed one way or another: equal bytes after twenty steps, and the
// peaks that were foretold.
#include "equal_bytes_support.h"
#include "small_language_model.h"

namespace homebooth::core::testing {
namespace {

class LanguagePlacement : public EqualBytes {
protected:
    void SetUp() override {
        m_model.path = "made here";
        m_model.language.emplace();
        m_model.language->config = smallLanguageModel(LanguageFamily::Opt);
        m_config.mode = TrainMode::Language;
        m_config.data.contextTokens = 24;
        m_config.batchSize = 2;
        m_config.optimizer.learningRate = 1e-3;
        m_root = scratchFolder(std::string("language-placement-") + GetParam().name);
        GetParam().change(m_config);
        if (m_config.seed == kUntied) m_model.language->config.tiedHead = false;
        if (m_config.seed == kBloom) m_model.language->config = smallLanguageModel(LanguageFamily::Bloom);
        if (m_config.seed == kNarrow) {
            m_model.language->config.embeddingSize = 16;
            m_model.language->config.normFirst = m_model.language->config.finalNorm = false;
        }
        m_config.seed = 0;
    }

    // Which model, told by the seed: a case changes settings alone.
    static constexpr uint64_t kUntied = 1;
    static constexpr uint64_t kBloom = 2;
    static constexpr uint64_t kNarrow = 3;

public:
    static std::vector<Case> cases() {
        const auto plain = [](TrainConfig&) {};
        const auto bf16 = [](TrainConfig& config) {
            config.precision = Precision::Bf16;
            config.optimizer.kind = OptimizerKind::AdamW8bit;
        };
        const auto lora = [](TrainConfig& config) {
            config.method = TrainMethod::Lora;
            config.lora.rank = 4;
            config.lora.dropout = 0.1;
            config.quantization = Quantization::Int8;
        };
        const auto clipped = [](TrainConfig& config) {
            config.optimizer.maxGradientNorm = 0.1;
            config.optimizer.accumulationSteps = 2;
        };
        return {{"plain", plain},
                {"bf16", bf16},
                {"lora", lora},
                {"clipped", clipped},
                {"untied", [](TrainConfig& config) { config.seed = kUntied; }},
                {"bloom", [](TrainConfig& config) { config.seed = kBloom; }},
                {"narrow", [](TrainConfig& config) { config.seed = kNarrow; }}};
    }
};

TEST_P(LanguagePlacement, neverChangesTheResult) {
    const auto resident = trainResident();
    expectSame("kept", kept(*resident));
    expectSame("streamed", streamed());
    expectSame("mixed", mixed());
    expectSame("soon", soon());
    StepPlacement leaving = streamed();
    leaving.valuesInRam = true;
    expectSame("leaving", leaving);
    expectSameOnDisk("disk", allOnDisk());
}

TEST_P(LanguagePlacement, takesWhatWasForetold) {
    constexpr double kClose = 0.03;
    for (const StepPlacement& placement : {StepPlacement{}, streamed(), mixed()}) {
        const auto foretold = rehearseStep(m_config, m_model, placement);
        ASSERT_TRUE(foretold) << foretold.error().text();
        const int64_t before = tierUse(Tier::Device).currentBytes;
        const auto steps = trial(m_config, placement);
        runSteps(*steps, 1, 1);
        restartTierPeak(Tier::Device);
        runSteps(*steps, 2, 3);
        const auto measured = static_cast<double>(tierUse(Tier::Device).peakBytes - before);
        EXPECT_NEAR(static_cast<double>(foretold->devicePeakBytes), measured, kClose * measured);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, LanguagePlacement, ::testing::ValuesIn(LanguagePlacement::cases()),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace homebooth::core::testing
