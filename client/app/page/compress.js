// SPDX-License-Identifier: MIT
//
// Compresses the files of the page for web servers that send such files: compress.js FILE... makes FILE.br and FILE.gz.
"use strict";

const fs = require("fs");
const zlib = require("zlib");

const { BROTLI_PARAM_SIZE_HINT: SIZE_HINT, BROTLI_PARAM_LGBLOCK: BLOCK } = zlib.constants;

for (const name of process.argv.slice(2)) {
  const bytes = fs.readFileSync(name);
  fs.writeFileSync(`${name}.br`, zlib.brotliCompressSync(bytes, { params: { [SIZE_HINT]: bytes.length, [BLOCK]: 24 } })); // one block
  fs.writeFileSync(`${name}.gz`, zlib.gzipSync(bytes, { level: 9 }));
}
