// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/surroundings.h"

#include "core/base/system/user_folders.h"

#include <QSocketNotifier>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace homebooth::app {
namespace {

constexpr const char* kScale = "QT_SCALE_FACTOR";
constexpr std::array kEnds{SIGTERM, SIGHUP};

int writing = -1; // the end of a pipe, for the handler

void tell(int) {
    const int before = errno; // of a call of whichever thread it came between
    const char one = 1;
    const ssize_t ignored = ::write(writing, &one, sizeof one);
    (void)ignored;
    errno = before;
}

} // namespace

void settleSurroundings() {
    core::settleUserFolders();
    bool isNumber = false;
    const double scale = qgetenv(kScale).toDouble(&isNumber);
    if (isNumber && scale < 1.0) qunsetenv(kScale);
}

EndSignals::EndSignals(QObject* parent)
    : QObject(parent) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return; // they end the program as they always do
    m_reading = ends[0];
    writing = ends[1];
    auto* notifier = new QSocketNotifier(m_reading, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
        notifier->setEnabled(false);
        Q_EMIT asked();
    });
    struct sigaction action {};
    action.sa_handler = tell;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    for (const int one : kEnds) {
        struct sigaction before {};
        const bool ignored = ::sigaction(one, nullptr, &before) == 0 && before.sa_handler == SIG_IGN; // nohup
        if (!ignored) ::sigaction(one, &action, nullptr);
    }
}

EndSignals::~EndSignals() {
    if (m_reading < 0) return;
    for (const int one : kEnds) {
        struct sigaction now {};
        if (::sigaction(one, nullptr, &now) == 0 && now.sa_handler == tell) std::signal(one, SIG_DFL);
    }
    delete findChild<QSocketNotifier*>();
    ::close(m_reading);
    ::close(std::exchange(writing, -1));
}

} // namespace homebooth::app
