// SPDX-License-Identifier: MIT
//
// The keyboard of a phone, for page_browser.c. Browsers show it for a field of the page that has the focus, and some only
// while they tell the page that a finger was lifted: so the loop of the window takes a turn at that moment. The field
// (#keyboard) has blanks, which can be deleted; what changes in it is what was typed, also by suggestions and composition.
mergeInto(LibraryManager.library, {
  $hand: {
    field: null, known: "", presses: [], // {key} or {text}
    types: false, byTouch: false,
    insets: [0, 0, 0, 0],
    isAwake: false, lock: null,
  },
  $hand__deps: ["$handBegin"],
  $hand__postset: "handBegin();",

  $handBegin__deps: ["$handLook", "$handType", "$handKey", "$handLift", "$handWake"],
  $handBegin: function() {
    hand.field = document.getElementById("keyboard");
    hand.field.addEventListener("input", handType);
    ["keydown", "keypress", "keyup"].forEach((kind) => hand.field.addEventListener(kind, handKey));
    document.addEventListener("touchstart", () => { hand.byTouch = true; }, true);
    document.addEventListener("keydown", (event) => { hand.byTouch = hand.byTouch && event.target === hand.field; }, true);
    document.addEventListener("touchend", handLift);
    document.addEventListener("visibilitychange", handWake);
    addEventListener("resize", handLook);
    handLook();
  },

  // The corners and the notch, as page.css has them.
  $handLook: function() {
    const style = getComputedStyle(document.documentElement);
    hand.insets = ["left", "top", "right", "bottom"].map((side) => parseInt(style.getPropertyValue(`--${side}`)) || 0);
  },

  $handFill: function() {
    hand.known = hand.field.value = " ".repeat(64);
    hand.field.setSelectionRange(64, 64);
  },

  $handType__deps: ["$handFill"],
  $handType: function(event) {
    const before = Array.from(hand.known), after = Array.from(hand.field.value);
    let same = 0;
    while (same < before.length && same < after.length && before[same] === after[same])
      same++;
    for (let i = same; i < before.length; i++)
      hand.presses.push({ key: 42 }); // KEY_BACKSPACE
    after.slice(same).forEach((text) => hand.presses.push({ text }));
    hand.known = hand.field.value;
    if (after.length < 16 && !event.isComposing)
      handFill();
  },

  // Keys that are no text. SDL hears nothing of what is typed here.
  $handKey: function(event) {
    const KEYS = { Enter: 40, Escape: 41, Tab: 43, Delete: 76, ArrowRight: 79, ArrowLeft: 80, ArrowDown: 81, ArrowUp: 82 };
    event.stopPropagation();
    if (!KEYS[event.key] || event.isComposing)
      return;
    event.preventDefault();
    if (event.type === "keydown")
      hand.presses.push({ key: KEYS[event.key] });
  },

  // A finger was lifted: the window learns it at once. A keyboard that the person has closed comes back.
  $handLift__deps: ["$page", "$dynCall"],
  $handLift: function() {
    const typed = hand.types, room = window.visualViewport;
    if (page.turn)
      dynCall("v", page.turn, []);
    if (typed && hand.types && room && innerHeight - room.height < 100) {
      hand.field.blur();
      hand.field.focus({ preventScroll: true });
    }
  },

  // A browser takes the lock away when the page is hidden. Without https there is none.
  $handWake: function() {
    const wants = hand.isAwake && !document.hidden;
    if (wants && !hand.lock && navigator.wakeLock) {
      hand.lock = navigator.wakeLock.request("screen").then((lock) => {
        lock.addEventListener("release", () => { hand.lock = null; });
        return lock;
      }).catch(() => { hand.lock = null; });
    } else if (!wants && hand.lock) {
      hand.lock.then((lock) => lock && lock.release());
      hand.lock = null;
    }
  },

  browser_is_for_fingers: function() {
    return matchMedia("(pointer: coarse)").matches;
  },

  browser_insets__deps: ["$hand"],
  browser_insets: function(sides) {
    HEAP32.set(hand.insets, sides >> 2);
  },

  browser_use_keyboard__deps: ["$hand", "$handFill"],
  browser_use_keyboard: function(on) {
    if (hand.types === !!on)
      return;
    hand.types = !!on;
    if (on && hand.byTouch) {
      handFill();
      hand.field.focus({ preventScroll: true });
    } else {
      hand.field.blur();
    }
  },

  browser_next_press__deps: ["$hand"],
  browser_next_press: function(key, text, textBytes) {
    const press = hand.presses.shift();
    if (!press)
      return 0;
    HEAPU32[key >> 2] = press.key || 0;
    stringToUTF8(press.text || "", text, textBytes);
    return 1;
  },

  // The scheme of the program's links stands in the page.
  $handLink: function(text) {
    const link = UTF8ToString(text), scheme = `${document.documentElement.dataset.scheme}://`;
    return link.startsWith(scheme) ? `${location.href.replace(/[?#].*/, "")}#${link.slice(scheme.length)}` : link;
  },

  browser_link__deps: ["$handLink"],
  browser_link: function(text, textBytes) {
    const link = handLink(text);
    if (link.length < textBytes)
      stringToUTF8(link, text, textBytes);
  },

  browser_copy__deps: ["$handLink"],
  browser_copy: function(text) {
    const link = handLink(text);
    if (navigator.clipboard) {
      navigator.clipboard.writeText(link).catch((reason) => err(`nothing is copied: ${reason}`));
      return 1;
    }
    const field = Object.assign(document.createElement("textarea"), { className: "unseen", value: link }); // without https
    const before = document.activeElement;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (before)
      before.focus({ preventScroll: true });
    return copied ? 1 : 0;
  },

  browser_keep_awake__deps: ["$hand", "$handWake"],
  browser_keep_awake: function(on) {
    if (hand.isAwake === !!on)
      return;
    hand.isAwake = !!on;
    handWake();
  },

  browser_save_file: function(name, bytes, byteCount) {
    const url = URL.createObjectURL(new Blob([HEAPU8.slice(bytes, bytes + byteCount)]));
    const link = Object.assign(document.createElement("a"), { href: url, download: UTF8ToString(name) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  },
});
