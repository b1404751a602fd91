// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A page of the window: title, one line of what is so now, buttons, messages, content. Pages stand in folders
// of their own under app/pages with their models. Owned by the main window; GUI thread.
#pragma once

#include <QList>
#include <QPushButton>
#include <QWidget>

class QAbstractItemView;
class QBoxLayout;

namespace homebooth::app {

class ElidedLabel;
class MessageBar;

/// Where a link of one page leads to.
enum class PageId { Subjects, Train, Generate, Gallery, Datasets, Models, Queue, Settings, Welcome, Trouble };

class Page : public QWidget {
    Q_OBJECT
public:
    Page(PageId id, const QString& title, QWidget* parent = nullptr);

    [[nodiscard]] PageId id() const { return m_id; }
    void setTitle(const QString& title);
    void setSubtitle(const QString& text);
    [[nodiscard]] MessageBar& messages() { return *m_messages; }

    /// The coloured button; Ctrl+Return presses it. Null if the page has none.
    [[nodiscard]] QPushButton* mainButton() const { return m_main; }

    /// The page came into view.
    virtual void activated() {}
    /// What Ctrl+F focuses; null if there is nothing to search.
    [[nodiscard]] virtual QWidget* searchField() { return nullptr; }
    /// The window became narrow or wide.
    virtual void setCompact(bool) {}
    /// Delete, F2, Space ... as the page understands them; see PageAction.
    enum class Command {
        Rename,
        Delete,
        LargeView,
        Favourite,
        UseSettings,
        Export,
        Import,
        Search,
        Expert,
        Prompts,
        Copy,
        ZoomIn,
        ZoomOut,
        ZoomReset
    };
    /// @returns whether it was offered, and done
    virtual bool command(Command) { return false; }
    /// Whether the page knows the command and has something to act on now: the menus offer nothing else.
    [[nodiscard]] bool offers(Command command) const {
        return m_commands.contains(command) && ready(command);
    }

    /// The buttons that are seen and say what they do, in their order: what the menu of the page offers.
    [[nodiscard]] QList<QPushButton*> actionButtons() const;
    /// The list whose rows have a menu of their own, of what Edit offers; null: none.
    [[nodiscard]] QAbstractItemView* menuList() const { return m_menuList; }

Q_SIGNALS:
    void commandsChanged(); ///< `offers` may answer otherwise now
    void chosenGone();      ///< another row is chosen now: what a menu says of the one before is void
    void wanted(homebooth::app::PageId page);
    /// What trainings keep on the disk of this folder is in the way: Models frees it.
    void roomWanted(const QString& folder);
    /// A message with a way back, shown for a while over whatever page is in view.
    void toast(const QString& text);

protected:
    bool event(QEvent* event) override;
    /// Has the header's buttons stand below the title where one line has no room for both, as in large text;
    /// for pages whose content can do with less height.
    void letButtonsWrap() { m_wraps = true; }
    /// What `command` knows, and Search where there is a `searchField`; none unless a page says so.
    void setCommands(const QList<Command>& commands);
    /// Whether there is something to act on, of a command that the page knows. Where another choice changes
    /// that, the page says `commandsChanged`; another focus the window sees itself.
    [[nodiscard]] virtual bool ready(Command) const { return true; }
    void setMenuList(QAbstractItemView& list) { m_menuList = &list; }
    /// Adds a button to the header, left of those that came before.
    QPushButton* addButton(const QString& text, const QString& iconName = {});
    QPushButton* addMainButton(const QString& text);
    /// Takes the rest of the page.
    void setContent(QWidget* content);

private:
    void arrangeHeader();

    PageId m_id;
    QList<Command> m_commands;
    ElidedLabel* m_title = nullptr;
    ElidedLabel* m_subtitle = nullptr;
    QBoxLayout* m_header = nullptr; ///< texts, and beside or below them the buttons
    QBoxLayout* m_buttons = nullptr;
    QBoxLayout* m_column = nullptr;
    MessageBar* m_messages = nullptr;
    QPushButton* m_main = nullptr;
    QAbstractItemView* m_menuList = nullptr;
    bool m_wraps = false;
};

} // namespace homebooth::app
