// SPDX-License-Identifier: MIT
//
// A program beside a page, in a worker: its start, its loop, its datagrams and its end are messages of the page
// (child.js). Its main() waits for the first one. It stands where page.js, child.js and
// udp.js stand for the page.
mergeInto(LibraryManager.library, {
  $program: {
    received: [], // datagrams, as [bytes, address]
    sockets: 0, port: 0, kept: [], shared: {},
    turn: 0, take: 0, timer: 0,
    wake: 0, // the moment that the program waits for, in ms
    wakesEarly: false, // by a datagram, too
  },
  $program__deps: ["$programBegin"],
  $program__postset: "programBegin();",

  $programBegin__deps: ["$programTurn", "$programShare", "$dynCall"],
  $programBegin: function() {
    out = (line) => postMessage({ line });
    err = (error) => postMessage({ error });
    Module["onExit"] = (exit) => {
      programShare(program.kept);
      postMessage({ exit });
      close();
    };
    addRunDependency("words");
    onmessage = (event) => {
      const message = event.data;
      if (message.words) {
        addOnPreRun(() => { // when there is memory
          message.files.forEach((file) => {
            FS.mkdirTree(file[0].replace(/\/[^/]*$/, ""));
            FS.writeFile(file[0], file[1]);
          });
          message.folders.forEach((folder) => FS.mkdirTree(folder));
        });
        program.kept = message.kept;
        arguments_ = message.words;
        removeRunDependency("words");
      } else if (message.datagram) {
        if (program.received.length < 4096)
          program.received.push([message.datagram, message.from]);
        if (program.wakesEarly)
          programTurn();
      } else if (program.take) {
        dynCall("vi", program.take, [message.request]);
        programTurn();
      } else {
        close(); // before it has begun
      }
    };
    setInterval(() => programShare(program.kept), 5000);
  },

  // Calls the loop and, later, itself.
  $programTurn__deps: ["$dynCall"],
  $programTurn: function() {
    if (!program.turn)
      return;
    clearTimeout(program.timer);
    program.wake = 0;
    try {
      dynCall("v", program.turn, []);
      program.timer = setTimeout(programTurn, Math.max(0, Math.ceil(program.wake - performance.now())));
    } catch (reason) {
      if (!(reason instanceof ExitStatus))
        throw reason;
    }
  },

  // Gives the page the files that have changed in the folders that it keeps.
  $programShare: function(folders) {
    folders.filter((folder) => FS.analyzePath(folder).exists).forEach((folder) => {
      FS.readdir(folder).filter((name) => !/^\.\.?$/.test(name)).forEach((name) => {
        const path = `${folder}/${name}`, found = FS.stat(path), state = `${found.size} ${+found.mtime}`;
        if (FS.isDir(found.mode))
          programShare([path]);
        else if (FS.isFile(found.mode) && program.shared[path] !== state) {
          program.shared[path] = state;
          postMessage({ file: path, bytes: FS.readFile(path) });
        }
      });
    });
  },

  browser_repeat__deps: ["$program", "$programTurn"],
  browser_repeat: function(turn) {
    program.turn = turn;
    program.timer = setTimeout(programTurn);
    throw "unwind";
  },

  browser_repeat_end__deps: ["$program"],
  browser_repeat_end: function() {
    program.turn = 0;
  },

  browser_sleep__deps: ["$program"],
  browser_sleep: function(untilMs) {
    program.wake = untilMs;
    program.wakesEarly = false;
  },

  browser_listen__deps: ["$program"],
  browser_listen: function(timeoutMs) {
    program.wake = program.received.length ? 0 : performance.now() + timeoutMs;
    program.wakesEarly = true;
  },

  browser_requests__deps: ["$program"],
  browser_requests: function(take) {
    program.take = take;
  },

  browser_udp_open__deps: ["$program"],
  browser_udp_open: function() {
    return program.sockets++;
  },

  // Of all sockets the first that is bound receives.
  browser_udp_bind__deps: ["$program"],
  browser_udp_bind: function(number, port) {
    if (program.port)
      return 0;
    program.port = port || 27440;
    program.socket = number;
    postMessage({ port: program.port });
    return program.port;
  },

  browser_udp_certify: function() {},
  browser_udp_is_near: function() { return 0; },
  browser_udp_is_opening: function() { return 0; },
  browser_udp_close: function() {},

  browser_udp_send: function(number, to, addressBytes, bytes, byteCount) {
    postMessage({ datagram: HEAPU8.slice(bytes, bytes + byteCount), to: HEAPU8[to + addressBytes - 2] << 8 | HEAPU8[to + addressBytes - 1] });
    return 1;
  },

  browser_udp_receive__deps: ["$program"],
  browser_udp_receive: function(number, bytes, room, from, addressBytes, arrivedMs) {
    const datagram = number === program.socket && program.received.shift();
    if (!datagram)
      return -1;
    HEAPU8.set(datagram[0].subarray(0, room), bytes);
    HEAPU8.set(datagram[1], from);
    HEAPU8[addressBytes] = datagram[1].length;
    HEAPF64[arrivedMs >> 3] = 0;
    return datagram[0].length;
  },

  browser_child_start: function() { return 0; },
  browser_child_line: function() { return 0; },
  browser_child_has_ended: function() { return 1; },
  browser_child_stop: function() {},
});
