// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Homebooth is made of, and under which licence each part is: its own programs, the libraries that they
// are linked with or load, and the data that comes along. Values; any thread.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace homebooth::app {

struct Component {
    enum class Part { Own, Window, Engine, Data };
    Part part = Part::Own;
    QString name;
    QString version; ///< empty where nobody knows it
    QString licence; ///< by its SPDX name where it has one
    QString words;   ///< whose it is and what else is to be said, as in NOTICE.md; may be empty
    QString address;
    QStringList copies; ///< files with its text; the first that is there is shown
    QStringList terms;  ///< files with what that text refers to; all that are there are shown
};

[[nodiscard]] QList<Component> components();

/// All that can be read of a component's licence on this computer, and where it lies. Without a file: the
/// words of NOTICE.md and the address. Reads the disk.
struct LicenceText {
    QString text;
    QStringList files;
};
[[nodiscard]] LicenceText licenceTextOf(const Component& component);

} // namespace homebooth::app
