// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps the pictures that wait to be made in the library, so that a restart brings them back: held, until
// somebody lets them go on. Models that are compared stay together, with what was made of them so far.
// Owned by the main window; GUI thread.
#pragma once

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>

namespace homebooth::app {

class Generator;
class LibraryService;
class ModelShelf;

class GenerationKeeper : public QObject {
    Q_OBJECT
public:
    /// @param today  the folder for pictures of today: what waited for one that is gone by now goes there
    GenerationKeeper(LibraryService& library, Generator& generator, const ModelShelf& models,
                     QObject* parent = nullptr, std::function<QString()> today = {});

private:
    void load();
    void save();

    LibraryService& m_library;
    Generator& m_generator;
    const ModelShelf& m_models;
    const std::function<QString()> m_today;
    bool m_loaded = false;
};

} // namespace homebooth::app
