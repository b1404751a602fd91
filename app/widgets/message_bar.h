// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Messages in the page that they concern: one shown, the rest counted; each with remedies as buttons. A good
// one goes by itself after a while in view, later under pointer or focus; all others stay until somebody has
// done something. Owned by its page; GUI thread.
#pragma once

#include <QFrame>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QTimer;

namespace homebooth::app {

class Fold;
class SpokenStatus;

enum class MessageKind { Note, Good, Caution, Error };

struct Remedy {
    QString label;
    std::function<void()> act;
};

struct Message {
    MessageKind kind = MessageKind::Note;
    QString text; ///< HTML, so names in it are escaped; may begin with a bold part: <b>...</b>
    std::vector<Remedy> remedies;
    QString key;        ///< messages of one key replace each other
    QString lines = {}; ///< the last ones of a log, folded away below; may be empty
    bool stays = false; ///< also a good one: it was news to nobody yet
};

/// What the engine says, which is English: a quotation on a line of its own. @param detail  plain; may be
/// empty
[[nodiscard]] QString quotedDetail(const QString& detail);

/// What happened, in the user's language, and beneath it what the engine says of it.
/// @param headline, detail  plain texts; the detail may be empty
[[nodiscard]] QString troubleText(const QString& headline, const QString& detail);

class MessageBar : public QFrame {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);

    void show(const Message& message);
    /// Another text for a message that is there; its remedies stay as they are, with the focus.
    void setText(const QString& key, const QString& text);
    /// The lines of a message that is there, which take longer to read.
    void setLines(const QString& key, const QString& lines);
    /// Takes a message back.
    void drop(const QString& key);
    void clear();
    [[nodiscard]] int count() const { return static_cast<int>(m_messages.size()); }
    [[nodiscard]] QString currentText() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void closeCurrent();
    void refresh();
    void removeRemedies();
    /// Shows the words and remedies of one.
    void fill(const Message& message);
    /// From now on it counts how long the message is in view.
    void live();
    void age();

    std::vector<Message> m_messages; // the last one is shown
    bool m_news = false;             ///< it is to be read out, also where its words are those of before
    QTimer* m_life = nullptr;
    QHBoxLayout* m_row = nullptr;
    QLabel* m_sign = nullptr;
    QLabel* m_text = nullptr;
    QLabel* m_more = nullptr;
    Fold* m_lines = nullptr;
    QWidget* m_close = nullptr;
    QHBoxLayout* m_beside = nullptr; ///< remedies, one or two of them
    QWidget* m_below = nullptr;      ///< more of them would press the text flat
    SpokenStatus* m_spoken = nullptr;
};

} // namespace homebooth::app
