// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From the text that travels with a picture back to everything that it was made with: model, add-ons
// with their weights. A text says their names and hashes. Of what is here names are known at once, hashes
// after reading the files: whoever asks reads those that are named. Any thread.
#pragma once

#include "app/engine/models/model_shelf.h"
#include "core/base/config/sample_config.h"
#include "core/base/util/cancel.h"

#include <QCoreApplication>
#include <QStringList>

#include <map>
#include <optional>

namespace homebooth::app {

/// A file or folder that may be what a text means.
struct FileToHash {
    enum class Of {
        Whole,   ///< core::modelHash
        Tensors, ///< core::loraHash
        Header,  ///< core::loraHashSaid
        Size,    ///< no hash, but the file's bytes in digits: whether hashing it takes seconds
    };
    QString path;
    Of of = Of::Whole;

    friend bool operator<(const FileToHash& one, const FileToHash& other) {
        return one.path != other.path ? one.path < other.path : one.of < other.of;
    }
};

/// What was read; empty where a file cannot be.
using FileHashes = std::map<FileToHash, std::string>;

struct UsedSettings {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::UsedSettings)
public:
    core::SampleConfig config;
    QStringList missing; ///< names of models and add-ons, and learned words, that are not here
    QString start;       ///< file name of the picture that it began from; empty: from none
    /// How the weights were kept; nothing where the text does not tell. The settings decide how they will be.
    std::optional<core::Quantization> weights = std::nullopt;
    bool nameIsTaken = false;   ///< by another file than one of the missing ones
    bool modelStandsIn = false; ///< of the name of the missing model, but another file
    QStringList untaken = {};   ///< what of the text cannot be done here, in sentences for people
    bool modelIsOpen = false;   ///< taken by its name alone so far, or not yet
    bool lorasAreOpen = false;  ///< some of them, likewise
    QStringList undecided = {}; ///< names of those that are open and not taken yet
};

/// @param before     what the text does not say is taken from here
/// @param modelPath  the model, where its place is known; else it is looked for by name and hash
/// @param hashes     of files that `fileToHash` named; what is not among them counts by its name
[[nodiscard]] UsedSettings usedSettings(const QString& text, core::SampleConfig before,
                                        const QString& modelPath, const ModelShelf& models,
                                        const FileHashes& hashes = {});

/// What a prompt means that is written as other programs have it: its add-ons join those that are chosen,
/// with the tags' weights; signs of words that change are taken out of it and of the negative prompt.
/// `missing` and `untaken` are of its add-ons.
[[nodiscard]] UsedSettings usedPrompt(core::SampleConfig before, const ModelShelf& models);

/// The next file whose hash says whether a text means it, small ones first; nothing: those in `hashes`
/// suffice.
[[nodiscard]] std::optional<FileToHash> fileToHash(const QString& text, const QString& modelPath,
                                                   const ModelShelf& models, const FileHashes& hashes);

/// Reads the file; not for the GUI thread. Empty if it cannot be read, or when `cancel` was requested.
[[nodiscard]] std::string readHash(const FileToHash& file, const core::CancelToken& cancel);

} // namespace homebooth::app
