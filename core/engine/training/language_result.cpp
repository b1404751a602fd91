// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/language_result.h"

#include "core/base/model/language/language_writer.h"
#include "core/base/schedule/adapters.h"
#include "core/engine/training/scratch_result.h"

#include <filesystem>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLoraFolderName = "lora";

/// 16 bits stay those that were trained in: values beyond fp16's range are usual in language models.
DataType resultType(Precision precision) {
    if (precision == Precision::Bf16) return DataType::BF16;
    return precision == Precision::Fp16 ? DataType::F16 : DataType::F32;
}

/// What is left of an earlier attempt goes first.
std::string madeBeside(const std::string& folder) {
    std::error_code ignored;
    fs::remove_all(folder + ".new", ignored);
    return folder + ".new";
}

/// Of a part's tensors, those of adapters.
std::vector<NamedTensor> adaptersOf(std::vector<NamedTensor> tensors) {
    std::erase_if(tensors, [](const NamedTensor& one) { return !isAdapterName(one.name); });
    return tensors;
}

Result<std::vector<std::string>> writeFull(const JobContext& job, LanguagePart model, const Learner& learner,
                                           const std::string& resultDir, int64_t learnedEnd) {
    const DataType type = resultType(job.config.precision);
    model.tensors = std::make_shared<TensorListSource>(learner.resultTensors(0), type);
    WriteOptions options;
    options.floatType = type;
    options.allowNotFinite = true; // what was learned checks itself
    const std::string folder = resultDir + "/" + kResultFolderName;
    const std::string made = madeBeside(folder);
    const auto written = writeLanguageFolder(model, made, options, learnedEnd);
    if (!written) return written.error();
    HOMEBOOTH_CHECK(replaceWith(made, folder));
    return std::vector<std::string>{folder};
}

Result<std::vector<std::string>> writeAdapters(const JobContext& job, const LanguagePart& model,
                                               const Learner& learner, const std::string& resultDir) {
    const LoraConfig& config = job.config.lora;
    LanguageLora lora;
    lora.rank = config.rank;
    lora.alpha = config.alpha;
    lora.dropout = config.dropout;
    lora.baseModel = model.folder;
    lora.tensors = std::make_shared<TensorListSource>(adaptersOf(learner.resultTensors(0)), DataType::F32);
    const std::string folder = resultDir + "/" + kLoraFolderName;
    const std::string made = madeBeside(folder);
    const auto written = writeLanguageLora(lora, model.config.family, made);
    if (!written) return written.error();
    HOMEBOOTH_CHECK(replaceWith(made, folder));
    return std::vector<std::string>{folder};
}

} // namespace

Result<std::vector<std::string>> writeLanguageResult(const JobContext& job, const LanguagePart& model,
                                                     const Learner& learner, const std::string& resultDir,
                                                     int64_t learnedEnd) {
    if (job.config.method == TrainMethod::Full) return writeFull(job, model, learner, resultDir, learnedEnd);
    return writeAdapters(job, model, learner, resultDir);
}

} // namespace homebooth::core
