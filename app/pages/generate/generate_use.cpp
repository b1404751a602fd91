// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the page Generate fills its form with what a picture was made with, and says what that leaves out.
#include "app/engine/pictures/picture_device.h"
#include "app/library/background.h"
#include "app/library/library_service.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/generate/prompt/others_prompt.h"
#include "app/pages/generate/prompt/prompt_text.h"
#include "app/pages/generate/used_settings.h"
#include "app/widgets/message_bar.h"
#include "core/base/config/sample_config_json.h"
#include "core/library/picture_store.h"

#include <QFileInfo>
#include <QTimer>

#include <utility>

namespace homebooth::app {
namespace {

constexpr const char* kComparesMessage = "compares";

/// Empty if none is there.
QString firstThatExists(const std::vector<std::string>& paths) {
    for (const std::string& path : paths)
        if (QFileInfo::exists(QString::fromStdString(path))) return QString::fromStdString(path);
    return {};
}

} // namespace

void GeneratePage::use(core::SampleConfig config) {
    config.prompt = literalPrompt(QString::fromStdString(config.prompt)).toStdString();
    m_form->setConfig(config);
}

GeneratePage::~GeneratePage() {
    m_stopComparing.request();
}

void GeneratePage::newWish() {
    stopComparing();
    forgetTraining();
    ++m_wish;
}

std::string GeneratePage::handMade() const {
    const core::SampleConfig now = m_form->config();
    core::SampleConfig made;
    made.model = now.model;
    made.loras = now.loras;
    made.prompt = now.prompt;
    made.negativePrompt = now.negativePrompt;
    made.seed = now.seed;
    made.count = now.count;
    made.initImage = now.initImage;
    return core::toJson(made);
}

GeneratePage::LateSettings GeneratePage::awaitSettings() {
    return {++m_wish, handMade()};
}

bool GeneratePage::useLate(const LateSettings& asked, const QString& text, const QString& recordedPath) {
    if (asked.wish != m_wish) return false;
    if (asked.form == handMade()) return useParameters(text, recordedPath);
    const auto use = [this, text, recordedPath] { (void)useParameters(text, recordedPath); };
    messages().show({MessageKind::Note,
                     tr("The form was changed before the picture's settings could be read: they were not "
                        "taken."),
                     {{tr("Use settings"), use}},
                     QStringLiteral("settings")});
    return false;
}

void GeneratePage::stopComparing() {
    m_stopComparing.request();
    m_stopComparing = core::CancelToken();
    m_compares = false;
    messages().drop(QLatin1String(kComparesMessage));
}

void GeneratePage::sayThatItCompares() {
    if (!m_compares) return;
    messages().show({MessageKind::Note,
                     tr("Files are compared with what the picture was made with. You can go on meanwhile."),
                     {{tr("Stop"), [this] { giveUpComparing(); }}},
                     QLatin1String(kComparesMessage)});
}

void GeneratePage::giveUpComparing() {
    stopComparing();
    if (m_used.undecided.isEmpty()) return;
    messages().show({MessageKind::Note,
                     tr("Stopped. Nothing was chosen for \"%1\": do it yourself.")
                         .arg(m_used.undecided.join(QStringLiteral("\", \"")).toHtmlEscaped()),
                     {},
                     QLatin1String(kComparesMessage)});
}

bool GeneratePage::useParameters(const QString& text, const QString& recordedPath) {
    if (text.isEmpty()) return false;
    const QString modelPath = m_services.models.knows(recordedPath) ? recordedPath : QString();
    newWish(); // of what was asked before nothing more is said
    for (const char* told : {"model", "weights", "settings"}) messages().drop(QLatin1String(told));
    m_lostStart.clear();
    m_toldMissing.clear();
    // Hashes may take gigabytes: names count until they are there.
    m_used = usedSettings(text, m_form->config(), modelPath, m_services.models);
    use(m_used.config);
    m_filled = m_form->config();
    if (m_used.weights) sayOtherWeights(*m_used.weights);
    sayWhatIsMissing();
    if (!m_used.start.isEmpty()) findStart();
    QTimer::singleShot(kSoonMs, this, [this, stop = m_stopComparing] {
        if (!stop.requested()) sayThatItCompares();
    });
    useCompared(text, modelPath, {});
    return true;
}

void GeneratePage::useCompared(const QString& text, const QString& modelPath, const FileHashes& hashes) {
    const bool another = m_form->config().model != m_filled.model; // somebody chose it meanwhile
    const QString model = another ? QString::fromStdString(m_form->config().model) : modelPath;
    if (!hashes.empty()) takeCompared(text, model, hashes);
    const std::optional<FileToHash> file = fileToHash(text, model, m_services.models, hashes);
    m_compares = file.has_value();
    if (!m_compares) return messages().drop(QLatin1String(kComparesMessage));
    inBackground(
        this, [file = *file, stop = m_stopComparing] { return readHash(file, stop); },
        [this, text, model, hashes, file = *file, stop = m_stopComparing](const std::string& hash) {
            if (stop.requested()) return;
            FileHashes more = hashes;
            more.emplace(file, hash);
            useCompared(text, model, more);
        });
}

void GeneratePage::takeCompared(const QString& text, const QString& modelPath, const FileHashes& hashes) {
    m_used = usedSettings(text, m_filled, modelPath, m_services.models, hashes);
    core::SampleConfig found = m_used.config;
    if (m_used.modelIsOpen || !modelPath.isEmpty()) found.model = m_filled.model;
    if (m_used.lorasAreOpen) found.loras = m_filled.loras;
    m_form->correct(m_filled, found);
    const core::SampleConfig now = m_form->config();
    if (now.model == found.model) m_filled.model = now.model;
    if (sameLoras(now.loras, found.loras)) m_filled.loras = now.loras;
    sayWhatIsMissing();
}

void GeneratePage::findStart() {
    // The text names the picture that it began from, but not its folder.
    const auto take = [this, start = m_used.start, turn = m_form->startsSet()](const QString& path) {
        if (turn != m_form->startsSet()) return; // its drive slept, and another start counts by now
        if (!path.isEmpty()) return m_form->setStart(path);
        m_lostStart = start;
        sayWhatIsMissing();
    };
    m_services.library.ask<std::vector<std::string>>(
        this,
        [name = m_used.start.toStdString()](core::Library& library) {
            return core::findStarts(library, name);
        },
        [this, take](const std::vector<std::string>& paths) {
            inBackground(
                this, [paths] { return firstThatExists(paths); }, take, &lookPool());
        });
}

void GeneratePage::sayWhatIsMissing() {
    QStringList missing = m_used.missing;
    if (!m_lostStart.isEmpty()) missing.append(m_lostStart);
    QStringList sentences;
    if (!missing.isEmpty())
        sentences.append(tr("The picture was made with \"%1\", which is not here.")
                             .arg(missing.join(QStringLiteral("\", \""))));
    if (m_used.modelStandsIn)
        sentences.append(tr("The model of that name here, which is another file, stays chosen."));
    if (m_used.nameIsTaken)
        sentences.append(tr("Something else here has the same name, but is another file."));
    sentences += m_used.untaken;
    if (sentences.isEmpty()) return;
    sentences.append(tr("Its other settings were taken."));
    const QString told = sentences.join(' ').toHtmlEscaped();
    if (std::exchange(m_toldMissing, told) == told) return; // somebody may have closed it
    messages().show({MessageKind::Note, told, {}, QStringLiteral("model")});
}

void GeneratePage::takeOver() {
    core::SampleConfig config = m_form->config();
    config.prompt = m_form->typedPrompt().toStdString();
    if (isPictureText(m_form->typedPrompt())) {
        (void)useParameters(m_form->typedPrompt(), {});
        return m_form->focusPrompt(); // the button is gone
    }
    const UsedSettings used = usedPrompt(std::move(config), m_services.models);
    m_form->takeWords(used.config);
    m_form->focusPrompt();
    QStringList sentences;
    if (!used.missing.isEmpty())
        sentences.append(tr("The prompt calls for \"%1\", which is not here.")
                             .arg(used.missing.join(QStringLiteral("\", \""))));
    sentences += used.untaken;
    if (sentences.isEmpty()) return;
    messages().show({MessageKind::Note, sentences.join(' ').toHtmlEscaped(), {}, QStringLiteral("model")});
}

GeneratePage::WeightWords GeneratePage::weightWords(core::Quantization used) {
    switch (used) {
    case core::Quantization::None:
        break;
    case core::Quantization::Int8:
        return {
            tr("The picture was made with weights in 8 bits. With the present settings it differs a little."),
            tr("Use weights in 8 bits")};
    case core::Quantization::W8A8:
        return {tr("The picture was computed in 8 bits. With the present settings it differs a little."),
                tr("Compute in 8 bits")};
    }
    return {tr("The picture was made with whole weights. With weights in 8 bits it differs a little."),
            tr("Use whole weights")};
}

void GeneratePage::sayOtherWeights(core::Quantization used) {
    const core::SampleConfig now = m_form->config();
    if (now.precision == core::Precision::Fp32 || used == now.quantization) return;
    const QString key = QStringLiteral("weights");
    const auto take = [this, used, key] {
        setPictureWeights(m_services.settings, used);
        messages().drop(key);
    };
    const WeightWords words = weightWords(used);
    messages().show({MessageKind::Note, words.text, {{words.remedy, take}}, key});
}

} // namespace homebooth::app
