// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A chart over steps: follows palette and font, zooms with Ctrl+wheel or + and -, pans by dragging or with
// the crosshair, shows the values at that, of which Up and Down choose one to follow, and can be saved.
// Replots at most four times a second and only while visible. Subclasses put their curves in. GUI thread.
#pragma once

#include "app/charts/curve.h"
#include "app/charts/plot.h"

#include <QPicture>
#include <QTimer>

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace homebooth::app {

/// An event worth a mark on the axis of steps.
struct ChartMark {
    double step = 0.0;
    QString label;
    bool rare = false; ///< drawn stronger, and named before others where there is little room
};

/// What the crosshair can follow, as it is at one step.
struct ChartSeries {
    QString name;
    CurvePoint at; ///< as the axes have it
    QString value; ///< in words
};

class Chart : public QCustomPlot {
    Q_OBJECT
public:
    explicit Chart(const QString& name, QWidget* parent = nullptr);

    /// Everything from the first step to the last is shown again.
    void fit();
    /// It shows another training from now on: of that is told at once, whoever walked in the one before.
    void beginAnew();
    /// Which step was reached: what lasts until now ends there, and the crosshair goes no further.
    void setLastStep(double step);
    /// How many there will be; 0: nobody knows.
    void setAllSteps(double steps);
    void setMarks(std::vector<ChartMark> marks);
    /// Data changed: draws soon.
    void invalidate();
    /// A sentence for screen readers: what the chart shows now.
    [[nodiscard]] virtual QString sentence() const = 0;
    /// What is said behind it, such as the time that is left; empty: nothing.
    void setBeside(const QString& words) { m_beside = words; }
    /// What makes all values into lines of comma-separated text: of a copy, on any thread.
    [[nodiscard]] virtual std::function<QString()> csvMaker() const = 0;
    [[nodiscard]] QString csv() const { return csvMaker()(); }
    /// The values as a table: the names of its columns, of which the first is the step, how many rows it has
    /// and what stands in one.
    [[nodiscard]] virtual QStringList tableColumns() const = 0;
    [[nodiscard]] virtual size_t tableRows() const = 0;
    [[nodiscard]] virtual QString tableCell(size_t row, int column) const = 0;
    /// Writes the view or the values, by the name's ending: png, svg, csv. Here only what the screen can show
    /// is drawn; the rest is done off the GUI thread. @param done  told whether it was written
    void exportTo(const QString& path, const std::function<void(bool)>& done);

    /// Looks at the steps that another chart looks at.
    void takeView(const Chart& other);

    /// Two of them in their cards fit into a window of 700 px.
    [[nodiscard]] QSize sizeHint() const override { return {480, 160}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 120}; }

Q_SIGNALS:
    void crosshairMoved(double step);
    /// The user looks at other steps, by keys as by the mouse.
    void viewMoved();
    /// The crosshair was fixed by a key, or let go.
    void pinned(bool on);

public Q_SLOTS:
    void showCrosshair(double step);
    /// A crosshair that is pinned stays where the mouse goes; keys move it.
    void setPinned(bool on);

protected:
    /// Takes what is visible out of the data into the graphs.
    virtual void fill(double from, double to, int pixels) = 0;
    /// What the crosshair says at a step.
    [[nodiscard]] virtual QString valuesAt(double step) const = 0;
    /// What has a value near a step, in the order in which Down walks through it.
    [[nodiscard]] virtual std::vector<ChartSeries> seriesAt(double step) const = 0;
    virtual void takeColours();
    /// Where names of marks would lie upon other words, in pixels.
    [[nodiscard]] virtual std::vector<QRectF> takenPlaces() const { return {}; }
    [[nodiscard]] double lastStep() const { return m_lastStep; }
    static void setPoints(QCPGraph* graph, const std::vector<CurvePoint>& points);

    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QByteArray svg();
    [[nodiscard]] QPicture recorded();
    void draw();
    /// Makes what the crosshair consists of.
    void addOverlay();
    /// The step under the mouse becomes another where the axis does, and gets its values later.
    void followPointer();
    /// What stands at the top of a mark, or of several with the same name that are close to each other.
    struct MarkName {
        const ChartMark* mark = nullptr; ///< the first
        double at = 0.0;                 ///< in pixels
        int count = 1;
        [[nodiscard]] QString text() const;
        [[nodiscard]] double width() const; ///< with the space to the next one
    };
    /// As the axes stand now: names are as wide at every zoom and in every size.
    void drawMarks();
    void drawMark(const ChartMark& mark);
    static void addName(std::vector<MarkName>& names, const ChartMark& mark, double at);
    /// Where there is room; else the crosshair tells it alone.
    void showName(const MarkName& name, std::vector<QRectF>& taken);
    /// What is marked at a step, as far as the screen tells steps apart; empty: nothing.
    [[nodiscard]] QString marksAt(double step) const;
    /// From the first step to the last, of a few at least, with room for what stands at either.
    [[nodiscard]] QCPRange wholeRange() const;
    void zoom(double factor, double around);
    void moveCrosshair(double step);
    /// The same to where the mouse is.
    void pointCrosshair();
    /// The same by a key: the view follows where it would leave it.
    void walkCrosshair(double step);
    /// Follows another series. @param by  so many further down
    void walkSeries(int by);
    /// Which of these the crosshair follows; the first one where the chosen one has no value. Not for none.
    [[nodiscard]] size_t followedOf(const std::vector<ChartSeries>& series) const;
    /// Puts a dot and words at the crosshair.
    void placeValues(double step);
    /// Tells screen readers what the crosshair stands at, and what the chart shows now.
    void describe();
    /// The same soon: it is read out anew each time, in place of what is just said.
    void describeInTime();
    [[nodiscard]] QString crosshairSentence() const;

    QTimer m_soon;
    QTimer m_quiet;        ///< until what the chart shows is told again
    bool m_untold = false; ///< it shows something else by now
    bool m_walked = false; ///< keys moved the crosshair last
    QCPItemLine* m_cross = nullptr;
    QCPItemText* m_values = nullptr;
    QCPItemTracer* m_dot = nullptr; ///< on what the crosshair follows
    QString m_series;               ///< the chosen one; empty: none was chosen yet
    /// What the marks that are drawn were drawn for.
    struct MarkPlaces {
        QCPRange steps;
        QRect plot;
        std::vector<QRectF> taken;
        bool operator==(const MarkPlaces&) const = default;
    };
    std::optional<MarkPlaces> m_drawnFor; // none: to be drawn anew
    std::vector<ChartMark> m_marks;
    std::vector<QCPAbstractItem*> m_markItems;
    QString m_beside; ///< said behind what it shows
    double m_lastStep = 0.0;
    double m_allSteps = std::numeric_limits<double>::max();
    double m_crossStep = -1.0;
    std::optional<double> m_pointer; ///< where the mouse holds the crosshair, in pixels
    bool m_pinned = false;
    bool m_fitted = true;
};

} // namespace homebooth::app
