// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/not_taken.h"

#include "app/library/picture_facts.h"
#include "app/pages/generate/used_settings.h"
#include "core/base/text/comfy_graph.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace homebooth::app {
namespace {

/// Beginnings of keys, as those programs write them. What only decides which noise a seed gives is left
/// out: it is another one here in any case.
constexpr const char* kFurther[] = {
    "ADetailer",          "ControlNet", "Dynamic thresholding", "Face restoration", "FreeU",
    core::kInpaintingKey, "Tiling"};

/// Empty where a text does not say it.
std::string valueOf(const core::GenerationParameters& found, std::string_view key) {
    for (const auto& [name, value] : found.others)
        if (name == key) return value;
    return {};
}

/// As switches and lists say that there is nothing.
bool isNothing(const std::string& value) {
    return value.empty() || value == "None" || value == "False" || value == "Automatic";
}

bool hasOneSpacing(core::SamplerKind kind) {
    return kind == core::SamplerKind::Ddim || kind == core::SamplerKind::Pndm;
}

/// How its steps were spaced, where that is not done here; empty: it is.
std::string strangeSpacing(const core::GenerationParameters& found) {
    const auto sampler = core::samplerOfDisplayName(found.sampler);
    const std::string& told = found.scheduleType;
    if (core::usedKarrasSpacing(found) || core::usedTrailingSteps(found)) return {};
    if (sampler && hasOneSpacing(sampler->first)) return {};
    if (sampler && sampler->second) return "Karras"; // by the sampler's old name
    if (told == "Automatic") {                       // A1111's own choice for each sampler
        const bool own = sampler && sampler->first == core::SamplerKind::DpmPlusPlus2MSde;
        return own ? "Exponential" : std::string();
    }
    return told == "Uniform" || told == "Normal" ? std::string() : told;
}

/// What else was done with it; each once.
QStringList furtherThings(const core::GenerationParameters& found) {
    QStringList things;
    for (const char* further : kFurther)
        if (std::any_of(found.others.begin(), found.others.end(), [further](const auto& one) {
                return one.first.starts_with(further) && !isNothing(one.second);
            }))
            things.append(QString::fromLatin1(further));
    for (const auto& [key, kind] : found.others)
        if (key == core::kOtherNodeKey) things.append(QString::fromStdString(kind));
    return things;
}

} // namespace

QString refinerOf(const core::GenerationParameters& found) {
    return QString::fromStdString(valueOf(found, "Refiner"))
        .section(" [", 0, 0); // "sd_xl_refiner_1.0 [7440042bbd]"
}

QStringList notTaken(const core::GenerationParameters& found) {
    QStringList sentences;
    if (const std::string spacing = strangeSpacing(found); !spacing.empty())
        sentences.append(
            UsedSettings::tr(
                "The picture's steps were spaced as \"%1\" has it, which is not done here: the usual spacing "
                "is taken.")
                .arg(QString::fromStdString(spacing)));
    if (wasEnlarged(found))
        sentences.append(
            UsedSettings::tr("The picture was enlarged afterwards, which is not done here: the size that it "
                             "had before is taken."));
    if (const std::string way = valueOf(found, "Emphasis"); !way.empty() && way != "Original")
        sentences.append(
            UsedSettings::tr(
                "Brackets weighed its words as \"%1\" has it, which is not done here: they weigh "
                "in the original way.")
                .arg(QString::fromStdString(way)));
    if (const std::string vae = valueOf(found, "VAE"); !isNothing(vae))
        sentences.append(
            UsedSettings::tr("The picture was unpacked by the autoencoder (VAE) \"%1\": here the model's own "
                             "does that.")
                .arg(QString::fromStdString(vae)));
    if (const QStringList further = furtherThings(found); !further.isEmpty())
        sentences.append(UsedSettings::tr("More was done with the picture, which is not done here: %1.")
                             .arg(further.join(QStringLiteral(", "))));
    return sentences;
}

} // namespace homebooth::app
