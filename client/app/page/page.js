// SPDX-License-Identifier: MIT
//
// What the game needs of its page: the canvas, the link, a place for files, and a word when something fails.
"use strict";

const canvas = document.getElementById("canvas");
const statusLine = document.getElementById("status");
const FILES = ["/home/web_user", "/libsdl"]; // the state folder, and the one of settings
const SAVE_MS = 5000;
const KEPT_BYTES = 32 << 20; // of recordings of the page's own matches

function say(text) {
  statusLine.textContent = text;
  statusLine.hidden = !text;
}

const OPTIONS = ["name", "language", "directory", "screen", "trial", "log-level"]; // that a link may set: index.html?name=Ada#...

// SDL asks in each frame whether the texture can be drawn on which enlarges the picture, and a browser answers only when all
// that was asked before is drawn. WebGL promises it of every texture with bytes of RGBA.
for (const kind of [self.WebGLRenderingContext, self.WebGL2RenderingContext])
  if (kind)
    kind.prototype.checkFramebufferStatus = () => kind.FRAMEBUFFER_COMPLETE;

// Behind the # stands "watch=URL" of a live match, "replay=URL" of a recorded one, or the address of a server. live/ is the
// match of the server that the page comes from.
function programArguments() {
  const words = [];
  for (const [name, value] of new URLSearchParams(location.search))
    if (OPTIONS.includes(name))
      words.push(`--${name}`, value);
  const text = decodeURIComponent(location.hash.slice(1));
  const [, way, url] = text.match(/^(watch|replay)=(https?:.*|live\/)$/) || [];
  if (url)
    words.push(`--${way}`, new URL(url, location.href).href);
  else if (text)
    words.push(text.startsWith("deadfall://") ? text : `deadfall://${text}`);
  return words;
}

// Nobody is logged in here, and the server is beside the page: deadfall-server.js.
function beginFiles() {
  ENV.USER = undefined;
  FS.writeFile("/deadfall-server", "", { mode: 0o755 });
}

// Files live in the browser's storage. They are written there now and then, and when the page is hidden. A page that tells all
// says so, since who closes it earlier loses what came last.
function keepFiles() {
  const tells = new URLSearchParams(location.search).get("log-level") === "debug";
  let saving = false;
  const save = () => {
    if (saving)
      return;
    saving = true;
    FS.syncfs(false, (reason) => {
      saving = false;
      if (reason)
        console.warn(`files are not kept: ${reason}`);
      else if (tells)
        console.log("files are kept");
    });
  };
  setInterval(save, SAVE_MS);
  document.addEventListener("visibilitychange", save);
}

function openFiles() {
  addRunDependency("files");
  for (const folder of FILES) {
    FS.mkdirTree(folder);
    FS.mount(IDBFS, {}, folder);
  }
  FS.syncfs(true, (reason) => {
    if (reason)
      console.warn(`nothing is kept: ${reason}`);
    else
      keepFiles();
    removeRunDependency("files");
  });
}

// The canvas ends where the keyboard of a phone begins.
function fit() {
  document.documentElement.style.setProperty("--height", `${visualViewport.height}px`);
  scrollTo(0, 0);
  dispatchEvent(new Event("resize"));
}

// A phone plays on its whole display. Who leaves that means it, so it is asked for once.
function fillDisplay() {
  const whole = document.documentElement;
  if (whole.requestFullscreen && !document.fullscreenElement && self === top)
    whole.requestFullscreen({ navigationUI: "hide" }).catch((reason) => console.debug(`not the whole display: ${reason}`));
}

var Module = {
  canvas,
  arguments: programArguments(),
  keptFolders: [FILES[1]], keptBytes: KEPT_BYTES,
  preRun: [beginFiles, openFiles],
  printErr: (text) => console.log(text),
  onRuntimeInitialized: () => say(""),
  onAbort: () => say("Deadfall has stopped because of a fault. Reload the page to begin again."),
};

if (window.visualViewport)
  visualViewport.addEventListener("resize", fit);
document.addEventListener("touchend", fillDisplay, { once: true });
addEventListener("hashchange", () => location.reload());
addEventListener("contextmenu", (event) => event.preventDefault());
if (!("WebAssembly" in window && "RTCPeerConnection" in window))
  say("This browser cannot run Deadfall: it needs WebAssembly and WebRTC.");
