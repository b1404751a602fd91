// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A list or a text that asks for a few lines and takes all the room there is. In a panel that scrolls Qt
// makes the content as high as what its parts ask for; with a policy that ignores the hint it would be too
// low for the rest. A widget; GUI thread.
#pragma once

#include <QSizePolicy>
#include <QWidget>

namespace homebooth::app {

template <class View>
class LowView : public View {
public:
    using View::View;
    [[nodiscard]] QSize sizeHint() const override { return {View::sizeHint().width(), kHeight}; }

private:
    static constexpr int kHeight = 96; // px
};

} // namespace homebooth::app
