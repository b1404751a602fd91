// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Generate does: gives jobs to the generator, and fills its form from runs and pictures.
#include "app/engine/engine_words.h"
#include "app/engine/models/learned_words.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/pictures/picture_device.h"
#include "app/library/background.h"
#include "app/library/library_service.h"
#include "app/library/word_lists.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app/pages/generate/prompt/prompt_card.h"
#include "app/pages/generate/prompt/prompt_text.h"
#include "app/settings/settings.h"
#include "app/widgets/lighter_weights.h"
#include "app/widgets/message_bar.h"
#include "core/base/config/step_spacing.h"
#include "core/base/model/model_family.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/run/failure_cause.h"
#include "core/base/text/prompt_syntax.h"
#include "core/base/util/result.h"
#include "core/library/picture_store.h"

#include <QTimer>

#include <memory>
#include <utility>

namespace homebooth::app {
namespace {

constexpr const char* kAwaitedMessage = "awaited";
constexpr const char* kPreparesMessage = "prepares";

} // namespace

std::vector<core::SampleConfig> GeneratePage::order(std::optional<int> count) {
    core::SampleConfig config = m_form->config();
    config.count = count.value_or(static_cast<int>(config.count));
    config.prompt = m_form->filled().text.toStdString();
    std::vector<core::SampleConfig> jobs{config};
    if (const QString other = m_form->otherModel(); !other.isEmpty()) {
        jobs.push_back(m_form->compared(config)); // the same seeds, and the same words by chance
        placePictures(jobs.back(), m_services.settings, m_services.models.pixelsOf(other));
    }
    for (core::SampleConfig& job : jobs) job.embeddings = namedEmbeddings(m_services.models, job);
    return jobs;
}

void GeneratePage::makeSome(std::optional<int> count) {
    m_form->finishTyping();
    if (m_form->prompt().isEmpty()) return;
    if (!m_lists->loaded() && isTemplate(m_form->prompt()))
        return m_lists->whenLoaded(this, [this, count] { makeSome(count); });
    clearMessages();
    sayThatItCompares(); // it goes on, and can be stopped
    if (const FilledPrompt filled = m_form->filled(); filled.problem != FilledPrompt::Problem::None)
        return refusePrompt(filled);
    const std::vector<core::SampleConfig> jobs = order(count);
    const std::string text = m_form->prompt().toStdString();
    m_form->nextSeed();
    handUsable(jobs, text);
}

void GeneratePage::handUsable(const std::vector<core::SampleConfig>& jobs, const std::string& prompt) {
    QStringList files; // of each job its model, then its add-ons
    for (const core::SampleConfig& job : jobs) {
        files.append(QString::fromStdString(job.model));
        for (const core::LoraReference& lora : job.loras) files.append(QString::fromStdString(lora.file));
    }
    const auto found = std::make_shared<bool>(false);
    m_services.models.findUsable(
        files, this, [this, found, ready = jobs, prompt](const core::Result<QStringList>& usable) mutable {
            *found = true;
            messages().drop(QLatin1String(kPreparesMessage));
            if (!usable)
                return messages().show({MessageKind::Error,
                                        troubleText(tr("The saved moment cannot make pictures."),
                                                    QString::fromStdString(usable.error().text())),
                                        {},
                                        QStringLiteral("failed")});
            auto file = usable->cbegin();
            for (core::SampleConfig& job : ready) {
                job.model = (file++)->toStdString();
                for (core::LoraReference& lora : job.loras) lora.file = (file++)->toStdString();
            }
            hand(ready, prompt);
        });
    QTimer::singleShot(kSoonMs, this, [this, found] {
        if (*found) return;
        messages().show({MessageKind::Note,
                         tr("The saved moment is being prepared."),
                         {},
                         QLatin1String(kPreparesMessage)});
    });
}

void GeneratePage::refusePrompt(const FilledPrompt& filled) {
    Message message{MessageKind::Error, promptProblem(filled).toHtmlEscaped(), {}, QStringLiteral("prompt")};
    if (!filled.list.isEmpty())
        message.remedies.push_back({tr("Open the list"), [this, name = filled.list] { showWordList(name); }});
    messages().show(message);
}

void GeneratePage::showWordList(const QString& name) {
    clearMessages();
    m_promptButton->setChecked(true);
    m_promptPart->showLists();
    m_promptPart->lists().open(name);
}

void GeneratePage::addWordLists(const QStringList& files) {
    for (const QString& file : files) m_lists->addFile(file);
}

void GeneratePage::hand(const std::vector<core::SampleConfig>& jobs, const std::string& prompt) {
    Pair pair;
    for (size_t side = 0; side < jobs.size(); ++side) pair.jobs[side] = core::newRecordId();
    if (jobs.size() == 2) {
        takeSides(pair, jobs[0], jobs[1]);
        m_pairs.push_back(pair);
    }
    Generator& generator = m_services.generator;
    const int heldBack = generator.heldBack();
    for (size_t side = 0; side < jobs.size(); ++side)
        generator.make(jobs[side], pair.jobs[side], pair.jobs[0]);
    if (m_compared == pair.jobs[0]) // it began ahead of the second one
        showPair(*pairOf(pair.jobs[0]), generator.currentJob());
    const std::string negative = jobs.front().negativePrompt;
    m_services.library.write([prompt, negative](core::Library& library) {
        return core::notePromptUse(library, prompt, negative);
    });
    if (const std::string start = jobs.front().initImage; !start.empty())
        m_services.library.write([start](core::Library& library) { return core::noteStart(library, start); });
    if (m_promptPart->isVisible()) m_prompts->refresh();
    sayThatTheyWait();
    if (generator.heldBack() == heldBack) offerToGoOn(); // else these are held, too
}

void GeneratePage::offerToGoOn() {
    if (m_services.generator.heldBack() == 0) return;
    messages().show({MessageKind::Note,
                     tr("Pictures that were asked for earlier wait. New ones are made before them."),
                     {{tr("Go on"), [this] { m_services.generator.setHeld(false); }}},
                     QLatin1String(kHeldMessage)});
}

void GeneratePage::sayThatTheyWait() {
    if (!m_services.generator.waitsForTraining()) return;
    messages().show(
        {MessageKind::Note,
         tr("<b>A training is running.</b> The pictures are made when it has ended. Both at once are slow, "
            "and memory may run out."),
         {{tr("Open the queue"), [this] { Q_EMIT wanted(PageId::Queue); }},
          {tr("Make them now"), [this] { m_services.generator.beginBeside(); }}},
         QLatin1String(kWaitsMessage)});
}

std::optional<Message> GeneratePage::mismatch(const core::SampleConfig& config) {
    const ModelShelf& shelf = m_services.models;
    const QString model = QString::fromStdString(config.model);
    for (const core::LoraReference& lora : config.loras) {
        const QString file = QString::fromStdString(lora.file);
        if (!shelf.madeForAnother(file, model)) continue;
        const auto made = *shelf.familyOf(file);
        const auto wanted = *shelf.familyOf(model);
        const auto name = [](core::ModelFamily family) {
            return QString::fromStdString(std::string(core::familyName(family)));
        };
        const bool named = made != core::ModelFamily::Other && wanted != core::ModelFamily::Other;
        const QString text =
            named ? tr("<b>\"%1\" was made for %2, this model is %3.</b> Your prompt is kept.")
                        .arg(shelf.nameOf(file).toHtmlEscaped(), name(made), name(wanted))
                  : tr("<b>\"%1\" was made for another kind of model than \"%2\".</b> Your prompt is kept.")
                        .arg(shelf.nameOf(file).toHtmlEscaped(), shelf.nameOf(model).toHtmlEscaped());
        return Message{MessageKind::Error,
                       text,
                       {{tr("Choose a model"), [this] { m_form->chooseModel(); }},
                        {tr("Make without the add-on"),
                         [this, file] {
                             const QString now = QString::fromStdString(m_form->config().model);
                             if (m_services.models.madeForAnother(file, now)) m_form->dropLora(file);
                             makeAgain(file.toStdString());
                         }}},
                       QStringLiteral("failed")};
    }
    return std::nullopt;
}

void GeneratePage::noteFailed() {
    const Generator& generator = m_services.generator;
    const GenerationJob& job = generator.jobs().front();
    if (std::exchange(m_failedRequest, job.request) != job.request || job.request == 0) m_failed.clear();
    // Of a comparison all of it is made again: the pictures of a row have one seed.
    const core::SampleConfig config = pairOf(job.id) != nullptr ? job.config : generator.restOf(job).config;
    if (config.count > 0) m_failed.push_back(config);
}

void GeneratePage::makeAgain(const std::string& without) {
    std::vector<core::SampleConfig> jobs = std::exchange(m_failed, {});
    if (jobs.empty()) return;
    for (core::SampleConfig& job : jobs) {
        std::erase_if(job.loras,
                      [&without](const core::LoraReference& lora) { return lora.file == without; });
        const QString model = QString::fromStdString(job.model);
        placePictures(job, m_services.settings, m_services.models.pixelsOf(model));
        job.outputDir = todaysPictures(m_services.settings).toStdString();
    }
    clearMessages();
    hand(jobs, literalPrompt(QString::fromStdString(jobs.front().prompt)).toStdString());
}

Message GeneratePage::failure(const QString& headline, const QString& detail) {
    const std::vector<GenerationJob>& jobs = m_services.generator.jobs();
    const bool unusable = headline == picturesTrouble(static_cast<int>(core::ErrorCode::BadInput));
    if (unusable && !jobs.empty())
        if (auto told = mismatch(jobs.front().config)) return *std::move(told);
    Message message{MessageKind::Error, troubleText(headline, detail), {}, QStringLiteral("failed")};
    if (!jobs.empty() && detail.contains(QLatin1String("cannot open the model: it does not exist"))) {
        const QString path = QString::fromStdString(jobs.front().config.model);
        const QString model = m_services.models.nameOf(path);
        m_services.models.lookAgain(path);
        message.text =
            tr("<b>The model \"%1\" cannot be found or read.</b> Connect its drive, import it from "
               "where it is now, or choose another one.")
                .arg(model.toHtmlEscaped());
        message.remedies.push_back({tr("Choose a model"), [this] { m_form->chooseModel(); }});
    }
    if (jobs.empty() || m_failed.empty()) return message;
    const auto again = [this] { makeAgain(); };
    message.remedies.push_back({tr("Try again"), again});
    if (lacksMemory(headline, detail))
        proposeLighterWeights(message, jobs.front().config, m_services.settings, again);
    if (core::processorCanGoOn(detail.toStdString())) proposeProcessor(message);
    return message;
}

void GeneratePage::proposeProcessor(Message& message) {
    message.text += QStringLiteral("<br>") + tr("The processor can make them, too, but takes far longer. "
                                                "\"Device\" in Settings changes that again.")
                                                 .toHtmlEscaped();
    message.remedies.push_back({tr("Use the processor, slower"), [this] {
                                    m_services.settings.set(keys::kProcessorOnly, true);
                                    makeAgain();
                                }});
}

void GeneratePage::sayFailure(const QString& headline, const QString& detail) {
    const Generator& generator = m_services.generator;
    if (!generator.jobs().empty()) noteFailed(); // the first one is still there
    Message message = failure(headline, detail);
    if (generator.heldBack() > 0) {
        const auto goOn = [this, plain = message] {
            m_services.generator.setHeld(false);
            messages().show(plain);
        };
        message.text += QStringLiteral("<br>") + tr("The other pictures wait.").toHtmlEscaped();
        message.remedies.push_back({tr("Go on"), goOn});
    }
    messages().show(message);
}

void GeneratePage::sayWarning(const QString& headline, const QString& detail) {
    for (const char* said : {core::kPromptSyntax, core::kFewSteps}) // by the form, with a way to mend it
        if (headline == warningHeadline(said)) return;
    Message message{MessageKind::Caution, troubleText(headline, detail), {}, detail};
    if (headline == warningHeadline("prompt-truncated")) {
        message.key = QLatin1String(kTooLongMessage);
        m_tooLong = m_form->words();
    }
    const std::vector<GenerationJob>& jobs = m_services.generator.jobs();
    const bool lacksRoom =
        headline == warningHeadline(core::kVaeTiling) || headline == warningHeadline(core::kModelStreams);
    if (lacksRoom && !jobs.empty())
        proposeLighterWeights(message, jobs.front().config, m_services.settings,
                              [this, key = detail] { messages().drop(key); });
    messages().show(message);
}

void GeneratePage::makeWith(const QString& model, const QString& lora, const QString& prompt) {
    newWish();
    if (!prompt.isEmpty()) m_form->setPrompt(literalWords(prompt), m_form->negative());
    m_form->setStart({}); // what was learned is to be seen, not what became of another picture
    m_afterTraining = Learned{model, lora, m_form->prompt()};
    m_services.models.refresh();
    makeAfterTraining();
    QTimer::singleShot(kSoonMs, this, [this] {
        if (!m_afterTraining) return;
        messages().show({MessageKind::Note,
                         tr("The model is being looked for."),
                         {{tr("Stop"), [this] { forgetTraining(); }}},
                         QLatin1String(kAwaitedMessage)});
    });
}

void GeneratePage::forgetTraining() {
    m_afterTraining.reset();
    messages().drop(QLatin1String(kAwaitedMessage));
}

void GeneratePage::makeAfterTraining() {
    if (!m_afterTraining) return;
    const auto [model, lora, prompt] = *m_afterTraining;
    const ModelShelf& models = m_services.models;
    const bool known = models.knows(model) && (lora.isEmpty() || models.knows(lora));
    if (!known && !models.settled()) return; // it is being looked for
    forgetTraining();
    m_form->setModel(model, lora);
    // With another model in its place the pictures would be of something else.
    if (const QStringList missing = notTaken(model, lora); !missing.isEmpty())
        return sayWhatTheyNeed(missing);
    if (m_form->prompt().isEmpty()) return askForPrompt();
    if (m_form->prompt() == prompt) make(); // else somebody is writing
}

QStringList GeneratePage::notTaken(const QString& model, const QString& lora) const {
    const ModelShelf& models = m_services.models;
    const MomentEntry* moment = models.moment(model);
    const core::SampleConfig now = m_form->config();
    QStringList missing;
    if (QString::fromStdString(now.model) != (moment != nullptr ? moment->path : model))
        missing.append(models.nameOf(model));
    if (!lora.isEmpty() && now.loras.empty()) missing.append(models.nameOf(lora));
    return missing;
}

void GeneratePage::sayWhatTheyNeed(const QStringList& names) {
    messages().show(
        {MessageKind::Error,
         tr("The pictures need \"%1\", which is not here. Import it again, or choose another model.")
             .arg(names.join(QStringLiteral("\", \"")).toHtmlEscaped()),
         {{tr("Choose a model"), [this] { m_form->chooseModel(); }}},
         QStringLiteral("model")});
}

void GeneratePage::askForPrompt() {
    m_form->focusPrompt();
    messages().show(
        {MessageKind::Note, tr("Describe a picture and press Make pictures."), {}, QStringLiteral("prompt")});
}

void GeneratePage::startFrom(const QString& picture) {
    forgetTraining();
    if (!m_toldMissing.isEmpty()) messages().drop(QStringLiteral("model")); // it told of another picture
    m_form->setStart(picture);
}

void GeneratePage::setModel(const QString& path) {
    forgetTraining();
    m_form->setModelAlone(path);
}

QString GeneratePage::modelFor(const QString& addOn) const {
    const ModelShelf& models = m_services.models;
    if (const ModelEntry* entry = models.find(addOn); entry != nullptr && !entry->base.isEmpty())
        if (models.knows(entry->base) || entry->hasOwnBase()) return entry->base;
    const QString now = QString::fromStdString(m_form->config().model);
    if (!models.madeForAnother(addOn, now)) return now;
    for (const ModelEntry& one : models.entries()) {
        const bool draws = one.isModel() && one.looked && one.facts.usable && one.facts.drawsPictures;
        if (draws && !models.madeForAnother(addOn, one.path)) return one.path;
    }
    return now;
}

void GeneratePage::prepare(const QString& path) {
    newWish();
    const ModelShelf& models = m_services.models;
    const ModelEntry* entry = models.find(path);
    if (entry == nullptr || entry->isModel()) return m_form->setModel(path);
    const QString model = modelFor(path);
    if (models.madeForAnother(path, model)) return sayNoModelFor(path);
    if (entry->kind == ModelEntry::Kind::Lora) {
        m_form->setModel(model, path);
        return sayOtherBase(*entry, model);
    }
    if (QString::fromStdString(m_form->config().model) != model) m_form->setModel(model);
    for (const LearnedWord& one : learnedWords(models, {model}))
        if (one.file == path) return m_form->addWord(one.words.front());
    sayWordIsTaken(path);
}

void GeneratePage::sayNoModelFor(const QString& addOn) {
    const auto family = m_services.models.familyOf(addOn);
    if (!family) return;
    messages().show({MessageKind::Note,
                     tr("<b>\"%1\" was made for %2.</b> There is no such model here: import one.")
                         .arg(m_services.models.nameOf(addOn).toHtmlEscaped(),
                              QString::fromStdString(std::string(core::familyName(*family)))),
                     {},
                     QStringLiteral("model")});
}

void GeneratePage::sayOtherBase(const ModelEntry& addOn, const QString& model) {
    if (addOn.base.isEmpty() || addOn.base == model) return;
    const ModelShelf& models = m_services.models;
    messages().show(
        {MessageKind::Caution,
         tr("<b>\"%1\" was trained on \"%2\", which is not here.</b> With \"%3\" the pictures may "
            "become others.")
             .arg(models.nameOf(addOn.path).toHtmlEscaped(), models.nameOf(addOn.base).toHtmlEscaped(),
                  models.nameOf(model).toHtmlEscaped()),
         {{tr("Choose a model"), [this] { m_form->chooseModel(); }}},
         QStringLiteral("model")});
}

void GeneratePage::sayWordIsTaken(const QString& file) {
    messages().show({MessageKind::Note,
                     tr("<b>Another learned word is called \"%1\", too.</b> Prompts mean that one: take it "
                        "off the list of models, or rename the file of this one and import it again.")
                         .arg(modelNameOf(file).toHtmlEscaped()),
                     {},
                     QStringLiteral("model")});
}

void GeneratePage::vary(bool sameSeed) {
    const QModelIndex index = chosen();
    if (!index.isValid()) return;
    newWish();
    const core::SampleConfig config = m_results.configOf(index.row());
    use(config);
    if (sameSeed) {
        sayOtherWeights(config.quantization);
        return m_form->setSeedOfOne(config.seed);
    }
    constexpr int kVariants = 4;
    m_form->setStart(index.data(PathRole).toString());
    makeSome(kVariants);
    m_form->setStart(QString::fromStdString(config.initImage));
}

} // namespace homebooth::app
