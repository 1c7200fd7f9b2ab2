// SPDX-License-Identifier: MIT
#include "report_html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metric.h"

// Units of the drawing; the page scales it.
#define WIDTH  600
#define HEIGHT 240
#define LEFT   52
#define RIGHT  12
#define TOP    10
#define BOTTOM 28
#define GRID   4 // horizontal lines at most, in steps of 1, 2 or 5 times a power of ten

// Lines of a chart at most.
#define CHART_LINES 4

// Metrics over time, drawn as inline SVG. Colours are CSS classes of the page, so that a chart is readable on light and
// dark backgrounds.
struct chart {
    const char *title;
    const char *unit; // of the values, "" for counts
    struct chart_line {
        const char *name;
        const char *metric;   // its name in the metric table
        const char *quantile; // "p99"; null: the metric is a number
    } lines[CHART_LINES];     // ended by one without a name
};

static const struct chart CHARTS[] = {
    {"Clients in the match", "", {{"connected", "connected", NULL}}},
    {"Server: time of a tick",
     "ms",
     {{"p50", "server_tick_ms", "p50"}, {"p99", "server_tick_ms", "p99"}, {"max", "server_tick_ms", "max"}}},
    {"From input to its snapshot",
     "ms",
     {{"p50", "input_ack_ms", "p50"}, {"p99", "input_ack_ms", "p99"}, {"max", "input_ack_ms", "max"}}},
    {"Round trip", "ms", {{"p50", "rtt_ms", "p50"}, {"p99", "rtt_ms", "p99"}, {"max", "rtt_ms", "max"}}},
    {"Between two snapshots",
     "ms",
     {{"p50", "snapshot_gap_ms", "p50"}, {"p99", "snapshot_gap_ms", "p99"}, {"max", "snapshot_gap_ms", "max"}}},
    {"Bytes a second of each client",
     "B",
     {{"down", "bytes_down_per_client_s", NULL}, {"up", "bytes_up_per_client_s", NULL}}},
    {"Predictions put right", "", {{"corrections a minute", "corrections_per_min", NULL}}},
    {"Other players: from where they were drawn to where they were",
     "px",
     {{"p50", "others_error_px", "p50"}, {"p99", "others_error_px", "p99"}}},
    {"CPU", "% of a core", {{"server", "server_cpu_pct", NULL}, {"load test", "own_cpu_pct", NULL}}},
    {"The load test itself wakes up late", "ms", {{"p99", "own_lag_ms", "p99"}, {"max", "own_lag_ms", "max"}}},
    {"Server: memory", "MiB", {{"resident", "server_rss_mib", NULL}}},
};

// The large figures at the top.
static const struct card {
    const char *name, *metric, *quantile, *unit;
} CARDS[] = {
    {"clients joined", "connected", NULL, ""},
    {"snapshots a second", "snapshots_per_s", NULL, ""},
    {"input to snapshot, p99", "input_ack_ms", "p99", "ms"},
    {"snapshot gap, p99", "snapshot_gap_ms", "p99", "ms"},
    {"server tick, p99.9", "server_tick_ms", "p99.9", "ms"},
    {"server CPU", "server_cpu_pct", NULL, "%"},
    {"desyncs", "desyncs", NULL, ""},
    {"disconnects", "disconnects", NULL, ""},
    {"outages", "outages", NULL, ""},
};

static const char STYLE[] =
    ":root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1b2330;--dim:#5b6675;--rule:#dfe3e9;--good:#14783c;"
    "--bad:#b3261e;--l1:#1f6fd6;--l2:#d9660a;--l3:#8b3fc4;--l4:#14783c}"
    "@media(prefers-color-scheme:dark){:root{--bg:#12161d;--card:#1b212b;--ink:#e8ecf2;--dim:#9aa6b6;--rule:#323b49;"
    "--good:#55c987;--bad:#ff8a80;--l1:#6cb0ff;--l2:#ffad5c;--l3:#cf9bff;--l4:#55c987}}"
    "*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);"
    "font:15px/1.5 system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    "main{max-width:1240px;margin:0 auto;padding:28px 24px 48px}"
    "header{display:flex;flex-wrap:wrap;gap:6px 16px;align-items:center}h1{font-size:26px;margin:0}"
    "h2{font-size:18px;margin:32px 0 10px}p{margin:4px 0}.dim,small{color:var(--dim)}small{font-size:12px}"
    ".badge{font-weight:700;padding:3px 14px;border-radius:999px;border:2px solid}.good{color:var(--good)}"
    ".bad{color:var(--bad)}.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(118px,1fr));gap:12px;"
    "margin:20px 0 8px}.card,figure,.sheet{background:var(--card);border:1px solid var(--rule);border-radius:10px}"
    ".card{padding:10px 14px}.card b{display:block;font-size:22px;line-height:1.3;font-variant-numeric:tabular-nums}"
    ".card span{color:var(--dim);font-size:13px}.card small{font-weight:400}"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));gap:14px}"
    "figure{margin:0;padding:12px 14px 6px}figcaption b{flex-basis:100%}figcaption{display:flex;flex-wrap:wrap;gap:2px "
    "14px;align-items:baseline}"
    ".key{font-size:13px;white-space:nowrap}.key i{display:inline-block;width:14px;height:3px;border-radius:2px;"
    "margin-right:6px;vertical-align:middle}svg{display:block;width:100%;height:auto;margin-top:6px}"
    ".grid{stroke:var(--rule)}.axis{fill:var(--dim);font-size:12px}.line{fill:none;stroke-width:2;"
    "stroke-linejoin:round;stroke-linecap:round}.line.c1{stroke:var(--l1)}.line.c2{stroke:var(--l2)}"
    ".outage{fill:var(--bad);opacity:.22}.mark{stroke:var(--dim);stroke-dasharray:3 3;fill:none}"
    ".line.c3{stroke:var(--l3);stroke-dasharray:6 "
    "5}.line.c4{stroke:var(--l4)}i.c1{background:var(--l1)}i.c2{background:var(--l2)}"
    "i.c3{background:var(--l3)}i.c4{background:var(--l4)}.sheet{overflow-x:auto;padding:4px 14px}"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{vertical-align:top;padding:5px "
    "10px 5px 0;"
    "text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}tr:last-child>*{border-bottom:0}"
    "th{font-weight:600;color:var(--dim);font-size:13px}th:first-child,td:first-child,.left{text-align:left}"
    "code span{display:inline-block}td.wrap{white-space:normal;overflow-wrap:anywhere;text-align:left}"
    ".moments td:nth-child(-n+2){width:1%;padding-right:24px}@media(max-width:600px){.axis{font-size:19px}}"
    ".pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(360px,1fr));gap:0 14px}";

// Writes text without markup. Control characters, which XML forbids, become question marks.
static void write_text(FILE *file, const char *text)
{
    for (; text && *text; text++) {
        const char *entity = *text == '<'   ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '&' ? "&amp;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            fputs(entity, file);
        else
            fputc((unsigned char)*text < ' ' ? '?' : *text, file);
    }
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void write_number(FILE *file, const json_t *value)
{
    double number = json_number_value(value);
    if (!json_is_number(value))
        fputs("–", file);
    else if (number == (double)(long long)number)
        fprintf(file, "%lld", (long long)number);
    else
        fprintf(file, number >= 1000 ? "%.0f" : number >= 100 ? "%.1f" : "%.2f", number);
}

static const json_t *figure_of(const json_t *totals, const char *metric, const char *quantile)
{
    const json_t *value = json_object_get(totals, metric);
    return quantile ? json_object_get(value, quantile) : value;
}

static void write_head(FILE *file, const json_t *report)
{
    bool passed = json_is_true(json_object_get(report, "passed"));
    const json_t *host = json_object_get(report, "host");
    fprintf(
        file,
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head><meta charset=\"utf-8\"/>"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/><title>Deadfall load test</title>\n"
        "<style>%s</style></head>\n<body><main><header><h1>Deadfall load test</h1>"
        "<span class=\"badge %s\">%s</span></header>\n<p class=\"dim\">",
        STYLE, passed ? "good" : "bad", passed ? "passed" : "failed");
    write_text(file, text_at(report, "server"));
    fprintf(file, " · %.0f s from ", json_number_value(json_object_get(report, "seconds")));
    write_text(file, text_at(report, "started"));
    fputs(" · ", file);
    write_text(file, text_at(host, "name"));
    fputs("</p>\n", file);
    size_t index;
    const json_t *text;
    json_array_foreach(json_object_get(json_object_get(report, "verdict"), "sentences"), index, text)
    {
        if (passed)
            break;
        fputs("<p class=\"bad\">", file);
        write_text(file, json_string_value(text));
        fputs("</p>\n", file);
    }
    json_array_foreach(json_object_get(report, "warnings"), index, text)
    {
        fputs("<p>Warning: ", file);
        write_text(file, json_string_value(text));
        fputs("</p>\n", file);
    }
}

static void write_cards(FILE *file, const json_t *totals)
{
    fputs("<div class=\"cards\">\n", file);
    for (size_t i = 0; i < sizeof CARDS / sizeof *CARDS; i++) {
        const json_t *value = figure_of(totals, CARDS[i].metric, CARDS[i].quantile);
        if (!json_is_number(value))
            continue;
        fputs("<div class=\"card\"><b>", file);
        write_number(file, value);
        fprintf(file, "<small> %s</small></b><span>%s</span></div>\n", CARDS[i].unit, CARDS[i].name);
    }
    fputs("</div>\n", file);
}

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

static bool has_values(const struct chart *chart, const json_t *series)
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
static void write_chart_line(FILE *file, const struct chart_line *line, size_t number, const json_t *series, double top,
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

static double second_of(const json_t *row)
{
    return json_number_value(json_object_get(row, "second"));
}

// Draws outages as bands and marks as numbered lines, behind the lines of a chart.
static void write_moments(FILE *file, const json_t *report, double seconds)
{
    const json_t *row;
    size_t index;
    json_array_foreach(json_object_get(report, "outages"), index, row)
    {
        double left = x_of(fmin(second_of(row), seconds), seconds);
        double width = x_of(json_number_value(json_object_get(row, "seconds")), seconds) - LEFT;
        fprintf(file, "<rect class=\"outage\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n", left, TOP,
                fmax(2, fmin(width, WIDTH - RIGHT - left)), HEIGHT - TOP - BOTTOM);
    }
    json_array_foreach(json_object_get(report, "marks"), index, row)
    {
        double x = x_of(fmin(second_of(row), seconds), seconds);
        fprintf(file, "<path class=\"mark\" d=\"M%.1f %dV%d\"/>", x, TOP, HEIGHT - BOTTOM);
        fprintf(file, "<text class=\"axis\" x=\"%.1f\" y=\"%d\">%zu</text>\n", x + 3, TOP + 10, index + 1);
    }
}

static void write_chart(FILE *file, const struct chart *chart, const json_t *report)
{
    const json_t *series = json_object_get(report, "series");
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
    write_moments(file, report, seconds > 0 ? seconds : 1);
    for (size_t i = 0; i < CHART_LINES && chart->lines[i].name; i++)
        write_chart_line(file, &chart->lines[i], i, series, top, seconds > 0 ? seconds : 1);
    fputs("</svg>\n</figure>\n", file);
}

static void write_plots(FILE *file, const json_t *report)
{
    fputs("<h2>Over time</h2>\n<div class=\"plots\">\n", file);
    for (size_t i = 0; i < sizeof CHARTS / sizeof *CHARTS; i++)
        if (has_values(&CHARTS[i], json_object_get(report, "series")))
            write_chart(file, &CHARTS[i], report);
    fputs("</div>\n", file);
}

// Lists what the plots mark.
static void write_list_of_moments(FILE *file, const json_t *report)
{
    const json_t *marks = json_object_get(report, "marks"), *outages = json_object_get(report, "outages"), *row;
    size_t index;
    if (json_array_size(marks) + json_array_size(outages) == 0)
        return;
    fputs("<h2>Marks and outages</h2>\n<div class=\"sheet\"><table class=\"moments\">\n", file);
    json_array_foreach(marks, index, row)
    {
        fprintf(file, "<tr><td>%zu</td><td>%.1f s</td><td class=\"wrap\">", index + 1, second_of(row));
        write_text(file, text_at(row, "text"));
        fputs("</td></tr>\n", file);
    }
    json_array_foreach(outages, index, row) fprintf(
        file, "<tr><td class=\"bad\">outage</td><td>%.1f s</td><td class=\"wrap\">%.2f s, %lld clients</td></tr>\n",
        second_of(row), json_number_value(json_object_get(row, "seconds")),
        json_integer_value(json_object_get(row, "clients")));
    fputs("</table></div>\n", file);
}

static void write_thresholds(FILE *file, const json_t *thresholds)
{
    size_t index;
    const json_t *row;
    if (json_array_size(thresholds) == 0)
        return;
    fputs("<h2>Thresholds</h2>\n<div class=\"sheet\"><table>\n<tr><th>threshold</th><th>value</th><th></th></tr>\n",
          file);
    json_array_foreach(thresholds, index, row)
    {
        bool holds = json_is_true(json_object_get(row, "holds"));
        fputs("<tr><td>", file);
        write_text(file, text_at(row, "threshold"));
        fputs("</td><td>", file);
        write_number(file, json_object_get(row, "value"));
        fprintf(file, "</td><td class=\"%s\">%s</td></tr>\n", holds ? "good" : "bad", holds ? "✓ holds" : "✗ broken");
    }
    fputs("</table></div>\n", file);
}

static void write_distributions(FILE *file, const json_t *totals)
{
    fputs("<h2>Distributions</h2>\n<div class=\"sheet\"><table>\n<tr><th>metric</th>", file);
    for (uint32_t q = 0; q < METRIC_QUANTILE_COUNT; q++)
        fprintf(file, "<th>%s</th>", METRIC_QUANTILES[q].name);
    fputs("<th>mean</th><th>samples</th></tr>\n", file);
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        if (!METRICS[i].distribution)
            continue;
        fprintf(file, "<tr><td>%s</td>", METRICS[i].name);
        const json_t *row = json_object_get(totals, METRICS[i].name);
        bool any = json_integer_value(json_object_get(row, "count")) > 0;
        for (uint32_t q = 0; q < METRIC_QUANTILE_COUNT + 2; q++) {
            const char *key = q < METRIC_QUANTILE_COUNT    ? METRIC_QUANTILES[q].name
                              : q == METRIC_QUANTILE_COUNT ? "mean"
                                                           : "count";
            fputs("<td>", file);
            write_number(file, any ? json_object_get(row, key) : NULL);
            fputs("</td>", file);
        }
        fputs("</tr>\n", file);
    }
    fputs("</table></div>\n", file);
}

static void write_numbers(FILE *file, const json_t *totals)
{
    fputs("<div><h2>Numbers</h2>\n<div class=\"sheet\"><table>\n<tr><th>metric</th><th>whole run</th></tr>\n", file);
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        if (!METRICS[i].number)
            continue;
        fprintf(file, "<tr><td>%s</td><td>", METRICS[i].name);
        write_number(file, json_object_get(totals, METRICS[i].name));
        fprintf(file, "%s%s</td></tr>\n", *METRICS[i].unit ? " " : "", METRICS[i].unit);
    }
    const char *reason;
    const json_t *count;
    json_object_foreach((json_t *)(uintptr_t)json_object_get(totals, "disconnects_by_reason"), reason, count)
    {
        if (json_integer_value(count) > 0)
            fprintf(file, "<tr><td>disconnects: %s</td><td>%lld</td></tr>\n", reason, json_integer_value(count));
    }
    fputs("</table></div></div>\n", file);
}

static void write_row(FILE *file, const char *name, const char *text)
{
    fprintf(file, "<tr><td>%s</td><td class=\"wrap\">", name);
    write_text(file, text);
    fputs("</td></tr>\n", file);
}

static void write_run(FILE *file, const json_t *report)
{
    const json_t *host = json_object_get(report, "host"), *argument;
    char text[200];
    size_t index;
    fputs("<div><h2>The run</h2>\n<div class=\"sheet\"><table>\n<tr><td>arguments</td><td class=\"wrap\"><code>", file);
    json_array_foreach(json_object_get(report, "arguments"), index, argument)
    {
        fputs("<span>", file);
        write_text(file, json_string_value(argument));
        fputs("</span> ", file);
    }
    fputs("</code></td></tr>\n", file);
    snprintf(text, sizeof text, "%lld", json_integer_value(json_object_get(report, "seed")));
    write_row(file, "seed", text);
    write_row(file, "host", text_at(host, "name"));
    snprintf(text, sizeof text, "%s %s, %s, %lld processors", text_at(host, "system"), text_at(host, "release"),
             text_at(host, "machine"), json_integer_value(json_object_get(host, "processors")));
    write_row(file, "system", text);
    write_row(file, "started", text_at(report, "started"));
    write_row(file, "version", text_at(report, "version"));
    fputs("</table></div></div>\n", file);
}

bool report_html_write(const json_t *report, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    const json_t *totals = json_object_get(report, "totals");
    write_head(file, report);
    write_cards(file, totals);
    write_thresholds(file, json_object_get(report, "thresholds"));
    write_plots(file, report);
    write_list_of_moments(file, report);
    write_distributions(file, totals);
    fputs("<div class=\"pair\">\n", file);
    write_numbers(file, totals);
    write_run(file, report);
    fputs("</div>\n</main></body></html>\n", file);
    bool written = !ferror(file);
    return fclose(file) == 0 && written;
}
