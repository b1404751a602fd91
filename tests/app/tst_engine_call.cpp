// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Questions to the engine that nobody waits for any more: the program ends, and tidies up what it was
// writing.
#include "app/engine/engine_call.h"
#include "app_files.h"

#include <QElapsedTimer>
#include <QPointer>

using namespace homebooth::app;

namespace {

/// Writes beside itself until it is asked to end. `stubborn` listens to nothing.
constexpr const char* kEngine = R"sh(#!/bin/bash
partial="$(dirname "$0")/out/.model.partial-abcdef"
touch "$partial"
echo $$ >"$(dirname "$0")/out/pid"
if [ "$1" = stubborn ]; then trap "" TERM; else trap 'trap "" TERM; sleep 0.05; rm "$partial"; exit 5' TERM; fi
echo '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z","type":"state","state":"writing","detail":"","done":1,"total":9}'
while :; do sleep 0.05; done
)sh";

} // namespace

class EngineCallTest : public QObject {
    Q_OBJECT
public:
    explicit EngineCallTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init();
    void whatNobodyWaitsForTidiesUp();
    void theEndOfTheWindowLeavesItAMoment();
    void whatDoesNotListenIsEnded_data();
    void whatDoesNotListenIsEnded();

private:
    /// A call that has begun to write.
    [[nodiscard]] QPointer<EngineCall> begin(QObject* receiver, const QString& how);
    [[nodiscard]] bool leftOver() const {
        return QFile::exists(m_place.path(QStringLiteral("out/.model.partial-abcdef")));
    }
    [[nodiscard]] bool lives() const {
        return ::kill(bytesOf(m_place.path(QStringLiteral("out/pid"))).trimmed().toInt(), 0) == 0;
    }

    const TestPlace& m_place;
};

void EngineCallTest::init() {
    failOnAnyWarning();
    QVERIFY(useEngine(m_place, kEngine));
    QDir(m_place.path(QStringLiteral("out"))).removeRecursively();
    QVERIFY(QDir().mkpath(m_place.path(QStringLiteral("out"))));
}

QPointer<EngineCall> EngineCallTest::begin(QObject* receiver, const QString& how) {
    const QPointer<EngineCall> call =
        EngineCall::start(receiver, {how}, [](const EngineAnswer&) { QFAIL("nobody waits for an answer"); });
    QSignalSpy progressed(call, &EngineCall::progressed);
    [&] { QTRY_VERIFY(!progressed.isEmpty() && leftOver()); }();
    return call;
}

void EngineCallTest::whatNobodyWaitsForTidiesUp() {
    auto receiver = std::make_unique<QObject>();
    const QPointer<EngineCall> call = begin(receiver.get(), QStringLiteral("convert"));
    receiver.reset();
    QTRY_VERIFY(call.isNull());
    QVERIFY(!leftOver());
    QVERIFY(!lives());
}

void EngineCallTest::theEndOfTheWindowLeavesItAMoment() {
    auto receiver = std::make_unique<QObject>();
    const QPointer<EngineCall> call = begin(receiver.get(), QStringLiteral("convert"));
    receiver.reset();
    delete call.data(); // as the application does at its end, when no event loop turns any more
    QVERIFY(!leftOver());
    QVERIFY(!lives());
}

void EngineCallTest::whatDoesNotListenIsEnded_data() {
    QTest::addColumn<bool>("atTheEnd");
    QTest::newRow("while the window is there") << false;
    QTest::newRow("with the window") << true;
}

void EngineCallTest::whatDoesNotListenIsEnded() {
    QFETCH(bool, atTheEnd);
    auto receiver = std::make_unique<QObject>();
    const QPointer<EngineCall> call = begin(receiver.get(), QStringLiteral("stubborn"));
    QElapsedTimer waited;
    waited.start();
    receiver.reset();
    if (atTheEnd) delete call.data();
    QTRY_VERIFY_WITH_TIMEOUT(call.isNull(), 10'000);
    QVERIFY(!lives());
    QVERIFY2(waited.elapsed() < 10'000, qPrintable(QString::number(waited.elapsed())));
}

HOMEBOOTH_APP_TEST_MAIN(EngineCallTest)
#include "tst_engine_call.moc"
