// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `doctor --json` says of this machine, as rows for the first-run page. Pure functions; any thread.
#pragma once

#include <QByteArray>
#include <QString>

#include <vector>

namespace homebooth::app {

enum class FactState { Good, Caution, Bad };

/// What the user can do about it, each a button.
enum class FactHelp { UpdateDriver, UseProcessor, WhatWouldHelp, AnotherDisk };

struct MachineFact {
    FactState state = FactState::Good;
    QString name;    ///< "RAM"
    QString found;   ///< "16 GB"
    QString meaning; ///< "Enough for ..."
    std::vector<FactHelp> help = {};
};

/// What is free on the disk of the folder that runs and pictures go to. @param free  bytes; -1: not known
[[nodiscard]] MachineFact diskFactOf(qint64 free);

/// Card, memory and engine. Empty if the text is no report.
[[nodiscard]] std::vector<MachineFact> machineFactsOf(const QByteArray& report);

} // namespace homebooth::app
