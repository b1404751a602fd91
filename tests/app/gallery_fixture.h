// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of the gallery share: pictures that the library has. Free functions.
#pragma once

#include "app/pages/gallery/gallery_page.h"
#include "app_fixture.h"

namespace homebooth::app {

inline core::PictureRecord picture(int64_t id, QDateTime made) {
    core::PictureRecord record;
    record.id = id;
    record.path = "/nowhere/" + std::to_string(id) + ".png";
    record.createdMs = made.toMSecsSinceEpoch();
    return record;
}

/// Pictures with keys from `last` down to 1, newest first.
inline std::vector<core::PictureRecord> picturesDownFrom(int last) {
    const QDateTime begin = QDateTime::currentDateTime().addSecs(-100'000);
    std::vector<core::PictureRecord> pictures;
    for (int id = last; id > 0; --id) pictures.push_back(picture(id, begin.addSecs(id)));
    return pictures;
}

} // namespace homebooth::app
