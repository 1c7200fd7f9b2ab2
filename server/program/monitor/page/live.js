// SPDX-License-Identifier: MIT
// Draws the match from /map.json and the frames of /events, and shows the figures of /status.json once a second.
"use strict";

const PLAYERS = ["#e8473c", "#4fb4f2", "#f7cf3a", "#35a860", "#e272ce", "#f0eee4", "#f58b2e", "#2bb8b0",
                 "#8b68ee", "#b9e654", "#ffafc4", "#a0673c", "#3c62e2", "#b42c50", "#96a0ae", "#a6eed0"];
const TILES = {1: "#4a5068", 3: "#8a5a3c", 4: "#c8ccd8"};
const EMPTY = 0, SOLID = 1, ONEWAY = 2, BLOCK = 3, HAZARD = 4;
const PLANK = 1, CRUSHER = 2, WALL = 3;
const ARROWS = ["#f0eee4", "#ff5a3c", "#6fd3e8"];
const TEAMS = ["", "#4fb4f2", "#f58b2e"];
const LABELS_MAX = 24, SAID_MS = 10000;

// As hats.c of the game has them, by their numbers: rows and inks; the first is no hat.
const HATS = [null,
  {inks: {k: "#14121c", H: "#ffe27a", h: "#e8b02c", l: "#fffbe0"},
   rows: ["....kkkkkk....", "..kkHHHhhhkk..", "..kHHhhhkkkkk.", "..kHhhhhklllk.", ".kHHhhhhklllk.", ".kkkkkkkkkkkk."]},
  {inks: {k: "#14121c", H: "#7c7894", h: "#4a465e", b: "#c8403c"},
   rows: ["...kkkkkkkk...", "...kHHhhhhk...", "...kHHhhhhk...", "...kHhhhhhk...", "...kHhhhhhk...",
          "...kbbbbbbk...", ".kkHHhhhhhhkk.", ".kkkkkkkkkkkk."]},
  {inks: {k: "#14121c", H: "#b48458", h: "#8a5c3a", b: "#3a2620"},
   rows: ["....kkkkkk....", "...kHHHhhhk...", "..kHHhhhhhhk..", "..kbbbbbbbbk..", ".kHHhhhhhhhhk.", ".kkkkkkkkkkkk."]},
  {inks: {k: "#14121c", H: "#fff0a0", h: "#f0b830", b: "#d83a50"},
   rows: ["..kk..kk..kk..", "..kHkkHhkkhk..", "..kHHkHhkhhk..", "..kHbhbbhbhk..", "..kHHhhhhhhk..", "..kkkkkkkkkk.."]},
  {inks: {k: "#14121c", H: "#a8b0a0", h: "#7a8478", b: "#525a54"},
   rows: ["....kkkkkk....", "..kkHHHhhhkk..", ".kHHHhhhhhhk..", ".kHhhhhkkkkkk.", ".kkkkkkkbbbbbk"]},
  {inks: {k: "#14121c", H: "#ff9a50", h: "#f06a24", b: "#f4f0e8"},
   rows: ["......kk......", ".....kHhk.....", ".....kHhk.....", "....kbbbbk....", "....kbbbbk....",
          "...kHHhhhhk...", "...kbbbbbbk...", ".kkHHhhhhhhkk.", ".kkkkkkkkkkkk."]},
  {inks: {k: "#14121c", H: "#e8f8ff", h: "#4cc0d8", b: "#c88a3c", s: "#6a4430"},
   rows: [".....kkkkkkkk.", "..kkkbHhkbHhk.", "..kssbhhkbhhk.", "..kkkkkkkkkkk."]}];
const HAT_OVER = 3; // rows of the head that a hat covers

const element = id => document.getElementById(id);
const canvas = element("arena"), pen = canvas.getContext("2d");
let map = null, ground = null, shownMaps = -1;

function drawTile(paint, kind, x, y, edge) {
  if (kind === EMPTY) return;
  if (kind === ONEWAY) {
    paint.fillStyle = "#a8793f";
    paint.fillRect(x, y, edge, 2);
  } else if (kind === HAZARD) {
    paint.fillStyle = TILES[HAZARD];
    for (let i = 0; i < edge; i += 4) paint.fillRect(x + i + 1, y + edge / 2, 2, edge / 2);
  } else {
    paint.fillStyle = TILES[kind];
    paint.fillRect(x, y, edge, edge);
    if (kind === BLOCK) {
      paint.fillStyle = "#0005";
      paint.fillRect(x, y + edge - 1, edge, 1);
      paint.fillRect(x + edge - 1, y, 1, edge);
    }
  }
}

async function fetchMap() {
  map = await (await fetch("map.json")).json();
  canvas.width = map.columns * map.edge;
  canvas.height = map.rows * map.edge;
  ground = document.createElement("canvas");
  ground.width = canvas.width;
  ground.height = canvas.height;
  const paint = ground.getContext("2d");
  for (let i = 0; i < map.tiles.length; i++) {
    const x = i % map.columns, y = (i - x) / map.columns, kind = Number(map.tiles[i]);
    if (kind !== BLOCK) drawTile(paint, kind, x * map.edge, y * map.edge, map.edge);
    const open = y === 0 || Number(map.tiles[i - map.columns]) !== SOLID;
    if (kind === SOLID && open) {
      paint.fillStyle = "#7a829c";
      paint.fillRect(x * map.edge, y * map.edge, map.edge, 1);
    }
  }
  for (const [column, row, columns, rows, team] of map.goals) {
    paint.fillStyle = `${TEAMS[team]}40`;
    paint.fillRect(column * map.edge, row * map.edge, columns * map.edge, rows * map.edge);
  }
}

function drawBlocks(broken) {
  const gone = new Set(broken);
  for (let i = 0; i < map.tiles.length; i++)
    if (Number(map.tiles[i]) === BLOCK && !gone.has(i))
      drawTile(pen, BLOCK, i % map.columns * map.edge, Math.floor(i / map.columns) * map.edge, map.edge);
}

// Machines, planks, crushers with their teeth, and the walls of sudden death.
function drawSolid([x, y, w, h, kind]) {
  pen.fillStyle = ["#c08f3e", "#c08f3e", "#8d96a8", "#a33028"][kind];
  pen.fillRect(x, y, w, kind === PLANK ? Math.min(h, 3) : h);
  pen.fillStyle = ["#f0cd7a", "#f0cd7a", "#c4ccd8", "#e8473c"][kind];
  if (kind === WALL) {
    for (let at = (x + y) % 16; at < h; at += 16) pen.fillRect(x, y + at, w, 4);
  } else {
    pen.fillRect(x, y, w, 1);
  }
  if (kind === CRUSHER) {
    pen.fillStyle = "#e8473c";
    for (let at = 1; at + 2 < w; at += 4) pen.fillRect(x + at, y + h - 2, 2, 2);
  }
}

function drawChest([x, y, w, h]) {
  pen.fillStyle = "#7c4a22";
  pen.fillRect(x, y, w, h);
  pen.fillStyle = "#f0cd7a";
  pen.fillRect(x, y + 3, w, 1);
  pen.fillRect(x + w / 2 - 1, y + 2, 2, 4);
}

function drawSwitch([x, y, w, h, lever], on) {
  pen.fillStyle = "#6b7288";
  pen.fillRect(x, y + h - 2, w, 2);
  pen.fillStyle = on ? "#5fd068" : "#e8473c";
  if (lever) pen.fillRect(on ? x + w - 3 : x + 1, y, 2, h - 2);
  else pen.fillRect(x + 1, y + h - (on ? 3 : 4), w - 2, on ? 1 : 2);
}

function drawArrow([x, y, vx, vy, kind]) {
  const length = Math.hypot(vx, vy) || 1;
  pen.fillStyle = ARROWS[kind];
  for (let i = -3; i <= 3; i++) pen.fillRect(Math.round(x + i * vx / length), Math.round(y + i * vy / length), 1, 1);
  if (kind) pen.fillRect(Math.round(x + 3 * vx / length) - 1, Math.round(y + 3 * vy / length) - 1, 3, 3);
}

function drawBall([x, y, radius]) {
  pen.fillStyle = "#ff9a3c";
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  pen.fill();
}

function drawBox([x, y, w, h]) {
  pen.fillStyle = "#e4e2da";
  pen.fillRect(x, y, w, h);
}

function drawHat({hat, facing, box: [x, y, w]}) {
  if (!HATS[hat]) return 0;
  const {inks, rows} = HATS[hat], width = rows[0].length, left = Math.round(x + (w - width) / 2);
  rows.forEach((row, down) => {
    for (let i = 0; i < width; i++) {
      const ink = inks[row[facing > 0 ? i : width - 1 - i]];
      if (!ink) continue;
      pen.fillStyle = ink;
      pen.fillRect(left + i, y + HAT_OVER - rows.length + down, 1, 1);
    }
  });
  return rows.length - HAT_OVER;
}

function drawPlayer(player, labelled) {
  const [x, y, w, h] = player.box;
  pen.fillStyle = PLAYERS[player.colour % PLAYERS.length];
  pen.fillRect(x, y, w, h);
  pen.fillStyle = "#14161f";
  pen.fillRect(player.facing > 0 ? x + w - 3 : x + 1, y + 3, 2, 2);
  if (player.team) {
    pen.fillStyle = TEAMS[player.team];
    pen.fillRect(x, y + h, w, 1);
  }
  if (player.shield) {
    pen.strokeStyle = "#f0eee4aa";
    pen.strokeRect(x - 1.5, y - 1.5, w + 3, h + 3);
  }
  const rise = drawHat(player);
  if (!labelled) return;
  pen.fillStyle = "#e4e2da";
  pen.fillText(player.name, x + w / 2, y - 3 - rise);
}

// How the things of a list are drawn, and in which order: others come last, as boxes.
const PAINTERS = {solids: drawSolid, chests: drawChest, arrows: drawArrow, balls: drawBall};

function draw({match, switches, broken, ...lists}) {
  pen.fillStyle = "#0d0f16";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(ground, 0, 0);
  drawBlocks(broken);
  map.switches.forEach((row, i) => drawSwitch(row, switches[i]));
  for (const list of new Set([...Object.keys(PAINTERS), ...Object.keys(lists)]))
    lists[list].forEach(PAINTERS[list] || drawBox);
  pen.font = "8px sans-serif";
  pen.textAlign = "center";
  const alive = match.players.filter(player => player.alive);
  alive.forEach(player => drawPlayer(player, alive.length <= LABELS_MAX));
}

function cell(row, text) {
  const made = row.insertCell();
  made.textContent = text;
  return made;
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

// The match in words, for those who do not see the canvas: at once when its phase or map changes, else now and then.
let said = "", saidAt = 0;
function say(match) {
  const key = `${match.maps} ${match.phase}`, now = Date.now(), players = match.players;
  if (key === said && now - saidAt < SAID_MS) return;
  said = key;
  saidAt = now;
  const bots = players.filter(player => player.bot).length, best = Math.max(...players.map(player => player.score));
  const leaders = players.filter(player => player.score === best).map(player => player.name);
  const leads = players.length === 0 ? "" : ` ${leaders.join(", ")} lead${leaders.length === 1 ? "s" : ""} with ${best}.`;
  element("summary").textContent = `${match.mode} on ${match.map}, ${match.phase}. ` +
    `${plural(players.length - bots, "player")} and ${plural(bots, "bot")}.${leads}`;
  canvas.setAttribute("aria-label", `The arena ${match.map} from the side, live, with ${plural(players.length, "player")}`);
}

function showPlayers(players) {
  const body = element("players"), rows = [...players].sort((a, b) => b.score - a.score);
  body.replaceChildren();
  for (const player of rows) {
    const row = body.insertRow(), mark = document.createElement("i"), name = (cell(row, ""), cell(row, player.name));
    row.className = player.alive ? "" : "dead";
    mark.style.background = PLAYERS[player.colour % PLAYERS.length];
    row.cells[0].append(mark);
    if (!player.alive) {
      const note = document.createElement("span");
      note.className = "unseen";
      note.textContent = "dead";
      row.cells[0].append(note);
    }
    if (player.bot) {
      const note = document.createElement("small");
      note.textContent = " bot";
      name.append(note);
    }
    cell(row, player.score);
  }
}

// If the server has the page for browsers and publishes the match, that shows it by the game's own pictures.
function showViewer(page) {
  const viewer = element("viewer");
  if (!page || !page.live || viewer.src) return;
  viewer.src = "play/#watch=live/";
  viewer.hidden = false;
  canvas.hidden = true;
}

function showFigures(status) {
  const sessions = status.sessions;
  const rows = [["players", `${status.players} + ${status.bots} bots of ${status.players_max}`],
                ["tick, mean", `${status.tick_duration.mean_us} us`],
                ["tick, p99.9", `${status.tick_duration.p999_us} us`],
                ["overruns", status.overruns],
                ["ticks stood still", status.ticks_stood_still],
                ["received", `${Math.round(status.network.bytes_in / 1024)} KiB`],
                ["sent", `${Math.round(status.network.bytes_out / 1024)} KiB`],
                ["sessions", `${sessions.playing} playing, ${sessions.waiting} waiting, ${sessions.accepted} accepted, ` +
                             `${sessions.leaving} leaving`],
                ["households", sessions.households],
                ["version", status.version]];
  element("figures").replaceChildren(...rows.flatMap(([name, value]) => {
    const term = document.createElement("dt"), detail = document.createElement("dd");
    term.textContent = name;
    detail.textContent = value;
    return [term, detail];
  }));
  showViewer(status.page);
  element("name").textContent = status.name;
  document.title = `${status.name} - Deadfall`;
}

function showState(word, kind) {
  element("state").textContent = word;
  element("state").className = `lamp ${kind}`;
}

async function showFrame(frame) {
  const match = frame.match, seconds = match.clock_s;
  if (match.maps !== shownMaps) {
    shownMaps = match.maps;
    await fetchMap();
  }
  if (!ground || map.maps !== match.maps) return;
  draw(frame);
  showState("live", "live");
  element("match").textContent =
    `${match.mode} on ${match.map}, ${match.phase}, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const events = new EventSource("events");
let listed = 0;
events.onmessage = async event => {
  const frame = JSON.parse(event.data);
  await showFrame(frame);
  if (Date.now() - listed > 500) {
    listed = Date.now();
    showPlayers(frame.match.players);
    say(frame.match);
  }
};
events.onerror = () => showState("the server does not answer", "lost");

async function fetchStatus() {
  try {
    showFigures(await (await fetch("status.json")).json());
  } catch (error) {
    showState("the server does not answer", "lost");
  }
}
fetchStatus();
setInterval(fetchStatus, 1000);
