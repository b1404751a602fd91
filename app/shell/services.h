// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every page works with. Owned by main in the order of this list, handed to pages by reference.
#pragma once

class QUndoStack;

namespace homebooth::app {

class Settings;
class LibraryService;
class Thumbnails;
class SubjectBook;
class GpuAnswer;
class RunCentre;
class ModelShelf;
class Generator;
class PictureAlbum;

struct Services {
    Settings& settings;
    LibraryService& library;
    Thumbnails& thumbnails;
    QUndoStack& undo;
    SubjectBook& subjects;
    GpuAnswer& gpus;
    RunCentre& runs;
    ModelShelf& models;
    Generator& generator;
    PictureAlbum& album;
};

} // namespace homebooth::app
