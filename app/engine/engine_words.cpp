// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/engine_words.h"

#include "core/base/run/journal/event.h"
#include "core/base/run/run_place.h"
#include "core/base/util/result.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <iterator>

namespace homebooth::app {
namespace {

struct Warning {
    const char* kind;
    const char* headline;
};

constexpr const char* kContext = "homebooth::app::EngineWords";

constexpr Warning kWarnings[] = {
    {"after-sleep",
     QT_TRANSLATE_NOOP(
         "homebooth::app::EngineWords",
         "The training ended when the computer slept. It has started again by itself, from what "
         "was saved.")},
    {"bf16-for-additions",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "fp16 does not hold the numbers of this model and what is added to it: the pictures "
                       "are made in bf16.")},
    {"bf16-instead",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "fp16 does not hold the numbers of this model: its pictures are made in bf16.")},
    {"broken-picture",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "A picture cannot be read. It was left out.")},
    {"card-without-driver",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "The processor computes, far slower: the NVIDIA card's driver does not work.")},
    {"charts",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The charts could not be put into the run's folder.")},
    {"class-pictures-as-told",
     QT_TRANSLATE_NOOP(
         "homebooth::app::EngineWords",
         "The pictures of the class are drawn as of a model that predicts what was chosen. Where "
         "they are grey noise, say on Models first what it predicts.")},
    {"class-pictures-of-another",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "The pictures of the class were made of another prompt, or by another model.")},
    {"control", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                  "This training can be stopped from here, but not paused.")},
    {"copied-run",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "This training is a copy. It saves its moments in a folder of its own.")},
    {"dropout-not-applied", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                              "The model's own dropout is not applied: it learns without.")},
    {"elsewhere", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                    "The saved moments could not be brought into the other folder.")},
    {"embedding-unnamed",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "A learned word is in no prompt: it does nothing.")},
    {"encode-first",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "There is no memory to prepare pictures while it learns: all are prepared first.")},
    {"faulty-format",
     QT_TRANSLATE_NOOP(
         "homebooth::app::EngineWords",
         "This graphics card computes wrongly in fp16. Choose bf16, which takes as much memory.")},
    {"few-steps", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                    "So few steps are for models that were made for them, and those need "
                                    "trailing spacing.")},
    {"idle-option", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                      "A setting that was named changes nothing beside the others.")},
    {"left-behind",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Earlier saved moments stay on the drive that is not there. The training goes on "
                       "without them.")},
    {"left-over", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                    "What an earlier attempt left behind could not be removed.")},
    {"less-memory", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                      "Other programs have taken memory that the training needs. It goes on; "
                                      "close some of them.")},
    {"less-ram",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Other programs have taken RAM that the training needs. It goes on, but may become "
                       "slow; close some of them.")},
    {"many-threads", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "There are far more threads than the processor has cores: fewer are "
                                       "faster.")},
    {"memory-ran-out",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Memory ran out. The training goes on with less, slower; nothing was lost.")},
    {"metadata-not-read",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "The captions in metadata.jsonl are not read: it lies beside photos of one subject.")},
    {"model", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                "Something is missing in the model. The usual was taken instead.")},
    {"model-streams",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "There is no room for the whole model where it computes: parts of it come from RAM in "
                       "each step, which takes longer.")},
    {"needed-by-others",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Earlier saved moments stay where they were: other trainings may need them.")},
    {"noise-chosen-elsewhere",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "ComfyUI takes this model for one that predicts v: put the node ModelSamplingDiscrete "
                       "behind it there, with eps.")},
    {"nothing-held-out",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "There are too few pictures to hold some out for the validation curve.")},
    {"nothing-to-share", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                           "One process trains: it has nothing to share with others.")},
    {"no-tags-to-shuffle",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "No caption has tags that could change places: commas part them.")},
    {"not-saved",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "What was learned lately could not be saved. The training goes on and tries it again "
                       "later.")},
    {"not-taken-along",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Some files of the model's folder are not taken along into the new model.")},
    {"own-captions",
     QT_TRANSLATE_NOOP(
         "homebooth::app::EngineWords",
         "Captions beside the photos lack words of the sentence: those words are learned from the "
         "other photos alone.")},
    {"picture", QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "A file was left out.")},
    {"prediction-as-asked",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "The model says that it predicts otherwise than was chosen. What was chosen counts.")},
    {"preview-failed",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "A preview could not be made. The training goes on.")},
    {"preview-not-written",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "A preview could not be saved. The training goes on.")},
    {"previews-in-tiles",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "There is not enough memory to unpack previews as a whole: it is done in overlapping "
                       "parts.")},
    {"previews-lack-memory",
     QT_TRANSLATE_NOOP(
         "homebooth::app::EngineWords",
         "There is not enough memory for previews: they will probably not be made. The training "
         "goes on without them.")},
    {"prompt-not-learned",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Captions are learned, and not the prompt. It names the result.")},
    {"prompt-syntax", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                        "Signs of other programs in a prompt are read as words.")},
    {"prompt-truncated", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                           "A text is too long for the model: its end is not read.")},
    {"resume", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                 "The training goes on under other conditions than before.")},
    {"run-of-another",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "The administrator goes on with another user's training, who cannot remove what is "
                       "saved from here on.")},
    {"seldom-seen",
     QT_TRANSLATE_NOOP(
         "homebooth::app::EngineWords",
         "There are more pictures than the training sees in its steps: some are never learned.")},
    {"slow-format", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                      "This graphics card is slow in bf16. fp16 is what it is made for.")},
    {"small-pictures",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "The model was made for larger pictures. After learning such small ones it draws "
                       "worse.")},
    {"swap", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                               "Swapping to the disk works in another way than usual, perhaps slower.")},
    {"tags-in-one-order",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "There are so many captions that the tags of each keep one order.")},
    {"threads", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                  "The training goes on under other conditions than before.")},
    {"v-chosen-elsewhere",
     QT_TRANSLATE_NOOP(
         "homebooth::app::EngineWords",
         "ComfyUI does not see that this model predicts v: put the node ModelSamplingDiscrete "
         "behind it there, with v_prediction. A1111 and Forge read it from the .yaml beside the "
         ".safetensors: keep the two together.")},
    {"vae-tiling", QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                     "There is not enough memory to unpack a picture as a whole: it is done "
                                     "in overlapping parts.")},
    {"validation-failed",
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Pictures that are held out could not be looked at. The training goes on.")},
    {"zero-snr-chosen-elsewhere",
     QT_TRANSLATE_NOOP(
         "homebooth::app::EngineWords",
         "Other programs do not see all of how this model predicts. In ComfyUI, put the node "
         "ModelSamplingDiscrete behind it, with v_prediction and zsnr. In A1111, choose \"Zero "
         "Terminal SNR\" as the noise schedule for sampling (Settings, Sampler parameters), and "
         "keep the .yaml beside the .safetensors.")},
};

struct Trouble {
    core::FailureCause cause;
    const char* headline;
    const char* advice; ///< null: none
};

constexpr Trouble kTroubles[] = {
    {core::FailureCause::OutOfMemory, QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Memory ran out."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Close other programs, or let it go on with less memory.")},
    {core::FailureCause::TooLittleMemory,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "There is too little memory for this training."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Close other programs, then resume. If its memory is limited, the limit may be too "
                       "low.")},
    {core::FailureCause::MemoryKill,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The system ended training: RAM ran out."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Close other programs, or let it go on with less memory.")},
    {core::FailureCause::DiskFull, QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The disk is full."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Free room on it, then resume.")},
    {core::FailureCause::FileTooLarge,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "A file is too large for the drive."),
     QT_TRANSLATE_NOOP(
         "homebooth::app::EngineWords",
         "A drive with FAT32 takes no file of 4 GB or more: move the training to another drive, then "
         "resume.")},
    {core::FailureCause::SwapLimit,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "More has to be swapped than is allowed."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Raise the limit of swapping in Settings, then let the training swap as they say.")},
    {core::FailureCause::DeviceLost,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The graphics card does not answer."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Restart the computer, or install the card's driver again; then resume.")},
    {core::FailureCause::Killed,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Another program or the system ended the training."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Perhaps a guard against low memory: close other programs.")},
    {core::FailureCause::EngineEnded,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The engine ended unexpectedly."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Perhaps somebody or another program ended it.")},
    {core::FailureCause::Crash, QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The engine crashed."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "This is a fault in Homebooth or in the graphics driver; a newer version may help.")},
    {core::FailureCause::FileChanged,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "A file that the engine was reading changed, or its disk failed."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Check the disk and the model's files.")},
    {core::FailureCause::NotStarted,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "A part of the engine is missing."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Install Homebooth again.")},
    {core::FailureCause::RankLost,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The processes of the training lost each other."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Resume; if it happens again, let one process train.")},
    {core::FailureCause::Diverged,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Learning went astray: the loss is not a number."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "A lower learning speed helps.")},
    {core::FailureCause::BeyondFp16,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "fp16 does not hold the numbers of this training."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Train in bf16: it takes as much memory and holds them.")},
    {core::FailureCause::BrokenPictures,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Some pictures or captions cannot be read."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Mend them and resume, or go on with the others.")},
    {core::FailureCause::PicturesChanged,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Some pictures or captions cannot be read."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Put them back as they were, then resume.")},
    {core::FailureCause::DriveMissing,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The drive with the saved moments is not there."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Connect it, then resume.")},
    {core::FailureCause::SwapMissing,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The swap folder is not there."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Connect its drive and resume, or name another folder in Settings and let the "
                       "training swap as they say.")},
    {core::FailureCause::CardMissing,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Graphics cards that the training wants are not there."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Put back what is missing and resume, or let one process train.")},
    {core::FailureCause::BadInput,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "A file or a setting cannot be used."), nullptr},
};

QString words(const char* text) {
    return QCoreApplication::translate(kContext, text);
}

bool is(int code, core::ErrorCode kind) {
    return code == static_cast<int>(kind);
}

QString unusableCard() {
    return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The graphics card cannot be used."));
}

/// Whether a training lacks a single card: the one that it names, or one for the last of its processes.
bool lacksOneCard(const QString& message) {
    static const QRegularExpression counted(QStringLiteral("for each of ([0-9]+), found ([0-9]+) GPU"));
    const QRegularExpressionMatch found = counted.match(message);
    if (found.hasMatch()) return found.captured(1).toLongLong() == found.captured(2).toLongLong() + 1;
    return message.contains(QLatin1String("--gpus: expected GPUs"));
}

} // namespace

QString trainingTrouble(core::FailureCause cause) {
    const auto* found = std::find_if(std::begin(kTroubles), std::end(kTroubles),
                                     [cause](const Trouble& one) { return one.cause == cause; });
    return words(found != std::end(kTroubles)
                     ? found->headline
                     : QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The engine ended unexpectedly."));
}

QString trainingAdvice(core::FailureCause cause) {
    const auto* found = std::find_if(std::begin(kTroubles), std::end(kTroubles),
                                     [cause](const Trouble& one) { return one.cause == cause; });
    return found != std::end(kTroubles) && found->advice != nullptr ? words(found->advice) : QString();
}

QString trainingTrouble(core::FailureCause cause, const std::string& message) {
    const bool vague = cause == core::FailureCause::BadInput || cause == core::FailureCause::Unknown;
    if (vague && core::processorCanGoOn(message)) return unusableCard();
    static const QRegularExpression signal(QStringLiteral("\\(((SIG[A-Z0-9]+)|signal [0-9]+)\\)"));
    static const QRegularExpression step(QStringLiteral("at step ([0-9]+)"));
    const QString text = QString::fromStdString(message);
    if (cause == core::FailureCause::CardMissing && lacksOneCard(text))
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "A graphics card that the training wants is not there."));
    if (core::isOfRunPlace(message))
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "The folder of this training is not where it was."));
    const bool crash = cause == core::FailureCause::Crash;
    if (!crash && cause != core::FailureCause::Diverged) return trainingTrouble(cause);
    const QRegularExpressionMatch found = (crash ? signal : step).match(text);
    if (!found.hasMatch()) return trainingTrouble(cause);
    return words(crash ? QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The engine crashed (%1).")
                       : QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                           "Learning went astray at step %1: the loss is not a number."))
        .arg(found.captured(1));
}

QString picturesTrouble(int code) {
    if (is(code, core::ErrorCode::OutOfResources))
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "Memory or disk space ran out while the pictures were made."));
    if (is(code, core::ErrorCode::DeviceLost))
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "The graphics card stopped answering. Restart the computer."));
    if (is(code, core::ErrorCode::BadInput) || is(code, core::ErrorCode::Usage))
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "The model, an add-on or a setting cannot be used."));
    return words(
        QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The engine ended before the pictures were made."));
}

QString picturesTrouble(int code, const std::string& message) {
    if (core::processorCanGoOn(message)) return unusableCard();
    if (core::lacksRoom(code, message))
        return words(
            QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                              "The disk is full. The picture that was finished could not be saved."));
    return picturesTrouble(code);
}

QString warningHeadline(const std::string& kind) {
    const auto* found = std::find_if(std::begin(kWarnings), std::end(kWarnings),
                                     [&kind](const Warning& one) { return kind == one.kind; });
    return words(found != std::end(kWarnings)
                     ? found->headline
                     : QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The engine has a remark."));
}

QString warningHeadline(const core::WarningEvent& warning) {
    static const QRegularExpression named(QStringLiteral("^cannot save in \"(.*?)\": "));
    const QRegularExpressionMatch found = named.match(QString::fromStdString(warning.message));
    if (warning.code != "elsewhere" || !found.hasMatch()) return warningHeadline(warning.code);
    const QString text = words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                                 "The training could not be brought into \"%1\"."))
                             .arg(found.captured(1));
    const auto cause = core::causeOf(static_cast<int>(core::ErrorCode::OutOfResources), warning.message);
    const bool known = cause == core::FailureCause::DiskFull || cause == core::FailureCause::FileTooLarge;
    return known ? text + ' ' + trainingTrouble(cause) : text;
}

QString preparedThing(const std::string& detail) {
    if (detail == "pictures") return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "photos"));
    if (detail == "hash of the model")
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "checksum of the model"));
    if (detail == "model") return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "model"));
    if (detail == "texts") return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "captions"));
    return {};
}

} // namespace homebooth::app
