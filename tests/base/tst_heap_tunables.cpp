// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The heap of a process that trains is told what nobody has told it otherwise.
#include "core/base/system/heap_tunables.h"

#include <QTest>

using namespace homebooth::core;

namespace {

class HeapTunablesTest : public QObject {
    Q_OBJECT
private slots:
    void asksForHugePages();
    void leavesWhatTheUserHasSet();
};

void HeapTunablesTest::asksForHugePages() {
    const std::string asked = "glibc.malloc.hugetlb=1";
    QCOMPARE(tunablesForTraining(nullptr), asked);
    QCOMPARE(tunablesForTraining(""), asked);
    QCOMPARE(tunablesForTraining("glibc.malloc.perturb=3"), "glibc.malloc.perturb=3:" + asked);
}

void HeapTunablesTest::leavesWhatTheUserHasSet() {
    for (const std::string set : {"glibc.malloc.hugetlb=0", "glibc.malloc.hugetlb=2:glibc.malloc.perturb=3"})
        QCOMPARE(tunablesForTraining(set.c_str()), set);
}

} // namespace

QTEST_APPLESS_MAIN(HeapTunablesTest)
#include "tst_heap_tunables.moc"
