// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the page Train that tells how a run ended, and goes on with what came out of it.
#include "app/engine/figures.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/request_pool.h"
#include "app/engine/runs/disk_use.h"
#include "app/engine/runs/resume_options.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_session.h"
#include "app/engine/runs/training_recipe.h"
#include "app/library/background.h"
#include "app/library/subject_book.h"
#include "app/pages/train/run/further_line.h"
#include "app/pages/train/run/moment_row.h"
#include "app/pages/train/run/train_progress.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/pages/train/train_page.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/message_bar.h"
#include "core/base/config/colour.h"
#include "core/base/text/generation_parameters.h"
#include "core/base/text/prompt_weights.h"
#include "core/media/png_text.h"

#include <QFileInfo>

#include <algorithm>

namespace homebooth::app {
namespace {

/// Stands for the end that is no end.
QString goneMark() {
    return QStringLiteral("the folder is gone");
}

/// What a preview says that it shows, as it was learned: no bracket weighs, and none stands behind a
/// backslash. Empty where it says nothing, or is not there.
QString promptOf(const std::string& picture) {
    const auto text = core::readPngText(picture);
    if (!text) return {};
    const auto found = text->find("parameters");
    if (found == text->end()) return {};
    const std::string prompt = core::parseGenerationParameters(found->second).prompt;
    const std::string words = core::promptPieces(prompt).front().text;
    // Early versions wrote the words as they are.
    return QString::fromStdString(core::unweighedPrompt(words) == prompt ? words : prompt);
}

/// What of a run that has learned nothing, or nothing that was saved, is there all the same.
QString savedNothingText(const RunData& seen) {
    const QString nothing = TrainPage::tr("Nothing was saved yet.");
    if (seen.examplesMade == 0) return nothing;
    return nothing + ' ' +
           TrainPage::tr("%n example picture(s) are kept, and are not made again.", nullptr,
                         static_cast<int>(seen.examplesMade));
}

} // namespace

void TrainPage::showGone(RunSession& run) {
    setTitle(tr("%1 is out of reach").arg(run.title()));
    setSubtitle({});
    m_second->hide();
    mainButton()->setEnabled(false);
    mainButton()->hide(); // what helps stands in the message
    if (std::exchange(m_told, goneMark()) == goneMark()) return;
    const QFileInfo folder(run.folder());
    const auto find = [this, path = run.folder()] {
        askForFile(
            this, {tr("Find the folder of the training"), QFileDialog::Directory, {}, QFileInfo(path).path()},
            [this, path](const QString& found) { m_services.runs.relocate(path, found); });
    };
    messages().show(
        {MessageKind::Error,
         (run.data().anythingSeen()
              ? tr("<b>Folder \"%1\" is gone.</b> It was in %2. What was seen of it is kept. Put it back, "
                   "connect its drive, or say where it is now.")
              : tr("<b>Folder \"%1\" is gone.</b> It was in %2. Put it back, connect its drive, or say "
                   "where it is now."))
             .arg(folder.fileName().toHtmlEscaped(), folder.path().toHtmlEscaped()),
         {{tr("Find folder"), find}},
         QLatin1String(kEndMessage)});
}

void TrainPage::showEnd(RunSession& run) {
    if (run.gone()) return showGone(run);
    const bool there = m_told == goneMark(); // again
    if (there || (!m_told.isEmpty() && run.phase() != RunPhase::Failed)) {
        messages().drop(QLatin1String(kEndMessage));
        m_told.clear();
    }
    if (run.phase() == RunPhase::Reading) return showReading(run);
    nameNextSteps(run);
    const RunData& seen = run.data();
    const std::optional<int64_t> last = seen.savedStep();
    const QString saved = last ? tr("Step %1 is saved.").arg(countText(*last)) : savedNothingText(seen);
    switch (run.phase()) {
    case RunPhase::Done:
        return showDone(run);
    case RunPhase::Cancelled:
        setTitle(tr("%1 was stopped").arg(run.title()));
        return setSubtitle(tr("Stopped by you at step %1. %2").arg(countText(seen.step()), saved));
    case RunPhase::Waiting:
        setTitle(tr("%1 waits").arg(run.title()));
        return setSubtitle(tr("It has not begun yet."));
    default:
        setTitle(tr("%1 needs you").arg(run.title()));
        setSubtitle(saved);
        showProblem(run, saved);
    }
}

void TrainPage::showReading(const RunSession& run) {
    setTitle(run.title());
    setSubtitle(run.phaseText());
    m_second->hide();
    mainButton()->setEnabled(false); // nobody knows the next step
}

/// The coloured button is the next step: pictures of what is done, going on with what is not.
void TrainPage::nameNextSteps(const RunSession& run) {
    const bool done = run.phase() == RunPhase::Done;
    const std::optional<RunMoment> moment = m_progress->moments().chosen();
    const bool made = moment ? moment->kept() : !run.resultModel().isEmpty() || !run.resultLora().isEmpty();
    const std::optional<RunMoment> earlier = earlierMoment();
    const bool waits = m_services.runs.queue().contains(run.folder());
    QPushButton* further = done ? m_second : mainButton();
    further->setText(done || earlier                    ? tr("Train further")
                     : run.phase() == RunPhase::Waiting ? tr("Start")
                                                        : tr("Resume"));
    further->setEnabled(!waits && !(earlier && earlier->lora));
    further->setToolTip(
        !earlier ? (done ? m_progress->further().text() : QString())
        : earlier->lora
            ? tr("An add-on is trained further from its last step only.")
            : tr("A new training begins with the model of step %1.").arg(countText(earlier->step)));
    QPushButton* pictures = done ? mainButton() : m_second;
    const bool packs = learnsAutoencoder(run.config()); // and draws nothing
    pictures->setText(packs ? tr("Train a pictures model") : tr("Make pictures"));
    pictures->setEnabled(packs ? m_services.models.find(run.resultModel()) != nullptr : made);
    pictures->setToolTip(packs ? tr("From scratch, on the same dataset, packed by this autoencoder.")
                               : QString());
    m_second->setVisible(done || made || moment);
}

void TrainPage::showDone(const RunSession& run) {
    const RunData& seen = run.data();
    setTitle(tr("%1 is ready").arg(run.title()));
    QString text = tr("%1 steps in %2.").arg(countText(seen.step()), durationText(seen.workedSeconds));
    text += ' ' + madeText(run);
    if (const int64_t processes = run.config().parallel.processes; processes > 1)
        text += ' ' + tr("%1 processes trained it together.").arg(processes);
    // Else it stands beside the moments.
    if (const QString peak = peakText(run); m_progress->moments().isHidden() && !peak.isEmpty())
        text += QStringLiteral(" %1.").arg(peak);
    setSubtitle(text);
}

QString TrainPage::madeText(const RunSession& run) {
    if (learnsAutoencoder(run.config()))
        return tr("An autoencoder, in Models as \"%1\". A pictures model can learn on top of it.")
            .arg(run.title());
    const bool lora = !run.resultLora().isEmpty();
    const qint64 bytes = resultBytes(run);
    if (bytes <= 0) // not known so far
        return (lora ? tr("An add-on, in Models as \"%1\".") : tr("A whole model, in Models as \"%1\"."))
            .arg(run.title());
    return (lora ? tr("An add-on, %1, in Models as \"%2\".") : tr("A whole model, %1, in Models as \"%2\"."))
        .arg(diskText(bytes), run.title());
}

qint64 TrainPage::resultBytes(const RunSession& run) {
    const QString result = run.resultLora().isEmpty() ? run.resultModel() : run.resultLora();
    if (result.isEmpty()) return 0;
    const QString which = QStringLiteral("%1 at %2").arg(result, QString::number(run.data().step()));
    if (std::exchange(m_measured, which) == which) return m_resultBytes;
    m_resultBytes = 0;
    const auto take = [this, which](qint64 bytes) {
        if (m_measured != which) return;
        m_resultBytes = bytes;
        refresh();
    };
    inBackground(
        this, [result] { return diskBytesOf(result); }, take);
    return 0;
}

std::optional<RunMoment> TrainPage::earlierMoment() const {
    const MomentRow& moments = m_progress->moments();
    std::optional<RunMoment> moment = moments.chosen();
    if (moment && (!moment->kept() || moment->step >= moments.latestStep())) moment.reset();
    return moment;
}

void TrainPage::makePictures(const RunSession& run) {
    if (learnsAutoencoder(run.config())) return trainOnTop(run);
    const QString base = QString::fromStdString(run.config().model);
    const std::optional<RunMoment> moment = m_progress->moments().chosen();
    if (moment && !moment->kept()) return;
    if (moment && !moment->result)
        return askForPictures(run, moment->lora ? base : moment->checkpoint,
                              moment->lora ? moment->checkpoint : QString());
    askForPictures(run, run.resultModel().isEmpty() ? base : run.resultModel(), run.resultLora());
}

void TrainPage::trainOnTop(const RunSession& run) {
    const QString model = run.resultModel();
    if (m_services.models.find(model) == nullptr) return; // it comes
    const core::DataConfig& learned = run.config().data;
    const QString dataset = QString::fromStdString(learned.datasetDir);
    m_setup->setDataset(QFileInfo(dataset).fileName(), dataset, /*scratch=*/true,
                        core::parseColour(learned.background).value_or(core::kWhite));
    m_setup->setSkipBroken(learned.skipBrokenImages);
    m_setup->lookAtDataset();
    m_setup->setAutoencoder(false);
    prepareModel(model);
}

void TrainPage::askForPictures(const RunSession& run, const QString& model, const QString& lora) {
    const core::TrainConfig& config = run.config();
    const QString prompt = config.data.instancePrompt.empty()
                               ? firstPreview(config)
                               : QString::fromStdString(config.data.instancePrompt);
    const auto ask = [this, model, lora](const QString& words) { Q_EMIT picturesWanted(model, lora, words); };
    const std::vector<core::PreviewEvent>& previews = run.data().previews;
    if (!prompt.isEmpty() || previews.empty()) return ask(prompt);
    // Of a dataset the engine previews its captions: what was looked at is what one goes on with.
    inBackground(
        this, [picture = previews.back().path] { return promptOf(picture); }, ask, &requestPool());
}

void TrainPage::offerFurther(const RunSession& run) {
    const bool waits = m_services.runs.queue().contains(run.folder());
    const bool offered = run.phase() == RunPhase::Done && !run.gone() && !waits && !earlierMoment();
    if (offered) m_progress->further().offer(run);
    m_progress->further().setVisible(offered);
}

void TrainPage::trainFurther() {
    RunSession* run = m_services.runs.current();
    if (const std::optional<RunMoment> earlier = earlierMoment()) return trainFrom(earlier->checkpoint);
    const bool offered = run->phase() == RunPhase::Done && !run->gone();
    goOn(run->folder(), offered ? m_progress->further().options(*run) : ResumeOptions());
}

void TrainPage::trainFrom(const QString& checkpoint) {
    const core::RunRecord* record = m_services.runs.find(m_services.runs.current()->folder());
    std::vector<int64_t> subjects = record != nullptr ? record->subjects : std::vector<int64_t>();
    const SubjectBook& book = m_services.subjects;
    std::erase_if(subjects, [&book](int64_t one) { return book.loaded() && book.find(one) == nullptr; });
    const core::TrainConfig& config = m_services.runs.current()->config();
    const QString dataset = QString::fromStdString(config.data.datasetDir);
    const uint32_t background = core::parseColour(config.data.background).value_or(core::kWhite);
    const bool skips = config.data.skipBrokenImages;
    const auto take = [this, subjects, dataset, background, skips](const core::Result<QStringList>& usable) {
        if (!usable)
            return messages().show({MessageKind::Error,
                                    troubleText(tr("The saved moment cannot be trained further."),
                                                QString::fromStdString(usable.error().text())),
                                    {},
                                    QStringLiteral("failed")});
        if (!dataset.isEmpty())
            m_setup->setDataset(QFileInfo(dataset).fileName(), dataset, /*scratch=*/false, background);
        m_setup->setSkipBroken(skips && !dataset.isEmpty());
        if (!dataset.isEmpty()) m_setup->lookAtDataset();
        for (size_t i = 0; i < subjects.size(); ++i)
            if (i == 0)
                m_setup->setSubject(subjects[i]);
            else
                m_setup->addSubject(subjects[i]);
        if (dataset.isEmpty() && subjects.empty()) leaveOpenWhatToLearn();
        prepareModel(usable->front());
    };
    m_services.models.findUsable({checkpoint}, this, take);
}

void TrainPage::leaveOpenWhatToLearn() {
    m_setup->setNothing();
    messages().show({MessageKind::Caution,
                     tr("The subject of this training is no longer here. Choose what to learn."),
                     {},
                     QStringLiteral("failed")});
}

} // namespace homebooth::app
