// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/train_setup.h"

#include "app/engine/figures.h"
#include "app/engine/model_shelf.h"
#include "app/library/subject_book.h"
#include "app/pages/train/expert_form.h"
#include "app/pages/train/plan_panel.h"
#include "app/settings/settings.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"
#include "app/widgets/scroll_memory.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QMenu>
#include <QRadioButton>
#include <QScrollArea>

namespace homebooth::app {
namespace {

constexpr int kPlanWidth = 360;

/// The plural of an English noun, well enough for a label.
QString pluralOf(const QString& noun) {
    if (noun == QLatin1String("person")) return QStringLiteral("people");
    if (noun == QLatin1String("child")) return QStringLiteral("children");
    if (noun.endsWith(QLatin1String("man"))) return noun.chopped(2) + QStringLiteral("en");
    return noun.isEmpty() || noun.endsWith('s') ? noun : noun + 's';
}

} // namespace

TrainSetup::TrainSetup(Services services, QWidget* parent)
    : QWidget(parent)
    , m_services(services)
    , m_panel(new PlanPanel)
    , m_asker(new PlanAsker(this)) {
    auto* row = new QHBoxLayout(this);
    tidy(row, 0, kGapSection);
    QScrollArea* form = makeScroll(makeForm());
    new ScrollMemory(form, services.settings, "train");
    form->setMaximumWidth(kFormWidth + kGapSection);
    row->addWidget(form, 1);
    auto* card = new Card;
    auto* column = new QVBoxLayout(card);
    tidy(column, 1, 0);
    column->addWidget(makeScroll(m_panel));
    card->setMinimumWidth(kPlanWidth - 40);
    card->setMaximumWidth(kFormWidth);
    row->addWidget(card, 1);
    row->addStretch(0); // on wide screens both stay together
    connect(m_asker, &PlanAsker::changed, this, &TrainSetup::showPlan);
    connect(&services.models, &ModelShelf::changed, this, &TrainSetup::fillModels);
    connect(&services.subjects, &SubjectBook::changed, this, &TrainSetup::fillSubjects);
    connect(&services.subjects, &SubjectBook::inserted, this, &TrainSetup::fillSubjects);
    connect(&services.subjects, &SubjectBook::removed, this, &TrainSetup::fillSubjects);
    connect(&services.subjects, &SubjectBook::loadedAll, this, &TrainSetup::fillSubjects);
    connect(m_expert, &ExpertForm::changed, this, &TrainSetup::refresh);
    connect(&services.settings, &Settings::changed, this, [this](const QByteArray& key) {
        if (key == keys::kHome || key == keys::kGpuMemory || key == keys::kRam) refresh();
    });
    if (services.settings.value(keys::kTrainExpert).toBool()) toggleExpert();
    fillModels();
    fillSubjects();
}

QWidget* TrainSetup::makeForm() {
    auto* form = new QWidget;
    form->setMaximumWidth(kFormWidth);
    auto* column = new QVBoxLayout(form);
    column->setContentsMargins(0, 0, kGapLabel, kPageMargin);
    column->setSpacing(kGapSection);
    for (QLayout* part : {makeLearn(), makeModel(), makeResult(), makeQuality(), makeKeep(), makeExpert()})
        column->addLayout(part);
    column->addStretch();
    return form;
}

QLayout* TrainSetup::makeLearn() {
    auto* learn = new QVBoxLayout;
    tidy(learn, 0, kGapInside);
    learn->addWidget(new QLabel(tr("Learn")));
    m_chips = new QWidget;
    auto* chips = new QHBoxLayout(m_chips);
    tidy(chips, 0, kGapLabel);
    m_addSubject = makeButton(tr("Add one"), QStringLiteral("add"), "quiet");
    learn->addWidget(m_chips);
    connect(m_addSubject, &QPushButton::clicked, this, &TrainSetup::offerSubjects);
    return learn;
}

void TrainSetup::offerSubjects() {
    auto* menu = new QMenu(m_addSubject);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const core::Subject& subject : m_services.subjects.subjects())
        if (!m_learn.contains(subject.id))
            menu->addAction(QString::fromStdString(subject.name), this, [this, id = subject.id] {
                m_learn.append(id);
                m_datasetFolder.clear();
                fillSubjects();
            });
    if (menu->isEmpty()) menu->addAction(tr("Make a subject"), this, &TrainSetup::subjectWanted);
    menu->popup(m_addSubject->mapToGlobal(QPoint(0, m_addSubject->height())));
}

QLayout* TrainSetup::makeModel() {
    auto* model = new QVBoxLayout;
    tidy(model, 0, kGapInside);
    m_model = new QComboBox;
    m_model->setFocusPolicy(Qt::StrongFocus);
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_modelNote = new MutedLabel;
    model->addWidget(labelled(tr("Model"), m_model,
                              tr("The model that learns. It is not changed: the result is a new one.")));
    model->addWidget(m_modelNote);
    connect(m_model, &QComboBox::currentIndexChanged, this, &TrainSetup::refresh);
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
    m_result->addButton(lora, 1);
    m_result->addButton(whole, 0);
    whole->setChecked(true);
    result->addWidget(lora);
    result->addWidget(whole);
    connect(m_result, &QButtonGroup::idToggled, this, [this](int, bool on) {
        if (on) refresh();
    });
    return result;
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
    return expert;
}

void TrainSetup::toggleExpert() {
    const bool open = m_expert->isHidden();
    m_expert->setVisible(open);
    m_services.settings.set(keys::kTrainExpert, open);
    m_expertFold->setIcon(icon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
}

void TrainSetup::setSubject(int64_t subject) {
    m_learn = {subject};
    m_datasetFolder.clear();
    fillSubjects();
}

void TrainSetup::setDataset(const QString& name, const QString& folder) {
    m_learn.clear();
    m_datasetName = name;
    m_datasetFolder = folder;
    fillSubjects();
}

void TrainSetup::setModel(const QString& path) {
    const int at = m_model->findData(path);
    if (at >= 0) m_model->setCurrentIndex(at);
}

void TrainSetup::fillSubjects() {
    m_learn.removeIf([this](qlonglong id) { return m_services.subjects.find(id) == nullptr; });
    if (m_learn.isEmpty() && m_datasetFolder.isEmpty() && !m_services.subjects.subjects().empty())
        m_learn.append(m_services.subjects.subjects().front().id);
    auto* row = static_cast<QHBoxLayout*>(m_chips->layout());
    while (QLayoutItem* item = row->takeAt(0)) {
        if (item->widget() != nullptr && item->widget() != m_addSubject) item->widget()->deleteLater();
        delete item;
    }
    QList<QWidget*> chips;
    const auto addChip = [this, row, &chips](const QString& name, const std::function<void()>& drop) {
        auto* chip = makeButton(name, QStringLiteral("close"));
        chip->setLayoutDirection(Qt::RightToLeft);
        chip->setToolTip(tr("Do not learn %1").arg(name));
        connect(chip, &QPushButton::clicked, this, drop);
        row->addWidget(chip);
        chips.append(chip);
    };
    for (const qlonglong id : m_learn)
        addChip(QString::fromStdString(m_services.subjects.find(id)->name), [this, id] {
            m_learn.removeAll(id);
            const bool last = m_learn.isEmpty();
            if (!last) fillSubjects();
            if (last) {
                m_learn.append(id); // one has to stay
                Q_EMIT subjectWanted();
            }
        });
    if (!m_datasetFolder.isEmpty())
        addChip(m_datasetName, [this] {
            m_datasetFolder.clear();
            fillSubjects();
        });
    row->addWidget(m_addSubject);
    row->addStretch();
    putIntoTabOrder(chips << m_addSubject, *m_model);
    refresh();
}

void TrainSetup::fillModels() {
    const QString chosen = m_model->currentData().toString();
    const QSignalBlocker quiet(m_model);
    m_model->clear();
    for (const ModelEntry& entry : m_services.models.entries())
        if (!entry.lora) m_model->addItem(entry.name, entry.path);
    m_model->setCurrentIndex(qMax(0, m_model->findData(chosen)));
    refresh();
}

TrainingChoice TrainSetup::choice() const {
    TrainingChoice choice;
    choice.model = m_model->currentData().toString();
    if (const ModelEntry* model = m_services.models.find(choice.model); model != nullptr && model->looked) {
        choice.family = model->facts.family;
        choice.defaults = model->facts.defaults;
        choice.modelPixels = model->facts.pixels > 0 ? model->facts.pixels : choice.modelPixels;
    }
    for (const qlonglong id : m_learn) {
        const core::Subject* subject = m_services.subjects.find(id);
        if (subject == nullptr) continue;
        choice.sentences.append(subjectSentence(*subject));
        choice.classes.append(
            QStringLiteral("a photo of a %1").arg(QString::fromStdString(subject->classNoun)));
        if (choice.photoFolder.isEmpty() && !subject->photos.empty())
            choice.photoFolder = QFileInfo(QString::fromStdString(subject->photos.front().path)).path();
    }
    choice.datasetFolder = m_datasetFolder;
    choice.lora = m_result->checkedId() == 1;
    choice.quality = static_cast<Quality>(m_quality->checkedId());
    choice.keepOthersNormal = m_keep->isChecked();
    choice.expert = m_expert->changes();
    return choice;
}

double TrainSetup::secondsPerStep() const {
    return m_services.settings.value(speedKey(trainConfigOf(choice())).toLatin1().constData()).toDouble();
}

core::TrainConfig TrainSetup::limited(core::TrainConfig config) const {
    constexpr int64_t kGibi = int64_t{1} << 30;
    config.memory.deviceBytes = m_services.settings.number(keys::kGpuMemory) * kGibi;
    config.memory.ramBytes = m_services.settings.number(keys::kRam) * kGibi;
    return config;
}

void TrainSetup::refresh() {
    if (m_panel == nullptr || m_expert == nullptr) return;
    const TrainingChoice now = choice();
    TrainingChoice plain = now;
    plain.expert.clear();
    const core::TrainConfig defaults = trainConfigOf(plain);
    m_expert->setDefaults(defaults);
    const qsizetype expert = m_expert->changes().size();
    m_expertFold->setText(expert > 0 ? tr("Expert settings (%1 changed)").arg(expert)
                                     : tr("Expert settings"));
    const ModelEntry* model = m_services.models.find(now.model);
    m_modelNote->setText(model == nullptr       ? QString()
                         : !model->looked       ? tr("Looking at the model...")
                         : !model->facts.usable ? tr("This model cannot be used.")
                                                : tr("Makes pictures of %1 px.").arg(model->facts.pixels));
    m_modelNote->setToolTip(model == nullptr ? QString() : model->facts.problem);
    if (model != nullptr && model->looked) Q_EMIT pixelsChanged(trainConfigOf(now).data.resolutionPixels);
    refreshQualities(now);
    refreshKeep(now, defaults.data.classImageCount);
    const bool something = !now.sentences.isEmpty() || !now.datasetFolder.isEmpty();
    const bool known = model != nullptr && model->looked && model->facts.usable;
    if (something && known && (!now.photoFolder.isEmpty() || !now.datasetFolder.isEmpty()))
        m_asker->ask(limited(trainConfigOf(now)));
    else
        m_panel->show({}, {}, {}, 0.0);
    Q_EMIT changed();
}

void TrainSetup::refreshQualities(const TrainingChoice& now) {
    const double seconds = secondsPerStep();
    const QStringList words{tr("first look"), tr("good"), tr("closest")};
    for (int i = 0; i < words.size(); ++i) {
        const int64_t steps = stepsOf(now, static_cast<Quality>(i));
        m_qualityNotes[i]->setText(
            seconds > 0.0 ? QStringLiteral("%1, %2").arg(durationText(seconds * double(steps)), words[i])
                          : tr("%1 steps, %2").arg(steps).arg(words[i]));
    }
}

void TrainSetup::refreshKeep(const TrainingChoice& now, int64_t examples) {
    QString noun = tr("things");
    if (!m_learn.isEmpty())
        if (const core::Subject* subject = m_services.subjects.find(m_learn.front()))
            noun = pluralOf(QString::fromStdString(subject->classNoun));
    const bool possible = !needsCaptions(now);
    m_keep->setVisible(possible);
    m_keepNote->setVisible(possible);
    m_keep->setText(tr("Keep other %1 normal", "%1 is a class noun such as toy").arg(noun));
    m_keepNote->setText(tr("makes %1 example pictures first").arg(examples));
}

void TrainSetup::showPlan() {
    m_panel->show(m_asker->facts(), trainConfigOf(choice()), m_services.settings.runsFolder(),
                  secondsPerStep());
    offerRemedies();
    Q_EMIT changed();
}

void TrainSetup::offerRemedies() {
    std::vector<PlanRemedy> remedies;
    const PlanFacts::Verdict verdict = m_asker->facts().verdict;
    const TrainingChoice now = choice();
    if (verdict == PlanFacts::Verdict::DoesNotFit) {
        if (!now.lora)
            remedies.push_back(
                {tr("Learn a small add-on instead"), [this] { m_result->button(1)->click(); }});
        const core::TrainConfig config = trainConfigOf(now);
        if (config.optimizer.kind != core::OptimizerKind::AdamW8bit)
            remedies.push_back({tr("Keep the optimizer in 8 bit"), [this] {
                                    m_expert->setChange(QStringLiteral("optimizer.kind"),
                                                        QStringLiteral("adamw8bit"));
                                }});
        if (config.precision == core::Precision::Fp32)
            remedies.push_back({tr("Use the number format bf16"), [this] {
                                    m_expert->setChange(QStringLiteral("precision"), QStringLiteral("bf16"));
                                }});
        if (config.data.resolutionPixels > 256) {
            const int64_t half = config.data.resolutionPixels * 3 / 4 / 64 * 64;
            remedies.push_back({tr("Use %1 px").arg(half), [this, half] {
                                    m_expert->setChange(QStringLiteral("data.resolutionPixels"),
                                                        QString::number(half));
                                }});
        }
    }
    if (verdict != PlanFacts::Verdict::Fits && !m_expert->changes().isEmpty() &&
        verdict != PlanFacts::Verdict::Working)
        remedies.push_back({tr("Take back the expert settings"), [this] { m_expert->clearChanges(); }});
    m_panel->setRemedies(remedies);
}

bool TrainSetup::ready() const {
    return m_asker->facts().verdict == PlanFacts::Verdict::Fits;
}

RunOrder TrainSetup::order() const {
    RunOrder order;
    order.config = limited(trainConfigOf(choice()));
    order.plan = m_asker->facts().plan;
    QStringList names;
    for (const qlonglong id : m_learn)
        if (const core::Subject* subject = m_services.subjects.find(id)) {
            order.subjects.push_back(*subject);
            names.append(QString::fromStdString(subject->name));
        }
    if (!m_datasetFolder.isEmpty()) {
        order.subjects.clear();
        names = QStringList{m_datasetName};
    }
    order.title = names.join(QStringLiteral(", "));
    return order;
}

} // namespace homebooth::app
