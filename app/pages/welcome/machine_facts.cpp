// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/welcome/machine_facts.h"

#include "app/engine/figures.h"
#include "app/pages/welcome/welcome_page.h"
#include "core/base/system/gpu_facts.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <algorithm>

namespace homebooth::app {
namespace {

constexpr int64_t kGibi = int64_t{1} << 30;
constexpr int64_t kGiga = 1'000'000'000;
constexpr int64_t kSdxlGiga = 62; // of a whole SDXL with its saved moments, as plans have it

int64_t bytes(const QJsonObject& object, const char* name) {
    return static_cast<int64_t>(object.value(QLatin1String(name)).toDouble());
}

/// What a card can train, as plans have it. @param bytes  its memory
QString usesOf(int64_t bytes) {
    if (bytes >= 15 * kGibi) return WelcomePage::tr("Whole models up to SDXL");
    if (bytes >= 7 * kGibi) return WelcomePage::tr("Whole models up to SD 2.1; SDXL with parts in RAM");
    return WelcomePage::tr("Small add-ons; whole models with parts in RAM");
}

MachineFact readyCards(const QJsonObject& gpu) {
    const QString driver = gpu.value(QLatin1String("driver")).toString();
    const QJsonArray cards = gpu.value(QLatin1String("devices")).toArray();
    QStringList found;
    int64_t largest = 0;
    for (const QJsonValue& one : cards) {
        const QJsonObject card = one.toObject();
        const QString name = card.value(QLatin1String("name")).toString();
        const int64_t size = bytes(card, "totalBytes");
        largest = std::max(largest, size);
        found.append(cards.size() == 1
                         ? WelcomePage::tr("%1, %2, driver %3").arg(name, memoryText(size), driver)
                         : WelcomePage::tr("%1, %2").arg(name, memoryText(size)));
    }
    if (cards.size() > 1) found.append(WelcomePage::tr("driver %1").arg(driver));
    return {FactState::Good, WelcomePage::tr("Graphics card"), found.join('\n'), usesOf(largest)};
}

MachineFact cardFact(const QJsonObject& gpu) {
    const QString state = gpu.value(QLatin1String("state")).toString();
    const QString name = WelcomePage::tr("Graphics card");
    if (state == QLatin1String("ready")) return readyCards(gpu);
    if (state == QLatin1String("driver too old"))
        return {FactState::Bad,
                name,
                WelcomePage::tr("The driver is too old: %1, needed %2")
                    .arg(gpu.value(QLatin1String("driver")).toString())
                    .arg(core::kOldestDriver),
                WelcomePage::tr("Your files are untouched."),
                {FactHelp::UpdateDriver, FactHelp::UseProcessor}};
    if (state != QLatin1String("no driver") && state != QLatin1String("no device"))
        return {FactState::Bad,
                name,
                WelcomePage::tr("The graphics card does not answer"),
                WelcomePage::tr("Restart the computer. If that does not help, install its driver anew."),
                {FactHelp::UpdateDriver, FactHelp::UseProcessor}};
    QStringList tooOld;
    for (const QJsonValue& one : gpu.value(QLatin1String("tooOld")).toArray()) tooOld.append(one.toString());
    const QString old = tooOld.join(QLatin1String(", "));
    return {FactState::Caution,
            name,
            old.isEmpty() ? WelcomePage::tr("No usable graphics card")
                          : WelcomePage::tr("No usable graphics card; too old: %1").arg(old),
            WelcomePage::tr("The built-in model trains in minutes here; Stable Diffusion takes hours, SDXL "
                            "days."),
            {FactHelp::WhatWouldHelp}};
}

MachineFact memoryFact(const QJsonObject& memory) {
    const int64_t usable = bytes(memory, "usableBytes");
    const bool whole = usable >= 8 * kGibi;
    const bool lora = usable >= 4 * kGibi;
    return {lora ? FactState::Good : FactState::Caution, WelcomePage::tr("RAM"),
            WelcomePage::tr("%1, %2 free").arg(memoryText(bytes(memory, "totalBytes")), memoryText(usable)),
            whole  ? WelcomePage::tr("Enough")
            : lora ? WelcomePage::tr("Enough for small add-ons")
                   : WelcomePage::tr("Enough for the built-in model only")};
}

} // namespace

std::vector<MachineFact> machineFactsOf(const QByteArray& report) {
    const QJsonObject object = QJsonDocument::fromJson(report).object();
    if (!object.contains(QLatin1String("memory"))) return {};
    std::vector<MachineFact> facts;
    facts.push_back(cardFact(object.value(QLatin1String("gpu")).toObject()));
    facts.push_back(memoryFact(object.value(QLatin1String("memory")).toObject()));
    if (!object.value(QLatin1String("worker")).toObject().value(QLatin1String("found")).toBool(true))
        facts.push_back({FactState::Bad, WelcomePage::tr("Engine"), WelcomePage::tr("A part is missing"),
                         WelcomePage::tr("Nothing will train. Install Homebooth again.")});
    return facts;
}

MachineFact diskFactOf(qint64 free) {
    if (free < 0)
        return {FactState::Caution,
                WelcomePage::tr("Disk"),
                WelcomePage::tr("Nobody knows what is free"),
                WelcomePage::tr("The folder cannot be reached. Choose another one."),
                {FactHelp::AnotherDisk}};
    const auto trainings = static_cast<int>(free / (5 * kGiga)); // of a whole SD 1.5 with its saved moments
    const QString found = WelcomePage::tr("%1 free").arg(diskText(free));
    if (trainings >= 4)
        return {FactState::Good, WelcomePage::tr("Disk"), found,
                free >= kSdxlGiga * kGiga
                    ? WelcomePage::tr("Enough")
                    : WelcomePage::tr("Enough; a training of a whole SDXL takes %1 GB").arg(kSdxlGiga)};
    return {FactState::Caution,
            WelcomePage::tr("Disk"),
            found,
            WelcomePage::tr("About %n training(s) of a whole model", nullptr, trainings),
            {FactHelp::AnotherDisk}};
}

} // namespace homebooth::app
