// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the model that a run trains or needs: opened, laid out, loaded or freshly initialised.
// Owns them; frozen parts may be released and come back when they are asked for. Neither copied nor moved.
// One thread.
#pragma once

#include "core/base/model/model_source.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/plan/training/train_plan.h"
#include "core/base/text/clip_tokenizer.h"
#include "core/base/util/cancel.h"
#include "core/engine/data/job_context.h"
#include "core/engine/io/weights.h"
#include "core/engine/models/text_encoders.h"
#include "core/engine/models/vae_model.h"
#include "core/engine/planning/memory_room.h"
#include "core/engine/schedulers/noise_schedule.h"
#include "core/engine/training/run_plan.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

class ModelBundle {
public:
    /// Opens the model, and keeps what goes along into a result that is one; no weights are read yet.
    /// Errors: BadInput; Usage where something shall learn that cannot (checkLearning)
    [[nodiscard]] static Result<std::unique_ptr<ModelBundle>> open(const JobContext& job);
    /// Plans its steps for the memory that is free now. Before anything is loaded.
    /// @param ways      to hold latents and encoded captions in RAM beside them; none: there are no such
    /// @param encoding  whether they shall leave room to encode others meanwhile (encodingBytes)
    /// Errors: those of planRun
    [[nodiscard]] Result<void> planSteps(const std::vector<HeldPictures>& ways,
                                         EncodingWish encoding = EncodingWish::First);
    /// The same once more for another of them, encoding as before. Errors: as above
    [[nodiscard]] Result<void> planStepsAgain(const HeldPictures& way);
    /// Makes the UNet ready to be trained as the configuration says: all weights, adapters, or fresh ones.
    /// The text encoder is made when it is trained or asked for. Until `endPreparation` a request to stop
    /// ends reading and hashing between two tensors. What was loaded before stays.
    /// @param whole  to make pictures, until `endPictures`: this rank computes alone, what the device has no
    ///               room for beside them is streamed, and where parameters are spread over ranks all of them
    ///               is here; else this rank's part is all that is kept of each tensor as it is read
    /// @returns  false when stop was requested. Errors: BadInput
    [[nodiscard]] Result<bool> load(bool whole = false);
    /// All three, for what holds no latents. @returns  null when stop was requested
    [[nodiscard]] static Result<std::unique_ptr<ModelBundle>> make(const JobContext& job);
    ModelBundle(const ModelBundle&) = delete;
    ModelBundle& operator=(const ModelBundle&) = delete;

    [[nodiscard]] const ModelSource& source() const { return m_source; }
    /// One for each text encoder, in their order.
    [[nodiscard]] const std::vector<ClipTokenizer>& tokenizers() const { return m_tokenizers; }
    /// Of what is learned: the file's, with what the run wants otherwise.
    [[nodiscard]] const SchedulerConfig& scheduler() const { return m_scheduler; }
    /// By which the model draws before it has learned anything.
    [[nodiscard]] const SchedulerConfig& ownScheduler() const { return m_ownScheduler; }
    [[nodiscard]] const NoiseSchedule& noiseSchedule() const { return *m_noiseSchedule; }
    [[nodiscard]] UNetModel& unet() { return *m_unet; }
    /// Whether the text encoder learns: of a model with one.
    [[nodiscard]] bool trainsText() const { return m_trainsText; }
    [[nodiscard]] const StepPlan& stepPlan() const { return m_run.steps; }
    /// Latents and encoded captions that the plan leaves room for; before there is one, as many as may be.
    [[nodiscard]] const HeldPictures& heldPictures() const { return m_run.pictures; }
    /// From now on that many, in the middle of the steps: the plan leaves these the rest.
    void hold(const HeldPictures& way) { m_run.pictures = way; }
    [[nodiscard]] PlannedRun plannedRun() const {
        return {m_source, m_run, [this] { return encodingBytes(); }};
    }

    /// The pictures are made, and nothing has learned yet: drops what was loaded, which comes back by `load`;
    /// of spread parameters what other ranks have.
    void endPictures();
    /// From now on a request to stop ends a step, no longer the reading of a part that the step needs, and
    /// no rank computes alone.
    void endPreparation();

    /// Loads the part unless it is there. @returns  null when stop was requested while it was read
    /// Errors: BadInput from loading, naming the file and the tensor
    [[nodiscard]] Result<TextEncoders*> textEncoders();
    [[nodiscard]] Result<VaeModel*> vae();
    /// Its encoding half alone, which stays where it computes until it is released by itself.
    [[nodiscard]] Result<VaeModel*> vaeEncoder();
    /// Drops what is not trained, to have its memory back.
    void releaseFrozen();
    /// The most that it has taken of a disk, since preparation ended.
    [[nodiscard]] int64_t frozenDiskBytes() const { return m_frozenDiskBytes; }

    /// What the plan leaves beside the steps for pictures and captions that are encoded ahead of them. 0:
    /// such a plan does not fit, or was not wanted
    [[nodiscard]] int64_t encodingBytes() const { return m_encoding.bytes(); }
    /// From now on nothing is encoded beside the steps.
    void endEncoding() { m_encoding = {}; }
    /// From now on no pictures are; gives the encoding half back.
    void releaseEncoder();

    /// Tokens that a prompt may have, start and end included.
    [[nodiscard]] int64_t contextLength() const;

    /// What the sides of pictures in buckets must be divisible by, pixels.
    [[nodiscard]] int64_t pixelMultiple() const;

    /// SHA-256 of the frozen parts' weights; computed once. Empty when stop was requested meanwhile.
    [[nodiscard]] Result<std::string> vaeHash();
    [[nodiscard]] Result<std::string> textEncoderHash();

    [[nodiscard]] TierMemory memory() const;

private:
    explicit ModelBundle(const JobContext& job)
        : m_job(job)
        , m_cancel(job.control.stop) {}
    [[nodiscard]] Result<void> openSource();
    [[nodiscard]] Result<void> checkResolution() const;
    [[nodiscard]] Result<void> openScheduler();
    void takeOwnPrediction();
    [[nodiscard]] Result<void> applyZeroTerminalSnr();
    void takePlan(RunPlan run);
    void endComputingAlone();
    [[nodiscard]] Result<void> makeUnet();
    [[nodiscard]] Result<std::unique_ptr<TextEncoder>> makeTextEncoder(size_t part);
    [[nodiscard]] Result<void> fill(Component& component, const TensorSource* source);
    /// Reads what the filter lets through. Errors: BadInput
    [[nodiscard]] Result<void> load(ParameterStore& store, const TensorSource& source,
                                    const ParameterFilter& filter = {}) const;
    [[nodiscard]] ParameterStore::Options storeOptions() const;
    [[nodiscard]] ParameterStore::Options learningOptions(size_t part, const Schedule& schedule) const;
    [[nodiscard]] ParameterStore::Options frozenOptions() const;
    [[nodiscard]] ParameterStore::Options frozenTextOptions() const;
    [[nodiscard]] std::shared_ptr<BlockSpread> spreadOf(const Schedule& schedule) const;
    void noteFrozenDisk();

    const JobContext& m_job;
    CancelToken m_cancel;
    ModelSource m_source;
    RunPlan m_run;
    SchedulerConfig m_scheduler;
    SchedulerConfig m_ownScheduler;
    std::optional<NoiseSchedule> m_noiseSchedule;
    std::vector<ClipTokenizer> m_tokenizers;
    std::unique_ptr<UNetModel> m_unet;
    std::unique_ptr<TextEncoders> m_textEncoders;
    std::unique_ptr<VaeModel> m_vae;
    std::unique_ptr<VaeModel> m_vaeEncoder;
    EncodingNeed m_encoding;
    int64_t m_frozenDiskBytes = 0;
    bool m_trainsText = false;
    bool m_whole = false; ///< this rank computes alone with what is loaded
    /// Of what was loaded to make pictures; none: it lies as the steps are planned.
    std::optional<SamplePlacement> m_pictures;
    std::string m_vaeHash;
    std::string m_textHash;
};

} // namespace homebooth::core
