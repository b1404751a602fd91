// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/plans/plan_words.h"

#include "app/engine/figures.h"
#include "core/base/config/training_defaults.h"
#include "core/base/plan/generation/encoding_plan.h"
#include "core/base/plan/generation/picture_memory.h"
#include "core/base/plan/generation/preview_plan.h"
#include "core/base/plan/weight_format.h"
#include "core/base/system/held_elsewhere.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace homebooth::app {
namespace {

/// In braces stand figures by the names that the engine gives them.
struct Sentence {
    const char* code;
    const char* text;
};

constexpr Sentence kSentences[] = {
    {"parameters-stay", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                          "The whole model stays in memory: {parameterBytes}. It fits.")},
    {"parameters-spread",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Each of {processes} processes keeps {parameterBytes} of the model's {allBytes}. It "
                       "borrows the rest of a part, up to {blockBytes}, while it computes with it.")},
    {"parameters-spread-in-ram",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Each of {processes} processes keeps {ramBytes} of the model's {allBytes} in RAM. For "
                       "its turn a part is put together from all of them, {parameterBytes} at a time.")},
    {"parameters-spread-on-disk",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Each of {processes} processes keeps {diskBytes} of the model's {allBytes} on the "
                       "disk. For its turn a part is put together from all of them, {parameterBytes} at a "
                       "time.")},
    {"parameters-in-ram", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                            "The model waits in RAM and is fetched in parts, "
                                            "{parameterBytes} at a time: as a whole it would not fit.")},
    {"parameters-in-ram-asked",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "The model waits in RAM and is fetched in parts, "
                                                    "{parameterBytes} at a time: the settings ask for it.")},
    {"parameters-on-disk", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                             "The model waits on the disk and is fetched in parts, "
                                             "{parameterBytes} at a time: as a whole it would not fit.")},
    {"parameters-on-disk-asked",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "The model waits on the disk and is fetched in parts, "
                                                    "{parameterBytes} at a time: the settings ask for it.")},
    {"parameters-partly-in-ram",
     QT_TRANSLATE_NOOP(
         "homebooth::app::PlanWords",
         "{parameterBytes} of the model stay in memory, as much as fits. The rest waits in RAM and is "
         "fetched in parts, {streamedThroughBytes} at a time.")},
    {"parameters-partly-on-disk",
     QT_TRANSLATE_NOOP(
         "homebooth::app::PlanWords",
         "{parameterBytes} of the model stay in memory, as much as fits. The rest waits on the disk and "
         "is fetched in parts, {streamedThroughBytes} at a time.")},
    {core::kWeightsInt8,
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "The weights beside the add-on are kept in 8 bits: {weightBytes} instead of "
                       "{wholeWeightBytes}. Each is made whole while it is computed with.")},
    {core::kWeightsInt8Proposed,
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Proposed: keep the weights beside the add-on in 8 bits, under Expert settings. They "
                       "take {weightBytes} instead of {wholeWeightBytes}, and results differ a little.")},
    {"link",
     QT_TRANSLATE_NOOP(
         "homebooth::app::PlanWords",
         "Each step fetches {fetchedBytes} of the model and brings {returnedBytes} of gradients back.")},
    {"link-visits",
     QT_TRANSLATE_NOOP(
         "homebooth::app::PlanWords",
         "Each step fetches {fetchedBytes} of the model and of what the optimizer remembers, and "
         "brings {returnedBytes} back.")},
    {"link-idle", QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "Nothing has to be fetched in a step.")},
    {"states-stay", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                      "What the optimizer remembers lies beside the model: {stateBytes}.")},
    {"states-in-ram", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                        "What the optimizer remembers lies in RAM: {stateBytes}.")},
    {"states-partly-in-ram",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "What the optimizer remembers takes {stateBytes}, {ramStateBytes} of it in RAM.")},
    {"states-on-disk", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                         "What the optimizer remembers lies on the disk: {stateBytes}. It is "
                                         "read ahead and written afterwards.")},
    {"gradients-to-ram", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                           "Gradients go to RAM part by part and are used there meanwhile.")},
    {"gradients-used-up",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Gradients are used at once, so that there are never all of them.")},
    {"gradients-rest-clipping",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Gradients rest until the end of a step, {gradientBytes}: the limit of a step needs "
                       "all of them. For that a step writes and reads {movedBytes}.")},
    {"gradients-rest-accumulation",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Gradients rest until the end of a step, {gradientBytes}: they are summed up over "
                       "several batches. For that a step writes and reads {movedBytes}.")},
    {"gradients-rest-fp16",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Gradients rest until the end of a step, {gradientBytes}: fp16 needs all of them for "
                       "a check. For that a step writes and reads {movedBytes}.")},
    {"gradients-on-disk",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Gradients rest until the end of a step, {gradientBytes}, {diskBytes} of them on the "
                       "disk: memory has no room for them. For that a step writes and reads {movedBytes}.")},
    {"gradients-rest-clipping",
     QT_TRANSLATE_NOOP(
         "homebooth::app::PlanWords",
         "Gradients rest until the end of a step, {gradientBytes}: the limit of a step needs all of them.")},
    {"gradients-rest-accumulation",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Gradients rest until the end of a step, {gradientBytes}: they are summed up over "
                       "several batches.")},
    {"gradients-rest-fp16",
     QT_TRANSLATE_NOOP(
         "homebooth::app::PlanWords",
         "Gradients rest until the end of a step, {gradientBytes}: fp16 needs all of them for a check.")},
    {"gradients-on-disk",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "Gradients rest on the disk until the end of a step, "
                                                    "{gradientBytes}: memory has no room for them.")},
    {"activations",
     QT_TRANSLATE_NOOP(
         "homebooth::app::PlanWords",
         "Of {blocks} parts, {wholeBlocks} keep everything for the way back, {productBlocks} keep what is "
         "costly, and {recomputedBlocks} are computed twice. Nothing that fits is faster.")},
    {"activations-all",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "All {blocks} parts keep everything for the way back: nothing is faster.")},
    {"activations-asked",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "Of {blocks} parts, {productBlocks} keep what is costly "
                                                    "for the way back, and {recomputedBlocks} are "
                                                    "computed twice: the model is not there in between.")},
    {"values-in-ram",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "What parts do not read soon waits in RAM: {valueBytes} there and back in "
                       "each step.")},
    {"step-measured", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                        "A step takes {stepSeconds}, as measured in the first ones.")},
    {"step-estimated",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "A step takes roughly {stepSeconds}. The first ones will be measured.")},
    {"auto-is-faster",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Placed automatically, a step would take roughly {stepSeconds}, with {deviceBytes} in "
                       "the memory where it computes.")},
    {"step-exchange",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Each process sends the others {sentBytes} in a step, and waits {waitedSeconds} for "
                       "what they send.")},
    {"rank-stage",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "ZeRO {zero}: {deviceBytes} for each process, roughly {stepSeconds} a step; each "
                       "sends {sentBytes}.")},
    {"rank-stage-refused", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                             "ZeRO {zero} does not go with this memory or these settings.")},
    {"rank-stage-best", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                          "Proposed: ZeRO {zero}, with roughly {stepSeconds} a step.")},
    {"one-process",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "{processes} processes train together; the sizes named here are those of one.")},
    {"swap", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                               "For each of {processes} processes {heldBytes} lie on the disk; each step "
                               "reads {stepReadBytes} and writes {stepBytes}.")},
    {"swap-wear",
     QT_TRANSLATE_NOOP(
         "homebooth::app::PlanWords",
         "For each of {processes} processes {heldBytes} lie on the disk; each step reads {stepReadBytes} and "
         "writes {stepBytes}. A day of training uses {lifePercent} of the life of a typical 1 TB drive, and "
         "{processes} times as much where they share it.")},
    {"swap", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                               "{heldBytes} lie on the disk; each step reads {stepReadBytes} and writes "
                               "{stepBytes}.")},
    {"swap-wear",
     QT_TRANSLATE_NOOP(
         "homebooth::app::PlanWords",
         "{heldBytes} lie on the disk; each step reads {stepReadBytes} and writes {stepBytes}. A day of "
         "training uses {lifePercent} of the life of a typical 1 TB drive, which lasts {lifeDays} such "
         "days.")},
    {"swap", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                               "{heldBytes} lie on the disk; each step writes {stepBytes}.")},
    {"swap-wear",
     QT_TRANSLATE_NOOP(
         "homebooth::app::PlanWords",
         "{heldBytes} lie on the disk; each step writes {stepBytes}. A day of training uses {lifePercent} of "
         "the life of a typical 1 TB drive, which lasts {lifeDays} such days.")},
    {"preparation",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Before it learns, photos and captions take up to {preparationBytes} for a while.")},
    {"encoding-ahead",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "While it learns, photos and captions are prepared beside it, which takes up to "
                       "{preparationBytes}.")},
    {core::kEncodeFirst,
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "There is no memory to prepare photos and captions while it learns: all are prepared "
                       "first.")},
    {core::kPicturesInRam,
     QT_TRANSLATE_NOOP(
         "homebooth::app::PlanWords",
         "There is too little RAM for all photos and captions as the model takes them in: "
         "{heldBytes} of {allBytes} lie there while it learns, the rest is read again each time. "
         "The result stays the same.")},
    {core::kPicturesInRam,
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Photos and captions lie in RAM while it learns, as the model takes them in: up to "
                       "{heldBytes}.")},
    {core::kPreviews, QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                        "Up to {previewBytes} are in use while a preview is made.")},
    {core::kPreviewsInTiles,
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "There is not enough memory to unpack previews as a whole: it is done in overlapping "
                       "parts.")},
    {core::kPreviewsLackMemory,
     QT_TRANSLATE_NOOP(
         "homebooth::app::PlanWords",
         "There is not enough memory for previews: they will probably not be made. The training "
         "goes on without them.")},
    {core::kSmallPictures,
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "The model was made for larger pictures. After learning such small ones it draws "
                       "worse: take a larger picture size.")},
    {"budget", QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "It may use {ramBytes} of RAM.")},
    {"budget-gpu", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                     "It may use {deviceBytes} of graphics memory and {ramBytes} of RAM.")},
    {core::kHeldUntilTurn,
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                       "Planned for its turn: {heldBytes} of RAM that are in use for trainings or pictures "
                       "now are free by then.")},
    {"run-begins", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                     "Planned for the memory that is free as the training begins.")},
    {"again-measured",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "Planned again: the first steps were measured.")},
    {"again-step-time", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                          "Planned again: steps take longer or shorter than expected.")},
    {"again-less-memory",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "Planned again: less memory is free than before.")},
    {"again-less-ram",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "Planned again: less RAM is free than before.")},
    {"again-more-memory",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "Planned again: more memory is free than before.")},
    {"again-memory-ran-out",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "Planned again: memory ran out in step {step}.")},
};

/// Shorter, for what is done so that it fits.
constexpr Sentence kFitting[] = {
    {"parameters-spread-in-ram", QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "The model waits in RAM")},
    {"parameters-spread-on-disk",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "The model waits on the disk")},
    {"parameters-in-ram", QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "The model waits in RAM")},
    {"parameters-on-disk", QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "The model waits on the disk")},
    {"parameters-partly-in-ram",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "A part of the model waits in RAM")},
    {"parameters-partly-on-disk",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "A part of the model waits on the disk")},
    {"states-in-ram",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "{stateBytes} that the optimizer remembers lie in RAM")},
    {"states-partly-in-ram", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                               "{ramStateBytes} that the optimizer remembers lie in RAM")},
    {"states-on-disk", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                         "{stateBytes} that the optimizer remembers lie on the disk")},
    {"activations", QT_TRANSLATE_NOOP("homebooth::app::PlanWords",
                                      "{recomputedBlocks} of {blocks} parts are computed twice")},
    {"values-in-ram",
     QT_TRANSLATE_NOOP("homebooth::app::PlanWords", "{valueBytes} go to RAM and back in each step")},
};

/// Written as its name says, which ends in the unit.
QString figure(const std::string& name, double value) {
    const QLocale words;
    if (name.ends_with("Bytes")) return memoryText(static_cast<int64_t>(value));
    if (name.ends_with("Seconds"))
        return value < 10.0 ? QStringLiteral("%1 s").arg(words.toString(value, 'g', 2)) : durationText(value);
    if (name.ends_with("Percent")) return QStringLiteral("%1 %").arg(words.toString(value, 'g', 2));
    return words.toString(static_cast<qint64>(value));
}

/// Of several sentences with a code the first one whose figures are all there: older engines say less. Empty
/// where the list does not know the code.
template <size_t kCount>
QString sentenceOf(const Sentence (&list)[kCount], const core::PlanDecision& decision) {
    bool known = false;
    for (const Sentence& one : list) {
        if (decision.code != one.code) continue;
        known = true;
        QString text = QCoreApplication::translate("homebooth::app::PlanWords", one.text);
        for (const auto& [name, value] : decision.facts)
            text.replace(QStringLiteral("{%1}").arg(QString::fromStdString(name)), figure(name, value));
        if (!text.contains('{')) return text;
    }
    return known ? QString::fromStdString(decision.text) : QString();
}

/// Parts that keep at least what is costly take hardly longer.
bool costsNothing(const core::PlanDecision& decision) {
    if (decision.code != "activations") return false;
    const auto found = decision.facts.find("recomputedBlocks");
    return found != decision.facts.end() && found->second <= 0.0;
}

} // namespace

QString planSentence(const core::PlanDecision& decision) {
    const QString text = sentenceOf(kSentences, decision);
    return text.isEmpty() ? QString::fromStdString(decision.text) : text;
}

QStringList fitSentences(const core::PlanEvent& plan) {
    QStringList sentences;
    for (const core::PlanDecision& decision : plan.decisions)
        if (const QString text = sentenceOf(kFitting, decision); !text.isEmpty() && !costsNothing(decision))
            sentences.append(text);
    return sentences;
}

QString planAdvice(const core::PlanEvent& plan) {
    for (const core::PlanDecision& decision : plan.decisions)
        if (decision.code == core::kSmallPictures) return planSentence(decision);
    return {};
}

bool proposesLighterWeights(const core::PlanEvent& plan) {
    return std::any_of(plan.decisions.begin(), plan.decisions.end(), [](const core::PlanDecision& decision) {
        return decision.code == core::kWeightsInt8Proposed;
    });
}

QStringList planSentences(const core::PlanEvent& plan) {
    QStringList sentences;
    for (const core::PlanDecision& decision : plan.decisions) sentences.append(planSentence(decision));
    return sentences;
}

} // namespace homebooth::app
