// SPDX-License-Identifier: MIT
#include "chart.h"

#include <math.h>

// Units of the drawing; the page scales it.
#define WIDTH  600
#define HEIGHT 240
#define LEFT   52
#define RIGHT  12
#define TOP    10
#define BOTTOM 28
#define GRID   4 // horizontal lines at most, in steps of 1, 2 or 5 times a power of ten

static double value_at(const struct chart_line *line, const json_t *row)
{
    const json_t *value = json_object_get(row, line->metric);
    if (line->quantile)
        value = json_object_get(value, line->quantile);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double largest(const struct chart_line *line, const json_t *series)
{
    double most = NAN;
    size_t index;
    const json_t *row;
    json_array_foreach(series, index, row) most = fmax(most, value_at(line, row));
    return most;
}

bool chart_has_values(const struct chart *chart, const json_t *series)
{
    for (size_t i = 0; i < CHART_LINES && chart->lines[i].name; i++)
        if (!isnan(largest(&chart->lines[i], series)))
            return true;
    return false;
}

// Rounds up to 1, 2, 5 or 10 times a power of ten.
static double round_up(double value)
{
    double power = pow(10, floor(log10(value)));
    double part = value / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static double x_of(double second, double seconds)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * second / seconds;
}

static double y_of(double value, double top)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top;
}

static void write_axes(FILE *file, double top, double step, double seconds)
{
    for (int i = 0; i * step <= top * 1.0001; i++) {
        double y = y_of(i * step, top);
        fprintf(file, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, y, WIDTH - RIGHT, y);
        fprintf(file, "<text class=\"axis\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 6, y + 4,
                i * step);
    }
    double second_step = round_up(seconds / 6);
    for (double second = 0; second <= seconds; second += second_step)
        fprintf(file, "<text class=\"axis\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g s</text>\n",
                x_of(second, seconds), HEIGHT - 8, second);
}

// Writes a path with a gap where there is no value; a lone value is a dot.
static void write_line(FILE *file, const struct chart_line *line, size_t number, const json_t *series, double top,
                       double seconds)
{
    size_t index;
    const json_t *row;
    bool open = false;
    fprintf(file, "<path class=\"line c%zu\" d=\"", number + 1);
    json_array_foreach(series, index, row)
    {
        double value = value_at(line, row), second = json_number_value(json_object_get(row, "second"));
        if (!isnan(value)) {
            fprintf(file, "%c%.1f %.1f", open ? 'L' : 'M', x_of(second, seconds), y_of(value, top));
            fputs(open ? "" : "h0.1", file);
        }
        open = !isnan(value);
    }
    fprintf(file, "\"><title>%s</title></path>\n", line->name);
}

static void write_legend(FILE *file, const struct chart *chart, const json_t *series)
{
    fprintf(file, "<figcaption><b>%s</b>", chart->title);
    for (size_t i = 0; i < CHART_LINES && chart->lines[i].name; i++) {
        double most = largest(&chart->lines[i], series);
        if (isnan(most))
            continue;
        fprintf(file, " <span class=\"key\"><i class=\"c%zu\"></i>%s<small> up to %.4g%s%s</small></span>", i + 1,
                chart->lines[i].name, most, *chart->unit ? " " : "", chart->unit);
    }
    fputs("</figcaption>\n", file);
}

void chart_write(FILE *file, const struct chart *chart, const json_t *series)
{
    double most = 0;
    const json_t *last = json_array_get(series, json_array_size(series) - 1);
    double seconds = json_number_value(json_object_get(last, "second"));
    for (size_t i = 0; i < CHART_LINES && chart->lines[i].name; i++)
        most = fmax(most, largest(&chart->lines[i], series));
    double step = round_up(most > 0 ? most / GRID : 0.25), top = step * ceil(most / step);
    top = top > 0 ? top : step;
    fputs("<figure>\n", file);
    write_legend(file, chart, series);
    fprintf(file, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", WIDTH, HEIGHT, chart->title);
    write_axes(file, top, step, seconds > 0 ? seconds : 1);
    for (size_t i = 0; i < CHART_LINES && chart->lines[i].name; i++)
        write_line(file, &chart->lines[i], i, series, top, seconds > 0 ? seconds : 1);
    fputs("</svg>\n</figure>\n", file);
}
