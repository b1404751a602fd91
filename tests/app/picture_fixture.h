// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of making pictures share: an engine of a few lines that answers as the real one does. One a
// test program; GUI thread.
#pragma once

#include "app_files.h"
#include "model_records.h"

#include <QSpinBox>

namespace homebooth::app {

/// Reads commands as `sample --serve` does; each picture is a copy of one file. Once MADE, if it is set, has
/// MOST_PICTURES lines, which are one a picture, nothing more is made.
inline constexpr const char* kPictureEngine = R"sh(#!/bin/bash
say() { printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z",%s}\n' "$1"; }
sleep "${START_SECONDS:-0}"
say '"type":"state","state":"ready","detail":"","done":0,"total":0'
while read -r line; do
    case "$line" in *'"stop"'*) continue ;; esac
    out="$(sed 's/.*"outputDir":"\([^"]*\)".*/\1/' <<<"$line")"
    count="$(sed 's/.*"count":\([0-9]*\).*/\1/' <<<"$line")"
    seed="$(sed 's/.*"seed":\([0-9]*\).*/\1/' <<<"$line")"
    mkdir -p "$out"
    say '"type":"state","state":"sampling","detail":"","done":0,"total":1'
    for ((i = 0; i < count; i++)); do
        sleep 0.1
        if [ -n "$MADE" ]; then
            [ "$(wc -l <"$MADE")" -ge "$MOST_PICTURES" ] && while read -r line; do :; done && exit
            echo >>"$MADE"
        fi
        file="$out/$RANDOM$RANDOM-$((seed + i)).png"
        cp "$PICTURE" "$file"
        say "\"type\":\"preview\",\"step\":20,\"index\":$i,\"path\":\"$file\""
    done
    say '"type":"outcome","outcome":"done","measured":{},"result":[],"code":0,"message":"","kept":""'
    say '"type":"state","state":"ready","detail":"","done":0,"total":0'
done
)sh";

class PicturesTest : public ServicesTest {
public:
    using ServicesTest::ServicesTest;

protected:
    /// To be called in the slot initTestCase.
    void beginEngine() {
        QVERIFY(useEngine(m_place, kPictureEngine));
        qputenv("PICTURE", writeTestPicture(m_place.path(u"made.png"_s), 1, {64, 64}).toUtf8());
        QDir().mkpath(m_place.path(u"out"_s));
    }
    /// In init, of a form that keeps nothing of another function.
    void beginForm() {
        m_place.removeLibrary();
        beginAgain();
        m_services->settings.reset(keys::kGenerateModel);
    }
    void restart() {
        m_services.reset();
        m_services = std::make_unique<TestServices>(m_place);
    }
    [[nodiscard]] static QSpinBox& stepsBox(const QWidget& form) {
        for (auto* box : form.findChildren<QSpinBox*>())
            if (box->accessibleName() == u"Refinement"_s) return *box;
        qFatal("there is no such box");
    }
    [[nodiscard]] core::SampleConfig pictures(const char* prompt, int64_t count) const {
        core::SampleConfig config = pictureOrder(m_place, count);
        config.prompt = prompt;
        return config;
    }
    /// Makes a model or an add-on known to the window. @param kind  as the library has it: "model", "lora"
    void addModel(const QString& name, const char* kind) {
        const core::ModelRecord record = modelRecord(name, m_place.path(name), kind);
        if (QByteArray(kind) == "lora")
            QVERIFY(QFile::copy(m_place.path(u"made.png"_s), m_place.path(name)) ||
                    QFile::exists(m_place.path(name)));
        else
            QFile::link(builtInModel(), m_place.path(name));
        m_services->library.write(
            [record](core::Library& library) { return core::saveModel(library, record); });
        QSignalSpy changed(&m_services->models, &ModelShelf::changed);
        m_services->models.refresh();
        QTRY_VERIFY(m_services->models.find(m_place.path(name)) != nullptr);
    }
};

} // namespace homebooth::app
