// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The words of the form: the prompt as it was typed, and what it asks for once its places are filled in.
#include "app/library/subject_book.h"
#include "app/library/word_lists.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/lora_rows.h"
#include "app/pages/generate/prompt/embedding_words.h"
#include "app/pages/generate/prompt/others_prompt.h"
#include "app/pages/generate/prompt/prompt_length.h"
#include "app/settings/settings.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"
#include "core/base/text/prompt_syntax.h"
#include "core/base/text/prompt_text.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDropEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextCursor>
#include <QUrl>

#include <utility>

namespace homebooth::app {
namespace {

constexpr int kPromptLines = 4;

// What a field held before comes back with its own undo, which setting its text would forget.

void replaceText(QPlainTextEdit& field, const QString& text) {
    if (field.toPlainText() == text) return;
    QTextCursor whole(field.document());
    whole.select(QTextCursor::Document);
    whole.insertText(text);
}

void replaceText(QLineEdit& field, const QString& text) {
    if (field.text() == text) return;
    field.selectAll();
    field.insert(text);
}

/// A word with what parts it from the text on both sides.
QString asPart(const QString& word, const QString& before, const QString& after) {
    QString part = word;
    if (!before.isEmpty() && !before.back().isSpace())
        part.prepend(before.back() == ',' ? QStringLiteral(" ") : QStringLiteral(", "));
    const bool touches = !after.isEmpty() && !after.front().isSpace() && after.front() != ',';
    return touches ? part + QStringLiteral(", ") : part;
}

/// A piece of a prompt, in the middle of a sentence.
QString quoted(const std::string& piece) {
    constexpr qsizetype kMost = 40;
    constexpr qsizetype kEnd = 12;
    const QString text = QString::fromStdString(piece).simplified();
    return text.size() <= kMost ? text : text.left(kMost - kEnd) + QChar(0x2026) + text.right(kEnd);
}

/// What becomes of words that other programs change while a picture is made, or part by BREAK or AND.
/// @param offered  a button takes them over
QString changeSentence(const std::string& piece, bool offered) {
    if (piece == "BREAK" || piece == "AND") {
        const QString read = GenerateForm::tr("A prompt is not parted here: \"%1\" is read as a word.");
        const QString then = GenerateForm::tr("\"Take over\" puts a comma in its place.");
        return read.arg(quoted(piece)) + (offered ? ' ' + then : QString());
    }
    QString plain = QString::fromStdString(piece);
    takeChanges(plain);
    const QString read =
        GenerateForm::tr("While a picture is made no words change here: \"%1\" is read as it "
                         "stands, with its signs.");
    const QString then = GenerateForm::tr("\"Take over\" makes it \"%1\".");
    const bool whole = offered && !plain.isEmpty();
    return read.arg(quoted(piece)) + (whole ? ' ' + then.arg(quoted(plain.toStdString())) : QString());
}

/// What becomes of a wildcard as other programs write it.
QString wildcardSentence(const QString& piece, bool offered) {
    QString place = piece;
    takeWildcards(place);
    const QString read =
        GenerateForm::tr("Wildcards are written otherwise here: \"%1\" is read with its signs.");
    const QString then = GenerateForm::tr("\"Take over\" makes it \"%1\".");
    return read.arg(quoted(piece.toStdString())) +
           (offered ? ' ' + then.arg(quoted(place.toStdString())) : QString());
}

/// What the button does that takes such signs over.
QString takeOverTip(const core::PromptSyntax& prompt, const core::PromptSyntax& negative) {
    QStringList does;
    if (!prompt.tag.empty() || !negative.tag.empty())
        does.append(GenerateForm::tr("Chooses the add-ons that the prompt calls, and takes such signs out."));
    if (!prompt.change.empty() || !negative.change.empty())
        does.append(
            GenerateForm::tr("Puts commas where words would change or part: all of them count at once."));
    if (!prompt.wildcard.empty()) does.append(GenerateForm::tr("Writes wildcards as places in braces."));
    return does.join(' ');
}

} // namespace

QString promptProblem(const FilledPrompt& filled) {
    switch (filled.problem) {
    case FilledPrompt::Problem::EmptyList:
        return GenerateForm::tr("The word list \"%1\" is empty. Write its words, one a line.")
            .arg(filled.list);
    case FilledPrompt::Problem::ListWithinItself:
        return GenerateForm::tr("The word list \"%1\" takes from itself. Take {%1} out of its lines.")
            .arg(filled.list);
    case FilledPrompt::Problem::TooDeep:
        return GenerateForm::tr(
                   "The prompt takes from lists within lists, more than %1 deep. Take places out "
                   "of the lists' lines.")
            .arg(kMostPromptDepth);
    case FilledPrompt::Problem::TooLong:
        return GenerateForm::tr(
                   "With the words of its lists the prompt is longer than %1 characters. Shorten "
                   "it, or take places out of the lists' lines.")
            .arg(QLocale().toString(kMostPromptCharacters));
    case FilledPrompt::Problem::None:
        break;
    }
    return {};
}

QWidget* GenerateForm::makeWords() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapBlock);
    m_prompt->setAccessibleName(tr("Prompt"));
    m_prompt->setPlaceholderText(tr("Describe the picture"));
    m_prompt->setToolTip(tr("Brackets weigh words: (hat) and (hat:1.3) count more, [hat] counts less. With a "
                            "backslash before it a bracket is only a character: \\(hat\\)."));
    m_prompt->setTabChangesFocus(true);
    m_prompt->setProperty("look", QStringLiteral("field"));
    m_prompt->setFixedHeight(kPromptLines * fontMetrics().lineSpacing() + 3 * kGapLabel);
    m_prompt->installEventFilter(this);
    column->addWidget(labelled(tr("Prompt"), m_prompt));
    m_filled->setTextFormat(Qt::PlainText);
    column->addWidget(m_filled);
    m_makeList = makeButton(tr("Make the list"), QStringLiteral("add"), "quiet");
    m_takeOver = makeButton({}, QStringLiteral("reset"), "quiet");
    const QList<QWidget*> offers{m_makeList, m_takeOver, makeLearned()};
    for (QWidget* offer : offers) column->addWidget(offer, 0, Qt::AlignLeft);
    m_subject->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    column->addWidget(m_subjectPart = labelled(tr("{subject} is"), m_subject));
    column->addWidget(
        labelled(tr("Leave out"), m_negative, tr("The negative prompt: what the picture should not show.")));
    QWidget* last = m_negative; // Tab leads from field to field, whatever is offered meanwhile
    for (QWidget* offer : offers) setTabOrder(std::exchange(last, offer), offer);
    column->addWidget(m_words);
    m_prompt->setPlainText(m_services.settings.text(keys::kPromptDraft)); // as it was left
    m_prompt->moveCursor(QTextCursor::End);
    m_negative->setText(m_services.settings.text(keys::kNegativeDraft));
    connect(m_prompt, &QPlainTextEdit::textChanged, this, [this] {
        m_services.settings.set(keys::kPromptDraft, m_prompt->toPlainText());
        fillSubjects();
        Q_EMIT changed();
    });
    m_negative->installEventFilter(this);
    connect(m_negative, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_services.settings.set(keys::kNegativeDraft, text); });
    connect(m_words, &EmbeddingWords::chosen, this, &GenerateForm::insertWord);
    return part;
}

void GenerateForm::setPrompt(const QString& prompt, const QString& negative) {
    replaceText(*m_prompt, prompt);
    m_prompt->moveCursor(QTextCursor::End); // where words of a list go
    replaceText(*m_negative, negative);
}

void GenerateForm::focusPrompt() {
    m_prompt->setFocus();
}

QString GenerateForm::prompt() const {
    return m_prompt->toPlainText().simplified();
}

QString GenerateForm::typedPrompt() const {
    return m_prompt->toPlainText();
}

void GenerateForm::takeWords(const core::SampleConfig& config) {
    setPrompt(QString::fromStdString(config.prompt), QString::fromStdString(config.negativePrompt));
    if (!sameLoras(config.loras, m_loras->loras())) m_loras->setLoras(config.loras);
}

QString GenerateForm::negative() const {
    return m_negative->text().simplified();
}

void GenerateForm::insert(const QString& text) {
    QTextCursor cursor = m_prompt->textCursor();
    const QString typed = m_prompt->toPlainText();
    const QString before = typed.left(cursor.selectionStart());
    const QString after = typed.mid(cursor.selectionEnd());
    const QString space(' ');
    cursor.insertText((before.isEmpty() || before.back().isSpace() ? QString() : space) + text +
                      (after.isEmpty() || !after.front().isLetterOrNumber() ? QString() : space));
    m_prompt->setTextCursor(cursor);
    m_prompt->setFocus();
}

void GenerateForm::insertWord(const QString& word) {
    if (m_intoNegative) {
        const QString text = m_negative->text();
        const int begin =
            m_negative->hasSelectedText() ? m_negative->selectionStart() : m_negative->cursorPosition();
        const qsizetype end = begin + m_negative->selectedText().size();
        m_negative->insert(asPart(unweighedWords(word), text.left(begin), text.mid(end)));
        return m_negative->setFocus();
    }
    QTextCursor cursor = m_prompt->textCursor();
    const QString text = m_prompt->toPlainText();
    cursor.insertText(
        asPart(literalWords(word), text.left(cursor.selectionStart()), text.mid(cursor.selectionEnd())));
    m_prompt->setTextCursor(cursor);
    m_prompt->setFocus();
}

void GenerateForm::addWord(const QString& word) {
    if (core::namesWord(prompt().toStdString(), literalWords(word).toStdString()) ||
        core::namesWord(negative().toStdString(), unweighedWords(word).toStdString()))
        return;
    m_intoNegative = false;
    m_prompt->moveCursor(QTextCursor::End);
    insertWord(word);
}

FilledPrompt GenerateForm::filled() const {
    const EntriesOf entries = [lists = m_lists](const QString& name) {
        return lists == nullptr ? std::nullopt : lists->entries(name);
    };
    return fillPrompt(prompt(), unweighedWords(subjectWords()), entries, m_seed->text().toULongLong());
}

void GenerateForm::connectFilled() {
    connect(m_prompt, &QPlainTextEdit::textChanged, this, &GenerateForm::showFilled);
    connect(m_makeList, &QPushButton::clicked, this, [this] {
        if (const QStringList names = filled().unknown; !names.isEmpty()) Q_EMIT listWanted(names.front());
    });
    connect(m_takeOver, &QPushButton::clicked, this, &GenerateForm::takeOverWanted);
    for (const QLineEdit* field : {m_seed, m_negative})
        connect(field, &QLineEdit::textChanged, this, &GenerateForm::showFilled);
    connect(m_subject, &QComboBox::currentIndexChanged, this, &GenerateForm::showFilled);
    // Its words may be others now; the list of subjects is filled anew by then, without a word.
    for (const auto signal : {&SubjectBook::inserted, &SubjectBook::removed, &SubjectBook::changed})
        connect(&m_services.subjects, signal, this, &GenerateForm::showFilled);
    connect(&m_services.subjects, &SubjectBook::loadedAll, this, &GenerateForm::showFilled);
    if (m_lists != nullptr) connect(m_lists, &WordLists::changed, this, &GenerateForm::showFilled);
    connect(m_length, &PromptLength::known, this, &GenerateForm::showFilled);
    showFilled();
}

void GenerateForm::showFilled() {
    const bool known = m_lists == nullptr || m_lists->loaded();
    const FilledPrompt now = known && isTemplate(prompt()) ? filled() : FilledPrompt{prompt()};
    QStringList lines;
    if (now.problem != FilledPrompt::Problem::None)
        lines.append(promptProblem(now));
    else if (now.text != prompt())
        lines.append(tr("With this seed: %1").arg(now.text));
    if (!now.unknown.isEmpty())
        lines.append(tr("There is no word list \"%1\": it stays in the prompt as it is.")
                         .arg(now.unknown.join(QStringLiteral("\", \""))));
    lines += showSyntax(now.text);
    lines += lengthLines(now.text);
    m_filled->setText(lines.join('\n'));
    m_filled->setVisible(!lines.isEmpty());
    m_makeList->setVisible(!now.unknown.isEmpty());
}

QStringList GenerateForm::lengthLines(const QString& asked) const {
    QStringList lines;
    if (const PromptLength::Tokens tokens = m_length->tokensOf(asked); tokens.tooMany())
        lines.append(
            tr("The prompt has %1 tokens (parts of words), and the model reads %2: its end is not read.")
                .arg(tokens.count)
                .arg(tokens.most));
    if (const PromptLength::Tokens tokens = m_length->tokensOf(negative()); tokens.tooMany())
        lines.append(tr("What is left out has %1 tokens (parts of words), and the model reads %2: its end is "
                        "not read.")
                         .arg(tokens.count)
                         .arg(tokens.most));
    return lines;
}

QStringList GenerateForm::showSyntax(const QString& asked) {
    const bool whole = isPictureText(typedPrompt());
    core::PromptSyntax negative = core::promptSyntax(this->negative().toStdString());
    negative.wildcard.clear(); // it has no places
    // Bars of a choice within square brackets are the choice's; a choice may be one of add-ons.
    core::PromptSyntax typed = core::promptSyntax(hidePlaces(prompt()).toStdString());
    typed.tag = core::promptSyntax(prompt().toStdString()).tag;
    m_takeOver->setVisible(whole || typed.any() || negative.any()); // what a word list says is mended there
    m_takeOver->setText(whole ? tr("Use settings") : tr("Take over"));
    m_takeOver->setToolTip(whole ? tr("Fills the form with what the picture was made with.")
                                 : takeOverTip(typed, negative));
    if (whole) return {tr("This is the text of a picture, with its settings.")};
    const core::PromptSyntax positive = core::promptSyntax(asked.toStdString());
    QStringList lines;
    if (const std::string& tag = positive.tag.empty() ? negative.tag : positive.tag; !tag.empty())
        lines.append(tr("No add-on is called here: \"%1\" is read as words.").arg(quoted(tag)));
    if (!positive.change.empty())
        lines.append(changeSentence(positive.change, !typed.change.empty()));
    else if (!negative.change.empty())
        lines.append(changeSentence(negative.change, true));
    const bool offered = !typed.wildcard.empty();
    if (const std::string& wildcard = offered ? typed.wildcard : positive.wildcard; !wildcard.empty())
        lines.append(wildcardSentence(showPlaces(QString::fromStdString(wildcard)), offered));
    return lines;
}

bool GenerateForm::takeDrag(QEvent& event) {
    const QEvent::Type type = event.type();
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop) return false;
    auto& drop = static_cast<QDropEvent&>(event); // the others are made of it
    const QList<QUrl> urls = drop.mimeData()->urls();
    const QString picture = urls.size() == 1 ? urls.front().toLocalFile() : QString();
    drop.setDropAction(Qt::CopyAction);
    drop.setAccepted(!picture.isEmpty());
    if (type == QEvent::Drop && !picture.isEmpty()) setStart(picture);
    return true;
}

bool GenerateForm::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_start) return takeDrag(*event) || QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::FocusIn) m_intoNegative = watched == m_negative;
    if (watched == m_prompt && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter && key->modifiers().testFlag(Qt::ControlModifier)) {
            if (!key->isAutoRepeat()) Q_EMIT makeWanted();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace homebooth::app
