// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/library_service.h"

namespace homebooth::app {

LibraryService::LibraryService(QObject* parent)
    : QObject(parent)
    , m_worker(new QObject)
    , m_library(std::make_shared<std::unique_ptr<core::Library>>()) {
    m_thread.setObjectName(QStringLiteral("library"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
}

LibraryService::~LibraryService() {
    QMetaObject::invokeMethod(
        m_worker, [library = m_library] { library->reset(); }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

void LibraryService::open(const QString& path) {
    QMetaObject::invokeMethod(m_worker, [this, path] {
        auto result = core::Library::open(path.toStdString());
        if (!result) {
            const QString text = QString::fromStdString(result.error().text());
            QMetaObject::invokeMethod(this, [this, text] { Q_EMIT openFailed(text); });
            return;
        }
        *m_library = std::move(*result);
        const core::LibraryRecovery recovery = (*m_library)->recovery();
        QMetaObject::invokeMethod(this, [this, recovery] { Q_EMIT opened(recovery); });
    });
}

void LibraryService::run(std::function<void(core::Library&)> work) {
    QMetaObject::invokeMethod(m_worker, [library = m_library, work = std::move(work)] {
        if (*library) work(**library);
    });
}

void LibraryService::write(std::function<core::Result<void>(core::Library&)> change) {
    run([this, change = std::move(change)](core::Library& library) {
        if (const auto written = change(library); !written) report(written.error());
    });
}

void LibraryService::report(const core::Error& error) {
    const QString text = QString::fromStdString(error.text());
    QMetaObject::invokeMethod(this, [this, text] { Q_EMIT failed(text); });
}

} // namespace homebooth::app
