// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/read_as.h"

#include <QAccessibleWidget>
#include <QLocale>

#include <algorithm>

namespace homebooth::app {
namespace {

constexpr const char* kRoleProperty = "readRole";
constexpr const char* kLevelProperty = "readLevel";
constexpr double kFull = 100.0;

/// A level that cannot be set.
class ReadLevel : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit ReadLevel(QWidget& widget)
        : QAccessibleWidget(&widget, QAccessible::ProgressBar) {}
    [[nodiscard]] void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    [[nodiscard]] QString text(QAccessible::Text what) const override {
        if (what != QAccessible::Value) return QAccessibleWidget::text(what);
        return QStringLiteral("%1 %").arg(QLocale().toString(currentValue().toDouble(), 'f', 0));
    }
    [[nodiscard]] QAccessible::State state() const override {
        QAccessible::State state = QAccessibleWidget::state();
        state.readOnly = true;
        return state;
    }
    [[nodiscard]] QVariant currentValue() const override {
        return widget() != nullptr ? widget()->property(kLevelProperty).toDouble() : 0.0;
    }
    void setCurrentValue(const QVariant&) override {}
    [[nodiscard]] QVariant maximumValue() const override { return kFull; }
    [[nodiscard]] QVariant minimumValue() const override { return 0.0; }
    [[nodiscard]] QVariant minimumStepSize() const override { return 1.0; }
};

QAccessibleInterface* drawnOf(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    const QVariant role = widget != nullptr ? widget->property(kRoleProperty) : QVariant();
    if (!role.isValid()) return nullptr;
    const auto known = static_cast<QAccessible::Role>(role.toInt());
    if (known == QAccessible::ProgressBar) return new ReadLevel(*widget); // Qt takes it over
    return new QAccessibleWidget(widget, known);
}

} // namespace

void readAs(QWidget& widget, QAccessible::Role role) {
    QAccessible::installFactory(drawnOf); // which Qt does once
    widget.setProperty(kRoleProperty, static_cast<int>(role));
}

void setLevel(QWidget& widget, double percent) {
    widget.setProperty(kLevelProperty, std::clamp(percent, 0.0, kFull));
}

} // namespace homebooth::app
