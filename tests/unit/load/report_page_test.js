#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// What the page of a load test (client/engine/load/report.html) makes of a report.
"use strict";
const assert = require("assert"), fs = require("fs"), path = require("path"), vm = require("vm");

const SOURCE = fs.readFileSync(path.join(__dirname, "../../../client/engine/load/report.html"), "utf8");
const SCRIPT = SOURCE.match(/<script>\n([^]*?)<\/script>/)[1];
const page = vm.runInNewContext(`${SCRIPT};page`);
const QUANTILES = ["p50", "p90", "p95", "p99", "p99.9", "max"];
const round = value => Number(value.toFixed(4));

// As measured.c has it: a thousand values, of which the quantiles are known.
function distribution(base, scale) {
  const value = { count: 1000, mean: round((base * 1.996 - 1) * scale) };
  QUANTILES.forEach((name, i) => { value[name] = round((base * 2 ** i - 1) * scale); });
  return { ...value, scale, buckets: [[1, 1000]] };
}

const none = () => ({ count: 0, mean: null, ...Object.fromEntries(QUANTILES.map(name => [name, null])), buckets: [] });

function measured() {
  return {
    connected: 7, connect_ms: distribution(65 << 10, 1e-3), rtt_ms: distribution(75 << 8, 1e-3), input_ack_ms: distribution(85 << 9, 1e-3),
    snapshot_gap_ms: distribution(95 << 7, 1e-3), snapshots_per_s: 59.4, snapshots_lost_pct: 1, bytes_down_per_client_s: 12000,
    bytes_up_per_client_s: 2525, corrections_per_min: 9, others_error_px: distribution(110, 1 / 256), desyncs: 2, disconnects: 1023,
    outages: 1000, expelled: 6, server_tick_ms: distribution(115 << 2, 1e-3), server_cpu_pct: 37.5, server_rss_mib: 48.25,
    own_lag_ms: distribution(125 << 1, 1e-3), own_cpu_pct: 12.5, disconnects_by_reason: { lost: 1, full: 0, replaced: 128 },
    actions_refuted_by_kind: {}, events_by_kind: { jump: 11, "<coin>": 12 }, counts: { play_us: 40000000 },
  };
}

function empty() {
  return {
    connected: 0, rtt_ms: none(), desyncs: 0, disconnects: 0, outages: 0, server_rss_mib: null, own_cpu_pct: 0, own_lag_ms: none(),
    disconnects_by_reason: { lost: 0 }, events_by_kind: {}, counts: {},
  };
}

function report(more = {}) {
  return {
    schema: "deadfall-bots/2", version: "0.1.0", server: "example.org:5", started: "2000-02-29T00:00:00Z", arguments: ["--name", '<&">\x01'],
    seed: 4000000000, seconds: 61.6, host: { name: "here", system: "Linux", release: "6", machine: "x86_64", processors: 2 },
    verdict: { sentences: ["passed"] }, passed: true, thresholds: [], warnings: [], marks: [], outages: [], totals: measured(), series: [], ...more,
  };
}

function says(text, ...wanted) {
  let at = 0;
  for (const words of wanted) {
    const found = text.indexOf(words, at);
    assert(found >= 0, `${text.includes(words) ? "too early" : "missing"}: ${words}\n${text}`);
    at = found;
  }
}

const rows = (...seconds) => seconds.map(second => ({ ...measured(), second }));

const TESTS = {
  every_element_is_closed() {
    const text = page(report({ series: rows(1, 2), marks: [{ second: 1, text: "x" }], thresholds: [{ threshold: "a", value: 1, holds: true }] }));
    for (const name of ["header", "div", "table", "tr", "td", "th", "p", "span", "b", "i", "h1", "h2", "figure", "figcaption", "svg", "text", "title", "code", "small"]) {
      const count = pattern => (text.match(pattern) ?? []).length, closed = count(new RegExp(`</${name}>`, "g"));
      assert(closed > 0 || name === "p", name);
      assert.strictEqual(count(new RegExp(`<${name}[ >]`, "g")), closed, name);
    }
  },
  the_head_and_the_cards() {
    const text = page(report());
    says(text, '<span class="badge good">passed</span>', '<p class="dim">example.org:5 · 62 s from 2000-02-29T00:00:00Z · here</p>', `<div class="cards">
<div class="card"><b>7<small> </small></b><span>clients joined</span></div>
<div class="card"><b>59.40<small> </small></b><span>snapshots a second</span></div>
<div class="card"><b>348.2<small> ms</small></b><span>input to snapshot, p99</span></div>
<div class="card"><b>97.28<small> ms</small></b><span>snapshot gap, p99</span></div>
<div class="card"><b>7.36<small> ms</small></b><span>server tick, p99.9</span></div>
<div class="card"><b>37.50<small> %</small></b><span>server CPU</span></div>
<div class="card"><b>2<small> </small></b><span>desyncs</span></div>
<div class="card"><b>1023<small> </small></b><span>disconnects</span></div>
<div class="card"><b>1000<small> </small></b><span>outages</span></div>
</div>
`);
    assert(!text.includes('<p class="bad">'));
  },
  a_failed_run_says_why() {
    says(page(report({ passed: false, verdict: { sentences: ["FAILED: a threshold is broken", "FAILED: <two>"] } })), '<span class="badge bad">failed</span>',
         '<p class="bad">FAILED: a threshold is broken</p>\n<p class="bad">FAILED: &lt;two&gt;</p>\n');
  },
  the_thresholds_and_the_tables() {
    says(page(report({ thresholds: [{ threshold: "rtt_p99<50ms", value: 153.599, holds: false }, { threshold: "desyncs<=2", value: 2, holds: true },
                                    { threshold: "x<1", value: null, holds: false }] })),
         '<tr><td>rtt_p99&lt;50ms</td><td>153.6</td><td class="bad">✗ broken</td></tr>\n<tr><td>desyncs&lt;=2</td><td>2</td><td class="good">✓ holds</td></tr>\n' +
         '<tr><td>x&lt;1</td><td>–</td><td class="bad">✗ broken</td></tr>\n',
         "<tr><th>metric</th><th>p50</th><th>p90</th><th>p95</th><th>p99</th><th>p99.9</th><th>max</th><th>mean</th><th>samples</th></tr>\n",
         "<tr><td>connect_ms</td><td>66.56</td><td>133.1</td><td>266.2</td><td>532.5</td><td>1065</td><td>2130</td><td>132.9</td><td>1000</td></tr>\n",
         "<tr><td>own_lag_ms</td><td>0.25</td><td>0.50</td><td>1.00</td><td>2.00</td><td>4.00</td><td>8.00</td><td>0.50</td><td>1000</td></tr>\n",
         "<tr><td>snapshots_lost_pct</td><td>1 %</td></tr>\n", "<tr><td>bytes_up_per_client_s</td><td>2525 B</td></tr>\n",
         "<tr><td>expelled</td><td>6</td></tr>\n", "<tr><td>server_rss_mib</td><td>48.25 MiB</td></tr>\n",
         "<tr><td>disconnects: lost</td><td>1</td></tr>\n<tr><td>disconnects: replaced</td><td>128</td></tr>\n" +
         "<tr><td>events: jump</td><td>11</td></tr>\n<tr><td>events: &lt;coin&gt;</td><td>12</td></tr>\n");
  },
  the_run_is_described_and_markup_is_text() {
    says(page(report()), '<span>--name</span> <span>&lt;&amp;&quot;&gt;?</span> </code></td></tr>\n<tr><td>seed</td><td class="wrap">4000000000</td></tr>\n' +
         '<tr><td>host</td><td class="wrap">here</td></tr>\n<tr><td>system</td><td class="wrap">Linux 6, x86_64, 2 processors</td></tr>\n' +
         '<tr><td>started</td><td class="wrap">2000-02-29T00:00:00Z</td></tr>\n<tr><td>version</td><td class="wrap">0.1.0</td></tr>\n');
    const hostile = page(report({ server: "<b>", host: { name: "<i>" }, totals: { "<u>": 1 }, thresholds: [{ threshold: "<s>" }] }));
    for (const tag of ["<b>&", "<i>&", "<u>", "<s>"]) assert(!hostile.includes(tag), tag);
  },
  an_empty_run_shows_dashes_and_no_plots() {
    const text = page(report({ totals: empty() }));
    says(text, `<div class="cards">
<div class="card"><b>0<small> </small></b><span>clients joined</span></div>
<div class="card"><b>0<small> </small></b><span>desyncs</span></div>
<div class="card"><b>0<small> </small></b><span>disconnects</span></div>
<div class="card"><b>0<small> </small></b><span>outages</span></div>
</div>
`, `<tr><td>rtt_ms</td>${"<td>–</td>".repeat(8)}</tr>\n`, "<tr><td>server_rss_mib</td><td>– MiB</td></tr>\n");
    assert(!text.includes("<figure>") && !text.includes("<td>disconnects: ") && !text.includes("<td>events: "));
    page({}); // what is no report makes a page, too
  },
  a_plot_is_to_scale_with_a_gap_where_nothing_was_measured() {
    const series = [4, 8, 0].map((connected, i) => ({ ...empty(), connected, server_rss_mib: i === 1 ? null : 30 + 10 * i, second: i + 1 }));
    const text = page(report({ series }));
    // 536 across for 3 s from 52 on, 202 down for 8 clients from 212 up.
    says(text, '<figcaption><b>Clients in the match</b> <span class="key"><i class="c1"></i>connected<small> up to 8</small></span></figcaption>\n' +
         '<svg viewBox="0 0 600 240" role="img" aria-label="Clients in the match">\n' +
         [["212.0", "216.0", 0], ["161.5", "165.5", 2], ["111.0", "115.0", 4], ["60.5", "64.5", 6], ["10.0", "14.0", 8]].map(([y, below, value]) =>
           `<line class="grid" x1="52" y1="${y}" x2="588" y2="${y}"/><text class="axis" x="46" y="${below}" text-anchor="end">${value}</text>\n`).join("") +
         '<text class="axis" x="52.0" y="232" text-anchor="middle">0 s</text>\n<text class="axis" x="141.3" y="232" text-anchor="middle">0.5 s</text>\n',
         '<path class="line c1" d="M230.7 111.0h0.1L409.3 10.0L588.0 212.0"><title>connected</title></path>\n',
         // Up to 50 MiB in steps of 20: a gap in the middle.
         "<small> up to 50 MiB</small>", '<path class="line c1" d="M230.7 111.0h0.1M588.0 43.7h0.1"><title>resident</title></path>\n');
    assert(!text.includes("Round trip"));
  },
  plots_show_marks_and_outages_where_they_were() {
    const text = page(report({ series: rows(10), marks: [{ second: 5, text: "count <20>" }], warnings: ["the server's metrics are <gone>"],
                               outages: [{ second: 2.5, seconds: 1.25, clients: 7 }, { second: 9.9, seconds: 60, clients: 1 }] }));
    // 536 across for 10 s from 52 on.
    says(text, "<p>Warning: the server's metrics are &lt;gone&gt;</p>\n",
         '<rect class="outage" x="186.0" y="10" width="67.0" height="202"/>\n<rect class="outage" x="582.6" y="10" width="5.4" height="202"/>\n' +
         '<path class="mark" d="M320.0 10V212"/><text class="axis" x="323.0" y="20">1</text>\n',
         '<tr><td>1</td><td>5.0 s</td><td class="wrap">count &lt;20&gt;</td></tr>\n' +
         '<tr><td class="bad">outage</td><td>2.5 s</td><td class="wrap">1.25 s, 7 clients</td></tr>\n');
  },
  every_plot_has_its_lines() {
    const key = (number, name, most) => `<span class="key"><i class="c${number}"></i>${name}<small> up to ${most}</small></span>`;
    const three = (p50, p99, max) => [key(1, "p50", p50), key(2, "p99", p99), key(3, "max", max)].join(" ");
    says(page(report({ series: rows(10) })), `Clients in the match</b> ${key(1, "connected", "7")}`,
         `Server: time of a tick</b> ${three("0.459 ms", "3.679 ms", "14.72 ms")}`,
         `From input to its snapshot</b> ${three("43.52 ms", "348.2 ms", "1393 ms")}`, `Round trip</b> ${three("19.2 ms", "153.6 ms", "614.4 ms")}`,
         `Between two snapshots</b> ${three("12.16 ms", "97.28 ms", "389.1 ms")}`,
         `Bytes a second of each client</b> ${key(1, "down", "12000 B")} ${key(2, "up", "2525 B")}`,
         `Predictions put right</b> ${key(1, "corrections a minute", "9")}`,
         'Other players: from where they were drawn to where they were</b> <span class="key"><i class="c1"></i>p50<small> up to 0.4258 px',
         `CPU</b> ${key(1, "server", "37.5 % of a core")} ${key(2, "load test", "12.5 % of a core")}`,
         `The load test itself wakes up late</b> ${key(1, "p99", "1.999 ms")} ${key(2, "max", "7.999 ms")}`,
         `Server: memory</b> ${key(1, "resident", "48.25 MiB")}`);
  },
  figures_have_as_many_digits_as_their_size_needs() {
    for (const [value, figure] of [[0, "0"], [7, "7"], [-3, "-3"], [0.005, "0.01"], [99.994, "99.99"], [100.04, "100.0"], [999.94, "999.9"], [1000.4, "1000"], [1e6, "1000000"]])
      says(page(report({ totals: { own_cpu_pct: value } })), `<tr><td>own_cpu_pct</td><td>${figure} %</td></tr>`);
  },
  nothing_outside_is_asked_for() {
    assert(!/(?:src|href|srcset)=|url\(|@import|\/\/[a-z]/.test(SOURCE), "the page refers to nothing outside");
    assert(SOURCE.includes("default-src 'none'"), "nor may it");
    assert.strictEqual(SOURCE.split("@REPORT@").length, 2, "one place for the report");
  },
};

for (const [name, test] of Object.entries(TESTS)) {
  test();
  console.log(`ok ${name}`);
}
