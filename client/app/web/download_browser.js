// SPDX-License-Identifier: MIT
//
// Answers of web servers, for download_browser.c. Each is given up when it becomes too long or takes too much time.
mergeInto(LibraryManager.library, {
  $downloads: "new Map()",

  // Takes the parts of an answer until its end.
  $downloadRead: function(download, reader, parts, byteCount, byteCountMax) {
    return reader.read().then(({ done, value }) => {
      if (done) {
        download.bytes = new Uint8Array(byteCount);
        parts.reduce((at, part) => (download.bytes.set(part, at), at + part.length), 0);
        return;
      }
      if (byteCount + value.length > byteCountMax) {
        download.state = 3;
        throw new Error("the answer is too long");
      }
      parts.push(value);
      return downloadRead(download, reader, parts, byteCount + value.length, byteCountMax);
    });
  },

  browser_download_begin__deps: ["$downloads", "$downloadRead"],
  browser_download_begin: function(url, body, bodyBytes, byteCountMax, timeoutS) {
    const number = downloads.next = (downloads.next || 0) + 1;
    const abort = new AbortController();
    const download = { abort, state: 0, status: 0, bytes: new Uint8Array(), reason: "" };
    const timer = setTimeout(() => abort.abort(new Error("no answer in time")), timeoutS * 1000);
    const options = { signal: abort.signal, credentials: "omit", referrerPolicy: "no-referrer" };
    if (body)
      Object.assign(options, { method: "POST", body: HEAPU8.slice(body, body + bodyBytes) });
    downloads.set(number, download);
    fetch(UTF8ToString(url), options).then((response) => {
      download.status = response.status;
      return downloadRead(download, response.body.getReader(), [], 0, byteCountMax);
    }).then(() => {
      download.state = 1;
    }).catch((reason) => {
      download.reason = String(reason.message || reason);
      download.state = download.state || 2;
      abort.abort();
    }).finally(() => clearTimeout(timer));
    return number;
  },

  // 0: it runs; 1: it is done, with the status and the bytes; 2: it has failed, with the reason; 3: because it
  // is too long.
  browser_download_look__deps: ["$downloads"],
  browser_download_look: function(number, status, byteCount, reason, reasonBytes) {
    const download = downloads.get(number);
    HEAPU32[status >> 2] = download.status;
    HEAPU32[byteCount >> 2] = download.bytes.length;
    stringToUTF8(download.reason, reason, reasonBytes);
    return download.state;
  },

  browser_download_end__deps: ["$downloads"],
  browser_download_end: function(number, bytes) {
    const download = downloads.get(number);
    if (bytes)
      HEAPU8.set(download.bytes, bytes);
    download.abort.abort();
    downloads.delete(number);
  },
});
