// SPDX-License-Identifier: MIT
//
// Programs beside the page, for child.c: each is a worker that runs PROGRAM.js, and is loaded when it starts. It
// has the page's maps, and what it writes into a folder that the page keeps comes to the page. Its lines and datagrams
// travel in messages, as worker.js has them, in their order. (emscripten's optimizer breaks declarations that take
// objects apart, so there are none.)
mergeInto(LibraryManager.library, {
  $children: [], // by their number less 1; null: it has ended, and nobody asks any more

  // The files that a program reads, as [path, bytes].
  $childFiles: function(folder) {
    return FS.readdir(folder).filter((name) => !/^\.\.?$/.test(name)).flatMap((name) => {
      const path = `${folder}/${name}`;
      return FS.isDir(FS.stat(path).mode) ? childFiles(path) : [[path, FS.readFile(path)]];
    });
  },

  // A folder and all folders in it.
  $childFolders: function(folder) {
    return [folder].concat(FS.readdir(folder).filter((name) => !/^\.\.?$/.test(name)).map((name) => `${folder}/${name}`)
      .filter((path) => FS.isDir(FS.stat(path).mode)).flatMap((path) => childFolders(path)));
  },

  // Keeps a file, and removes the oldest ones of its folder that are more than there is room for.
  $childKeep: function(path, bytes) {
    const folder = path.replace(/\/[^/]*$/, "");
    FS.mkdirTree(folder);
    FS.writeFile(path, bytes);
    const files = FS.readdir(folder).map((name) => ({ path: `${folder}/${name}`, state: FS.stat(`${folder}/${name}`) }))
      .filter((file) => FS.isFile(file.state.mode)).sort((a, b) => b.state.mtime - a.state.mtime);
    let room = Module["keptBytes"];
    files.forEach((file) => {
      room -= file.state.size;
      if (room < 0 && file.path !== path)
        FS.unlink(file.path);
    });
  },

  $childTake__deps: ["$childKeep", "$udpTake", "$udpSockets"],
  $childTake: function(child, message) {
    if (message.line !== undefined)
      child.lines.push(message.line);
    else if (message.error !== undefined)
      err(message.error);
    else if (message.port)
      child.port = message.port;
    else if (message.datagram)
      udpTake(udpSockets[message.to - 1], [127, 0, 0, 1, child.port >> 8, child.port & 255], message.datagram);
    else if (message.file)
      childKeep(message.file, message.bytes);
    else if (message.exit !== undefined)
      child.code = message.exit;
  },

  browser_child_start__deps: ["$children", "$childFiles", "$childFolders", "$childTake"],
  browser_child_start: function(program, words) {
    const list = [];
    for (let at = words >> 2; HEAPU32[at]; at++)
      list.push(UTF8ToString(HEAPU32[at]));
    const child = { lines: [], port: 0, code: null };
    try {
      child.worker = new Worker(`${UTF8ToString(program).replace(/.*\//, "")}.js`);
    } catch (reason) {
      err(`no worker: ${reason}`);
      return 0;
    }
    child.worker.onmessage = (event) => childTake(child, event.data);
    child.worker.onerror = (event) => {
      err(`the program has failed: ${event.message || "it cannot be loaded"}`);
      child.code = -1;
    };
    const folders = Module["keptFolders"].flatMap((folder) => childFolders(folder));
    child.worker.postMessage({ words: list, files: childFiles("/maps"), folders, kept: Module["keptFolders"] });
    return children.push(child);
  },

  browser_child_line__deps: ["$children"],
  browser_child_line: function(number, line, lineBytes) {
    const text = children[number - 1].lines.shift();
    if (text === undefined)
      return 0;
    stringToUTF8(text, line, lineBytes);
    return 1;
  },

  browser_child_has_ended__deps: ["$children"],
  browser_child_has_ended: function(number, code) {
    const child = children[number - 1];
    if (child.code === null)
      return 0;
    HEAP32[code >> 2] = child.code;
    children[number - 1] = null;
    return 1;
  },

  // It ends beside the page, which goes on; what it still has to say of its files is heard.
  browser_child_stop__deps: ["$children"],
  browser_child_stop: function(number, patienceMs) {
    const worker = children[number - 1].worker;
    children[number - 1] = null;
    worker.postMessage({ request: 1 }); // PROCESS_REQUEST_TERMINATE
    setTimeout(() => worker.terminate(), patienceMs);
  },
});
