// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/subjects/subject_details.h"

#include "app/library/class_nouns.h"
#include "app/shell/event_rules.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"
#include "app/widgets/colour_behind.h"
#include "app/widgets/parts.h"
#include "app/widgets/plain_tip.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>
#include <QLocale>
#include <QToolButton>

namespace homebooth::app {

SubjectDetails::SubjectDetails(SubjectBook& book, PhotoModel& photos, QWidget* parent)
    : QWidget(parent)
    , m_book(book)
    , m_photos(photos)
    , m_name(new QLineEdit)
    , m_class(makeNameList())
    , m_classNote(new MutedLabel)
    , m_trigger(new QLineEdit)
    , m_triggerNote(new MutedLabel)
    , m_triggerRemedy(makeButton(tr("Take another word")))
    , m_sentence(makeLabel({}))
    , m_photoPart(new QWidget)
    , m_photoTitle(makeLabel({}, TypeRole::Section))
    , m_photoFile(new MutedLabel)
    , m_photoNote(makeLabel({}))
    , m_caption(new QLineEdit)
    , m_find(makeButton(tr("Find..."), QStringLiteral("search")))
    , m_turnBack(makeButton(tr("Turn back"), QStringLiteral("turn")))
    , m_takeBack(makeButton(tr("Take back"), QStringLiteral("reset")))
    , m_colour(makeColourButton()) {
    prepareFields();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapBlock, kGapBlock, kGapBlock, kGapBlock);
    column->setSpacing(kGapBlock);
    addWords(*column);
    fillPhotoPart();
    column->addWidget(m_photoPart);
    column->addStretch();
    connectFields();
    connect(m_find, &QPushButton::clicked, this, [this] { Q_EMIT findPhoto(m_row); });
    connect(m_turnBack, &QPushButton::clicked, this, &SubjectDetails::turnBack);
    connect(m_takeBack, &QPushButton::clicked, this, &SubjectDetails::takeBack);
    connect(m_triggerRemedy, &QPushButton::clicked, this, &SubjectDetails::takeFreeTrigger);
    connect(&book, &SubjectBook::vocabularyChanged, this, &SubjectDetails::judgeTrigger);
    m_photoPart->hide();
    m_triggerRemedy->hide();
}

void SubjectDetails::prepareFields() {
    m_class->setEditable(true);
    m_class->setInsertPolicy(QComboBox::NoInsert);
    for (const char* noun : {"person", "man", "woman", "child", "dog", "cat", "toy", "plushie", "car",
                             "backpack", "sneaker", "vase", "object", "style"})
        m_class->addItem(nounWithMeaning(QString::fromLatin1(noun)));
    if (m_class->findText(QStringLiteral("dog")) < 0) { // then either word finds it
        m_class->completer()->setCompletionMode(QCompleter::PopupCompletion);
        m_class->completer()->setFilterMode(Qt::MatchContains);
    }
    m_sentence->setWordWrap(true);
    letCopy(m_sentence);
    m_sentence->setAccessibleName(tr("Use it so"));
    m_photoFile->setTextFormat(Qt::PlainText);
    letCopy(m_photoFile);
    letCopy(m_photoNote);
    QSizePolicy policy = m_photoFile->sizePolicy();
    policy.setHorizontalPolicy(QSizePolicy::Ignored); // a long name does not make the part wider
    m_photoFile->setSizePolicy(policy);
    m_photoNote->setWordWrap(true);
    m_caption->setPlaceholderText(tr("as the subject's sentence"));
    for (QLineEdit* field : {m_name, m_class->lineEdit(), m_trigger, m_caption})
        field->setProperty(kWindowUndoProperty, true);
}

void SubjectDetails::connectFields() {
    connect(m_name, &QLineEdit::textEdited, this, &SubjectDetails::editName);
    connect(m_name, &QLineEdit::editingFinished, this, &SubjectDetails::endName);
    connect(m_class, &QComboBox::currentTextChanged, this, &SubjectDetails::editClass);
    connect(m_class, &QComboBox::activated, this, &SubjectDetails::endClass);
    connect(m_class->lineEdit(), &QLineEdit::editingFinished, this, &SubjectDetails::endClass);
    connect(m_trigger, &QLineEdit::textEdited, this, &SubjectDetails::editTrigger);
    connect(m_caption, &QLineEdit::textEdited, this, &SubjectDetails::editCaption);
}

void SubjectDetails::addWords(QVBoxLayout& column) {
    const auto together = [&column](QWidget* upper, QWidget* lower) {
        auto* both = new QVBoxLayout;
        tidy(both, 0, kGapInside);
        both->addWidget(upper);
        both->addWidget(lower);
        column.addLayout(both);
    };
    column.addWidget(labelled(tr("Name"), m_name));
    together(labelled(tr("What is it?"), m_class,
                      tr("The class noun: the kind of thing it is, in one English word.")),
             m_classNote);
    together(labelled(tr("Trigger word"), m_trigger,
                      tr("The identifier token: a rare word that will stand for exactly this one.")),
             m_triggerNote);
    column.addWidget(m_triggerRemedy, 0, Qt::AlignLeft);
    together(new MutedLabel(tr("Use it so:")), m_sentence);
}

QBoxLayout* SubjectDetails::makePhotoHead() {
    auto* head = new QHBoxLayout;
    tidy(head, 0, kGapInside);
    auto* earlier = makeIconButton(QStringLiteral("chevron-left"), tr("Move the photo forward"));
    auto* later = makeIconButton(QStringLiteral("chevron-right"), tr("Move the photo back"));
    connect(earlier, &QToolButton::clicked, this, [this] { Q_EMIT moveWanted(-1); });
    connect(later, &QToolButton::clicked, this, [this] { Q_EMIT moveWanted(1); });
    head->addWidget(m_photoTitle, 1);
    head->addWidget(earlier);
    head->addWidget(later);
    return head;
}

void SubjectDetails::fillPhotoPart() {
    auto* photo = new QVBoxLayout(m_photoPart);
    connect(m_colour, &QPushButton::clicked, this, [this] { Q_EMIT colourWanted(m_row); });
    tidy(photo, 0, kGapLabel);
    photo->addWidget(makeRule(Qt::Horizontal));
    photo->addLayout(makePhotoHead());
    photo->addWidget(m_photoFile);
    photo->addWidget(m_photoNote);
    for (QPushButton* button : {m_colour, m_find, m_turnBack, m_takeBack})
        photo->addWidget(button, 0, Qt::AlignLeft);
    photo->addWidget(
        labelled(tr("Caption"), m_caption, tr("What this photo shows, if the sentence does not say it.")));
}

void SubjectDetails::focusName() {
    m_name->setFocus();
    m_name->selectAll();
}

QWidget* SubjectDetails::focusClass() {
    m_class->setFocus();
    m_class->lineEdit()->selectAll();
    return m_class;
}

void SubjectDetails::showPhoto(int row) {
    m_row = row;
    refresh();
}

void SubjectDetails::refresh() {
    const core::Subject* subject = m_photos.subject();
    setEnabled(subject != nullptr);
    if (subject == nullptr) return;
    m_filling = true;
    const auto fill = [](QLineEdit* field, const std::string& text) {
        if (field->text() != QString::fromStdString(text)) field->setText(QString::fromStdString(text));
    };
    const bool emptied = m_named.first == subject->id && m_name->text().trimmed().isEmpty();
    if (!emptied) fill(m_name, subject->name); // else another one is about to be typed
    fill(m_trigger, subject->triggerWord);
    const QString noun = QString::fromStdString(subject->classNoun);
    if (m_class->currentText() != noun && englishNoun(m_class->currentText()) != noun)
        m_class->setCurrentText(noun);
    showClassNote(*subject, m_class->hasFocus());
    m_sentence->setText(QLocale().quoteString(subjectSentence(*subject)));
    const bool photo = m_row >= 0 && m_row < static_cast<int>(subject->photos.size());
    m_photoPart->setVisible(photo);
    if (photo) {
        refreshPhoto();
        fill(m_caption, subject->photos[static_cast<size_t>(m_row)].caption);
    }
    judgeTrigger();
    m_filling = false;
}

void SubjectDetails::showClassNote(const core::Subject& subject, bool typing) {
    const bool lacking = lacksClass(subject);
    const QString better = typing ? QString() : betterNoun(QString::fromStdString(subject.classNoun));
    const bool byName = guessClass(QString::fromStdString(subject.name)).known;
    m_classNote->setText(lacking ? tr("not known yet: say what it is")
                         : subject.classGuessed
                             ? (byName ? tr("guessed from the name") : tr("guessed from the folder's name"))
                             : tr("Models know English words best, such as %1.").arg(better));
    m_classNote->setVisible(lacking || subject.classGuessed || !better.isEmpty());
}

void SubjectDetails::refreshPhoto() {
    const QStringList sentences = m_photos.sentences(m_row);
    m_photoTitle->setText(tr("Photo %1").arg(m_row + 1));
    m_photoFile->setText(m_photos.fileText(m_row));
    setPlainTip(*m_photoFile, m_photoFile->text());
    m_photoNote->setText(sentences.isEmpty() ? tr("Good for training.") : sentences.join('\n'));
    m_find->setVisible(m_photos.verdict(m_row).canFind);
    m_turnBack->setVisible(m_photos.turnsBack(m_row) > 0);
    m_takeBack->setVisible(m_photos.subject()->photos[static_cast<size_t>(m_row)].leftOut);
    refreshColour();
}

void SubjectDetails::refreshColour() {
    m_colour->setVisible(m_photos.seeThrough(m_row));
    showColourOn(*m_colour, m_photos.subject()->photos[static_cast<size_t>(m_row)].edit.backgroundRgb);
}

void SubjectDetails::judgeTrigger() {
    const core::Subject* subject = m_photos.subject();
    const core::Subject* twin = subject == nullptr ? nullptr : triggerTwin(*subject, m_book.subjects());
    m_triggerRemedy->setVisible(twin != nullptr);
    if (twin == nullptr) return m_triggerNote->setText(triggerVerdict(m_trigger->text().trimmed()));
    m_triggerNote->setText(tr("%1 has this word, too: in one training the two would be mixed.")
                               .arg(QString::fromStdString(twin->name)));
    m_triggerRemedy->setText(tr("Take %1").arg(QString::fromStdString(m_book.freeTriggerWord())));
}

QString SubjectDetails::triggerVerdict(const QString& word) const {
    if (word.isEmpty()) return tr("Without one the whole class changes.");
    const int count = m_book.tokenCount() ? m_book.tokenCount()(word) : 0;
    if (count == 0) return {}; // no vocabulary was read yet
    if (count == 1 && guessClass(word).known)
        return tr("A common word: its own meaning will fade. Take a rare one.");
    return count == 1   ? tr("Good: one token")
           : count <= 3 ? tr("Fine: %n tokens", nullptr, count)
                        : tr("Long: %n tokens. A short rare word learns better.", nullptr, count);
}

void SubjectDetails::takeFreeTrigger() {
    if (m_photos.subject() == nullptr) return;
    core::Subject after = *m_photos.subject();
    after.triggerWord = m_book.freeTriggerWord();
    m_book.change(after, tr("change trigger word"));
}

void SubjectDetails::editName(const QString& text) {
    const core::Subject* subject = m_photos.subject();
    if (m_filling || subject == nullptr) return;
    if (m_named.first != subject->id) m_named = {subject->id, QString::fromStdString(subject->name)};
    if (!text.trimmed().isEmpty()) rename(text);
}

void SubjectDetails::endName() {
    const auto [edited, before] = std::exchange(m_named, {});
    const core::Subject* subject = m_photos.subject();
    if (subject == nullptr || subject->id != edited || !m_name->text().trimmed().isEmpty()) return;
    if (before != QString::fromStdString(subject->name)) rename(before);
    refresh();
}

void SubjectDetails::rename(const QString& name) {
    core::Subject after = *m_photos.subject();
    after.name = name.toStdString();
    if (after.classGuessed) after.classNoun = guessClass(after).noun.toStdString();
    m_book.change(after, tr("rename subject"), QStringLiteral("name"));
}

void SubjectDetails::editClass(const QString& text) {
    if (m_filling || m_photos.subject() == nullptr) return;
    core::Subject after = *m_photos.subject();
    after.classNoun = englishNoun(text).toStdString();
    after.classGuessed = false;
    m_book.change(after, tr("change what it is"), QStringLiteral("class"));
}

void SubjectDetails::endClass() {
    const core::Subject* subject = m_photos.subject();
    if (subject == nullptr) return;
    const QString noun = QString::fromStdString(subject->classNoun);
    if (englishNoun(m_class->currentText()) == noun) m_class->setCurrentText(noun);
    showClassNote(*m_photos.subject(), false);
}

void SubjectDetails::editTrigger(const QString& text) {
    if (m_filling || m_photos.subject() == nullptr) return;
    core::Subject after = *m_photos.subject();
    after.triggerWord = text.toStdString();
    m_book.change(after, tr("change trigger word"), QStringLiteral("trigger"));
}

void SubjectDetails::changePhoto(const QString& text, const std::function<void(core::Photo&)>& change) {
    const core::Subject* subject = m_photos.subject();
    if (subject == nullptr || m_row < 0 || m_row >= static_cast<int>(subject->photos.size())) return;
    core::Subject after = *subject;
    change(after.photos[static_cast<size_t>(m_row)]);
    m_book.change(after, text.arg(m_row + 1));
}

void SubjectDetails::turnBack() {
    changePhoto(tr("turn back photo %1"), [turns = m_photos.turnsBack(m_row)](core::Photo& photo) {
        for (int turn = 0; turn < turns; ++turn) photo.edit = core::turnedOnce(photo.edit);
    });
}

void SubjectDetails::takeBack() {
    changePhoto(tr("take back photo %1"), [](core::Photo& photo) { photo.leftOut = false; });
}

void SubjectDetails::editCaption(const QString& text) {
    const core::Subject* subject = m_photos.subject();
    if (m_filling || subject == nullptr || m_row < 0 || m_row >= static_cast<int>(subject->photos.size()))
        return;
    core::Subject after = *subject;
    after.photos[static_cast<size_t>(m_row)].caption = text.toStdString();
    m_book.change(after, tr("caption of photo %1").arg(m_row + 1),
                  QStringLiteral("caption%1").arg(after.photos[static_cast<size_t>(m_row)].id));
}

} // namespace homebooth::app
