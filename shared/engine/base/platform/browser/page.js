// SPDX-License-Identifier: MIT
//
// The loop of the window, for process.c: with each frame of the display. A page that nobody sees has no frames;
// then what arrives calls it, and a timer now and then, so that its match goes on.
mergeInto(LibraryManager.library, {
  $page: { turn: null, turned: 0 },

  $pageArrival__deps: ["$page", "$dynCall"],
  $pageArrival: function() {
    const now = performance.now();
    if (!document.hidden || !page.turn || now - page.turned < 12)
      return;
    page.turned = now;
    dynCall("v", page.turn, []);
  },

  browser_repeat__deps: ["$page", "$pageArrival", "emscripten_set_main_loop"],
  browser_repeat: function(turn) {
    page.turn = turn;
    setInterval(pageArrival, 250);
    _emscripten_set_main_loop(turn, 0, 1);
  },

  browser_repeat_end__deps: ["$page", "emscripten_cancel_main_loop"],
  browser_repeat_end: function() {
    page.turn = null;
    _emscripten_cancel_main_loop();
  },

  browser_sleep: function() {},
  browser_listen: function() {},
  browser_requests: function() {},
});
