// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/denoiser_result.h"

#include "core/base/files/atomic_file.h"
#include "core/base/model/configs/told_prediction.h"
#include "core/base/model/lora/lora_file.h"
#include "core/base/model/model_card.h"
#include "core/base/model/model_writer.h"
#include "core/base/model/other_programs.h"
#include "core/base/model/training_notes.h"
#include "core/base/schedule/adapters.h"
#include "core/engine/training/scratch_result.h"

#include <filesystem>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr size_t kUnetPart = 0;
constexpr size_t kTextPart = 1;

DataType resultType(const JobContext& job) {
    return job.config.precision == Precision::Fp32 ? DataType::F32 : DataType::F16;
}

/// Of what was learned, never of where it lies: the same run in another folder has the same bytes.
std::string titleOf(const JobContext& job) {
    const DataConfig& data = job.config.data;
    if (!data.instancePrompt.empty()) return data.instancePrompt;
    const fs::path folder(data.datasetDir);
    return (folder.has_filename() ? folder : folder.parent_path()).filename().string();
}

WriteOptions writeOptions(const JobContext& job) {
    WriteOptions options;
    options.floatType = resultType(job);
    options.title = titleOf(job);
    options.allowNotFinite = true; // what was learned checks itself; what was not is no reason to lose it
    options.vocabularyFile = job.options.vocabularyFile;
    return options;
}

/// Puts the .yaml beside the new file in the place of that of an earlier result, which goes where there is no
/// new one. Somebody else's stays.
Result<void> replaceConfiguration(const std::string& made, const std::string& place) {
    std::error_code ignored;
    if (fs::exists(place, ignored) && !isConfigurationBeside(place)) {
        fs::remove(made, ignored);
        return {};
    }
    if (fs::exists(made, ignored)) return replaceWith(made, place);
    fs::remove(place, ignored);
    return {};
}

CaptionCounts captionsOf(const std::vector<TrainingSample>& learned) {
    CaptionCounts captions;
    for (const TrainingSample& sample : learned)
        for (const std::string& caption : sample.captions) ++captions[caption];
    return captions;
}

Result<std::vector<std::string>> writeFull(const JobContext& job, const ModelBundle& model,
                                           const Learner& learner, const TrainingFacts& facts,
                                           const std::string& resultDir) {
    ModelSource trained = model.source();
    trained.unetTensors =
        std::make_shared<TensorListSource>(learner.resultTensors(kUnetPart), resultType(job));
    if (model.trainsText())
        trained.text.tensors =
            std::make_shared<TensorListSource>(learner.resultTensors(kTextPart), resultType(job));
    WriteOptions options = writeOptions(job);
    describeResult(facts, trained, options);
    options.onChoice = [&job](const ChoiceElsewhere& choice) {
        job.events.emit(WarningEvent{choice.code, choice.message});
    };
    const std::string folder = resultDir + "/" + kResultFolderName;
    const std::string file = folder + ".safetensors";
    const std::string made = resultDir + "/new-model";
    std::error_code ignored;
    fs::remove_all(folder + ".new", ignored);
    for (const char* ending : {".safetensors", ".yaml"}) fs::remove(made + ending, ignored);
    const auto folderWritten = writeDiffusersFolder(trained, folder + ".new", options);
    if (!folderWritten) return folderWritten.error();
    HOMEBOOTH_CHECK(replaceWith(folder + ".new", folder));
    const auto fileWritten = writeSingleFile(trained, made + ".safetensors", options);
    if (!fileWritten) return fileWritten.error();
    HOMEBOOTH_CHECK(replaceConfiguration(made + ".yaml", folder + ".yaml"));
    HOMEBOOTH_CHECK(replaceWith(made + ".safetensors", file));
    return std::vector<std::string>{folder, file};
}

/// The adapters among a part's tensors, for the LoRA file; tensors get the component's name in front.
void addModules(const std::string& component, const std::vector<NamedTensor>& tensors, const LoraConfig& lora,
                std::vector<LoraModule>& modules, std::vector<NamedTensor>& all) {
    for (const NamedTensor& down : tensors) {
        if (!down.name.ends_with(kAdapterDown)) continue;
        LoraModule module;
        module.name = {component, down.name.substr(0, down.name.size() - kAdapterDown.size())};
        module.rank = lora.rank;
        module.alpha = lora.alpha;
        module.downTensor = component + "/" + down.name;
        module.upTensor = component + "/" + module.name.path + std::string(kAdapterUp);
        module.downShape = down.tensor.sizes().vec();
        for (const NamedTensor& up : tensors)
            if (component + "/" + up.name == module.upTensor) {
                module.upShape = up.tensor.sizes().vec();
                all.push_back({module.upTensor, up.tensor, up.swap});
            }
        all.push_back({module.downTensor, down.tensor, down.swap});
        modules.push_back(std::move(module));
    }
}

Result<std::vector<std::string>> writeAdapters(const JobContext& job, const ModelBundle& model,
                                               const Learner& learner,
                                               const std::vector<TrainingSample>& learned,
                                               const std::string& resultDir, int64_t step) {
    std::vector<LoraModule> modules;
    std::vector<NamedTensor> tensors;
    addModules("unet", learner.resultTensors(kUnetPart), job.config.lora, modules, tensors);
    if (model.trainsText())
        addModules("text_encoder", learner.resultTensors(kTextPart), job.config.lora, modules, tensors);
    LoraDescription description = LoraDescription::of(model.source());
    const CaptionCounts captions = captionsOf(learned);
    description.triggerPhrase = triggerOf(job.config, captions);
    description.title = description.triggerPhrase.empty() ? titleOf(job) : description.triggerPhrase;
    HOMEBOOTH_ASSIGN(const auto facts, job.run.facts());
    noteTraining(job.config, facts, step, description);
    noteCaptions(job.config, captions, std::ssize(learned), description);
    description.resolutionPixels = job.config.data.resolutionPixels;
    noteToldPrediction(job.config, model.source(), description);
    WriteOptions options;
    options.floatType = resultType(job);
    const std::string file = resultDir + "/lora.safetensors";
    const std::string made = resultDir + "/new-lora.safetensors";
    std::error_code ignored;
    fs::remove(made, ignored);
    const auto written =
        writeLora(made, LoraFormat::Kohya, modules, TensorListSource(std::move(tensors), resultType(job)),
                  description, options);
    if (!written) return written.error();
    HOMEBOOTH_CHECK(replaceWith(made, file));
    return std::vector<std::string>{file};
}

} // namespace

Result<std::vector<std::string>> writeDenoiserResult(const JobContext& job, const ModelBundle& model,
                                                     const Learner& learner,
                                                     const std::vector<TrainingSample>& learned,
                                                     const std::string& resultDir, int64_t step) {
    std::error_code error;
    fs::create_directories(resultDir, error);
    if (error) return systemError("make the result's folder", resultDir, error.value());
    if (job.config.method != TrainMethod::Full)
        return writeAdapters(job, model, learner, learned, resultDir, step);
    const TrainingFacts facts = trainingFacts(job.config, captionsOf(learned), step);
    return writeFull(job, model, learner, facts, resultDir);
}

} // namespace homebooth::core
