// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/generation/preview_plan.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/generation/generation_sizes.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/plan/training/train_sizes.h"

#include <algorithm>
#include <limits>

namespace homebooth::core {
namespace {

constexpr int64_t kWhatever = std::numeric_limits<int64_t>::max() / 2;

SampleConfig previewConfig(const TrainConfig& config) {
    SampleConfig pictures;
    pictures.precision = config.precision;
    pictures.batchSize = 1;
    pictures.guidanceScale = config.output.guidanceScale;
    pictures.widthPixels = pictures.heightPixels = config.data.resolutionPixels;
    return pictures;
}

/// Whether a part of RAM stands for a device.
bool isParted(const PreviewedTraining& training) {
    return !training.limits.gpu && training.config.memory.deviceBytes > 0;
}

/// Whether parts that do not learn come block by block, as those that do.
bool streams(const PreviewedTraining& training) {
    return training.config.memory.policy == PlacementPolicy::Cpu ||
           training.beside.parameterBytes + training.swap.parameterBytes > 0;
}

/// What may be used.
struct Room {
    int64_t computingBytes = kWhatever; ///< of the tier that computes
    int64_t ramBytes = kWhatever;       ///< beside the program and what steps have there
};

Room roomOf(const PreviewedTraining& training) {
    const MachineLimits& limits = training.limits;
    Room room;
    room.ramBytes = limits.ramBytes - programBytes(limits.gpu) - totalBytes(training.beside);
    if (isParted(training)) {
        room.computingBytes = training.config.memory.deviceBytes;
        return room;
    }
    room.computingBytes = limits.gpu ? limits.deviceBytes : room.ramBytes;
    if (!training.freeBytes) return room;
    const int64_t besideIt = limits.gpu ? 0 : totalBytes(training.beside); // in the same memory
    const int64_t budget = totalBytes(training.steps) + *training.freeBytes + training.ahead.bytes();
    room.computingBytes = std::min(room.computingBytes, budget - besideIt);
    return room;
}

/// What there is at some moment.
struct MomentNeed {
    TierMemory computing;
    int64_t besideBytes = 0; ///< in RAM
};

/// Parameters that averages stand in for meanwhile lie where the averages do.
void addOriginals(const PreviewedTraining& training, MomentNeed& need) {
    if (training.config.optimizer.emaDecay <= 0.0) return;
    const auto computing = static_cast<double>(training.steps.stateBytes + training.steps.cacheBytes);
    const auto ram = static_cast<double>(training.beside.stateBytes);
    const double all = computing + ram + static_cast<double>(training.swap.stateBytes);
    if (all <= 0.0) return;
    const auto processes = static_cast<double>(training.config.parallel.processes);
    const bool spread = training.config.parallel.spreadsParameters();
    const double own = static_cast<double>(training.trainedBytes) / (spread ? processes : 1.0);
    need.computing.workspaceBytes += static_cast<int64_t>(own * computing / all);
    need.besideBytes += static_cast<int64_t>(own * ram / all);
}

/// What the training keeps between its steps.
MomentNeed atRest(const PreviewedTraining& training) {
    MomentNeed rest;
    rest.computing.parameterBytes = training.steps.parameterBytes;
    rest.computing.stateBytes = training.steps.stateBytes;
    rest.computing.cacheBytes = training.steps.cacheBytes;
    (isParted(training) ? rest.besideBytes : rest.computing.workspaceBytes) += training.ahead.pictureBytes;
    addOriginals(training, rest);
    return rest;
}

/// @param streamed  it comes block by block
void addNetwork(const PlannedNetwork& network, bool streamed, MomentNeed& need) {
    const int64_t all = sumOf(network.paddedBytes);
    need.computing.parameterBytes += streamed ? deviceBytesOf(network, {}) : all;
    if (streamed) need.besideBytes += all;
}

/// Of spread parameters, what is put together of the others' parts: a block and the next one.
int64_t gatheredBytes(const PreviewedTraining& training, const GenerationSizes& sizes) {
    const std::vector<int64_t>& blocks = sizes.unet.paddedBytes;
    if (!training.config.parallel.spreadsParameters() || blocks.empty()) return 0;
    return 2 * *std::max_element(blocks.begin(), blocks.end());
}

/// Before anything is computed: what learns, and what comes beside it.
MomentNeed loaded(const PreviewedTraining& training, const GenerationSizes& sizes, const Room& room) {
    const bool streamed = streams(training);
    MomentNeed need = atRest(training);
    const int64_t besideBefore = need.besideBytes;
    const int64_t left = room.computingBytes - totalBytes(need.computing);
    int64_t texts = 0;
    for (size_t part = training.learning.size() - 1; part < sizes.texts.size(); ++part)
        texts += sumOf(sizes.texts[part].paddedBytes);
    const bool stay = training.limits.gpu && training.ahead.textBytes > 0; // as the steps need them
    const bool streamsTexts = !stay && (streamed || (training.limits.gpu && left < texts + kRoomBesideTexts));
    for (size_t part = training.learning.size() - 1; part < sizes.texts.size(); ++part)
        addNetwork(sizes.texts[part], streamsTexts, need);
    addNetwork(sizes.vae.decoder, streamed, need);
    if (streamed)
        need.besideBytes += sumOf(sizes.vae.encoder.paddedBytes); // loaded, too, and never used
    else
        addNetwork(sizes.vae.encoder, streamed, need);
    if (training.swap.parameterBytes > 0) need.besideBytes = besideBefore; // on the disk, as what learns
    need.computing.parameterBytes += gatheredBytes(training, sizes);
    return need;
}

MomentNeed withActivations(MomentNeed need, const GenerationSizes& sizes, bool tiles) {
    need.computing.activationBytes =
        std::max(sizes.denoisingBytes, tiles ? sizes.vae.tiledBytes : sizes.vae.wholeBytes);
    return need;
}

/// What lacks room, if anything does: needed, and there.
struct Shortage {
    int64_t neededBytes = 0;
    int64_t roomBytes = 0;
    bool ofRam = false; ///< beside the tier that computes
};

std::optional<Shortage> shortageOf(const PreviewedTraining& training, const Room& room,
                                   const MomentNeed& need) {
    const int64_t computing = totalBytes(need.computing);
    const bool oneMemory = !training.limits.gpu && !isParted(training);
    const int64_t together = computing + (oneMemory ? need.besideBytes : 0);
    if (together > room.computingBytes) return Shortage{together, room.computingBytes, false};
    const int64_t inRam = need.besideBytes + (training.limits.gpu ? 0 : computing);
    if (inRam > room.ramBytes) return Shortage{inRam, room.ramBytes, true};
    return std::nullopt;
}

/// What would make room. @param ofRam  is what lacks
std::string adviceFor(const PreviewedTraining& training, bool ofRam) {
    const TrainConfig& config = training.config;
    const MemoryConfig& memory = config.memory;
    const bool apart = !ofRam && (training.limits.gpu || memory.deviceBytes > 0);
    const int64_t named = apart ? memory.deviceBytes : memory.ramBytes;
    const bool quantizes = config.method == TrainMethod::Lora && config.quantization == Quantization::None;
    return std::string("close other programs, ") +
           (named > 0 ? apart ? "raise --gpu-memory, " : "raise --ram, " : "") +
           (quantizes ? "take --quantize int8, " : "") + "or choose a smaller --resolution";
}

std::string inWords(const Shortage& shortage) {
    return byteSizeText(shortage.neededBytes) + (shortage.ofRam ? " of RAM" : "") + ", and " +
           byteSizeText(std::max<int64_t>(shortage.roomBytes, 0)) + " may be used";
}

/// @param whole   what is short where pictures are decoded as a whole
/// @param lacked  what is short even with tiles
PlanDecision decisionOf(const PreviewedTraining& training, const MomentNeed& need,
                        const std::optional<Shortage>& whole, const std::optional<Shortage>& lacked) {
    const int64_t computing = totalBytes(need.computing);
    std::map<std::string, double> facts{{"previewBytes", static_cast<double>(computing)},
                                        {"besideBytes", static_cast<double>(need.besideBytes)}};
    if (lacked)
        return {"previews: one takes at least " + inWords(*lacked) +
                    ": they will probably not be made, and the training goes on without them; " +
                    adviceFor(training, lacked->ofRam) + ", or leave them out (--preview-every 0)",
                kPreviewsLackMemory, std::move(facts)};
    const std::string taken =
        "up to " + byteSizeText(computing) + " while one is made, with text encoders and autoencoder" +
        (need.besideBytes > 0 ? " and " + byteSizeText(need.besideBytes) + " of RAM beside it" : "");
    if (whole)
        return {"previews: " + taken + "; the autoencoder " + kTilesInWords + ": without them one takes " +
                    inWords(*whole) + "; for whole ones " + adviceFor(training, whole->ofRam),
                kPreviewsInTiles, std::move(facts)};
    return {"previews: " + taken + "; what the steps compute with is gone then", kPreviews, std::move(facts)};
}

} // namespace

bool makesPreviews(const TrainConfig& config) {
    const bool ofAutoencoder = config.mode == TrainMode::FromScratch && config.scratch.component == "vae";
    return config.output.previewEverySteps > 0 && config.mode != TrainMode::Language && !ofAutoencoder;
}

std::optional<PreviewPlan> planPreviews(const PreviewedTraining& training) {
    if (!makesPreviews(training.config)) return std::nullopt;
    const SampleConfig config = previewConfig(training.config);
    const GenerationNetworks networks = GenerationNetworks::ofTraining(training.learning, training.model);
    const bool gpu = training.limits.gpu;
    const GenerationSizes sizes(networks, config, training.model,
                                {gpu, gpu || isParted(training) || streams(training)});
    const Room room = roomOf(training);
    const MomentNeed before = loaded(training, sizes, room);
    MomentNeed need = withActivations(before, sizes, /*tiles=*/false);
    const std::optional<Shortage> whole = shortageOf(training, room, need);
    std::optional<Shortage> lacked = whole;
    if (whole && config.widthPixels > tileSidePixels(training.model.vae)) {
        need = withActivations(before, sizes, /*tiles=*/true);
        lacked = shortageOf(training, room, need);
    }
    PreviewPlan plan{!lacked, need.computing, need.besideBytes, {}};
    plan.decision = decisionOf(training, need, whole, lacked);
    return plan;
}

} // namespace homebooth::core
