// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/models/model_words.h"

#include "app/engine/figures.h"
#include "core/base/model/deviation.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <iterator>

namespace homebooth::app {
namespace {

using core::DeviationKind;
using core::ModelFault;

constexpr const char* kContext = "homebooth::app::EngineWords";

struct Trouble {
    ModelFault fault;
    const char* text;
    const char* notImported; ///< with the file's name as %1; null: as of anything else
};

constexpr Trouble kTroubles[] = {
    {ModelFault::Gone,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "It cannot be found or read. Connect its drive, or import it from where it is now."),
     nullptr},
    {ModelFault::Incomplete,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The file is incomplete. Copy or download it again."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "\"%1\" is incomplete. Nothing was imported. Download it again.")},
    {ModelFault::Damaged,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "The file is damaged. Copy or download it again."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "\"%1\" is damaged. Nothing was imported. Copy or download it again.")},
    {ModelFault::Commands,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "The file holds commands besides weights, so it is not opened. Look for a "
                       ".safetensors version."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "\"%1\" holds commands besides weights. None ran; nothing was imported. Look "
                       "for a .safetensors version.")},
    {ModelFault::NotDownloaded,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "This is a page or a pointer in place of the model. Download the file itself."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "\"%1\" is a page or a pointer in place of the model. Nothing was imported. "
                       "Download the file itself.")},
    {ModelFault::PartsMissing,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Parts of the model are missing. Copy or download them, too."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Parts of \"%1\" are missing. Nothing was imported. Copy or download them, too.")},
    {ModelFault::OtherModel,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "This is no whole model of Stable Diffusion 1.x, 2.x or XL. Others cannot be used."),
     nullptr},
    {ModelFault::OtherNumbers,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Its weights are in fp8 or another type that cannot be used here. Look for an fp16 "
                       "version."),
     nullptr},
    {ModelFault::LanguageModel,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "This is a language model: it writes texts and makes no pictures. It is trained from "
                       "the command line, with homebooth-engine train --text."),
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "\"%1\" is a language model: it writes texts and makes no pictures. Nothing was "
                       "imported. It is trained from the command line, with homebooth-engine train --text.")},
    {ModelFault::AddOn,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "This add-on is of a kind that cannot be used, or a part of it is missing."),
     nullptr},
    {ModelFault::NotNumbers,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                       "Some of its weights are no numbers. Copy or download it again."),
     nullptr},
    {ModelFault::NotAModel,
     QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "This is neither a model nor an add-on."), nullptr},
};

QString words(const char* text) {
    return QCoreApplication::translate(kContext, text);
}

const Trouble* troubleOf(ModelFault fault) {
    const auto* found = std::find_if(std::begin(kTroubles), std::end(kTroubles),
                                     [fault](const Trouble& one) { return one.fault == fault; });
    return found != std::end(kTroubles) ? found : nullptr;
}

/// Of "686 tensors".
QString countIn(const std::string& text) {
    return QLocale().toString(QString::fromStdString(text).section(' ', 0, 0).toLongLong());
}

/// What was left aside, and how much of it.
QString ignored(const core::Deviation& found) {
    const QString count = countIn(found.first);
    if (found.kind == DeviationKind::EmaIgnored)
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "Averaged weights (EMA) are left aside: %1."))
            .arg(count);
    if (found.kind == DeviationKind::UnusedIgnored)
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "Weights that nothing needs are left aside: %1."))
            .arg(count);
    return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                   "Unknown parts are left aside: %1, such as %2."))
        .arg(count, QString::fromStdString(found.second));
}

QString missing(const core::Deviation& found) {
    const QString first = QString::fromStdString(found.first);
    switch (found.kind) {
    case DeviationKind::IndexMissing:
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "The folder has no model_index.json. The usual one is assumed."));
    case DeviationKind::FolderMissing:
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "The folder %1, which the model names, is missing."))
            .arg(first);
    case DeviationKind::SchedulerMissing:
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "The scheduler's settings are missing. The usual ones are taken "
                                       "(%1)."))
            .arg(first);
    case DeviationKind::TokenizerMissing:
    case DeviationKind::VocabularyMissing:
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "The model brings no vocabulary. The published one is taken (CLIP)."));
    default:
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Without weights: %1."))
            .arg(modelPartName(found.first));
    }
}

} // namespace

QString modelTrouble(ModelFault fault) {
    const Trouble* found = troubleOf(fault);
    return found != nullptr ? words(found->text) : QString();
}

QString importTrouble(const QString& name, ModelFault fault, const std::string& problem) {
    static const QRegularExpression cut(QStringLiteral("expected (\\d+) bytes of tensors, found (\\d+)"));
    const QRegularExpressionMatch bytes = cut.match(QString::fromStdString(problem));
    if (fault == ModelFault::Incomplete && bytes.hasMatch())
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "\"%1\" is incomplete: %2 of %3. Nothing was imported. Download it "
                                       "again."))
            .arg(name, diskText(bytes.captured(2).toLongLong()), diskText(bytes.captured(1).toLongLong()));
    const Trouble* found = troubleOf(fault);
    return words(found != nullptr && found->notImported != nullptr
                     ? found->notImported
                     : QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                         "\"%1\" is neither a model nor an add-on that can be used. Nothing "
                                         "was imported. Models are files or diffusers folders of Stable "
                                         "Diffusion 1.x, 2.x or XL."))
        .arg(name);
}

QString modelNote(const std::string& warning) {
    const core::Deviation found = core::readDeviation(warning);
    switch (found.kind) {
    case DeviationKind::Other:
        return QString::fromStdString(warning);
    case DeviationKind::EmaIgnored:
    case DeviationKind::UnusedIgnored:
    case DeviationKind::UnknownIgnored:
        return ignored(found);
    case DeviationKind::Variant:
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "%1: the variant %2 is taken."))
            .arg(modelPartName(found.first), QString::fromStdString(found.second));
    case DeviationKind::PredictionUnknown:
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "The file does not say what it predicts; v is assumed. Grey noise in "
                                       "pictures means that it is noise (epsilon)."));
    case DeviationKind::PredictionReplaced:
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "The model says that it predicts %1. %2 is taken, as was asked for."))
            .arg(QString::fromStdString(found.first), QString::fromStdString(found.second));
    case DeviationKind::AdapterConfigMissing:
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "adapter_config.json is missing beside the LoRA. It is added at the "
                                       "usual strength, which may be another than it was made for."));
    case DeviationKind::ZerosFound:
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords",
                                       "From \"%1\" on there are only zeros: blocks that were switched off, "
                                       "or an unfinished download. If it does little, download it again."))
            .arg(QString::fromStdString(found.first));
    default:
        return missing(found);
    }
}

QString modelPartName(const std::string& name) {
    if (name == "unet" || name == "UNet") return QStringLiteral("UNet");
    if (name == "vae" || name == "VAE") return QStringLiteral("VAE");
    if (name == "text_encoder" || name == "text encoder")
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Text encoder"));
    if (name == "text_encoder_2" || name == "second text encoder")
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Second text encoder"));
    if (name == "language_model")
        return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Language model"));
    if (name == "tensors") return words(QT_TRANSLATE_NOOP("homebooth::app::EngineWords", "Weights"));
    return QString::fromStdString(name);
}

} // namespace homebooth::app
