// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/convert.h"
#include "core/base/model/model_tokenizer.h"
#include "core/base/run/progress.h"
#include "core/cli/options.h"
#include "core/cli/stop_signals.h"

#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace homebooth::core {
namespace {

Result<std::optional<DataType>> floatType(const std::string& word) {
    if (word.empty()) return std::optional<DataType>();
    if (word == "fp32") return std::optional(DataType::F32);
    if (word == "fp16") return std::optional(DataType::F16);
    if (word == "bf16") return std::optional(DataType::BF16);
    return Error{ErrorCode::Usage, "expected fp32, fp16 or bf16, found \"" + word + "\"", "--precision"};
}

Result<int> convert(const std::string& in, const std::string& out, const std::string& target,
                    const std::string& precision, const std::string& prediction, bool allowNotFinite) {
    HOMEBOOTH_ASSIGN(const ConvertTarget to, convertTargetFromString(target));
    ConvertOptions options;
    HOMEBOOTH_ASSIGN(options.write.floatType, floatType(precision));
    options.write.allowNotFinite = allowNotFinite;
    if (!prediction.empty()) {
        HOMEBOOTH_ASSIGN(options.open.predictionType, predictionTypeFromString(prediction));
    }
    if (const auto vocabulary = publishedVocabularyPath(); std::filesystem::exists(vocabulary))
        options.vocabularyFile = vocabulary.string();
    Progress progress(::isatty(STDERR_FILENO) != 0, 0);
    options.write.progress = [&progress](int64_t done, int64_t total) {
        constexpr int64_t kMebi = int64_t{1} << 20;
        progress.show(StateEvent{"MiB written", "", done / kMebi, total / kMebi});
    };
    options.write.cancel = cancelOnSignals();
    HOMEBOOTH_ASSIGN(const WriteOutcome outcome, convertModel(in, out, to, options));
    progress.finish();
    if (outcome == WriteOutcome::Cancelled) {
        std::printf("stopped; nothing was written\n");
        return kExitCancelled;
    }
    std::printf("%s\n", out.c_str());
    return kExitDone;
}

} // namespace

int runConvert(const Arguments& arguments) {
    CLI::App app("Turns a model or a LoRA into another form. OUT must not exist.",
                 "homebooth-engine convert");
    std::string in;
    std::string out;
    std::string target;
    std::string precision;
    std::string prediction;
    app.add_option("IN", in, "model or LoRA")->required();
    app.add_option("OUT", out, "where to write")->required();
    app.add_option("--to", target, "diffusers, checkpoint, kohya-lora or diffusers-lora")->required();
    app.add_option("--precision", precision, "fp32, fp16 or bf16; as it is if not given");
    app.add_option("--prediction-type", prediction,
                   "epsilon or v_prediction, for SD 2.x files that do not say it");
    bool allowNotFinite = false;
    app.add_flag("--allow-not-finite", allowNotFinite,
                 "write NaN and infinity, too, instead of refusing them");
    if (const auto done = parseArguments(app, arguments)) return *done;
    const auto code = convert(in, out, target, precision, prediction, allowNotFinite);
    return code ? *code : fail("convert", code.error());
}

} // namespace homebooth::core
