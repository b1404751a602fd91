// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps the pictures that wait to be made in the library, so that a restart brings them back: held, until
// somebody lets them go on. Models that are compared stay together, with what was made of them so far.
// Owned by the main window; GUI thread.
#pragma once

#include <QObject>

#include <cstdint>

namespace homebooth::app {

class Generator;
class LibraryService;
class ModelShelf;

class GenerationKeeper : public QObject {
    Q_OBJECT
public:
    GenerationKeeper(LibraryService& library, Generator& generator, const ModelShelf& models,
                     QObject* parent = nullptr);

private:
    void load();
    void save();

    LibraryService& m_library;
    Generator& m_generator;
    const ModelShelf& m_models;
    bool m_loaded = false;
};

} // namespace homebooth::app
