// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of a model file in words, looked at off the GUI thread. Free functions; any thread.
#pragma once

#include "core/base/model/inspect.h"

#include <QString>
#include <QUrl>

#include <vector>

namespace homebooth::app {

struct ModelFact {
    QString label;
    QString value;
};

/// What a person wants to know, in order.
[[nodiscard]] std::vector<ModelFact> modelFactsText(const core::Inspection& facts);

/// The licence that a model's files name: in the metadata, in the head of README.md, or a file LICENSE; empty
/// if they say nothing.
[[nodiscard]] QString licenceOf(const core::Inspection& facts);

/// Where the licence can be read: a plain text in the model's folder, else a link of the head of README.md or
/// of the metadata; empty if there is none.
[[nodiscard]] QUrl licenceUrl(const core::Inspection& facts);

} // namespace homebooth::app
