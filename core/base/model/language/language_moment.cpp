// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/language/language_moment.h"

#include "core/base/model/folder_files.h"
#include "core/base/model/language/language_names.h"
#include "core/base/model/language/language_writer.h"
#include "core/base/text/byte_level_tokenizer.h"

#include <filesystem>

namespace homebooth::core {
namespace {

constexpr const char* kResult = "/result/model"; // of a run

DataType typeOf(Precision precision) {
    if (precision == Precision::Bf16) return DataType::BF16;
    return precision == Precision::Fp16 ? DataType::F16 : DataType::F32;
}

Result<LanguagePart> openBase(const SavedMoment& moment) {
    const std::string result = moment.runDir + kResult;
    std::vector<std::string> deviations; // told when the training began
    auto model = openLanguageFolder(isThere(result) ? result : moment.config.model,
                                    /*weightsOptional=*/true, deviations);
    if (model) return model;
    Error error = model.error();
    error.message.insert(0, "reading a saved moment: what did not learn is that of the model that its "
                            "training began with, which cannot be read: ");
    return error;
}

Result<WriteOutcome> writeWhole(const SavedMoment& moment, LanguagePart model, const std::string& path,
                                WriteOptions options) {
    HOMEBOOTH_ASSIGN(const ByteLevelTokenizer tokenizer, ByteLevelTokenizer::loadFolder(model.folder));
    HOMEBOOTH_ASSIGN(const int64_t end, learnedEndOf(model, tokenizer.endToken()));
    if (model.tensors->find(kHeadName) != nullptr) model.config.tiedHead = false;
    options.floatType = options.floatType.value_or(typeOf(moment.config.precision));
    return writeLanguageFolder(model, path, options, end);
}

Result<WriteOutcome> writeAdapters(const SavedMoment& moment, const LanguagePart& model,
                                   const std::string& path, WriteOptions options) {
    LanguageLora lora;
    lora.rank = moment.config.lora.rank;
    lora.alpha = moment.config.lora.alpha;
    lora.dropout = moment.config.lora.dropout;
    lora.baseModel = model.folder;
    lora.tensors = model.tensors;
    options.floatType = options.floatType.value_or(DataType::F32);
    return writeLanguageLora(lora, model.config.family, path, options);
}

} // namespace

Result<WriteOutcome> writeLanguageMoment(const SavedMoment& moment, const std::string& path,
                                         const WriteOptions& options) {
    HOMEBOOTH_CHECK(checkMomentWeights(moment.folder));
    HOMEBOOTH_ASSIGN(LanguagePart model, openBase(moment));
    std::vector<MappedTensor> tensors;
    HOMEBOOTH_CHECK(addMomentTensors(moment.folder, kLanguageWeights, "", tensors));
    model.tensors = std::make_shared<MappedSource>(std::move(tensors));
    if (moment.isLora()) return writeAdapters(moment, model, path, options);
    return writeWhole(moment, std::move(model), path, options);
}

} // namespace homebooth::core
