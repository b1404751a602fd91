// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Datasets asks the page Train for.
#pragma once

#include <QMetaType>
#include <QString>

#include <cstdint>

namespace homebooth::app {

struct DatasetOrder {
    QString name;
    QString folder;
    QString shapeOf = {};     ///< path of the model whose shape a new model takes; empty: one learns further
    bool autoencoder = false; ///< of the new model that part, instead of all else on top of one
    bool skipBroken = false;  ///< there are pictures that cannot be read
    int64_t pictures = 0;     ///< all others; 0: it is packed, and nobody has counted them
};

} // namespace homebooth::app
