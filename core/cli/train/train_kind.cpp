// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether what is asked to train is of one kind: a language model that learns texts, or a model for pictures.
#include "core/base/plan/model_kind.h"
#include "core/base/text/documents.h"
#include "core/cli/train/train_request.h"

#include <algorithm>
#include <array>

namespace homebooth::core {
namespace {

/// Settings that say nothing to a language model.
bool isOfPictures(const std::string& path) {
    constexpr std::array<std::string_view, 4> kOfTexts{"data.textPath", "data.textColumn",
                                                       "data.contextTokens", "data.validationShare"};
    constexpr std::array<std::string_view, 6> kOther{
        "trainTextEncoder",     "lora.convolutions",   "optimizer.textEncoderLearningRate",
        "output.previewPrompt", "output.previewCount", "output.guidanceScale"};
    if (path.starts_with("data.")) return std::find(kOfTexts.begin(), kOfTexts.end(), path) == kOfTexts.end();
    return path.starts_with("loss.") || path.starts_with("scratch.") ||
           std::find(kOther.begin(), kOther.end(), path) != kOther.end();
}

} // namespace

void TrainRequest::chooseMode() {
    if (m_fromScratch)
        m_config.mode = TrainMode::FromScratch;
    else if (m_options.named("data.textPath") && !m_given.contains("mode"))
        m_config.mode = TrainMode::Language;
    else if (m_options.named("data.datasetDir") && !m_given.contains("mode"))
        m_config.mode = TrainMode::Dataset;
    if (m_fromScratch || m_options.named("data.datasetDir") || m_options.named("data.instanceDir") ||
        m_options.named("data.textPath"))
        m_given.insert("mode");
}

/// The settings for pictures that were named, as far as that is known; empty: none.
std::string TrainRequest::ofPictures() {
    std::string named;
    for (const ConfigField& field : configFields(m_config))
        if (isOfPictures(field.path) && m_options.named(field.path))
            named += (named.empty() ? "" : ", ") + field.option;
    if (named.empty() && !m_configFile.empty()) return "--config " + m_configFile;
    return named;
}

/// Before what is said of single settings: whoever took the other kind of model should hear of that.
Result<void> TrainRequest::checkModelKind() {
    const bool scratch = m_config.mode == TrainMode::FromScratch;
    const bool texts = m_config.mode == TrainMode::Language;
    const std::string& path = scratch ? m_config.scratch.configDir : m_config.model;
    if (path.empty() || isLanguageFolder(path) == texts) return {};
    OpenOptions open;
    open.weightsOptional = true;
    HOMEBOOTH_ASSIGN(const ModelSource model, openModel(path, open));
    if (scratch || texts) return core::checkModelKind(m_config, model);
    const std::string found = ofPictures();
    return badInput("training: expected settings for texts, since this is a language model (" +
                        std::string(familyName(model.language->config.family)) +
                        "), which learns from --text, found " +
                        (found.empty() ? "none" : "those for pictures (" + found + ")") + "; " +
                        (found.empty() ? "" : "leave them out and ") +
                        "name its texts with --text, or name another --model",
                    path);
}

Result<void> TrainRequest::checkKinds() {
    if (m_fromScratch && m_options.named("data.textPath"))
        return Error{ErrorCode::Usage,
                     "language models are trained from their weights; leave --from-scratch or --text out",
                     {}};
    HOMEBOOTH_CHECK(checkModelKind());
    if (m_config.mode != TrainMode::Language) return {};
    for (const ConfigField& field : configFields(m_config))
        if (isOfPictures(field.path) && m_options.named(field.path))
            return Error{ErrorCode::Usage,
                         "expected settings of a language model beside --text, found " + field.option +
                             ", which is of models for pictures; leave it out",
                         {}};
    return {};
}

Result<void> TrainRequest::checkNamedTexts() const {
    const DataConfig& data = m_config.data;
    HOMEBOOTH_CHECK(checkTexts(data.textPath, data.textColumn));
    // What a run began with stays as it is: its checkpoints were made with it.
    if (m_keepsAll && !m_options.named("data.textColumn")) return {};
    return checkTextColumn(data.textPath, data.textColumn);
}

} // namespace homebooth::core
