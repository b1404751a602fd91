// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/moment_menu.h"

#include "app/engine/runs/run_session.h"
#include "app/widgets/pictures/picture_actions.h"

#include <QCoreApplication>
#include <QPointer>

#include <algorithm>

namespace homebooth::app {
namespace {

struct MomentWords {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::MomentWords)
};

} // namespace

QString keptAsFavouriteText() {
    return MomentWords::tr("Keeps this moment when older ones go: as the training goes on, or to make room.");
}

void openMomentMenu(QWidget& owner, const QPoint& place, RunSession& run, int64_t step,
                    const std::function<void()>& larger) {
    const std::vector<Moment>& saved = run.data().moments;
    const auto found =
        std::find_if(saved.begin(), saved.end(), [step](const Moment& one) { return one.step == step; });
    const bool there = found != saved.end();
    const bool favourite = there && found->favourite;
    const auto mark = [run = QPointer<RunSession>(&run), step, favourite] {
        if (run) run->setFavourite(step, !favourite);
    };
    openPictureMenu(owner, place,
                    {{MomentWords::tr("Large view"), QStringLiteral("zoom"), larger},
                     {favourite ? MomentWords::tr("No favourite") : MomentWords::tr("Favourite"),
                      QStringLiteral("favourite"), mark, there}});
}

} // namespace homebooth::app
