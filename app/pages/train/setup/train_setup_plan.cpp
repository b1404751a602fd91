// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the form that asks what the training would need, tells it, and offers what would make it fit.
#include "app/engine/figures.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/pictures/photo_folder.h"
#include "app/engine/plans/plan_savings.h"
#include "app/engine/plans/plan_words.h"
#include "app/engine/runs/disk_use.h"
#include "app/engine/runs/run_cards.h"
#include "app/library/background.h"
#include "app/library/subject_book.h"
#include "app/pages/train/setup/example_folder.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/learn_choice.h"
#include "app/pages/train/setup/plan_panel.h"
#include "app/pages/train/setup/shortage_text.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/settings/settings.h"
#include "core/base/config/train_config_json.h"
#include "core/base/system/cpu_facts.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace homebooth::app {

using Verdict = PlanFacts::Verdict;

namespace {

constexpr int kClickMs = 500; // from a press to a release, with time to spare
constexpr int kRoomMs = 3000;

bool lacksDisk(const PlanFacts& facts) {
    const bool disk =
        facts.cause == core::FailureCause::DiskFull || facts.cause == core::FailureCause::FileTooLarge;
    return facts.verdict == Verdict::DoesNotFit && disk;
}

bool lacksMemory(const PlanFacts& facts) {
    return facts.verdict == Verdict::DoesNotFit && !lacksDisk(facts);
}

/// Whether somebody has said how many steps it takes: then all qualities take those.
bool stepsAreSet(const TrainingChoice& choice) {
    return choice.expert.contains(QStringLiteral("steps"));
}

/// What a quality is good for; of steps that are the same for all only in what else it differs, if anything.
QString purposeOf(const TrainingChoice& choice, const core::TrainConfig& config, const QString& good) {
    if (!stepsAreSet(choice)) return good;
    const auto differs = [&](const auto& valueOf) {
        const auto isOther = [&](Quality quality) {
            TrainingChoice other = choice;
            other.quality = quality;
            return valueOf(trainConfigOf(other)) != valueOf(config);
        };
        return isOther(Quality::Quick) || isOther(Quality::Balanced) || isOther(Quality::Best);
    };
    const auto examples = [](const core::TrainConfig& one) {
        return one.data.classPrompt.empty() ? 0 : one.data.classImageCount;
    };
    const auto rate = [](const core::TrainConfig& one) { return one.optimizer.learningRate; };
    const auto schedule = [](const core::TrainConfig& one) { return one.optimizer.schedule; };
    QStringList words{TrainSetup::tr("set by hand")};
    if (differs(examples))
        words.append(TrainSetup::tr("%1 example pictures").arg(QLocale().toString(qint64(examples(config)))));
    if (differs(rate)) words.append(TrainSetup::tr("learning speed %1").arg(numberText(rate(config))));
    if (differs(schedule) && schedule(config) == core::LearningRateSchedule::Cosine)
        words.append(TrainSetup::tr("learning speed falling to 0"));
    return words.join(QStringLiteral(", "));
}

/// What a quality is good for, and how often it learns each picture of a dataset: the more there are,
/// the longer that takes, until nobody would wait for it.
QString withTimesSeen(const TrainingChoice& choice, const core::TrainConfig& config, const QString& words) {
    const double times = timesSeen(choice, config);
    if (times <= 0.0) return words;
    const QLocale numbers;
    if (times < 1.0)
        return TrainSetup::tr("%1, only %2 of %3 pictures")
            .arg(words, numbers.toString(qint64(picturesLearned(config))),
                 numbers.toString(qint64(choice.pictures)));
    if (qRound64(times) == 1) return TrainSetup::tr("%1, each picture about once").arg(words);
    return TrainSetup::tr("%1, each picture about %2 times").arg(words, numbers.toString(qRound64(times)));
}

} // namespace

PlanPast TrainSetup::pastOf(const core::TrainConfig& config) const {
    const auto kept = [this](const QString& key) {
        return m_services.settings.value(key.toLatin1().constData());
    };
    Pace pace = Pace::ofText(kept(paceKey(config)).toString());
    if (pace.step <= 0.0) pace.step = kept(speedKey(config)).toDouble(); // all that was kept once
    const bool busyItself =
        m_services.runs.busy() || m_services.runs.waitsForTurn() || m_services.generator.busy();
    const qint64 sinceOwnMs = busyItself ? 0 : m_ownWork.isValid() ? m_ownWork.elapsed() : -1;
    const int64_t examples =
        config.data.classDir.empty() ? kept(examplesKey(config)).toLongLong() : m_examples->pictures();
    return {pace, examples, slowdownBy(core::processorLoad(), sinceOwnMs)};
}

QString TrainSetup::qualityText(const TrainingChoice& choice, const QString& good) const {
    const core::TrainConfig config = trainConfigOf(choice);
    const QString words = withTimesSeen(choice, config, purposeOf(choice, config, good));
    const PlanPast past = pastOf(config);
    const PlanFacts facts = m_timed.first == speedKey(config) ? m_timed.second : PlanFacts();
    const PlanTime time = planTimeOf(facts, config, past.pace, past.examplesThere);
    const QString steps = countText(config.steps);
    if (!time.known) return tr("%1 steps, %2").arg(steps, words);
    const QString whole = durationText(time.whole.likely);
    if (past.pace.step <= 0.0) return tr("about %1, %2 steps, %3").arg(whole, steps, words);
    return stepsAreSet(choice) ? tr("%1, %2 steps, %3").arg(whole, steps, words)
                               : QStringLiteral("%1, %2").arg(whole, words);
}

void TrainSetup::refreshQualities(const TrainingChoice& now) {
    const QStringList words{tr("first look"), tr("good"), tr("closest")};
    TrainingChoice one = now;
    for (int i = 0; i < words.size(); ++i) {
        one.quality = static_cast<Quality>(i);
        const QString text = qualityText(one, words[i]);
        m_qualityNotes[i]->setText(text);
        QAbstractButton* choice = m_quality->button(i);
        if (choice->accessibleDescription() != text) choice->setAccessibleDescription(text);
    }
}

core::TrainConfig TrainSetup::limited(core::TrainConfig config) const {
    const bool processor = m_services.settings.flag(keys::kProcessorOnly);
    if (processor) config.memory.device = core::ComputeDevice::Cpu;
    if (!processor &&
        (config.parallel.processes == 1 || trainsOnCards(config))) // else they compute on processors
        config.memory.deviceBytes = m_services.settings.bytes(keys::kGpuMemory);
    config.memory.ramBytes = m_services.settings.bytes(keys::kRam);
    if (m_swapping) {
        config.memory.swapDir = m_services.settings.text(keys::kSwap).toStdString();
        config.memory.swapBytes = m_services.settings.bytes(keys::kSwapSize);
    }
    // Whose disk counts; a run that begins gets a folder of its own.
    config.output.runDir = m_services.settings.runsFolder().toStdString() + "/planned";
    return config;
}

void TrainSetup::askPlan(const TrainingChoice& now, bool modelUsable, Reason reason) {
    const bool has = !now.sentences.isEmpty() && subjectWithoutPhotos() == nullptr;
    m_asked = modelUsable && (has || !now.datasetFolder.isEmpty()) && !m_learn->away() &&
              !m_learn->clashes() && !m_expert->refuses() && m_clashes.empty() && !awaitsExamples();
    const bool swapping = std::exchange(m_swapping, false);
    const core::TrainConfig config = limited(trainConfigOf(now));
    m_memoryAt = momentThatCounts();
    const std::string turn = m_memoryAt == PlanMoment::InTurn ? "in turn " : "";
    const std::string before =
        std::exchange(m_question, m_asked ? turn + core::toJson(config) : std::string());
    // The shelf has news at every phase of a training, beside which a plan takes time and memory. Whatever
    // else comes may mean other pictures or other room under the same settings, and asks anew.
    if (reason != Reason::Other && m_asked && m_question == before) {
        m_swapping = swapping;
        return;
    }
    m_withoutSwap.reset();
    m_remedies->stop();
    // The run's own folder is made at its start: until then, all that lies beside its photos would count.
    const QByteArray photos =
        now.datasetFolder.isEmpty() ? listedPhotos(m_learn->subjects(), needsCaptions(now)) : QByteArray();
    m_asker->setPictures(photos);
    m_remedies->setPictures(photos);
    if (m_asked) return m_asker->ask(config, m_memoryAt);
    showObstacle();
}

bool TrainSetup::awaitsExamples() const {
    return m_examples->unknown() && !trainConfigOf(choice()).data.classDir.empty();
}

const core::Subject* TrainSetup::subjectWithoutPhotos() const {
    const std::vector<const core::Subject*> learned = m_learn->subjects();
    const auto hasNone = [](const core::Subject* subject) {
        return std::all_of(subject->photos.begin(), subject->photos.end(),
                           [](const core::Photo& photo) { return photo.leftOut; });
    };
    const auto found = std::find_if(learned.begin(), learned.end(), hasNone);
    return found == learned.end() ? nullptr : *found;
}

const core::Subject* TrainSetup::subjectWithLostPhotos() const {
    const bool folder = lacksPictureFolder(facts()); // whose name then comes first
    const QString& problem = facts().problem;
    for (const core::Subject* subject : m_learn->subjects())
        for (const core::Photo& photo : subject->photos) {
            const QString path = QString::fromStdString(photo.path);
            const bool named =
                folder ? problem.startsWith(QFileInfo(path).path() + ':') : problem.contains(path);
            if (facts().verdict == Verdict::Refused && !photo.leftOut && named) return subject;
        }
    return nullptr;
}

void TrainSetup::showObstacle() {
    PlanFacts none;
    std::vector<PlanRemedy> remedies;
    if (const std::optional<SettingClash> refusal = m_expert->refusal()) {
        none.problem = refusal->reason;
        if (!refusal->remedy.label.isEmpty())
            remedies.push_back(
                {refusal->remedy.label, [this, path = refusal->path] { m_expert->mend(path); }});
    } else if (m_learn->away()) {
        none.problem = tr("Folder \"%1\" is gone. Connect the drive.")
                           .arg(QFileInfo(m_learn->datasetFolder()).fileName());
    } else if (m_learn->clashes()) {
        none.problem = tr("Give each a trigger word of its own.");
    } else if (const core::Subject* empty = subjectWithoutPhotos(); empty != nullptr) {
        none.problem = tr("%1 has no photos to learn.").arg(shortName(*empty));
        remedies.push_back({tr("Go to Subjects"), [this, id = empty->id] { Q_EMIT photosWanted(id); }});
    } else if (!m_clashes.empty()) {
        none.problem = m_clashes.front().reason;
        const PlanChange& change = m_clashes.front().remedy;
        remedies.push_back({change.label, [this, change] { apply(change); }});
    } else if (awaitsExamples()) {
        none.problem = tr("Looking at the folder of your example pictures...");
    } else if (const TrainingChoice now = choice();
               const ModelEntry* model = m_services.models.shapeOf(now.model)) {
        none.problem = model->looked && model->facts.usable ? lackOf(*model, now) : QString();
        if (!none.problem.isEmpty()) remedies = remediesOfLack(now);
    }
    m_panel->show(none, {}, {});
    m_panel->setRemedies(remedies);
}

QString TrainSetup::lackOf(const ModelEntry& model, const TrainingChoice& now) {
    if (now.scratch && !now.autoencoder && !model.facts.packsPictures)
        return tr("Its autoencoder has not learned yet: train that first, or choose another model.");
    if (now.scratch && !now.autoencoder && !textCanLearn(now.family))
        return tr("A new model of this kind cannot be trained here: its text encoders cannot learn. Choose "
                  "another model for its shape.");
    if (!now.scratch && !model.facts.drawsPictures && model.path == now.model) // a moment of it has learned
        return tr("It has learned no pictures yet: only a new model from scratch can begin with it.");
    return {};
}

std::vector<PlanRemedy> TrainSetup::remediesOfLack(const TrainingChoice& now) {
    if (now.scratch) return {PlanRemedy{tr("Train the autoencoder"), [this] { setAutoencoder(true); }}};
    if (now.datasetFolder.isEmpty()) return {};
    return {PlanRemedy{tr("Train a new model from scratch"),
                       [this] { m_result->button(kScratch)->setChecked(true); }}};
}

std::vector<PlanRemedy> TrainSetup::remediesOfAdvice() {
    std::vector<PlanRemedy> remedies;
    const QString size = QStringLiteral("data.resolutionPixels");
    TrainingChoice usual = choice();
    if (!planAdvice(facts().plan).isEmpty() && usual.expert.remove(size) > 0)
        remedies.push_back({tr("Use %1 px").arg(trainConfigOf(usual).data.resolutionPixels),
                            [this, size] { m_expert->drop(size); }});
    if (proposesLighterWeights(facts().plan))
        remedies.push_back({tr("Keep the model's weights in 8 bits"), [this] {
                                m_expert->setChange(QStringLiteral("quantization"), QStringLiteral("int8"));
                            }});
    return remedies;
}

const PlanFacts& TrainSetup::facts() const {
    // An answer about the swapping itself says why that does not help.
    const PlanFacts& answer = m_asker->facts();
    const bool ofMemory = lacksMemory(answer) && answer.cause != core::FailureCause::SwapLimit;
    return m_withoutSwap && ofMemory ? *m_withoutSwap : answer;
}

void TrainSetup::askAgain() {
    m_examples->look(); // others may be in their folder by now
    const Verdict verdict = facts().verdict;
    const bool fails = verdict == Verdict::DoesNotFit || verdict == Verdict::Refused;
    // Meanwhile memory may have been given back, or a drive connected.
    const bool mayPass = lacksMemory(m_withoutSwap.value_or(facts())) || lacksPictureFolder(facts()) ||
                         !gonePhoto(facts()).isEmpty();
    if (m_asked && fails && mayPass && isVisible()) refresh();
}

QString TrainSetup::fullPlace() const {
    const QString named = facts().problem.section(QStringLiteral(": "), 0, 0);
    return named.startsWith('/') ? named : m_services.settings.runsFolder();
}

void TrainSetup::watchRoom() {
    m_room->stop(); // until the answer is there: a drive may be slow
    if (!m_asked || !lacksDisk(facts())) return;
    if (m_freeBytes >= 0 && !isVisible()) return m_room->start(kRoomMs);
    inBackground(
        this, [place = fullPlace()] { return freeBytesAt(place); },
        [this](qint64 bytes) { takeRoom(bytes); });
}

void TrainSetup::takeRoom(qint64 freeBytes) {
    constexpr qint64 kWorthAsking = qint64{16} << 20; // what other programs' small files give and take is not
    if (!m_asked || !lacksDisk(facts())) return;
    m_room->start(kRoomMs);
    if (freeBytes < 0) return;
    const qint64 needed = facts().neededBytes;   // 0, as what is there: nobody knows
    const qint64 nearly = needed - needed / 200; // the figures are rounded
    // Until then another plan would say the same, however much comes and goes meanwhile.
    const qint64 lacking =
        freeBytes >= nearly ? kWorthAsking : std::max<qint64>(kWorthAsking, needed - facts().haveBytes);
    // Room may have come since the plan looked, and what was there may go and come back.
    const bool told = needed > 0 && facts().cause == core::FailureCause::DiskFull;
    if (m_freeBytes < 0) m_freeBytes = told ? facts().haveBytes : freeBytes;
    if (freeBytes < needed) m_freeBytes = std::min(m_freeBytes, std::max(freeBytes, nearly - kWorthAsking));
    const bool enough = m_freeBytes < needed && freeBytes >= needed;
    if (!enough && freeBytes - m_freeBytes < lacking) return;
    m_freeBytes = freeBytes;
    refresh();
}

PlanMoment TrainSetup::momentThatCounts() const {
    return m_services.runs.waitsForTurn() ? PlanMoment::InTurn : PlanMoment::Now;
}

void TrainSetup::followTurn() {
    if (!m_turn->isActive()) m_turn->start(kClickMs);
}

void TrainSetup::noteWork() {
    m_ownWork.start();
    followTurn();
}

void TrainSetup::takeTurn() {
    if (m_asked && isVisible() && momentThatCounts() != m_memoryAt) refresh();
}

void TrainSetup::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!m_expert->isHidden()) wantGpus(); // which may have failed when the fold was opened
    takeTurn(); // a question that waits for its answer is not one that lacks memory
    askAgain();
    lookAtDataset(); // its folder may have others by now
}

bool TrainSetup::event(QEvent* event) {
    // Somebody comes from another program, perhaps by a click on a remedy, which a question would take away.
    if (event->type() == QEvent::WindowActivate) {
        QTimer::singleShot(kClickMs, this, [this] {
            askAgain();
            if (isVisible()) lookAtDataset();
        });
        m_learn->askDatasets(); // a drive may have been connected
    }
    return QWidget::event(event);
}

bool TrainSetup::takeMemoryOfPictures() {
    Generator& generator = m_services.generator;
    // A form out of view must not end the engine after every picture of somebody who makes one by one.
    if (!m_asked || !lacksMemory(facts()) || !isVisible() || generator.busy() || generator.free())
        return false;
    generator.giveBack([] {}); // `freed` asks anew
    return true;
}

void TrainSetup::showPlan() {
    if (!m_asked) return; // the answer to a question that counts no more
    if (takeMemoryOfPictures()) return;
    const PlanFacts& answer = m_asker->facts();
    if (lacksMemory(answer) && !m_withoutSwap && !m_services.settings.text(keys::kSwap).isEmpty()) {
        m_withoutSwap = answer;
        m_swapping = true;
        return m_asker->ask(limited(trainConfigOf(choice())), m_memoryAt);
    }
    if (m_withoutSwap && answer.verdict != Verdict::Fits && answer.verdict != Verdict::Working)
        m_swapping = false; // it does not help
    showFacts();
    const core::TrainConfig config = trainConfigOf(choice());
    if (facts().verdict == Verdict::Fits) m_timed = {speedKey(config), facts()};
    if (facts().verdict == Verdict::DoesNotFit) m_timed = {};
    if (facts().verdict != Verdict::Working) {
        if (!lacksDisk(facts())) m_freeBytes = -1;
        watchRoom();
    }
    refreshQualities(choice());
    lookForRemedies();
    Q_EMIT changed();
}

void TrainSetup::showFacts() {
    m_shared->stop();
    if (!m_asked) return; // something else stands there
    const core::TrainConfig config = trainConfigOf(choice());
    const PlanPast past = pastOf(config);
    m_panel->show(facts(), limited(config), m_services.settings.runsFolder(), past);
    if (facts().verdict == Verdict::Fits && sharesProcessor(facts(), past.slowdown)) m_shared->start();
}

void TrainSetup::lookForRemedies() {
    const Verdict verdict = facts().verdict;
    m_remedies->stop();
    if (verdict != Verdict::DoesNotFit && verdict != Verdict::Refused)
        return m_panel->setRemedies(remediesOfAdvice());
    const TrainingChoice now = choice();
    std::vector<RemedyFinder::Candidate> candidates;
    // They are planned without swapping, as the answer was that asked for it.
    for (const PlanChange& change : savingsOf(now, trainConfigOf(now), m_withoutSwap.value_or(facts())))
        candidates.push_back({change, limited(trainConfigOf(change.applied(now))), {}});
    m_remedies->look(std::move(candidates), m_memoryAt);
}

void TrainSetup::showRemedies() {
    const bool diskShort = lacksDisk(facts());
    std::vector<PlanRemedy> remedies;
    const core::Subject* lost = subjectWithLostPhotos();
    if (const QString gone = gonePhoto(facts()); lost != nullptr && !gone.isEmpty())
        remedies.push_back({tr("Leave it out"), [this, id = lost->id, gone] {
                                const core::Subject* subject = m_services.subjects.find(id);
                                if (subject == nullptr) return;
                                core::Subject after = *subject;
                                for (core::Photo& photo : after.photos)
                                    photo.leftOut = photo.leftOut || photo.path == gone.toStdString();
                                m_services.subjects.change(after, tr("leave out a photo that is gone"));
                            }});
    if (lost != nullptr)
        remedies.push_back({tr("Show photos"), [this, id = lost->id] { Q_EMIT photosWanted(id); }});
    for (const RemedyFinder::Candidate& one : m_remedies->fitting()) {
        const core::ResourceUse& use = one.facts.plan.predicted;
        const int64_t memory =
            use.deviceBytes > 0 ? use.deviceBytes : use.ramBytes * one.config.parallel.processes;
        const QString needed = diskShort ? diskText(one.facts.diskBytes) : memoryText(memory);
        remedies.push_back(
            {tr("%1: %2").arg(one.change.label, needed), [this, change = one.change] { apply(change); }});
    }
    if (diskShort && facts().cause == core::FailureCause::DiskFull)
        remedies.push_back({tr("Free room"), [this, place = fullPlace()] { Q_EMIT roomWanted(place); }});
    if (diskShort || facts().cause == core::FailureCause::SwapMissing)
        remedies.push_back({tr("Other folder"), [this] { Q_EMIT settingsWanted(); }});
    if (facts().cause == core::FailureCause::SwapLimit)
        remedies.push_back({tr("Raise the limit of swapping"), [this] { Q_EMIT settingsWanted(); }});
    else if (ownLimitBinds(facts(), limited(trainConfigOf(choice()))))
        remedies.push_back({tr("Raise the limit of memory"), [this] { Q_EMIT settingsWanted(); }});
    if (core::processorCanGoOn(facts().problem.toStdString())) // a change of settings asks anew
        remedies.push_back({tr("Use the processor, slower"),
                            [this] { m_services.settings.set(keys::kProcessorOnly, true); }});
    m_panel->setRemedies(remedies, m_remedies->looking());
}

void TrainSetup::apply(const PlanChange& change) {
    if (change.lora) m_result->button(*change.lora ? kLora : kWhole)->setChecked(true);
    if (change.plain) m_expert->clearChanges();
    for (auto one = change.expert.cbegin(); one != change.expert.cend(); ++one)
        m_expert->setChange(one.key(), one.value());
}

void TrainSetup::finishTyping() {
    m_expert->finishTyping();
}

bool TrainSetup::ready() const {
    return m_asked && facts().verdict == Verdict::Fits;
}

bool TrainSetup::working() const {
    // What lacks memory is asked once more when the pictures have given theirs back.
    const Generator& pictures = m_services.generator;
    const bool awaited = lacksMemory(facts()) && isVisible() && !pictures.busy() && !pictures.free();
    return m_asked && (facts().verdict == Verdict::Working || awaited);
}

RunOrder TrainSetup::order() const {
    RunOrder order;
    order.config = limited(trainConfigOf(choice()));
    order.plan = m_asker->facts().plan;
    QStringList names;
    for (const core::Subject* subject : m_learn->subjects()) {
        order.subjects.push_back(*subject);
        names.append(QString::fromStdString(subject->name));
    }
    if (!m_learn->datasetFolder().isEmpty()) {
        order.subjects.clear();
        names = QStringList{m_learn->datasetName()};
    }
    order.title = names.join(QStringLiteral(", "));
    return order;
}

} // namespace homebooth::app
