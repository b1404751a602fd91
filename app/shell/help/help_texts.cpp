// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/help/help_texts.h"

#include <QCoreApplication>

namespace homebooth::app {
namespace {

struct Help {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::Help)
};

HelpText aboutSubjects() {
    return {
        Help::tr(
            "A subject is one thing or person that a model is to learn: 3 to 5 photos, what it is, and a "
            "rare word "
            "that will stand for it."),
        {Help::tr("Drop photos or a folder anywhere in the window, or paste them."),
         Help::tr(
             "Look at the signs below the photos: an exclamation mark advises, only a cross keeps a photo "
             "out."),
         Help::tr("Crop, turn or leave out; write a caption where a photo shows something special."),
         Help::tr("Press Train this subject.")},
        {{Help::tr("Crop the photo"), Help::tr("Return or Space")},
         {Help::tr("Rename"), QStringLiteral("F2")},
         {Help::tr("Remove"), Help::tr("Del")}}};
}

HelpText aboutTrain() {
    return {
        Help::tr("Here a model learns. The panel at the right says beforehand whether it fits, how long it "
                 "takes and what "
                 "it leaves on the disk."),
        {Help::tr("Choose what to learn, the model to begin with, and how well."),
         Help::tr("A small add-on (LoRA) needs the least memory; a whole model learns closest."),
         Help::tr("While it runs, judge by the previews: the loss jumps, and that is normal."),
         Help::tr(
             "Closing the window does not stop a training. Closing the lid of a laptop does, until it is "
             "opened again.")},
        {{Help::tr("Expert settings"), QStringLiteral("Ctrl+E")},
         {Help::tr("Pause or continue"), QStringLiteral("Ctrl+P")},
         {Help::tr("Save now"), QStringLiteral("Ctrl+S")},
         {Help::tr("Zoom a chart"), Help::tr("Ctrl+wheel, + - 0")},
         {Help::tr("Walk along a chart, to another of its curves"),
          Help::tr("Left and Right, Up and Down")}}};
}

HelpText aboutGenerate() {
    return {
        Help::tr("Here pictures are made from words. The same seed and settings give the same picture."),
        {Help::tr("Choose a model, describe the picture, press Make pictures."),
         Help::tr("{subject} in a prompt stands for your subject, {animal} for a line of your word list of "
                  "that name; of {red|blue} one word is taken. The seed decides which. "
                  "\\{ and \\} are braces."),
         Help::tr("(hat) counts more, (hat:1.3) so much more, [hat] less. \\( and \\) are brackets."),
         Help::tr("A learned word (embedding, such as EasyNegative) is a small file that stands for a word: "
                  "import it, then click on the word below the prompt or write it."),
         Help::tr("Compare makes each picture with two models or saved moments, with the same seed."),
         Help::tr("Enlarge draws a finished picture once more at twice its size; how well that goes depends "
                  "on the "
                  "model."),
         Help::tr("Drop a picture here to start from it.")},
        {{Help::tr("Make pictures"), Help::tr("Ctrl+Return")},
         {Help::tr("Prompts"), QStringLiteral("Ctrl+L")},
         {Help::tr("Large view"), Help::tr("Space")},
         {Help::tr("Favourite"), Help::tr("Ctrl+B; in the large view F")},
         {Help::tr("Delete"), Help::tr("Del")}}};
}

HelpText aboutGallery() {
    return {
        Help::tr("Every picture that was made, with its prompt, model and settings."),
        {Help::tr("Search for words, or choose a subject or a model."),
         Help::tr("Use settings fills the form of Generate with those of a picture."),
         Help::tr("Pictures drag out to other programs. What is deleted lies in the trash until the window "
                  "closes.")},
        {{Help::tr("Large view"), Help::tr("Space or Return")},
         {Help::tr("In the large view: walk, zoom, fit, pixel by pixel"), Help::tr("Arrows, + -, 0, 1")},
         {Help::tr("In the large view: the words beside the picture"), QStringLiteral("I")},
         {Help::tr("Larger, smaller and usual pictures"), Help::tr("Ctrl++, Ctrl+-, Ctrl+0")},
         {Help::tr("Copy"), QStringLiteral("Ctrl+C")},
         {Help::tr("Favourite"), Help::tr("Ctrl+B; in the large view F")},
         {Help::tr("Delete"), Help::tr("Del")}}};
}

HelpText aboutDatasets() {
    return {
        Help::tr("A dataset is a folder of pictures with captions, for a style or much new material."),
        {Help::tr("Add a folder where it is, or copy it into Homebooth."),
         Help::tr(
             "Every picture needs a caption: in a .txt or .caption file beside it, in metadata.jsonl, or "
             "with it in a .tar shard."),
         Help::tr("Tags are the parts of a caption between commas."),
         Help::tr("Figures counts sizes, shapes in training, lengths of captions and tags of what is shown."),
         Help::tr("Missing pictures are found again by their names; broken ones can be left out.")},
        {{Help::tr("Filter"), QStringLiteral("Ctrl+F")}, {Help::tr("Undo"), QStringLiteral("Ctrl+Z")}}};
}

HelpText aboutModels() {
    return {
        Help::tr("The models that you have: the built-in one, those you imported, and what trainings made."),
        {Help::tr(
             "Drop a .safetensors or .ckpt file or a diffusers folder into the window to import it; it stays "
             "where it is."),
         Help::tr("These fit: Stable Diffusion 1.x, 2.x and XL. Not: Stable Diffusion 3, Flux, inpainting."),
         Help::tr("Look the licence up where the model comes from, and note it."),
         Help::tr("Before something is deleted, what depends on it is named.")},
        {{Help::tr("Import"), QStringLiteral("Ctrl+O")},
         {Help::tr("Rename"), QStringLiteral("F2")},
         {Help::tr("Delete"), Help::tr("Del")}}};
}

HelpText aboutQueue() {
    return {Help::tr("What works, what waits for its turn, and what is done."),
            {Help::tr("Jobs that are started while one runs line up here, and survive a restart."),
             Help::tr("Drag what waits to another place: trainings and pictures have one order."),
             Help::tr("Pause after this one lets the present job end and begins no other."),
             Help::tr("Open shows a training with its charts.")},
            {{Help::tr("Earlier, later"), Help::tr("Alt+Up, Alt+Down")},
             {Help::tr("Take out"), Help::tr("Del")}}};
}

HelpText aboutSettings() {
    return {Help::tr("Settings apply at once; changed ones carry a dot and can be taken back one by one."),
            {Help::tr("A limit of memory keeps room for other programs."),
             Help::tr("Pictures, runs and models go below one folder."),
             Help::tr("Privacy says how much is kept of your photos beside them, and empties it.")},
            {{Help::tr("Search"), QStringLiteral("Ctrl+F")}}};
}

HelpText aboutWelcome() {
    return {Help::tr("What this computer can do, and the first steps."),
            {Help::tr("Drop photos of one thing, and train on them."),
             Help::tr("Or make a first picture with the built-in model.")},
            {{Help::tr("All keys"), QStringLiteral("Ctrl+?")}}};
}

} // namespace

HelpText helpOf(PageId page) {
    switch (page) {
    case PageId::Subjects:
        return aboutSubjects();
    case PageId::Train:
        return aboutTrain();
    case PageId::Generate:
        return aboutGenerate();
    case PageId::Gallery:
        return aboutGallery();
    case PageId::Datasets:
        return aboutDatasets();
    case PageId::Models:
        return aboutModels();
    case PageId::Queue:
        return aboutQueue();
    case PageId::Settings:
        return aboutSettings();
    case PageId::Welcome:
    case PageId::Trouble:
        break;
    }
    return aboutWelcome();
}

} // namespace homebooth::app
