// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The options of train and resume, and what their help says of settings that nobody names.
#include "core/base/config/training_defaults.h"
#include "core/base/util/regular_file.h"
#include "core/cli/train/train_request.h"

namespace homebooth::core {
namespace {

/// Of a model that is not known yet.
std::string shownDefault(const ConfigField& field) {
    if (settingsByModel().contains(field.path)) return "what suits the model";
    return mayBeBrought(field.path) ? markedValue(field) : shownValue(field);
}

void addLine(CLI::App& app, const std::string& line) {
    app.footer(app.get_footer() + "\n" + line);
}

} // namespace

void TrainRequest::addTo(CLI::App& app, bool resumes) {
    TrainConfig defaults;
    app.add_option("--config", m_configFile, "run.json or its \"config\": settings; options override them")
        ->type_name("FILE");
    if (resumes)
        m_options.addTo(app, configFields(defaults), [](const ConfigField&) { return std::string(); });
    else
        m_options.addTo(app, configFields(defaults), shownDefault);
    if (resumes) app.get_option("--output")->group(""); // it is refused in words; help names none
    addLine(app, resumes ? "What is not named stays as it was; `resume RUN --help` shows that."
                         : kOwnDefaultsFooter);
    app.add_flag("--from-scratch", m_fromScratch, "train new weights on --dataset; needs --scratch-config");
}

Result<void> TrainRequest::showModelsDefaults(CLI::App& app) {
    HOMEBOOTH_CHECK(readFile());
    HOMEBOOTH_CHECK(m_options.apply(configFields(m_config), m_given));
    chooseMode();
    const bool scratch = m_config.mode == TrainMode::FromScratch;
    const std::string path = scratch ? m_config.scratch.configDir : m_config.model;
    if (path.empty()) return {};
    OpenOptions open;
    open.weightsOptional = true;
    HOMEBOOTH_ASSIGN(const ModelSource model, openModel(path, open));
    if (model.language) m_config.mode = TrainMode::Language;
    HOMEBOOTH_ASSIGN(const TrainingDefaults defaults, TrainingDefaults::of(model));
    FilledConfig filled = defaults.fill(m_config, m_given);
    FieldOptions::showValues(app, configFields(filled.config),
                             "In brackets: what applies to " + displayName(path) +
                                 " with the options beside --help.");
    return {};
}

void TrainRequest::showDefaults(CLI::App& app) {
    if (const auto shown = showModelsDefaults(app); !shown)
        addLine(app, "What applies cannot be told: " + shown.error().text());
}

Result<void> TrainRequest::showRun(const std::string& path, CLI::App& app) {
    HOMEBOOTH_ASSIGN(const RunFolder run, RunFolder::open(path));
    HOMEBOOTH_ASSIGN(m_config, run.config());
    HOMEBOOTH_CHECK(readFile());
    HOMEBOOTH_CHECK(m_options.apply(configFields(m_config), m_given));
    FieldOptions::showValues(app, configFields(m_config),
                             "In brackets: what the run has, with the options beside --help.");
    return {};
}

void TrainRequest::showSettingsOf(const std::string& path, CLI::App& app) {
    if (path.empty()) return;
    if (const auto shown = showRun(path, app); !shown)
        addLine(app, "What the run has cannot be told: " + shown.error().text());
}

} // namespace homebooth::core
