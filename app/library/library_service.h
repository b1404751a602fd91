// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The library behind one thread of its own: the window asks and goes on; answers come as calls on the GUI
// thread. Writes are done in the order in which they were asked for.
// Owned by main; GUI thread. Destroying it waits for what was asked.
#pragma once

#include "core/library/library.h"

#include <QObject>
#include <QPointer>
#include <QThread>

#include <functional>
#include <memory>
#include <optional>

namespace homebooth::app {

class LibraryService : public QObject {
    Q_OBJECT
public:
    explicit LibraryService(QObject* parent = nullptr);
    ~LibraryService() override;

    /// Opens the file. `opened` or `failed` follows; until then questions wait.
    void open(const QString& path);

    /// Changes the library. What goes wrong is reported by `failed`.
    void write(std::function<core::Result<void>(core::Library&)> change);

    /// Asks the library; `take` is called with the answer on this thread, unless `receiver` is gone by then.
    template <class T>
    void ask(QObject* receiver, std::function<core::Result<T>(core::Library&)> question,
             std::function<void(const T&)> take);

    /// For questions that take what went wrong themselves.
    void run(std::function<void(core::Library&)> work);

Q_SIGNALS:
    void opened(const homebooth::core::LibraryRecovery& recovery);
    void openFailed(const QString& message);
    void failed(const QString& message);

private:
    void report(const core::Error& error);

    QThread m_thread;
    QObject* m_worker = nullptr;                               // lives on m_thread
    std::shared_ptr<std::unique_ptr<core::Library>> m_library; // touched on m_thread only
};

template <class T>
void LibraryService::ask(QObject* receiver, std::function<core::Result<T>(core::Library&)> question,
                         std::function<void(const T&)> take) {
    QPointer<QObject> guard(receiver);
    run([this, guard, question = std::move(question), take = std::move(take)](core::Library& library) {
        auto answer = std::make_shared<core::Result<T>>(question(library));
        if (!*answer) return report(answer->error());
        QMetaObject::invokeMethod(this, [guard, answer, take] {
            if (guard) take(**answer);
        });
    });
}

} // namespace homebooth::app
