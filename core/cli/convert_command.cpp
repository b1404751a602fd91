// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/field_builder.h"
#include "core/base/config/format_words.h"
#include "core/base/files/atomic_file.h"
#include "core/base/model/convert.h"
#include "core/base/model/deviation.h"
#include "core/base/model/left_aside.h"
#include "core/base/model/model_tokenizer.h"
#include "core/base/run/journal/progress.h"
#include "core/base/util/regular_file.h"
#include "core/cli/options.h"
#include "core/cli/told_lines.h"
#include "core/cli/worker/stop_signals.h"
#include "core/cli/worker/working_folder.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <strings.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

/// @param word  of precisionWords(), or empty
std::optional<DataType> floatType(const std::string& word) {
    if (word.empty()) return std::nullopt;
    if (word == "fp32") return DataType::F32;
    return word == "fp16" ? DataType::F16 : DataType::BF16;
}

constexpr auto kBetweenLines = std::chrono::milliseconds(200);

struct Order {
    std::string in;
    std::string out;
    std::string target;
    std::string precision;
    std::string prediction;
    bool zeroTerminalSnr = false;
    bool allowNotFinite = false;
    bool json = false;
};

/// What was written so far as a line for programs, a few times a second at most.
/// @param seq  of the last line
ProgressCallback eventLines(int64_t& seq) {
    using Clock = std::chrono::steady_clock;
    return [last = Clock::time_point(), &seq](int64_t done, int64_t total) mutable {
        const auto now = Clock::now();
        if (done < total && now - last < kBetweenLines) return;
        last = now;
        tellEvent(StateEvent{"writing", "", done, total}, ++seq);
    };
}

/// What is left to be chosen in other programs, as a line for programs or people.
ChoiceCallback choiceLines(bool json) {
    return [json](const ChoiceElsewhere& choice) {
        if (!json) return (void)std::fprintf(stderr, "note: %s\n", choice.message.c_str());
        tellEvent(WarningEvent{choice.code, choice.message});
    };
}

/// A folder with a file's ending would be taken for a file, and was meant to be one.
Result<void> expectNoEnding(const std::filesystem::path& folder) {
    const std::string ending = folder.extension().string();
    constexpr std::array kOfFiles{".safetensors", ".ckpt"};
    const bool file = std::any_of(kOfFiles.begin(), kOfFiles.end(),
                                  [&](const char* one) { return ::strcasecmp(ending.c_str(), one) == 0; });
    if (!file) return {};
    std::filesystem::path without = folder;
    return Error{ErrorCode::Usage,
                 "expected the name of a folder, which is what is written, found that of a file, " +
                     displayName(folder) + "; name it " + displayName(without.replace_extension()) +
                     ", or take --to checkpoint for a single file of a model that makes pictures",
                 "OUT"};
}

/// Other programs choose how they read a file by its ending.
Result<void> expectEnding(const std::string& out, ConvertTarget to) {
    constexpr const char* kEnding = ".safetensors";
    std::filesystem::path named(out.substr(0, out.find_last_not_of(" \t") + 1)); // some are not seen
    const std::string ending = named.extension().string();
    const bool isFolder =
        to == ConvertTarget::Diffusers || to == ConvertTarget::Transformers || to == ConvertTarget::PeftLora;
    if (isFolder) return expectNoEnding(out);
    const bool ends = ::strcasecmp(ending.c_str(), kEnding) == 0;
    if (ends && named == out) return {};
    if (ending == ".ckpt")
        named.replace_extension(kEnding);
    else if (!ends)
        named += kEnding;
    return Error{
        ErrorCode::Usage,
        "expected a name that ends in .safetensors, which is what is written and what other programs "
        "know it by, found " +
            displayName(out) + "; name it " + displayName(named),
        "OUT"};
}

/// @param seq  of the last line for programs. @returns  the exit code
int reportEnd(const Order& order, bool cancelled, int64_t seq) {
    OutcomeEvent outcome;
    outcome.result = cancelled ? "cancelled" : "done";
    outcome.code = cancelled ? kExitCancelled : kExitDone;
    if (cancelled) outcome.message = "stopped; nothing was written";
    if (!cancelled) outcome.resultPaths = {order.out};
    if (!order.json) {
        std::printf("%s\n", cancelled ? outcome.message.c_str() : order.out.c_str());
        return outcome.code;
    }
    if (const auto path = absolutePath(order.out); path && !cancelled) outcome.resultPaths = {*path};
    tellEvent(outcome, ++seq);
    return outcome.code;
}

Result<int> convert(const Order& order) {
    HOMEBOOTH_ASSIGN(const ConvertTarget to, convertTargetFromString(order.target));
    HOMEBOOTH_CHECK(expectEnding(order.out, to));
    ConvertOptions options;
    options.write.floatType = floatType(order.precision);
    options.write.allowNotFinite = order.allowNotFinite;
    if (!order.prediction.empty()) {
        HOMEBOOTH_ASSIGN(options.open.predictionType, predictionTypeFromString(order.prediction));
    }
    options.open.zeroTerminalSnr = order.zeroTerminalSnr;
    if (const auto vocabulary = publishedVocabularyPath(); std::filesystem::exists(vocabulary))
        options.write.vocabularyFile = vocabulary.string();
    Progress progress(!order.json && ::isatty(STDERR_FILENO) != 0, 0);
    options.write.progress = [&progress](int64_t done, int64_t total) {
        const bool small = total < (int64_t{1} << 20);
        const int64_t unit = int64_t{1} << (small ? 10 : 20);
        const char* said = small ? "KiB written" : "MiB written";
        progress.show(StateEvent{said, "", done / unit, std::max<int64_t>(total / unit, 1)});
    };
    int64_t seq = 0;
    if (order.json) options.write.progress = eventLines(seq);
    options.write.onChoice = choiceLines(order.json);
    options.onOtherPrediction = [tell = choiceLines(order.json)](const std::string& text) {
        tell({kPredictionAsAsked, text});
    };
    options.onLeftAside = [tell = choiceLines(order.json)](const std::string& text) {
        tell({kLeftAside, text});
    };
    options.write.cancel = cancelOnSignals();
    HOMEBOOTH_ASSIGN(const std::string out, absolutePath(order.out));
    // Gigabytes, perhaps, of one that was killed; nobody else looks here.
    (void)removePartials(std::filesystem::path(out).parent_path().string());
    HOMEBOOTH_ASSIGN(const WriteOutcome outcome, convertModel(order.in, order.out, to, options));
    progress.finish();
    return reportEnd(order, outcome == WriteOutcome::Cancelled, seq);
}

/// Options with words.
std::vector<ConfigField> fieldsOf(Order& order) {
    FieldBuilder fields;
    fields.word("to", order.target, "--to",
                "what to write; of a language model transformers, of its LoRA peft-lora",
                {"diffusers", "checkpoint", "kohya-lora", "diffusers-lora", "transformers", "peft-lora"});
    fields.word("precision", order.precision, "--precision",
                "number format of what is written; without it as it is", precisionWords());
    fields.word("prediction", order.prediction, "--prediction-type",
                "what the UNet predicts; without it what the model says", predictionWords());
    return fields.take();
}

} // namespace

int runConvert(const Arguments& arguments) {
    CLI::App app("Turns a model, a LoRA or a saved moment of a training into another form. OUT must not "
                 "exist.\nA moment is RUN/checkpoints/step-000400. What comes of it is what its preview was "
                 "drawn with:\naverages where the run keeps them (--ema), and a LoRA with its strength.",
                 "homebooth-engine convert");
    Order order;
    app.add_option("IN", order.in, "model, LoRA, or the folder of a checkpoint")->required();
    app.add_option("OUT", order.out, "where to write")->required();
    for (const ConfigField& field : fieldsOf(order)) addFieldOption(app, field, "");
    app.get_option("--to")->required();
    app.add_flag(
        "--zero-terminal-snr", order.zeroTerminalSnr,
        "of a model that predicts v, not of a LoRA: pictures begin with noise alone; as the model says if "
        "not given");
    app.add_flag("--allow-not-finite", order.allowNotFinite,
                 "write NaN and infinity, too, instead of refusing them");
    app.add_flag("--json", order.json,
                 "print what was written so far as JSON lines; the last one is the outcome");
    if (const auto done = parseArguments(app, arguments)) return *done;
    const auto code = convert(order);
    return code ? *code : failTold("convert", code.error(), order.json);
}

} // namespace homebooth::core
