#include "bench_chart.h"

#include "engines.h"
#include "output.h"
#include "svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 980,
    HEIGHT = 470,
    LEGEND = 28, ///< Its height above all else.
    TOP = 88,    ///< Of both panels.
    BOTTOM = 376,
    LINES_LEFT = 72, ///< The panel of lines.
    LINES_RIGHT = 462,
    BARS_LEFT = 640, ///< The panel of bars.
    BARS_RIGHT = 930,
    SERIES = 1 + BENCH_PEER_COUNT,
    BAR = 17,
    POINTS = 4,
    GROUPS = 4
};

#define INK   "#1f2328"
#define SOFT  "#59636e"
#define GRID  "#d1d9e0"
#define FAINT "#eef1f4"

/// Colours that colour-blind people can tell apart: M. Okabe, K. Ito 2008, "Color Universal
/// Design".
static const char *const colors[SERIES] = {"#0072b2", "#d55e00", "#009e73"};

static const svg_text_style heading = {INK, 15, SVG_LEFT, true, false};
static const svg_text_style title_of_axis = {SOFT, 12, SVG_MIDDLE, false, false};

/// Something measured: its name and its label.
typedef struct measured_work {
    const char *work, *label;
    double size;
} measured_work;

static const measured_work gases[POINTS] = {
    {"step/gas/1k", "1k", 1e3},
    {"step/gas/10k", "10k", 1e4},
    {"step/gas/100k", "100k", 1e5},
    {"step/gas/1M", "1M", 1e6},
};

static const measured_work shots[GROUPS] = {
    {"query_ray_many/bullets-terrain/1k", "1k segments", 0},
    {"query_ray_many/bullets-terrain/10k", "10k segments", 0},
    {"query_ray_many/bullets-terrain/100k", "100k segments", 0},
    {"step/bullets-bodies/10k", "10k moving circles", 0},
};

/// Ours is the first series; 0: not measured.
static double find_time(const bench_table *table, int series, const char *work)
{
    return series == 0 ? bench_table_own(table, work)
                       : bench_table_peer(table, (bench_peer)(series - 1), work);
}

/// The least and the most of all series.
typedef struct span {
    double least, most;
} span;

static span find_span(const bench_table *table, const measured_work *works, int count)
{
    span found = {0, 0};
    for (int i = 0; i < count; ++i) {
        for (int series = 0; series < SERIES; ++series) {
            double time = find_time(table, series, works[i].work);
            if (time > 0) {
                found.least = found.most > 0 && found.least < time ? found.least : time;
                found.most = found.most > time ? found.most : time;
            }
        }
    }
    return found;
}

static void write_time(char *text, size_t size, double time)
{
    snprintf(text, size, time < 10 ? "%.1f" : "%.0f", time);
}

/// 1, 10, 100, 1k, 10k, ...
static void write_power(char *text, size_t size, double power)
{
    const char *unit = power >= 1e6 ? "M" : power >= 1e3 ? "k" : "";
    snprintf(text, size, "%g%s", power / (power >= 1e6 ? 1e6 : power >= 1e3 ? 1e3 : 1), unit);
}

// --- lines ---

static void draw_times_axis(FILE *to, const svg_axis *y)
{
    static const svg_text_style label = {SOFT, 12, SVG_RIGHT, false, false};
    for (double power = y->least; power <= y->most; power *= 10) {
        char text[16];
        for (int i = 9; i > 0; --i) {
            double place = svg_place(y, power * i);
            if (power * i <= y->most) {
                svg_line(to, LINES_LEFT, place, LINES_RIGHT, place, i == 1 ? GRID : FAINT, 1);
            }
        }
        snprintf(text, sizeof text, "%g", power);
        svg_text(to, LINES_LEFT - 8, svg_place(y, power) + 4, &label, text);
    }
}

static void draw_sizes_axis(FILE *to, const svg_axis *x)
{
    static const svg_text_style label = {SOFT, 12, SVG_MIDDLE, false, false};
    for (int i = 0; i < POINTS; ++i) {
        double place = svg_place(x, gases[i].size);
        svg_line(to, place, BOTTOM, place, BOTTOM + 5, GRID, 1);
        svg_text(to, place, BOTTOM + 20, &label, gases[i].label);
    }
    svg_text(to, (LINES_LEFT + LINES_RIGHT) * 0.5, BOTTOM + 40, &title_of_axis,
             "bodies (log scale)");
}

static void draw_series(FILE *to, const bench_table *table, int series, const svg_axis *x,
                        const svg_axis *y)
{
    double last_x = 0;
    double last_y = 0;
    for (int i = 0; i < POINTS; ++i) {
        double time = find_time(table, series, gases[i].work);
        if (time <= 0) {
            continue;
        }
        double at_x = svg_place(x, gases[i].size);
        double at_y = svg_place(y, time);
        if (last_x > 0) {
            svg_line(to, last_x, last_y, at_x, at_y, colors[series], 2);
        }
        last_x = at_x;
        last_y = at_y;
    }
}

/// Where the time of a mark goes: below it for ours, which lies lowest, unless the axis is there.
static double place_time(int series, double at_y)
{
    const bool is_below = series == 1 || (series == 0 && at_y + 19 < BOTTOM);
    return is_below ? at_y + 19 : at_y - 10;
}

/// Marks with their times.
static void draw_points(FILE *to, const bench_table *table, int series, const svg_axis *x,
                        const svg_axis *y)
{
    svg_text_style label = {colors[series], 12, SVG_MIDDLE, true, true};
    for (int i = 0; i < POINTS; ++i) {
        double time = find_time(table, series, gases[i].work);
        if (time > 0) {
            char text[16];
            double at_x = svg_place(x, gases[i].size);
            double at_y = svg_place(y, time);
            svg_mark(to, at_x, at_y, series, colors[series]);
            write_time(text, sizeof text, time);
            svg_text(to, at_x, place_time(series, at_y), &label, text);
        }
    }
}

static void draw_lines(FILE *to, const bench_table *table)
{
    span times = find_span(table, gases, POINTS);
    if (times.most <= 0) {
        return;
    }
    svg_axis x = {500, 2e6, LINES_LEFT, LINES_RIGHT};
    svg_axis y = svg_axis_around(times.least * 0.95, times.most, BOTTOM, TOP);
    y.most = times.most * 2; // Room for the last number.
    svg_text(to, 20, TOP - 22, &heading, "Whole step, moving circles");
    draw_times_axis(to, &y);
    draw_sizes_axis(to, &x);
    svg_text_upwards(to, 26, (TOP + BOTTOM) * 0.5, &title_of_axis, "ns a body (log scale)");
    for (int series = SERIES; series-- > 0;) {
        draw_series(to, table, series, &x, &y);
    }
    for (int series = SERIES; series-- > 0;) {
        draw_points(to, table, series, &x, &y);
    }
}

// --- bars ---

static void draw_bars_axis(FILE *to, const svg_axis *x)
{
    static const svg_text_style label = {SOFT, 12, SVG_MIDDLE, false, false};
    for (double power = x->least; power <= x->most * 1.01; power *= 10) {
        char text[16];
        double place = svg_place(x, power);
        svg_line(to, place, TOP, place, BOTTOM, GRID, 1);
        write_power(text, sizeof text, power);
        svg_text(to, place, BOTTOM + 20, &label, text);
    }
    svg_text(to, (BARS_LEFT + BARS_RIGHT) * 0.5, BOTTOM + 40, &title_of_axis,
             "ns a bullet (log scale)");
}

static void draw_bar(FILE *to, const svg_axis *x, double y, int series, double time, double own)
{
    char text[40];
    char number[16];
    svg_text_style label = {INK, 12, SVG_LEFT, series == 0, true};
    double end = svg_place(x, time);
    svg_bar(to, x->from, y, end - x->from, BAR - 2, colors[series]);
    write_time(number, sizeof number, time);
    if (series == 0 || own <= 0) {
        snprintf(text, sizeof text, "%s", number);
    } else {
        snprintf(text, sizeof text, "%s (%.1fx)", number, time / own);
    }
    svg_text(to, end + 6, y + BAR - 5, &label, text);
}

static void draw_group(FILE *to, const bench_table *table, const svg_axis *x, int group)
{
    static const svg_text_style label = {INK, 13, SVG_RIGHT, false, false};
    static const svg_text_style small = {SOFT, 11, SVG_RIGHT, false, false};
    double height = (double)(BOTTOM - TOP) / GROUPS;
    double y = TOP + height * group + (height - SERIES * BAR) * 0.5;
    bool in_step = strncmp(shots[group].work, "step/", 5) == 0;
    for (int series = 0; series < SERIES; ++series) {
        double time = find_time(table, series, shots[group].work);
        if (time > 0) {
            draw_bar(to, x, y + series * BAR, series, time, find_time(table, 0, shots[group].work));
        }
    }
    svg_text(to, BARS_LEFT - 10, y + 24, &label, shots[group].label);
    svg_text(to, BARS_LEFT - 10, y + 40, &small, in_step ? "whole step" : "closest hit");
}

static void draw_bars(FILE *to, const bench_table *table)
{
    span times = find_span(table, shots, GROUPS);
    if (times.most <= 0) {
        return;
    }
    svg_axis x = svg_axis_around(1, times.most, BARS_LEFT, BARS_RIGHT - 60);
    svg_text(to, 510, TOP - 22, &heading, "100 000 bullets");
    draw_bars_axis(to, &x);
    for (int group = 0; group < GROUPS; ++group) {
        draw_group(to, table, &x, group);
    }
}

// --- all ---

static bool was_measured(const bench_table *table, int series)
{
    bool found = false;
    for (int i = 0; i < POINTS; ++i) {
        found = found || find_time(table, series, gases[i].work) > 0;
    }
    for (int i = 0; i < GROUPS; ++i) {
        found = found || find_time(table, series, shots[i].work) > 0;
    }
    return found;
}

/// Of the first engine whose name begins with a title as it is written in names.
static const char *find_version(int series)
{
    static const char *const names[SERIES] = {"engine", "chipmunk", "box2d"};
    for (const engine *const *each = engines; *each; ++each) {
        if (strncmp((*each)->name, names[series], strlen(names[series])) == 0) {
            return (*each)->version();
        }
    }
    return names[series];
}

static void draw_legend(FILE *to, const bench_table *table)
{
    static const svg_text_style label = {INK, 13, SVG_LEFT, false, false};
    double x = 26;
    for (int series = 0; series < SERIES; ++series) {
        if (was_measured(table, series)) {
            const char *text = series == 0 ? "Graze" : find_version(series);
            svg_line(to, x - 8, LEGEND, x + 8, LEGEND, colors[series], 2);
            svg_mark(to, x, LEGEND, series, colors[series]);
            svg_text(to, x + 16, LEGEND + 4.5, &label, text);
            x += 50 + 8.0 * (double)strlen(text);
        }
    }
}

static void draw_notes(FILE *to, const machine *made_on, uint32_t repetitions)
{
    static const svg_text_style small = {SOFT, 11, SVG_LEFT, false, false};
    char text[6 * MACHINE_TEXT_CAPACITY];
    snprintf(text, sizeof text, "%s, %s; %s %s; lanes %s", made_on->processor, made_on->stepping,
             made_on->compiler, made_on->flags, made_on->lanes);
    svg_text(to, 20, HEIGHT - 28, &small, text);
    snprintf(
        text, sizeof text,
        "One thread; medians of %u, %.10s. Less is better; (x): how many times as long as Graze.",
        repetitions, made_on->date);
    svg_text(to, 20, HEIGHT - 12, &small, text);
}

static void draw(FILE *to, const bench_table *table, const machine *made_on)
{
    svg_begin(to, WIDTH, HEIGHT, "Graze beside Chipmunk and Box2D",
              "Left: nanoseconds a body against the number of bodies. Right: nanoseconds a bullet "
              "against terrain and bodies.");
    draw_legend(to, table);
    draw_lines(to, table);
    draw_bars(to, table);
    draw_notes(to, made_on, table->repetitions);
    svg_end(to);
}

bool bench_chart_write(const bench_table *table, const machine *made_on, const char *path)
{
    if (!was_measured(table, 0)) {
        printf("\nNo chart: nothing that it shows was measured\n");
        return true;
    }
    FILE *to = output_open(path);
    if (!to) {
        return false;
    }
    draw(to, table, made_on);
    return output_close(to, path);
}
