// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/welcome/machine_facts.h"

#include "app/engine/figures.h"
#include "app/engine/places.h"
#include "app/pages/welcome/welcome_page.h"

#include <QFileInfo>
#include <QStringList>

#include <algorithm>

namespace homebooth::app {
namespace {

constexpr int64_t kGibi = int64_t{1} << 30;
constexpr int64_t kGiga = 1'000'000'000;
constexpr int64_t kSdxlGiga = 62; // of a whole SDXL with its saved moments, as plans have it

/// What a card can train, as plans have it. @param bytes  its memory
QString usesOf(int64_t bytes) {
    if (bytes >= 15 * kGibi) return WelcomePage::tr("Whole models up to SDXL");
    if (bytes >= 7 * kGibi) return WelcomePage::tr("Whole models up to SD 2.1; SDXL with parts in RAM");
    return WelcomePage::tr("Small add-ons; whole models with parts in RAM");
}

MachineFact readyCards(const core::GpuFacts& gpus, bool processorOnly) {
    const QString driver = QString::fromStdString(gpus.driverVersion);
    const bool single = gpus.devices.size() == 1;
    QStringList found;
    int64_t largest = 0;
    for (const core::GpuDevice& card : gpus.devices) {
        const QString name = QString::fromStdString(card.name);
        largest = std::max(largest, card.totalBytes);
        found.append(single
                         ? WelcomePage::tr("%1, %2, driver %3").arg(name, memoryText(card.totalBytes), driver)
                         : WelcomePage::tr("%1, %2").arg(name, memoryText(card.totalBytes)));
    }
    if (!single) found.append(WelcomePage::tr("driver %1").arg(driver));
    if (processorOnly)
        return {FactState::Caution,
                WelcomePage::tr("Graphics card"),
                found.join('\n'),
                WelcomePage::tr("Not used, as chosen: the processor computes, far slower."),
                {FactHelp::UseCard}};
    return {FactState::Good, WelcomePage::tr("Graphics card"), found.join('\n'), usesOf(largest)};
}

/// Of a driver that is there and is of no use. @param meaning  for whoever has not chosen the processor
MachineFact uselessDriver(const QString& found, const QString& meaning, bool processorOnly) {
    if (!processorOnly)
        return {FactState::Bad,
                WelcomePage::tr("Graphics card"),
                found,
                meaning,
                {FactHelp::UpdateDriver, FactHelp::UseProcessor}};
    return {FactState::Caution,
            WelcomePage::tr("Graphics card"),
            found,
            WelcomePage::tr("The processor computes, far slower."),
            {FactHelp::UpdateDriver, FactHelp::UseCard}};
}

MachineFact noUsableCard(const core::GpuFacts& gpus) {
    if (gpus.withoutDriver)
        return {FactState::Caution,
                WelcomePage::tr("Graphics card"),
                WelcomePage::tr("NVIDIA card found, its driver does not work"),
                WelcomePage::tr("The processor computes, far slower."),
                {FactHelp::MendDriver}};
    QStringList tooOld;
    for (const std::string& name : gpus.tooOld) tooOld.append(QString::fromStdString(name));
    const QString old = tooOld.join(QLatin1String(", "));
    return {FactState::Caution,
            WelcomePage::tr("Graphics card"),
            old.isEmpty() ? WelcomePage::tr("No usable graphics card")
                          : WelcomePage::tr("No usable graphics card; too old: %1").arg(old),
            WelcomePage::tr("The built-in model trains in minutes here; Stable Diffusion takes hours, SDXL "
                            "days."),
            {FactHelp::WhatWouldHelp}};
}

} // namespace

MachineFact cardFactOf(const core::GpuFacts& gpus, bool processorOnly) {
    switch (gpus.state) {
    case core::GpuState::Ready:
        return readyCards(gpus, processorOnly);
    case core::GpuState::Broken:
        return silentDriverFact(processorOnly);
    case core::GpuState::DriverTooOld:
        return uselessDriver(WelcomePage::tr("The driver is too old: %1, needed %2")
                                 .arg(QString::fromStdString(gpus.driverVersion))
                                 .arg(core::kOldestDriver),
                             WelcomePage::tr("Your files are untouched."), processorOnly);
    case core::GpuState::NoDriver:
    case core::GpuState::NoDevice:
        break;
    }
    return noUsableCard(gpus);
}

MachineFact silentDriverFact(bool processorOnly) {
    return uselessDriver(
        WelcomePage::tr("The graphics card does not answer"),
        WelcomePage::tr("Restart the computer. If that does not help, install its driver anew."),
        processorOnly);
}

MachineFact memoryFactOf(const core::MemoryFacts& memory) {
    const int64_t usable = memory.usableBytes();
    const bool whole = usable >= 8 * kGibi;
    const bool lora = usable >= 4 * kGibi;
    return {lora ? FactState::Good : FactState::Caution, WelcomePage::tr("RAM"),
            WelcomePage::tr("%1, %2 free").arg(memoryText(memory.totalBytes), memoryText(usable)),
            whole  ? WelcomePage::tr("Enough")
            : lora ? WelcomePage::tr("Enough for small add-ons")
                   : WelcomePage::tr("Enough for the built-in model only")};
}

bool engineIsWhole() {
    const QFileInfo engine(QFileInfo(enginePath()).canonicalFilePath()); // the other one lies beside it
    return engine.isExecutable() &&
           QFileInfo(engine.path() + QStringLiteral("/homebooth-worker")).isExecutable();
}

MachineFact missingEngineFact() {
    return {FactState::Bad, WelcomePage::tr("Engine"), WelcomePage::tr("A part is missing"),
            WelcomePage::tr("Nothing will train. Install Homebooth again.")};
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
                    : WelcomePage::tr("Enough for small add-ons, and for whole models up to SD 2.1")};
    return {FactState::Caution,
            WelcomePage::tr("Disk"),
            found,
            WelcomePage::tr("About %n training(s) of a whole model", nullptr, trainings),
            {FactHelp::AnotherDisk}};
}

} // namespace homebooth::app
