// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Files are taken for known only where any later change would be seen.
#include "core/base/files/file_look.h"

#include <QtTest>

#include <chrono>

using namespace homebooth::core;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using std::chrono::system_clock;

namespace {

int64_t before(system_clock::time_point now, nanoseconds age) {
    return nanoseconds(now.time_since_epoch()).count() - age.count();
}

/// Of a file whose contents and whose status changed so long ago.
bool settled(nanoseconds contents, nanoseconds status) {
    constexpr nanoseconds kSoon = 500ms; // else they are older by now than they should be
    while (true) {
        const system_clock::time_point now = system_clock::now();
        const bool said = hasSettled({1, 2, 3, before(now, contents), before(now, status)});
        if (system_clock::now() - now < kSoon) return said;
    }
}

} // namespace

class tst_file_look : public QObject {
    Q_OBJECT

private slots:
    void aFileHasSettledAfterTheLongestTick() {
        QVERIFY(settled(3s, 3s));
        QVERIFY(!settled(1s, 1s)); // FAT counts in twos
        QVERIFY(!settled(1s, 3s));
        QVERIFY(!settled(3s, 1s));
        QVERIFY(!settled(-600s, 3s)); // whose clock is ahead
    }
};

QTEST_GUILESS_MAIN(tst_file_look)
#include "tst_file_look.moc"
