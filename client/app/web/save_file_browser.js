// SPDX-License-Identifier: MIT
//
// A download of the page's own bytes, for save_file_browser.c.
mergeInto(LibraryManager.library, {
  browser_save_file: function(name, bytes, byteCount) {
    const url = URL.createObjectURL(new Blob([HEAPU8.slice(bytes, bytes + byteCount)]));
    const link = Object.assign(document.createElement("a"), { href: url, download: UTF8ToString(name) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  },
});
