// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/parts.h"

#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/theme/style.h"
#include "app/widgets/plain_tip.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QBoxLayout>
#include <QButtonGroup>
#include <QComboBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>
#include <QScrollArea>
#include <QStyleHints>
#include <QStyleOptionButton>
#include <QStylePainter>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

/// A line that keeps to the palette of the moment.
class Rule : public QFrame {
public:
    explicit Rule(Qt::Orientation orientation, QWidget* parent)
        : QFrame(parent) {
        if (orientation == Qt::Vertical)
            setFixedWidth(1);
        else
            setFixedHeight(1);
    }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), colours().hairline); }
};

/// A name with what takes it out behind it; where there is little room the name gives up its end.
class Chip : public QPushButton {
public:
    explicit Chip(const QString& name)
        : QPushButton(asButtonText(name)) {
        setIcon(homebooth::app::icon(QStringLiteral("close")));
        setAutoDefault(false);
        setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    }

    [[nodiscard]] QSize minimumSizeHint() const override {
        constexpr int kLeastLetters = 6;
        const QSize whole = sizeHint();
        const int some = qMin(nameWidth(), kLeastLetters * fontMetrics().averageCharWidth());
        return {whole.width() - nameWidth() + some, whole.height()};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        QStyleOptionButton option;
        initStyleOption(&option);
        painter.drawControl(QStyle::CE_PushButtonBevel, option);
        const int missing = qMax(0, sizeHint().width() - width());
        const int wide = qMax(0, nameWidth() - missing);
        const QString name =
            missing == 0 ? text()
                         : fontMetrics().elidedText(text(), Qt::ElideRight, wide, Qt::TextShowMnemonic);
        const int left = (width() - wide - kGapInside - iconSize().width()) / 2;
        const QRect words(left, 0, wide, height());
        const QRect cross({left + wide + kGapInside, (height() - iconSize().height()) / 2}, iconSize());
        const auto place = [this](const QRect& part) { // not by styles: they put an icon ahead of words
            return QStyle::visualRect(layoutDirection(), rect(), part);
        };
        painter.drawItemText(place(words), int(Qt::AlignVCenter) | int(Qt::TextShowMnemonic), palette(),
                             isEnabled(), name, QPalette::ButtonText);
        icon().paint(&painter, place(cross), Qt::AlignCenter, isEnabled() ? QIcon::Normal : QIcon::Disabled);
    }

private:
    [[nodiscard]] int nameWidth() const { return fontMetrics().size(Qt::TextShowMnemonic, text()).width(); }
};

/// Lets a button have the first of clicks in quick succession. Of three Qt says that the second one is a
/// double click, and the third a press again. Only clicks that it had count as the first: whoever goes on
/// clicking is heard again. What is turned on and off gets all of them.
class FirstClick : public QObject {
public:
    explicit FirstClick(QAbstractButton* button)
        : QObject(button) {
        button->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::MouseButtonRelease) return std::exchange(m_another, false);
        const bool twice = event->type() == QEvent::MouseButtonDblClick;
        if (!twice && event->type() != QEvent::MouseButtonPress) return false;
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const auto* button = static_cast<QAbstractButton*>(watched);
        if (mouse->button() != Qt::LeftButton || button->isCheckable()) return false;
        const auto quick = static_cast<quint64>(QGuiApplication::styleHints()->mouseDoubleClickInterval());
        m_another = twice || (m_lastMs > 0 && mouse->timestamp() - m_lastMs < quick);
        if (!m_another && button->isEnabled()) m_lastMs = mouse->timestamp();
        return m_another;
    }

private:
    quint64 m_lastMs = 0;   // of the last click that the button had; 0: none yet
    bool m_another = false; // a click that the button does not get
};

/// Its list opens as wide as its names are, if the screen is.
class NameList : public QComboBox {
public:
    void showPopup() override {
        const int beside = style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 2 * kGapLabel;
        const QRect area = screen()->availableGeometry();
        view()->setMinimumWidth(std::min(view()->sizeHintForColumn(0) + beside, area.width()));
        QComboBox::showPopup();
        QWidget* popup = view()->window(); // it was placed as if it were as wide as the field
        const int left = std::min(popup->x(), area.right() + 1 - popup->width());
        popup->move(std::max(area.left(), left), popup->y());
    }
};

} // namespace

QLabel* makeLabel(const QString& text, TypeRole role, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    setTypeRole(label, role);
    return label;
}

void letCopy(QLabel* label) {
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

void letCopyByTab(QLabel* label) {
    letCopy(label); // which leaves focus to clicks
    label->setFocusPolicy(Qt::StrongFocus);
}

MutedLabel::MutedLabel(const QString& text, QWidget* parent)
    : QLabel(text, parent) {
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setTypeRole(this, TypeRole::Caption);
    takeColour();
}

void MutedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_taking) takeColour();
}

void MutedLabel::takeColour() {
    m_taking = true;
    QPalette mine = palette();
    mine.setColor(QPalette::WindowText, colours().muted);
    setPalette(mine);
    m_taking = false;
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent)
    : QLabel(parent) {
    setTextFormat(Qt::PlainText); // a name is no markup
    setFullText(text);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ElidedLabel::setFullText(const QString& text) {
    if (text == m_text) return;
    setAccessibleName(text);
    setShownText(text);
}

void ElidedLabel::setShownText(const QString& text) {
    if (text == m_text) return;
    m_text = text;
    updateGeometry();
    elide();
}

void ElidedLabel::keepEnds() {
    m_cut = Qt::ElideMiddle;
    elide();
}

QSize ElidedLabel::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 3, fontMetrics().height()};
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(m_text) + 1, fontMetrics().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange) elide();
}

void ElidedLabel::elide() {
    const QString shown = fontMetrics().elidedText(m_text, m_cut, width());
    setText(shown);
    setPlainTip(*this, shown == m_text ? QString() : m_text);
}

Card::Card(QWidget* parent)
    : QFrame(parent) {}

void Card::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(colours().base);
    painter.setPen(QPen(colours().hairline, 1.0));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius + 2, kRadius + 2);
}

QPushButton* makeButton(const QString& text, const QString& iconName, const char* look, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    if (!iconName.isEmpty()) button->setIcon(icon(iconName));
    button->setProperty(kLookProperty, QString::fromLatin1(look));
    button->setAutoDefault(false);
    if (qstrcmp(look, "segment") == 0) button->setCheckable(true);
    if (qstrcmp(look, "primary") == 0) takeQuickClicksAsOne(button);
    return button;
}

void takeQuickClicksAsOne(QAbstractButton* button) {
    new FirstClick(button);
}

QString asButtonText(const QString& name) {
    return QString(name).replace(QLatin1Char('&'), QStringLiteral("&&"));
}

QPushButton* makeChip(const QString& name, const QString& tooltip) {
    auto* chip = new Chip(name);
    setPlainTip(*chip, tooltip);
    chip->setProperty(kThingProperty, true);
    return chip;
}

QComboBox* makeNameList() {
    auto* list = new NameList;
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    list->setProperty(kKeepsEndsProperty, true);
    return list;
}

QToolButton* makeIconButton(const QString& iconName, const QString& name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(icon(iconName));
    button->setIconSize({kIconSize, kIconSize});
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QWidget* labelled(const QString& label, QWidget* field, const QString& tooltip) {
    auto* whole = new QWidget;
    auto* layout = new QVBoxLayout(whole);
    tidy(layout, 0, kGapInside);
    whole->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* title = new QLabel(label);
    title->setBuddy(field);
    layout->addWidget(title);
    layout->addWidget(field);
    if (field->accessibleName().isEmpty()) field->setAccessibleName(label);
    if (const auto* choice = qobject_cast<QComboBox*>(field); choice != nullptr && choice->isEditable()) {
        choice->lineEdit()->setAccessibleName(label); // which has the focus
        choice->lineEdit()->setAccessibleDescription(tooltip);
    }
    if (!tooltip.isEmpty()) {
        title->setToolTip(tooltip);
        field->setToolTip(tooltip);
    }
    return whole;
}

QLabel* makeFactName(const QString& text) {
    auto* name = new MutedLabel(text);
    // Beside several lines a form gives it more height than it needs, and it would stand in the middle.
    name->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    const int lower = QFontMetrics(Theme::instance().font(TypeRole::Body)).ascent() -
                      QFontMetrics(Theme::instance().font(TypeRole::Caption)).ascent();
    name->setContentsMargins(0, qMax(0, lower), 0, 0);
    return name;
}

void putIntoTabOrder(const QList<QWidget*>& widgets, const QWidget& next) {
    QWidget* last = next.previousInFocusChain();
    while (last != &next && (last->focusPolicy() == Qt::NoFocus || widgets.contains(last)))
        last = last->previousInFocusChain();
    for (QWidget* widget : widgets) {
        QWidget::setTabOrder(last, widget);
        last = widget;
    }
}

void letTabFollowChoice(QButtonGroup& group) {
    // The group sees to it; screen readers take one of several by this for that, not for a check box.
    for (QAbstractButton* one : group.buttons()) one->setAutoExclusive(true);
    const auto take = [&group] {
        const QList<QAbstractButton*> buttons = group.buttons();
        if (std::ranges::none_of(buttons, &QAbstractButton::isChecked)) return; // any is as good
        for (QAbstractButton* one : buttons)
            one->setFocusPolicy(one->isChecked() ? Qt::StrongFocus : Qt::ClickFocus);
    };
    QObject::connect(&group, &QButtonGroup::buttonToggled, &group, take);
    take();
}

void retire(QWidget* widget) {
    widget->hide();
    widget->deleteLater();
}

void focusNew(QWidget& widget) {
    widget.show();
    widget.setFocus(Qt::OtherFocusReason);
}

void openQuestion(QMessageBox& box) {
    box.setAttribute(Qt::WA_DeleteOnClose);
    box.open();
    box.setAttribute(Qt::WA_KeyboardFocusChange); // else the ring comes with the first arrow
}

void tidy(QBoxLayout* layout, int margin, int spacing) {
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->setSpacing(spacing);
}

QScrollArea* makeScroll(QWidget* content) {
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    // Qt scrolls for keys that lead on within the area, but not for those that lead into it.
    QObject::connect(qApp, &QApplication::focusChanged, scroll, [scroll](QWidget*, QWidget* now) {
        const bool within = now != nullptr && scroll->widget()->isAncestorOf(now);
        if (within && now->window()->testAttribute(Qt::WA_KeyboardFocusChange))
            scroll->ensureWidgetVisible(now, kGapBlock, kGapBlock);
    });
    return scroll;
}

QFrame* makeRule(Qt::Orientation orientation, QWidget* parent) {
    return new Rule(orientation, parent);
}

} // namespace homebooth::app
