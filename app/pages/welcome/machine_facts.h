// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What this machine has, and what that is good for, as rows for the first-run page. Any thread; pure
// functions but for the one that looks whether the engine is whole.
#pragma once

#include "core/base/system/gpu_facts.h"
#include "core/base/system/memory_facts.h"

#include <QString>

#include <vector>

namespace homebooth::app {

enum class FactState { Good, Caution, Bad };

/// What the user can do about it, each a button.
enum class FactHelp { UpdateDriver, MendDriver, UseProcessor, UseCard, WhatWouldHelp, AnotherDisk };

struct MachineFact {
    FactState state = FactState::Good;
    QString name;    ///< "RAM"
    QString found;   ///< "16 GB"
    QString meaning; ///< "Enough for ..."
    std::vector<FactHelp> help = {};

    bool operator==(const MachineFact&) const = default;
};

/// What is free on the disk of the folder that runs and pictures go to. @param free  bytes; -1: not known
[[nodiscard]] MachineFact diskFactOf(qint64 free);

/// The graphics cards, as the engine found them. @param processorOnly  the user wants none of them used
[[nodiscard]] MachineFact cardFactOf(const core::GpuFacts& gpus, bool processorOnly);

/// Of a driver that does not answer.
[[nodiscard]] MachineFact silentDriverFact(bool processorOnly);

[[nodiscard]] MachineFact memoryFactOf(const core::MemoryFacts& memory);

/// Whether both of the engine's programs are there.
[[nodiscard]] bool engineIsWhole();

/// Where they are not.
[[nodiscard]] MachineFact missingEngineFact();

} // namespace homebooth::app
