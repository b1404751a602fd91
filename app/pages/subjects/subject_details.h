// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The right-hand side of the subjects page: name, class, trigger word, the sentence to use, and what is known
// of the chosen photo. Typing needs no Save. GUI thread.
#pragma once

#include "app/pages/subjects/subject_models.h"

#include <QWidget>

#include <functional>
#include <utility>

class QBoxLayout;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace homebooth::app {

class SubjectDetails : public QWidget {
    Q_OBJECT
public:
    SubjectDetails(SubjectBook& book, PhotoModel& photos, QWidget* parent = nullptr);
    /// Shows the photo of a row; -1: none.
    void showPhoto(int row);
    void refresh();
    void focusName();
    /// Takes the keyboard to what it is. @returns the field
    QWidget* focusClass();

Q_SIGNALS:
    void findPhoto(int row);
    /// The photo, and those chosen with it, so many places on.
    void moveWanted(int by);
    /// Another colour behind its transparent parts.
    void colourWanted(int row);

private:
    void prepareFields();
    void connectFields();
    void addWords(QVBoxLayout& column);
    void fillPhotoPart();
    [[nodiscard]] QBoxLayout* makePhotoHead();
    void refreshPhoto();
    /// The button beside a see-through photo, with the colour that it has now.
    void refreshColour();
    /// Changes the photo that is shown. @param text  what undo says, with its number
    void changePhoto(const QString& text, const std::function<void(core::Photo&)>& change);
    void turnBack();
    void takeBack();
    void editName(const QString& text);
    /// Puts back the name that it had where the field was left empty: without one nobody would find it.
    void endName();
    void rename(const QString& name);
    void editClass(const QString& text);
    /// Shows the noun that was taken for what was typed or chosen, "dog" for "Hund".
    void endClass();
    /// @param typing  then nothing is said of the noun yet
    void showClassNote(const core::Subject& subject, bool typing);
    void editTrigger(const QString& text);
    void editCaption(const QString& text);
    void judgeTrigger();
    [[nodiscard]] QString triggerVerdict(const QString& word) const;
    void takeFreeTrigger();

    SubjectBook& m_book;
    PhotoModel& m_photos;
    QLineEdit* m_name = nullptr;
    QComboBox* m_class = nullptr;
    QLabel* m_classNote = nullptr;
    QLineEdit* m_trigger = nullptr;
    QLabel* m_triggerNote = nullptr;
    QPushButton* m_triggerRemedy = nullptr; ///< where another subject has the same word
    QLabel* m_sentence = nullptr;
    QWidget* m_photoPart = nullptr;
    QLabel* m_photoTitle = nullptr;
    QLabel* m_photoFile = nullptr;
    QLabel* m_photoNote = nullptr;
    QLineEdit* m_caption = nullptr;
    QPushButton* m_find = nullptr;
    QPushButton* m_turnBack = nullptr;   ///< where it was set upright as the camera noted
    QPushButton* m_takeBack = nullptr;   ///< where it was left out
    QPushButton* m_colour = nullptr;     ///< where it is see-through
    std::pair<int64_t, QString> m_named; ///< the subject whose name is being typed, and what it was; 0: none
    int m_row = -1;
    bool m_filling = false;
};

} // namespace homebooth::app
