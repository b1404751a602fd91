// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/setup/train_setup.h"

#include "app/engine/gpu_answer.h"
#include "app/engine/gpu_watch.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/number_format.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/places.h"
#include "app/engine/plans/plan_savings.h"
#include "app/engine/runs/run_cards.h"
#include "app/library/subject_book.h"
#include "app/pages/train/setup/example_folder.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/learn_choice.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/settings/settings.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/card_line.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/scroll_memory.h"
#include "app/widgets/plain_tip.h"
#include "core/base/system/cpu_facts.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>

namespace homebooth::app {
namespace {

constexpr int kLeastPlanWidth = 320;
constexpr int kMostPlanWidth = 640;
constexpr int kLoadMs = 60'000; // the processor's load is that of a minute

/// The plural of an English noun, well enough for a label.
QString pluralOf(const QString& noun) {
    if (noun == QLatin1String("person")) return QStringLiteral("people");
    if (noun == QLatin1String("child")) return QStringLiteral("children");
    if (noun.endsWith(QLatin1String("man"))) return noun.chopped(2) + QStringLiteral("en");
    return noun.endsWith('s') ? noun : noun + 's';
}

/// Where the photos lie that a subject is learned from; those that are left out may lie anywhere.
QString folderOfFirst(const core::Subject& subject) {
    for (const core::Photo& photo : subject.photos)
        if (!photo.leftOut) return QFileInfo(QString::fromStdString(photo.path)).path();
    return {};
}

bool computesOnGpu(const Services& services) {
    const core::GpuFacts* gpus = services.gpus.facts();
    return gpus != nullptr && gpus->state == core::GpuState::Ready &&
           !services.settings.flag(keys::kProcessorOnly);
}

/// Whether several processes could train here: the engine's compute on processors, and share their cores.
bool processesAreOfUse(const core::GpuFacts& gpus) {
    const bool none = gpus.state == core::GpuState::NoDriver || gpus.state == core::GpuState::NoDevice;
    return none && core::usableThreads() > 1;
}

/// Whether the user brought along a model, be it a good one or not.
bool hasImported(const std::vector<ModelEntry>& entries) {
    return std::any_of(entries.begin(), entries.end(), [](const ModelEntry& entry) {
        return entry.origin == ModelEntry::Origin::Imported && entry.isModel();
    });
}

} // namespace

TrainSetup::TrainSetup(Services services, QWidget* parent)
    : QWidget(parent)
    , m_services(services)
    , m_learn(new LearnChoice(services.subjects, services.library))
    , m_examples(new ExampleFolder(this))
    , m_panel(new PlanPanel)
    , m_asker(new PlanAsker(this))
    , m_remedies(new RemedyFinder(this))
    , m_gpus(new GpuWatch(
          services.gpus, [this] { return m_expert->isVisible(); }, this))
    , m_turn(new QTimer(this))
    , m_room(new QTimer(this))
    , m_shared(new QTimer(this)) {
    auto* row = new QHBoxLayout(this);
    tidy(row, 0, kGapSection);
    m_form = makeScroll(makeForm());
    new ScrollMemory(m_form, services.settings, "train");
    m_form->setMaximumWidth(kFormWidth + kGapSection);
    row->addWidget(m_form, 1);
    auto* card = new Card;
    auto* column = new QVBoxLayout(card);
    tidy(column, 1, 0);
    column->addWidget(makeScroll(makePlan()));
    card->setMinimumWidth(kLeastPlanWidth);
    row->addWidget(card, 1);
    connectParts();
    if (services.settings.value(keys::kTrainExpert).toBool()) toggleExpert();
    fillModels();
    m_learn->setNext(m_model);
    m_learn->fill();
    restoreState();
    takeGpus();
}

TrainSetup::~TrainSetup() {
    if (m_looking) m_looking->stopped = true; // whose answer nobody waits for
}

void TrainSetup::connectParts() {
    connect(m_asker, &PlanAsker::changed, this, &TrainSetup::showPlan);
    connect(&m_services.models, &ModelShelf::changed, this, &TrainSetup::fillModels);
    connect(m_remedies, &RemedyFinder::changed, this, &TrainSetup::showRemedies);
    // What a training held is free by then, and a plan counts what is free.
    connect(&m_services.runs, &RunCentre::finished, this, &TrainSetup::refresh);
    connect(&m_services.generator, &Generator::freed, this, &TrainSetup::askAgain);
    // By then the next pictures have begun, if there are any.
    const auto takeMemory = [this] { takeMemoryOfPictures(); };
    connect(&m_services.generator, &Generator::ended, this, takeMemory, Qt::QueuedConnection);
    connect(&m_services.runs, &RunCentre::workChanged, this, &TrainSetup::noteWork);
    connect(&m_services.runs, &RunCentre::queueChanged, this, &TrainSetup::followTurn);
    connect(&m_services.generator, &Generator::begun, this, &TrainSetup::noteWork);
    connect(&m_services.generator, &Generator::ended, this, &TrainSetup::noteWork);
    m_turn->setSingleShot(true);
    connect(m_turn, &QTimer::timeout, this, &TrainSetup::takeTurn);
    m_shared->setSingleShot(true);
    m_shared->setInterval(kLoadMs);
    connect(m_shared, &QTimer::timeout, this, &TrainSetup::showFacts);
    m_room->setSingleShot(true);
    connect(m_room, &QTimer::timeout, this, &TrainSetup::watchRoom);
    connect(m_learn, &LearnChoice::changed, this, &TrainSetup::refresh);
    connect(m_learn, &LearnChoice::subjectWanted, this, &TrainSetup::subjectWanted);
    connect(m_learn, &LearnChoice::classWanted, this, &TrainSetup::classWanted);
    connect(m_learn, &LearnChoice::datasetWanted, this, [this](const QString& name, const QString& folder) {
        setDataset(name, folder);
        setSkipBroken(true); // whoever begins before the answer loses no training to a broken one
        lookAtDataset(/*chosen=*/true);
    });
    connect(m_expert, &ExpertForm::changed, this, &TrainSetup::refresh);
    connect(&m_services.gpus, &GpuAnswer::changed, this, &TrainSetup::takeGpus);
    connect(m_gpus, &GpuWatch::changed, this, [this] { // new figures alone change nothing
        if (m_expert->offerCards(m_gpus->cards())) refreshBy(Reason::Gpus);
    });
    connect(&m_services.settings, &Settings::changed, this, [this](const QByteArray& key) {
        for (const char* one : {keys::kHome, keys::kProcessorOnly, keys::kHalfFormat, keys::kGpuMemory,
                                keys::kRam, keys::kSwap, keys::kSwapSize, keys::kKeptMoments})
            if (key == one) refresh();
    });
}

QWidget* TrainSetup::makePlan() {
    auto* plan = new QWidget;
    plan->setMaximumWidth(kMostPlanWidth); // lines stay short; the card goes on to below the button
    auto* column = new QVBoxLayout(plan);
    tidy(column, 0, 0);
    auto* line = new CardLine(m_services.settings, m_services.gpus);
    line->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, 0); // as the panel has them
    column->addWidget(line);
    column->addWidget(m_panel, 1);
    return plan;
}

QWidget* TrainSetup::makeForm() {
    auto* form = new QWidget;
    form->setMaximumWidth(kFormWidth);
    auto* column = new QVBoxLayout(form);
    column->setContentsMargins(0, 0, kGapLabel, kPageMargin);
    column->setSpacing(kGapSection);
    column->addWidget(m_learn);
    for (QLayout* part : {makeModel(), makeResult(), makeQuality(), makeKeep(), makeExpert()})
        column->addLayout(part);
    column->addStretch();
    return form;
}

QLayout* TrainSetup::makeModel() {
    auto* model = new QVBoxLayout;
    tidy(model, 0, kGapInside);
    m_model = makeNameList();
    m_modelNote = new MutedLabel;
    model->addWidget(labelled(tr("Model"), m_model,
                              tr("The model that learns. It is not changed: the result is a new one.")));
    model->addWidget(m_modelNote);
    m_import = makeButton(tr("Import a model..."), QStringLiteral("import"));
    model->addWidget(m_import, 0, Qt::AlignLeft);
    connect(m_import, &QPushButton::clicked, this, &TrainSetup::importWanted);
    connect(m_model, &QComboBox::currentIndexChanged, this, [this] {
        m_wantedModel = m_model->currentData().toString();
        refresh();
    });
    // Whoever chooses the one that is shown has chosen, too: the one that is away does not come back then.
    connect(m_model, &QComboBox::activated, this, [this] {
        m_wantedModel = m_model->currentData().toString();
        keepState();
    });
    return model;
}

QLayout* TrainSetup::makeResult() {
    auto* result = new QVBoxLayout;
    tidy(result, 0, kGapLabel);
    result->addWidget(new QLabel(tr("Result")));
    m_result = new QButtonGroup(this);
    auto* lora = new QRadioButton(tr("Small add-on (LoRA)"));
    lora->setToolTip(tr("A small file that works together with the model; needs the least memory."));
    auto* whole = new QRadioButton(tr("Whole model"));
    whole->setToolTip(tr("Full fine-tuning: learns closest, and the result is as large as the model."));
    auto* scratch = new QRadioButton(tr("A new model from scratch"));
    scratch->setToolTip(tr("Begins with weights that know nothing, in the shape of the model above: takes "
                           "thousands of pictures and much time."));
    m_result->addButton(lora, kLora);
    m_result->addButton(whole, kWhole);
    m_result->addButton(scratch, kScratch);
    whole->setChecked(true);
    letTabFollowChoice(*m_result);
    for (QRadioButton* one : {lora, whole, scratch}) result->addWidget(one);
    result->addWidget(m_part = makePart());
    connect(m_result, &QButtonGroup::idToggled, this, [this](int, bool on) {
        if (on) refresh();
    });
    return result;
}

QWidget* TrainSetup::makePart() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(kGapSection, 0, 0, 0);
    column->setSpacing(kGapLabel);
    auto* group = new QButtonGroup(part);
    auto* pictures = new QRadioButton(tr("Pictures model"));
    pictures->setToolTip(
        tr("UNet and text encoder: learn to make pictures from words. The autoencoder of the "
           "model above packs them."));
    m_autoencoder = new QRadioButton(tr("Autoencoder"));
    m_autoencoder->setToolTip(tr("VAE: learns to pack pictures and to unpack them again. A pictures model is "
                                 "trained on top of it afterwards."));
    for (QRadioButton* one : {pictures, m_autoencoder}) {
        group->addButton(one);
        column->addWidget(one);
    }
    pictures->setChecked(true);
    letTabFollowChoice(*group);
    part->hide();
    connect(m_autoencoder, &QRadioButton::toggled, this, &TrainSetup::refresh);
    return part;
}

QLayout* TrainSetup::makeQuality() {
    auto* quality = new QVBoxLayout;
    tidy(quality, 0, kGapLabel);
    quality->addWidget(new QLabel(tr("Quality")));
    m_quality = new QButtonGroup(this);
    const QStringList names{tr("Quick"), tr("Balanced"), tr("Best")};
    for (int i = 0; i < names.size(); ++i) {
        auto* line = new QHBoxLayout;
        auto* choice = new QRadioButton(names[i]);
        choice->setMinimumWidth(120);
        m_quality->addButton(choice, i);
        m_qualityNotes.append(new MutedLabel);
        line->addWidget(choice);
        line->addWidget(m_qualityNotes.back(), 1);
        quality->addLayout(line);
    }
    m_quality->button(0)->setChecked(true);
    letTabFollowChoice(*m_quality);
    connect(m_quality, &QButtonGroup::idToggled, this, [this](int, bool on) {
        if (on) refresh();
    });
    return quality;
}

QLayout* TrainSetup::makeKeep() {
    auto* keep = new QVBoxLayout;
    tidy(keep, 0, kGapInside);
    m_keep = new QCheckBox;
    m_keep->setChecked(true);
    m_keep->setToolTip(
        tr("Prior preservation: makes example pictures of the kind first and learns them along, so that "
           "not everything of the kind begins to look like yours."));
    m_keepNote = new MutedLabel;
    keep->addWidget(m_keep);
    keep->addWidget(m_keepNote);
    connect(m_keep, &QCheckBox::toggled, this, &TrainSetup::refresh);
    return keep;
}

QLayout* TrainSetup::makeExpert() {
    m_expertFold = makeButton({}, QStringLiteral("chevron-right"), "quiet");
    m_expert = new ExpertForm;
    m_expert->hide();
    auto* expert = new QVBoxLayout;
    tidy(expert, 0, kGapBlock);
    expert->addWidget(m_expertFold, 0, Qt::AlignLeft);
    expert->addWidget(m_expert);
    connect(m_expertFold, &QPushButton::clicked, this, &TrainSetup::toggleExpert);
    connect(m_examples, &ExampleFolder::changed, this, &TrainSetup::refresh);
    return expert;
}

QWidget* TrainSetup::searchField() {
    if (m_expert->isHidden()) toggleExpert();
    return m_expert->searchField();
}

void TrainSetup::toggleExpert() {
    const bool open = m_expert->isHidden();
    m_expert->setVisible(open);
    m_services.settings.set(keys::kTrainExpert, open);
    m_expertFold->setIcon(icon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
    if (!open) return;
    wantGpus();
    if (!isVisible()) return;
    QTimer::singleShot(0, this, [this] { // once it is laid out: it opens below what is seen
        const int fold = m_expertFold->mapTo(m_form->widget(), QPoint()).y();
        QScrollBar* bar = m_form->verticalScrollBar();
        bar->setValue(std::max(bar->value(), fold - m_form->viewport()->height() / 2));
    });
}

bool TrainSetup::takesExamples() const {
    return m_expert->shows(QString::fromLatin1(kClassFolderPath));
}

void TrainSetup::takeExamples(const QString& folder) {
    m_expert->take(QString::fromLatin1(kClassFolderPath), folder);
}

void TrainSetup::showTop() {
    QWidget* last = focusWidget();
    if (last != nullptr && !isVisible()) last->clearFocus(); // which would go back to where it was
    m_form->verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum);
}

void TrainSetup::wantGpus() {
    m_services.gpus.want();
    if (engineTakesCards()) m_gpus->watch();
}

void TrainSetup::takeGpus() {
    const core::GpuFacts* gpus = m_services.gpus.facts();
    const std::vector<GpuCard>& cards = m_gpus->cards();
    if (gpus == nullptr && cards.empty() && m_services.gpus.problem().isEmpty()) return; // not yet
    if (gpus != nullptr)
        m_expert->offerProcesses(processesAreOfUse(*gpus));
    else if (cards.empty())
        m_expert->setGpusUnknown(m_services.gpus.problem());
    if (engineTakesCards() && !cards.empty()) m_expert->offerCards(cards);
    // What was refused may have been so for the sake of a driver that answers now.
    const bool refused = facts().verdict == PlanFacts::Verdict::Refused;
    refreshBy(refused && gpus != nullptr ? Reason::Other : Reason::Gpus);
}

void TrainSetup::setSubject(int64_t subject) {
    const bool anothers = !m_learn->chosen().contains(subject) && formState() == m_restored;
    m_restored = {};
    if (anothers) forgetRestored();
    m_learn->setSubject(subject);
}

void TrainSetup::addSubject(int64_t subject) {
    m_learn->addSubject(subject);
}

void TrainSetup::setAutoencoder(bool autoencoder) {
    for (QAbstractButton* one : m_autoencoder->group()->buttons())
        if (autoencoder == (one == m_autoencoder)) one->setChecked(true);
}

void TrainSetup::setModel(const QString& path) {
    if (m_model->findData(path) < 0 && m_services.models.moment(path) != nullptr) {
        m_moment = path;
        fillModels();
    }
    const int at = m_model->findData(path);
    if (at < 0) return;
    m_restored = {};
    m_wantedModel = path;
    m_model->setCurrentIndex(at);
    keepState(); // where it was shown already
}

void TrainSetup::takeImported(const QString& path) {
    const ModelEntry* model = m_services.models.find(path);
    if (model == nullptr || !model->isModel() || !model->facts.usable || !model->facts.drawsPictures) return;
    const bool builtIn = m_wantedModel.isEmpty() || m_wantedModel == builtInModel();
    const bool scratch = m_result->checkedId() == kScratch; // there it is the shape that was chosen
    if (!isVisible() && (!builtIn || scratch)) return;
    const bool restored = formState() == m_restored;
    setModel(path);
    if (restored) m_restored = formState(); // all else is still what the earlier session left
}

void TrainSetup::fillModels() {
    const QString chosen = m_wantedModel.isEmpty() ? m_model->currentData().toString() : m_wantedModel;
    if (m_services.models.moment(chosen) != nullptr) m_moment = chosen;
    const QSignalBlocker quiet(m_model);
    m_model->clear();
    for (const ModelEntry& entry : m_services.models.entries())
        if (entry.isModel()) m_model->addItem(entry.name, entry.path);
    if (m_services.models.moment(m_moment) != nullptr)
        m_model->addItem(m_services.models.nameOf(m_moment), m_moment);
    m_model->setCurrentIndex(qMax(0, m_model->findData(chosen)));
    refreshBy(Reason::Models);
}

TrainingChoice TrainSetup::choice() const {
    TrainingChoice choice;
    choice.model = m_model->currentData().toString();
    if (const ModelEntry* model = m_services.models.shapeOf(choice.model);
        model != nullptr && model->looked) {
        choice.family = model->facts.family;
        choice.defaults = model->facts.defaults;
        choice.modelPixels = model->facts.pixels > 0 ? model->facts.pixels : choice.modelPixels;
    }
    for (const core::Subject* subject : m_learn->subjects()) {
        choice.sentences.append(subjectSentence(*subject));
        choice.classes.append(QStringLiteral("a photo of a %1").arg(classOf(*subject)));
        if (choice.photoFolder.isEmpty()) choice.photoFolder = folderOfFirst(*subject);
    }
    choice.datasetFolder = m_learn->datasetFolder();
    if (m_counted.first == choice.datasetFolder) choice.pictures = m_counted.second;
    choice.backgroundRgb = m_learn->datasetBackground();
    choice.skipBroken = m_skipBroken && !choice.datasetFolder.isEmpty();
    choice.lora = m_result->checkedId() == kLora;
    choice.scratch = m_result->checkedId() == kScratch && !choice.datasetFolder.isEmpty();
    choice.autoencoder = choice.scratch && m_autoencoder->isChecked();
    choice.quality = static_cast<Quality>(m_quality->checkedId());
    choice.keepOthersNormal = m_keep->isChecked();
    choice.ownExamples = m_examples->pictures();
    choice.keptMoments = m_services.settings.number(keys::kKeptMoments);
    choice.half = halfFormat(m_services.settings);
    choice.onGpu = computesOnGpu(m_services);
    choice.expert = m_expert->changes();
    return choice;
}

void TrainSetup::refreshBy(Reason reason) {
    if (m_panel == nullptr || m_expert == nullptr) return;
    followLearned();
    m_examples->setFolder(m_expert->allChanges().value(QString::fromLatin1(kClassFolderPath)));
    const bool dataset = !m_learn->datasetFolder().isEmpty();
    m_result->button(kScratch)->setVisible(dataset);
    if (!dataset && m_result->checkedId() == kScratch) return m_result->button(kWhole)->setChecked(true);
    TrainingChoice plain = choice();
    m_part->setVisible(plain.scratch);
    plain.expert = m_expert->allChanges(); // those that count depend on the defaults
    const core::TrainConfig defaults = defaultsOf(plain);
    const ModelEntry* model = m_services.models.shapeOf(plain.model);
    const auto prediction = model != nullptr ? model->facts.prediction : core::PredictionType::Epsilon;
    m_expert->setDefaults(defaults, prediction, plain.family); // and which settings apply
    const TrainingChoice now = choice();
    const core::TrainConfig config = trainConfigOf(now);
    m_clashes = settingClashes(config, m_services.models.sizeStepOf(now.model), prediction);
    if (const auto clash = m_examples->clash(); clash && !config.data.classDir.empty())
        m_clashes.push_back(*clash);
    m_expert->showClashes(m_clashes);
    const qsizetype expert = m_expert->changes().size();
    m_expertFold->setText(expert > 0 ? tr("Expert settings (%1 changed)").arg(expert)
                                     : tr("Expert settings"));
    m_modelNote->setText(modelNote(model, now));
    setPlainTip(*m_modelNote, model == nullptr ? QString() : model->facts.problem);
    m_import->setVisible(now.model == builtInModel() && !hasImported(m_services.models.entries()));
    if (model != nullptr && model->looked) tellSizes(config.data, model->facts.bucketStep);
    refreshQualities(now);
    refreshKeep(now, config.data);
    const bool usable = model != nullptr && model->looked && model->facts.usable;
    askPlan(now, usable && lackOf(*model, now).isEmpty(), reason);
    keepState();
    Q_EMIT changed();
}

QString TrainSetup::modelNote(const ModelEntry* model, const TrainingChoice& now) const {
    if (model == nullptr) return {};
    if (!model->looked) return tr("Looking at the model...");
    if (!model->facts.usable) return tr("This model cannot be used.");
    if (const QString lack = lackOf(*model, now); !lack.isEmpty()) return lack;
    if (now.autoencoder) return tr("Only the shape of its autoencoder is taken over.");
    if (now.scratch)
        return tr("Only its shape and its autoencoder are taken over: the new model begins knowing nothing.");
    if (now.model != builtInModel()) return tr("Makes pictures of %1 px.").arg(model->facts.pixels);
    const QString small = tr("Small, for trying out: it makes sketches of %1 px.").arg(model->facts.pixels);
    if (hasImported(m_services.models.entries())) return small;
    return tr("%1 For photos, import a model such as Stable Diffusion 1.5 (.safetensors).").arg(small);
}

void TrainSetup::tellSizes(const core::DataConfig& learned, int64_t bucketStep) {
    Q_EMIT pixelsChanged(learned.resolutionPixels);
    Q_EMIT sizesChanged({learned.resolutionPixels, bucketStep, learned.framing});
}

QString TrainSetup::exampleNote(const core::DataConfig& learned) const {
    const int64_t wanted = learned.classImageCount;
    const int64_t own = std::min(wanted, m_examples->pictures());
    if (learned.classDir.empty())
        return tr("learns %1 example pictures along; the model makes those that are not there yet")
            .arg(wanted);
    if (m_examples->unknown() || m_examples->clash())
        return tr("learns example pictures of your folder along");
    if (own == wanted) return tr("learns %1 example pictures of your folder along").arg(own);
    if (own == 0) return tr("makes %1 example pictures first, in your folder").arg(wanted);
    return tr("learns %1 example pictures of your folder along; makes %2 more first, in that folder")
        .arg(own)
        .arg(wanted - own);
}

void TrainSetup::refreshKeep(const TrainingChoice& now, const core::DataConfig& examples) {
    QString noun = tr("things");
    if (const auto learned = m_learn->subjects(); !learned.empty())
        noun = pluralOf(classOf(*learned.front()));
    const bool possible = !needsCaptions(now);
    m_keep->setVisible(possible);
    const bool several = !possible && now.sentences.size() > 1;
    m_keepNote->setVisible(several || (possible && now.keepOthersNormal));
    m_keep->setText(tr("Keep other %1 normal", "%1 is a class noun such as toy").arg(noun));
    m_keepNote->setText(several ? tr("Learned together, others of their kinds are not kept normal: that is "
                                     "done with one subject only.")
                                : exampleNote(examples));
}

} // namespace homebooth::app
