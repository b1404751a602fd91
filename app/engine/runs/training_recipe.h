// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From what a beginner chooses (subjects, model, quality) to everything that the engine wants to know.
// Pure functions; any thread.
#pragma once

#include "app/engine/pictures/picture_sizes.h"
#include "core/base/config/colour.h"
#include "core/base/config/config_fields.h"
#include "core/base/config/training_defaults.h"
#include "core/base/model/configs/scheduler_config.h"
#include "core/base/model/model_family.h"

#include <QMap>
#include <QString>
#include <QStringList>

namespace homebooth::app {

// In run.json.
constexpr const char* kPreviewPromptPath = "output.previewPrompt";
constexpr const char* kClassPromptPath = "data.classPrompt";
constexpr const char* kClassFolderPath = "data.classDir";

enum class Quality { Quick, Balanced, Best };

struct TrainingChoice {
    QString model;
    core::ModelFamily family = core::ModelFamily::Other;
    int64_t modelPixels = 64;              ///< the size that the model was made for
    core::TrainingDefaults defaults;       ///< of the model; only those that its folder brings count
    QStringList sentences;                 ///< "a photo of ohwx toy", one a subject
    QStringList classes;                   ///< "a photo of a toy", one a subject
    QString photoFolder;                   ///< where the prepared photos are or will be
    QString datasetFolder;                 ///< instead of subjects
    int64_t pictures = 0;                  ///< of the dataset; 0: nobody knows, or there is none
    uint32_t backgroundRgb = core::kWhite; ///< of the dataset: behind transparent parts, 0xRRGGBB
    bool skipBroken = false;               ///< the dataset has pictures that cannot be read
    bool lora = false;
    bool scratch = false; ///< of a dataset: new weights in the shape of the model
    /// With `scratch`: of the parts of a model only the autoencoder, which packs pictures, is made.
    bool autoencoder = false;
    Quality quality = Quality::Quick;
    bool keepOthersNormal = true;
    int64_t ownExamples = 0; ///< pictures in the user's folder of them; 0: none, or nobody knows
    int64_t keptMoments = 4;
    core::Precision half = core::Precision::Bf16; ///< what large models are computed in on this computer
    bool onGpu = false;                           ///< a graphics card computes, as far as is known
    QMap<QString, QString> expert;                ///< path in run.json to text, what the user changed
};

/// Whether what learns is an autoencoder, whose steps know neither noise nor captions.
[[nodiscard]] bool learnsAutoencoder(const core::TrainConfig& config);

/// Whether the engine can train the text encoders of such a model: those of SDXL stay as they are.
[[nodiscard]] bool textCanLearn(core::ModelFamily family);

/// Whether the pictures must carry captions of their own beside them: several subjects, or a dataset.
[[nodiscard]] bool needsCaptions(const TrainingChoice& choice);

/// The whole configuration but for the run's folder. Expert settings win over everything; those that cannot
/// be read are left out.
[[nodiscard]] core::TrainConfig trainConfigOf(const TrainingChoice& choice);

/// The same with no expert setting, but for what follows from one: the learning rate is that which suits
/// the parts that are to learn, previews and saved moments come as often as suits the number of steps, and of
/// a folder of examples all are learned.
[[nodiscard]] core::TrainConfig defaultsOf(const TrainingChoice& choice);

/// How often that is done which is done every so many steps, and at the last one. @param every  0: never
[[nodiscard]] int64_t timesIn(int64_t steps, int64_t every);

/// Whether its second preview shows what is learned where no photo does.
[[nodiscard]] bool previewsElsewhere(const core::TrainConfig& config);

/// The first of the prompts that its previews have of their own; empty: what is learned is previewed.
[[nodiscard]] QString firstPreview(const core::TrainConfig& config);

/// How many pictures all its steps learn, each one as often as it comes.
[[nodiscard]] int64_t picturesLearned(const core::TrainConfig& config);

/// How many times each picture of a dataset is learned, on average. 0: nobody knows.
[[nodiscard]] double timesSeen(const TrainingChoice& choice, const core::TrainConfig& config);

/// Under which the time of a step is remembered: the model by its whole path, since the results of all
/// trainings have one name, and what else decides how long a step takes.
[[nodiscard]] QString speedKey(const core::TrainConfig& config);

/// Under which all else is remembered of how long such a training takes (Pace).
[[nodiscard]] QString paceKey(const core::TrainConfig& config);

/// Under which it is remembered how many pictures of the class were made, which later trainings find again.
[[nodiscard]] QString examplesKey(const core::TrainConfig& config);

/// How many steps learn from smaller pictures where nobody said it: half of them; 0 where none do.
[[nodiscard]] int64_t usualStartSteps(const core::TrainConfig& config);

/// Optimizer steps of a quality. Those of a dataset grow with its pictures, up to a number that one can
/// wait for.
[[nodiscard]] int64_t stepsOf(const TrainingChoice& choice, Quality quality);

/// The model's own size by its UNet's and VAE's configuration, in pixels (0 if it cannot be opened), and what
/// suits it.
struct ModelFacts {
    bool usable = false;
    bool drawsPictures = true; ///< else it is a shape for new models: nothing in it has learned pictures
    bool packsPictures = true; ///< its autoencoder has weights: else that is to be made first
    core::ModelFamily family = core::ModelFamily::Other;
    int64_t pixels = 0;
    int64_t sizeStep = kLeastSizeStep;   ///< every picture's sides are multiples of it
    int64_t bucketStep = kLeastSizeStep; ///< so are those of this, where training keeps shapes
    int64_t mostClipSkip = 12;           ///< last layers of its text encoders that can be left out
    bool predictionKnown = true;
    bool predictionSaid = true; ///< by its files; else it is assumed, or as nearly all of its family have it
    core::PredictionType prediction = core::PredictionType::Epsilon; ///< as assumed where it is not known
    bool stepsTrail = false; ///< its scheduler counts steps from the noisiest one, as few of them need it
    core::TrainingDefaults defaults;
    QString problem;
    QStringList words = {}; ///< of a learned word: by any of which prompts name it
    qint64 vectors = 0;     ///< that it stands for
    bool gone = false;      ///< there is no file or folder any more, or its drive is away
};
[[nodiscard]] ModelFacts modelFacts(const QString& path);

} // namespace homebooth::app
