// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the library has of a model, for tests. Free function.
#pragma once

#include "core/library/run_store.h"

#include <QString>

namespace homebooth::app {

/// @param kind  as the library has it: "model", "lora", "embedding"
inline core::ModelRecord modelRecord(const QString& name, const QString& path, const char* kind = "model") {
    core::ModelRecord record;
    record.id = core::newRecordId();
    record.name = name.toStdString();
    record.path = path.toStdString();
    record.kind = kind;
    return record;
}

} // namespace homebooth::app
