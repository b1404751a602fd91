// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A training that takes seconds, as people ask for it.
#pragma once

#include <QStringList>

namespace homebooth::test {

/// `train` of the tiny model on a dog's drawings, with further options.
inline QStringList tinyTraining(const QString& output, const QStringList& more) {
    return QStringList{"train",
                       "--model",
                       HOMEBOOTH_FIXTURES_DIR "/tiny-sd1",
                       "--instance",
                       HOMEBOOTH_SOURCE_DIR "/resources/drawings/blue_dog",
                       "--prompt",
                       "a photo of x",
                       "--resolution",
                       "64",
                       "--device",
                       "cpu",
                       "--output",
                       output} +
           more;
}

} // namespace homebooth::test
