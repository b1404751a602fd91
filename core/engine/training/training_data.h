// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a denoiser is trained on: photos or a data set, class pictures, and what is held out of training; at
// one resolution or two. Owns samples, latents and orders. Borrows job and model. One thread.
#pragma once

#include "core/engine/data/job_context.h"
#include "core/engine/data/sample_group.h"
#include "core/engine/training/encoding_ahead.h"
#include "core/engine/training/model_bundle.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace homebooth::core {

class TrainingData {
public:
    /// Reads what there is to learn from, and encodes nothing yet.
    /// Errors: of that. When stop is requested meanwhile, the result is null.
    [[nodiscard]] static Result<std::unique_ptr<TrainingData>> read(const JobContext& job,
                                                                    ModelBundle& model);
    TrainingData(const TrainingData&) = delete;
    TrainingData& operator=(const TrainingData&) = delete;

    /// Whether encoding shall be left to the steps, if there is the memory for it: as the run began, or as it
    /// was asked for. Errors: of reading the run's facts
    [[nodiscard]] Result<bool> wantsAhead();
    /// Says whether it is. @param ahead  the same for all ranks. Errors: of writing the run's facts
    [[nodiscard]] Result<void> chooseEncoding(bool ahead);
    /// Encodes into the cache what of the pictures this rank has to encode: every rank that shares the cache
    /// does so, and then all of them fill. Class pictures have been made. Errors: as fill
    [[nodiscard]] Result<void> encodeShare();
    /// Encodes the pictures unless the steps do; makes class pictures where they are missing.
    /// @returns  false when stop was requested meanwhile. Errors: of all of these
    [[nodiscard]] Result<bool> fill();

    /// The next step's samples, in the order's turn, encoded. @param step  1 for the first
    /// Errors: throws TrainingFailure where pictures are encoded ahead, as EncodingAhead::prepare
    [[nodiscard]] StepDraws draw(int64_t step);
    /// Whether what is trained on is encoded shortly before the steps that need it.
    [[nodiscard]] bool encodesAhead() const { return m_ahead != nullptr; }
    /// Whether that step is computed at the run's own resolution.
    [[nodiscard]] bool atFullResolution(int64_t step) const { return step > m_job.config.data.startSteps; }
    /// What is held out: the same pictures at every call, each with a place of its own. At most as many as
    /// validation looks at.
    [[nodiscard]] std::vector<SampleDraw> heldOutDraws() const;

    [[nodiscard]] int64_t heldOut() const { return std::ssize(m_heldOut.samples); } ///< pictures

    /// Every caption that a step may ask for while the text encoder does not learn.
    [[nodiscard]] std::set<std::string> captions() const;
    /// The photos, or what of the data set is trained on.
    [[nodiscard]] const std::vector<TrainingSample>& samples() const { return m_full.instances.samples; }
    [[nodiscard]] int64_t epoch() const;
    [[nodiscard]] const std::string& hash() const { return m_hash; }
    /// As it was filled, with what is held out and what the start is trained on.
    [[nodiscard]] const std::string& wholeHash() const { return m_wholeHash; }
    [[nodiscard]] std::vector<OrderCursor> cursors() const;
    void restoreCursors(const std::vector<OrderCursor>& cursors, bool dataChanged);
    [[nodiscard]] int64_t heldBytes() const;
    /// Ways to hold latents and encoded captions in RAM, class pictures included; before any is there.
    [[nodiscard]] std::vector<HeldPictures> waysToHold() const;
    /// From now on no more latents are held than the model's plan leaves room for.
    void holdAsPlanned();

private:
    /// What is trained on at one resolution.
    struct Stage {
        SampleGroup instances;
        SampleGroup classes; // empty without prior preservation
    };

    TrainingData(const JobContext& job, ModelBundle& model)
        : m_job(job)
        , m_model(model) {}
    /// Of what is trained on.
    [[nodiscard]] const std::string& folder() const;
    [[nodiscard]] Result<void> readInstances();
    [[nodiscard]] Result<void> fillInstances();
    [[nodiscard]] Result<void> findClassPictures();
    [[nodiscard]] Result<void> readClassPictures();
    [[nodiscard]] Result<std::vector<TrainingSample>> encodedFirst();
    [[nodiscard]] std::vector<TrainingSample> startSamples() const;
    [[nodiscard]] Result<void> addStart();
    [[nodiscard]] Result<void> addClassPictures(Stage& stage);
    [[nodiscard]] std::vector<TrainingSample>
    classSamplesFor(const std::vector<TrainingSample>& instances) const;
    [[nodiscard]] int64_t mostLatentBytes() const;
    [[nodiscard]] Result<void> openLatents(SampleGroup& group);
    [[nodiscard]] Result<void> fillLatents(SampleGroup& group);
    void encodeAhead();
    void limitCache(SampleGroup& group);
    [[nodiscard]] Stage& stageOf(int64_t step) { return atFullResolution(step) ? m_full : m_start; }
    [[nodiscard]] int64_t samplesPerStep() const;
    [[nodiscard]] int64_t missingFrom(int64_t step) const;
    [[nodiscard]] std::vector<SampleDraw>
    drawsOf(const SampleGroup& group, const std::vector<int64_t>& samples, int64_t step, uint64_t kind) const;
    void makeOrders();
    [[nodiscard]] std::string shuffled(const std::string& caption, uint64_t mixed) const;
    /// Whether a sample's caption is dropped.
    [[nodiscard]] bool drops(uint64_t step, uint64_t place) const;
    /// Whether dropped captions are what such models are asked for without a negative prompt.
    [[nodiscard]] bool dropsToZeros() const { return m_model.source().zeroEmptyPrompt; }
    [[nodiscard]] std::string captionOf(const TrainingSample& sample, uint64_t step, uint64_t place) const;
    /// Those with an order, as their cursors are saved.
    [[nodiscard]] std::vector<const SampleGroup*> trained() const;
    [[nodiscard]] bool stopped() const { return m_job.control.stop.requested(); }

    const JobContext& m_job;
    ModelBundle& m_model;
    Stage m_full;
    Stage m_start; // empty where all steps have one resolution
    SampleGroup m_heldOut;
    std::optional<std::vector<TrainingSample>> m_squares;     // class pictures as they lie in their folder
    std::map<std::string, std::vector<std::string>> m_orders; // of tags, by caption
    std::optional<CacheRoom> m_cacheRoom;                     // of what is encoded beside the steps
    std::string m_hash;
    std::string m_wholeHash;
    bool m_missesAhead = false; // it would be worth a warning if nothing were encoded ahead
    std::map<const Stage*, SampleOrder> m_foreseen; // orders that run ahead of the steps
    std::unique_ptr<EncodingAhead> m_ahead;         // null: all is encoded before the first step
};

} // namespace homebooth::core
