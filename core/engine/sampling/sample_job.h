// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Generation as a job: from a SampleConfig to PNG files with A1111's `parameters` text.
// A session keeps its model between jobs, so that the next picture starts at once. One thread; a job's cancel
// token may be used from any. The one place of the generation side that catches exceptions.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/run/journal/event.h"
#include "core/base/util/cancel.h"
#include "core/engine/jobs/picture_source.h"
#include "core/engine/sampling/generation_model.h"
#include "core/engine/sampling/picture_folder.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

class GuidanceHalves;

/// What one of several processes makes of a job's pictures. They write into one folder, each its own files.
struct SampleShare {
    int64_t team = 0; ///< batch b is made by team b % teams
    int64_t teams = 1;
    std::vector<int64_t> numbers = {};      ///< of all pictures' names; empty: as they turn out to be free
    const GuidanceHalves* halves = nullptr; ///< with another process of the team; borrowed. Null: it is alone
    PictureFolder folder = {};              ///< where they go from now on

    /// Whether this process writes what its team makes, and tells of it.
    [[nodiscard]] bool writes() const;
    /// Of the job, all on this machine.
    [[nodiscard]] int64_t processes() const;
};

class SampleSession {
public:
    /// Both are borrowed for the session's life.
    SampleSession(PictureSource& pictures, PictureWriter& writer);
    ~SampleSession();

    /// Makes `config.count` pictures into `config.outputDir`, which exists. Names are NNNNN-SEED.png and
    /// never replace a file. Emits states (loading; sampling with steps done of all), warnings, and previews:
    /// a cheap picture every `previewEverySteps` steps under a hidden name that is removed at the end, then
    /// each finished one. What fp16 does not suffice for is made in bf16, which takes no more memory;
    /// later jobs with that model, and the same LoRAs and textual inversions if there are any, begin so.
    /// A warning says it once. While the disk is full a finished one waits in memory (kWaitsForRoom), until
    /// there is room, or `share` says another folder.
    /// @param share  of several processes: what this one makes. Then `done` counts its own steps alone
    /// @returns  how it ended, with the paths of the pictures; not emitted. Its code is kExitRankLost where
    ///           another process of the team was lost. Never throws.
    [[nodiscard]] OutcomeEvent run(const SampleConfig& config, EventSink& events, const CancelToken& cancel,
                                   const SampleShare& share = {});

private:
    class Job; // one call
    /// What decides whether the model in memory still serves.
    struct ModelKey {
        std::string path;
        at::ScalarType type = at::kFloat;
        at::Device device = at::kCPU;
        std::vector<std::pair<std::filesystem::path, std::filesystem::file_time_type>> files;
        std::string prediction; ///< as the job has it, with where its noise ends
        Quantization quantization = Quantization::None;
        friend bool operator==(const ModelKey&, const ModelKey&) = default;
    };
    /// What fp16 does not suffice for, and bf16 does.
    struct BeyondFp16 {
        ModelKey model;        ///< as it was asked for in fp16
        std::string additions; ///< to it, in words; none: it is the model's own numbers

        [[nodiscard]] bool covers(const ModelKey& key, const std::string& with) const {
            return model == key && (additions.empty() || additions == with);
        }
    };

    PictureSource& m_pictures;
    PictureWriter& m_writer;
    std::unique_ptr<GenerationModel> m_model;
    ModelKey m_key;
    std::optional<BeyondFp16> m_beyondFp16;
    bool m_toldThatItStreams = false;                              ///< of m_model, as it is placed
    std::string m_modelHash;                                       ///< of it; empty until known
    std::vector<std::pair<std::string, std::string>> m_loraHashes; ///< of those in m_model: name, hash
};

/// One job without keeping the model.
[[nodiscard]] OutcomeEvent runSampleJob(const SampleConfig& config, EventSink& events,
                                        const CancelToken& cancel, PictureSource& pictures,
                                        PictureWriter& writer);

} // namespace homebooth::core
