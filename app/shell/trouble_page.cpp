// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/trouble_page.h"

#include "app/library/library_service.h"
#include "app/widgets/empty_state.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

namespace homebooth::app {
namespace {

/// What the library says, but of something in its place that is no file, for which no other can be chosen.
QString ownWords(const QString& detail) {
    if (!detail.contains(QLatin1String("choose another file"))) return detail;
    return TroublePage::tr("%1 is not a file. Move or rename what is there, then try again.")
        .arg(detail.section(QStringLiteral(": cannot read the file"), 0, 0));
}

} // namespace

TroublePage::TroublePage(Services services, QWidget* parent)
    : Page(PageId::Trouble, tr("The library cannot be opened"), parent)
    , m_state(new EmptyState(QStringLiteral("error"), {})) {
    LibraryService& library = services.library;
    connect(m_state->addButton(tr("Try again")), &QPushButton::clicked, this,
            [&library] { library.open(library.path()); });
    connect(m_state->addButton(tr("Open its folder")), &QPushButton::clicked, this, [&library] {
        QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(library.path()).absolutePath()));
    });
    setContent(m_state);
}

void TroublePage::setProblem(const QString& detail) {
    QString text = tr("Subjects, captions and prompts are kept in the library. Nothing could be kept now, "
                      "so nothing can be changed. Trainings that work go on; your photos and pictures are "
                      "where they were.") +
                   QStringLiteral("\n\n") + ownWords(detail);
    if (detail.contains(QLatin1String("choose another place"))) // which no page could do now
        text += QStringLiteral("\n\n") + tr("For another place, start Homebooth with the variable "
                                            "XDG_DATA_HOME, which names a folder that "
                                            "can be written.");
    m_state->setText(text);
}

} // namespace homebooth::app
